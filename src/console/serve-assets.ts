/** The few files that pages load, read once and sent with a tag so that browsers ask only whether they changed. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { toProblem } from '../lib/problem.ts';
import type { Env } from './env.ts';
import { refuse } from './refuse.ts';

const TYPES: Readonly<Record<string, string>> = Object.freeze({
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'mark.svg': 'image/svg+xml',
});

interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

export function serveAssets(app: Hono<Env>): void {
  const assets = new Map(Object.entries(TYPES).map(([name, type]) => [name, load(name, type)]));
  app.get('/assets/:name', (context) => {
    const asset = assets.get(context.req.param('name'));
    if (asset === undefined)
      return refuse(context, toProblem('not-found', 'There is no such file.'));
    context.header('etag', asset.tag);
    context.header('cache-control', 'private, no-cache');
    if (context.req.header('if-none-match') === asset.tag) return context.body(null, 304);
    context.header('content-type', asset.type);
    return context.body(asset.bytes);
  });
}

function load(name: string, type: string): Asset {
  const bytes = new Uint8Array(readFileSync(new URL(`./assets/${name}`, import.meta.url)));
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { type, bytes, tag: `"${digest}"` };
}

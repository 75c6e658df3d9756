/**
 * Finds and loads the server that a command names: a module, or a folder whose package.json names
 * one. Its default export is a server, or a function that makes one from a `ServeContext`.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlimsollServer, ServeContext } from '../serve/create-server.ts';
import { CliError } from './cli-error.ts';

export async function loadServer(path: string, context: ServeContext): Promise<PlimsollServer> {
  const file = findModule(path);
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  const made: unknown =
    typeof module.default === 'function'
      ? await (module.default as (context: ServeContext) => unknown)(context)
      : module.default;
  if (!isServer(made)) {
    throw new CliError(
      `${path} does not export a server; write \`export default createServer({ … })\`, or a function that returns one`,
    );
  }
  return made;
}

function findModule(path: string): string {
  const full = resolve(path);
  if (!existsSync(full)) throw new CliError(`${path} does not exist`);
  if (!statSync(full).isDirectory()) return full;
  const manifest = join(full, 'package.json');
  if (!existsSync(manifest))
    throw new CliError(`${path} has no package.json; name the module itself`);
  const { main } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly main?: unknown };
  if (typeof main !== 'string') {
    throw new CliError(`${path}/package.json has no "main"; name the module itself`);
  }
  return join(full, main);
}

function isServer(value: unknown): value is PlimsollServer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'operations' in value &&
    value.operations instanceof Map &&
    'invoke' in value
  );
}

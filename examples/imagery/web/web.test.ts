/** The shop's own HTTP server: what no tool suits is served there, and every refusal is a problem. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { projectOpenApi } from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLIMSOLL, run } from '../../../test/gate/gate-process.ts';
import type { TestShop } from '../test-shop.ts';
import { deliveredItem, MINUTE, openTestShop } from '../test-shop.ts';
import { OVERLAY, toWebDocument } from './document.ts';
import { ENDPOINTS } from './endpoints.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

let shop: TestShop;
let itemId: string;

beforeAll(async () => {
  shop = await openTestShop();
  ({ itemId } = await deliveredItem(shop));
});

afterAll(() => shop[Symbol.asyncDispose]());

interface Sent {
  readonly as?: string | null;
  readonly body?: string;
  readonly key?: string;
}

const send = (path: string, { as = 'mara', body, key }: Sent = {}): Promise<Response> =>
  fetch(shop.web + path, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: {
      ...(as !== null && { authorization: `Bearer ${as}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  });

const post = async (path: string, value: unknown, sent: Sent = {}) => {
  const answer = await send(path, { ...sent, body: JSON.stringify(value) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const newItem = async () => {
  const item = { project_id: 'prj_reef', name: 'x', type: 'user_raster' };
  return String((await shop.call('items.create', item)).body['id']);
};

describe('what gets no tool', () => {
  const { operations, excluded, refused } = projectOpenApi(toWebDocument(), {
    baseUrl: 'http://127.0.0.1',
    overlay: OVERLAY,
  });

  it('R157 R158 R159 R160 R161: is everything that is served here, each for its kind', () => {
    expect([operations, refused]).toEqual([[], []]);
    const kinds = Object.groupBy(excluded, ({ code }) => code);
    const named = Object.entries(kinds).map(([code, all]) => [
      code,
      all.map((one) => one.operation),
    ]);
    expect(Object.fromEntries(named)).toEqual({
      image: ['items.tile.render', 'items.thumbnail', 'share.tile.render'],
      'binary-download': ['share.asset.download', 'exports.download', 'reports.generate'],
      stream: ['catalog.search_stream', 'processing.jobs.watch'],
      admin: ['billing.reconciliation.run', 'orders.deliver_due'],
      untyped: ['items.bulk_delete', 'processing.create_and_dispatch'],
      'excluded-by-overlay': ['share.open'],
    });
  });

  it('R162: what agents use in its place are tools', () => {
    for (const { instead } of Object.values(ENDPOINTS)) {
      for (const name of instead) expect([...shop.server.operations.keys()]).toContain(name);
    }
  });

  it('R163: the README lists what `plimsoll project --explain` says of the served document', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'imagery-web-'));
    try {
      const [document, overlay] = [join(folder, 'openapi.json'), join(folder, 'overlay.json')];
      writeFileSync(document, await (await send('/openapi.json', { as: null })).text());
      writeFileSync(overlay, JSON.stringify(OVERLAY));
      const explain = ['project', document, '--overlay', overlay, '--explain'];
      const { code, stdout } = await run(PLIMSOLL, explain);
      expect(code).toBe(0);
      const told = [...stdout.matchAll(/^ {2}(\S+) \((.+)\): ([\w-]+)\n {4}(.+)$/gm)];
      expect(told).toHaveLength(Object.keys(ENDPOINTS).length);
      for (const [, operation, endpoint, kind, reason] of told) {
        const row = `| \`${operation}\` | \`${endpoint}\` | \`${kind}\` | ${reason} |`;
        expect(README).toContain(row);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('pictures', () => {
  it.each(['tiles/3/7/4', 'thumbnail'])('%s is a PNG', async (path) => {
    const answer = await send(`/items/${itemId}/${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { width, pixels } = readPng(Buffer.from(await answer.arrayBuffer()));
    expect(pixels.length).toBe(width * (1 + width * 3));
    expect(new Set(pixels).size).toBeGreaterThan(50);
  });

  it('differ by place, and end where the map does', async () => {
    const tile = async (path: string) => {
      const answer = await send(`/items/${itemId}/tiles/${path}`);
      return answer.status === 200
        ? Buffer.from(await answer.arrayBuffer()).toString('hex')
        : answer.status;
    };
    expect(await tile('3/7/4')).toBe(await tile('3/7/4'));
    expect(await tile('3/7/4')).not.toBe(await tile('3/7/5'));
    expect([await tile('3/8/0'), await tile('-1/0/0'), await tile('23/0/0')]).toEqual([
      404, 404, 404,
    ]);
  });
});

describe('streams', () => {
  it('R159: the lines of a search are the pages of its sibling', async () => {
    const when = '2026-06-01/2026-06-30';
    const answer = await send(`/catalog/search.ndjson?host_name=kestrel&datetime=${when}`);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const listed: unknown[] = [];
    let next: unknown;
    do {
      const args = {
        host_name: 'kestrel',
        datetime: when,
        limit: 7,
        ...(next !== undefined && { next }),
      };
      const { body } = await shop.call('catalog.search', args);
      listed.push(...(body['features'] as readonly unknown[]));
      next = body['next'];
    } while (next !== null);
    expect(listed.length).toBeGreaterThan(7);
    expect(lines).toEqual(listed);
  });

  it('R159: the events of jobs end in what their sibling lists', async () => {
    const job = { process_id: 'pansharpen', inputs: { item_id: itemId }, workspaceId: 'prj_reef' };
    await shop.call('processing.execute', job);
    const answer = await send('/processing/jobs/events');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const statuses: string[] = [];
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      statuses.push(
        ...[...part.value.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status ?? ''),
      );
      if (part.value.includes('event: end')) break;
      shop.pass(MINUTE);
    }
    expect(statuses[0]).toBe('queued');
    expect(statuses.at(-1)).toBe('succeeded');
    const { body } = await shop.call('processing.jobs.list', {});
    expect(body['jobs']).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('reports', () => {
  it('are the listed usage as a file', async () => {
    const answer = await send('/reports/usage?organization_id=org_reef&months=2');
    expect(answer.headers.get('content-disposition')).toContain('usage.csv');
    const { body } = await shop.call('usage.history', { organization_id: 'org_reef', months: 2 });
    const months = body['months'] as readonly { month: string; credits_charged: number }[];
    const lines = months.map(({ month, credits_charged }) => `${month},${credits_charged}\r\n`);
    expect(await answer.text()).toBe(`month,credits_charged\r\n${lines.join('')}`);
  });
});

describe('the office', () => {
  it('compares what is reserved with what is open, and works off what is due', async () => {
    const order = { project_id: 'prj_reef', captures: [{ id: 'scn_sample_harbour' }] };
    const placed = await shop.call('orders.archive.place', order);
    const reconciled = await post('/admin/billing/reconcile', {});
    expect(reconciled.body).toMatchObject({
      organisations: [
        { id: 'org_reef', open: placed.body['credits'] },
        { id: 'org_terra', open: 0 },
      ],
      drifted: [],
    });
    expect((await post('/cron/work', {})).body).toEqual({ delivered: 0, finished: 0 });
  });

  it('R160: is not for agents: no tool, and a scope that they do not hold', async () => {
    expect([...shop.server.operations.keys()]).not.toContain('billing.reconciliation.run');
    for (const path of ['/admin/billing/reconcile', '/cron/work']) {
      expect((await post(path, {}, { as: 'nobody' })).body).toMatchObject({
        code: 'scope-missing',
      });
    }
  });
});

describe('untyped mutations', () => {
  it('go through the typed operations, step by step, and say where they stopped', async () => {
    const [one, two] = [await newItem(), await newItem()];
    const { body } = await post('/items/bulk-delete', { ids: [one, 'itm_none', two] });
    expect(body).toMatchObject({ done: [{ ok: true, id: one }], stopped: { code: 'not-found' } });
    expect((await shop.call('items.get', { item_id: one })).status).toBe(404);
    expect((await shop.call('items.get', { item_id: two })).status).toBe(200);
  });

  it('spend once for a key', async () => {
    const step = { process_id: 'pansharpen', inputs: { item_id: itemId }, workspaceId: 'prj_reef' };
    const sent = { key: 'graph-key-0000000001' };
    const before = shop.store.credits.balance('org_reef').available;
    const first = await post('/processing/graphs', { steps: [step, step] }, sent);
    const between = shop.store.credits.balance('org_reef').available;
    expect(await post('/processing/graphs', { steps: [step, step] }, sent)).toEqual(first);
    expect(first.body['done']).toHaveLength(2);
    expect(between).toBeLessThan(before);
    expect(shop.store.credits.balance('org_reef').available).toBe(between);
  });
});

describe('refusals', () => {
  it.each<readonly [string, number, string, Sent]>([
    ['/nowhere', 404, 'not-found', {}],
    ['/cron/work', 405, 'method-not-allowed', {}],
    ['/items/itm_none/thumbnail', 404, 'not-found', {}],
    ['/items/itm_none/thumbnail', 401, 'unauthenticated', { as: null }],
    ['/items/itm_none/thumbnail', 401, 'token-rejected', { as: 'mallory' }],
    ['/catalog/search.ndjson?host_name=kestrel', 403, 'scope-missing', { as: 'nobody' }],
    ['/catalog/search.ndjson?host_name=nowhere', 422, 'invalid-input', {}],
    ['/processing/jobs/events', 401, 'unauthenticated', { as: null }],
    ['/exports/export_none', 404, 'not-found', { as: null }],
    ['/items/bulk-delete', 400, 'malformed-json', { body: '{' }],
    ['/items/bulk-delete', 422, 'invalid-input', { body: '{"ids":"all"}' }],
    ['/items/bulk-delete', 403, 'scope-missing', { as: 'nobody', body: '{"ids":["x"]}' }],
    ['/processing/graphs', 422, 'invalid-input', { body: '[]' }],
  ])('R212: %s is a problem: %i %s', async (path, status, code, sent) => {
    const answer = await send(path, sent);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json',
    ]);
    expect(await answer.json()).toMatchObject({ code, status, detail: expect.any(String) });
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
  });
});

it('R212: an address that cannot be read is a problem, too', async () => {
  const { port } = new URL(shop.web);
  const heard = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write('GET //[ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    });
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    socket.once('close', () => resolve(text));
  });
  expect(heard).toMatch(
    /^HTTP\/1\.1 400 [^]*application\/problem\+json[^]*"code":"invalid-request"/,
  );
  expect(shop.reports).toEqual([]);
});

/** The side of a picture and its rows, each with its filter in front. */
function readPng(bytes: Buffer): { readonly width: number; readonly pixels: Buffer } {
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  const start = bytes.indexOf('IDAT');
  const pixels = inflateSync(bytes.subarray(start + 4, start + 4 + bytes.readUInt32BE(start - 4)));
  return { width: bytes.readUInt32BE(16), pixels };
}

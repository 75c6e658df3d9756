/** How a server of the kit ends as a process: calls that run are finished or recorded as unknown, on any request to stop. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLedger } from 'plimsoll/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Postgres } from '../support/postgres.ts';
import { openPostgres } from '../support/postgres.ts';

const PLIMSOLL = resolve('bin/plimsoll');
const SERVER = fileURLToPath(import.meta.resolve('../support/slow-server.ts'));
const KEY = Buffer.alloc(32, 5);
const OPERATIONS = ['pay', 'local_pay', 'create_note', 'get_note'] as const;

type Store = 'SQLite' | 'PostgreSQL';
type Way = 'SIGTERM' | 'SIGINT' | 'the end of input';

let folder: string;
let postgres: Postgres | undefined;
let address: string;
let server: ChildProcessWithoutNullStreams;
let ended: Promise<unknown>;
let [out, said] = ['', ''];

// Each test starts a process, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-stopping-'));
});

afterEach(async () => {
  server.kill('SIGKILL');
  await ended;
  await postgres?.[Symbol.asyncDispose]();
  postgres = undefined;
  rmSync(folder, { recursive: true });
});

async function start(store: Store, ...flags: readonly string[]): Promise<void> {
  if (store === 'PostgreSQL') postgres = await openPostgres();
  address = postgres?.url ?? `sqlite:${join(folder, 'ledger.sqlite')}`;
  const env = {
    ...process.env,
    EFFECTS_FILE: join(folder, 'effects'),
    PLIMSOLL_LEDGER_KEY: KEY.toString('base64'),
  };
  server = spawn(PLIMSOLL, ['serve', SERVER, '--ledger', address, ...flags], { env });
  ended = once(server, 'close');
  [out, said] = ['', ''];
  server.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  server.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
}

function send(id: number, method: string, params: object): void {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
}

async function openStdio(store: Store, grace: number): Promise<void> {
  await start(store, '--stdio', '--grace', String(grace));
  const clientInfo = { name: 'test', version: '1' };
  send(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await vi.waitUntil(() => out.includes('"id":0'), { timeout: 30_000 });
  server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
}

const argumentsOf = (name: string, ms: number): object =>
  name.endsWith('pay') ? { ms, idempotency_key: `${name}-key-of-16-letters` } : { ms };

function effects(): string {
  try {
    return readFileSync(join(folder, 'effects'), 'utf8');
  } catch {
    return '';
  }
}

async function untilAllRun(names: readonly string[] = OPERATIONS): Promise<void> {
  await vi.waitUntil(() => names.every((name) => effects().includes(`${name} began`)), {
    timeout: 30_000,
  });
}

function stop(way: Way): void {
  if (way === 'the end of input') server.stdin.end();
  else server.kill(way);
}

async function endOf(): Promise<{ code: unknown; ms: number }> {
  const started = Date.now();
  const [code] = (await ended) as readonly [unknown];
  return { code, ms: Date.now() - started };
}

interface Answer {
  readonly id: number;
  readonly result: {
    readonly content: readonly { readonly text: string }[];
    readonly _meta?: { readonly 'dev.plimsoll/problem': { readonly code: string } };
  };
}

/** What each answer was: its result's text, or the code of its problem. */
function answers(): Record<string, string> {
  const messages = out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Answer)
    .filter(({ id }) => id > 0);
  return Object.fromEntries(
    messages.map(({ id, result }): [string, string] => [
      OPERATIONS[id - 1] ?? '',
      result._meta?.['dev.plimsoll/problem'].code ?? result.content[0]?.text ?? '',
    ]),
  );
}

/** The receipts and the states of the key records, by operation. */
async function ledgerSays(): Promise<Record<string, string>> {
  await using ledger = await openLedger(address, { key: KEY, report: () => {} });
  return ledger.store.transaction(async (tx) => {
    const receipts = await tx.execute('SELECT operation, decision, outcome FROM receipts');
    const keys = await tx.execute('SELECT operation, state FROM key_records');
    const stateOf = (name: unknown): string =>
      keys
        .flatMap((row) => (row['operation'] === name ? [` ${String(row['state'])}`] : []))
        .join('');
    return Object.fromEntries(
      receipts.map(({ operation, decision, outcome }): [string, string] => [
        String(operation),
        `${String(decision)} ${String(outcome)}${stateOf(operation)}`,
      ]),
    );
  });
}

const FINISHED = {
  pay: 'ran success SUCCEEDED',
  local_pay: 'ran success SUCCEEDED',
  create_note: 'ran success',
  get_note: 'ran success',
};

const CUT_OFF = {
  pay: 'ran unknown UNKNOWN',
  local_pay: 'abandoned unavailable',
  create_note: 'ran unknown',
  get_note: 'abandoned unavailable',
};

describe.each<[Way, Store]>([
  ['SIGTERM', 'SQLite'],
  ['SIGINT', 'SQLite'],
  ['the end of input', 'SQLite'],
  ['SIGTERM', 'PostgreSQL'],
])('over stdio, on %s, with %s', (way, store) => {
  // On SQLite a local operation holds the one writer, so it runs alone there.
  const names = OPERATIONS.filter((name) => store === 'PostgreSQL' || name !== 'local_pay');
  const only = (all: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, all[name] ?? '']));

  it('calls that run are finished, answered and recorded', async () => {
    await openStdio(store, 10);
    for (const name of names) {
      const id = OPERATIONS.indexOf(name) + 1;
      send(id, 'tools/call', { name, arguments: argumentsOf(name, 1500) });
    }
    await untilAllRun(names);
    stop(way);
    expect((await endOf()).code).toBe(0);
    expect(answers()).toEqual(
      Object.fromEntries(names.map((name) => [name, JSON.stringify({ done: name })])),
    );
    expect(await ledgerSays()).toEqual(only(FINISHED));
    expect(said).not.toContain('could not');
  });

  it('what does not finish in time is recorded as unknown, and its caller is told', async () => {
    await openStdio(store, 1);
    for (const name of names) {
      const id = OPERATIONS.indexOf(name) + 1;
      send(id, 'tools/call', { name, arguments: argumentsOf(name, 60_000) });
    }
    await untilAllRun(names);
    stop(way);
    const { code, ms } = await endOf();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(8000);
    expect(answers()).toEqual(
      only({
        pay: 'outcome-doubtful',
        local_pay: 'unavailable',
        create_note: 'outcome-doubtful',
        get_note: 'unavailable',
      }),
    );
    expect(await ledgerSays()).toEqual(only(CUT_OFF));
    expect(effects()).not.toContain('done');
  });
});

it('a local operation on SQLite that does not finish in time has done nothing', async () => {
  await openStdio('SQLite', 1);
  send(2, 'tools/call', { name: 'local_pay', arguments: argumentsOf('local_pay', 60_000) });
  await untilAllRun(['local_pay']);
  stop('SIGTERM');
  expect((await endOf()).code).toBe(0);
  expect(await ledgerSays()).toEqual({ local_pay: CUT_OFF.local_pay });
});

it('a host that closes the input and then sends SIGTERM has asked once', async () => {
  await openStdio('SQLite', 10);
  send(1, 'tools/call', { name: 'pay', arguments: argumentsOf('pay', 2000) });
  await untilAllRun(['pay']);
  stop('the end of input');
  await new Promise((done) => setTimeout(done, 500));
  stop('SIGTERM');
  expect((await endOf()).code).toBe(0);
  expect(await ledgerSays()).toEqual({ pay: FINISHED.pay });
});

it('calls that were sent just before the input ended are answered', async () => {
  await start('SQLite', '--stdio');
  const clientInfo = { name: 'test', version: '1' };
  send(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  send(1, 'tools/call', { name: 'pay', arguments: argumentsOf('pay', 10) });
  server.stdin.end();
  expect((await endOf()).code).toBe(0);
  expect(answers()).toEqual({ pay: '{"done":"pay"}' });
});

describe.each<[Exclude<Way, 'the end of input'>, Store]>([
  ['SIGTERM', 'SQLite'],
  ['SIGINT', 'PostgreSQL'],
])('over HTTP, on %s, with %s', (way, store) => {
  async function open(grace: number): Promise<string> {
    await start(store, '--grace', String(grace));
    await vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+/.test(out), { timeout: 30_000 });
    return /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? '';
  }

  const post = async (url: string, body: object): Promise<string> => {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    });
    return `${response.status} ${await response.text()}`;
  };

  const call = (url: string, name: string, ms: number): Promise<string>[] => [
    post(`${url}/op/${name}`, argumentsOf(name, ms)),
    post(`${url}/mcp`, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_note', arguments: { ms } },
    }),
  ];

  it('calls that run are finished, answered and recorded', async () => {
    const url = await open(10);
    const pending = call(url, 'pay', 1500);
    await untilAllRun(['pay', 'get_note']);
    stop(way);
    const [paid, read] = await Promise.all(pending);
    expect(paid).toBe('200 {"done":"pay"}');
    expect(read).toContain('get_note');
    expect((await endOf()).code).toBe(0);
    expect(await ledgerSays()).toEqual({ pay: FINISHED.pay, get_note: FINISHED.get_note });
  });

  it('what does not finish in time is recorded as unknown, and its caller is told', async () => {
    const url = await open(1);
    const pending = call(url, 'pay', 60_000);
    await untilAllRun(['pay', 'get_note']);
    stop(way);
    const [paid, read] = await Promise.all(pending);
    expect(paid).toMatch(/^504 .*outcome-doubtful/);
    expect(read).toContain('unavailable');
    const { code, ms } = await endOf();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(8000);
    expect(await ledgerSays()).toEqual({ pay: CUT_OFF.pay, get_note: CUT_OFF.get_note });
  });
});

/** Real server processes that die, hang, come back and talk out of turn: what a caller is told of each. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '../protocol/channel.ts';
import type { JsonObject, RpcId } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import { openProcess } from './process.ts';

let folder: string;
let heard: string[];
let reports: string[];
let channel: Channel;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-process-'));
  heard = [];
  reports = [];
});

afterEach(async () => {
  await channel[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Every server writes what it gets to a log, and knows which run of it this is. */
const PRELUDE = `
const fs = require('node:fs');
const log = (text) => fs.appendFileSync('log', text + '\\n');
fs.appendFileSync('runs', '.');
const run = fs.readFileSync('runs', 'utf8').length;
const send = (message) => fs.writeSync(1, JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const hello = (id) => send({ id, result: { protocolVersion: '2025-11-25', serverInfo: { name: 's', version: '1' },
  capabilities: { tools: { listChanged: true }, prompts: {}, resources: { listChanged: true, subscribe: true } } } });
const onMessage = (take) => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  log(run + ' ' + (message.method ?? 'answer ' + JSON.stringify(message.result ?? message.error)) + suffix(message));
  take(message);
});
const suffix = ({ params }) => (params?.uri ?? params?.level ?? params?.name ?? '').replace(/^(?=.)/, ' ');
`;

/** Answers everything, lists one tool, and exits when it is told to. */
const PLAIN = `onMessage(({ id, method, params }) => {
  if (method === 'initialize') hello(id);
  else if (method === 'die') process.exit(3);
  else if (method === 'hang') return;
  else if (id !== undefined) send({ id, result: { run } });
});`;

function open(script: string, options: { cancelGraceMs?: number; openingMs?: number } = {}): void {
  channel = openProcess({
    command: process.execPath,
    args: ['-e', PRELUDE + script],
    cwd: folder,
    report: (message) => void reports.push(message),
    ...options,
  });
  channel.listen({
    frame: ({ message: { id, method, result, error } }) => {
      const what = method ?? (error === undefined ? JSON.stringify(result) : 'error');
      heard.push(id === undefined ? what : `${String(id)}: ${what}`);
    },
    failed: (id, { kind }) => void heard.push(`${String(id)}: ${kind}`),
    renewed: () => void heard.push('renewed'),
    closed: () => void heard.push('closed'),
  });
}

function request(id: RpcId, method: string, params: JsonObject = {}): void {
  channel.send(toFrame({ jsonrpc: '2.0', id, method, params }));
}

function notify(method: string, params: JsonObject = {}): void {
  channel.send(toFrame({ jsonrpc: '2.0', method, params }));
}

async function hears(...what: readonly string[]): Promise<void> {
  const isThere = (): readonly string[] => heard.filter((each) => what.includes(each));
  await expect.poll(isThere, { timeout: 8000 }).toEqual(what);
}

function logged(): readonly string[] {
  return readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n');
}

async function begin(): Promise<void> {
  request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
  await expect.poll(() => heard.length, { timeout: 8000 }).toBe(1);
  notify('notifications/initialized');
  heard = [];
}

/** As a server does that is killed while nobody asks it anything. */
async function die(): Promise<void> {
  notify('die');
  await hears('renewed');
}

describe('a process that ends', () => {
  it('has all of its output read before what is left counts as lost', async () => {
    const big = `onMessage(() => { send({ id: 1, result: 'x'.repeat(3e6) }); send({ id: 2, result: 2 });
      fs.writeSync(1, '{"jsonrpc":"2.0","id":3,"result":3}'); process.exit(1); });`;
    open(big);
    for (const id of [1, 2, 3, 4]) request(id, 'work');
    await hears('renewed');
    expect(heard.map((each) => each.slice(0, 9))).toEqual([
      '1: "xxxxx',
      '2: 2',
      '3: 3',
      '4: lost',
      'renewed',
    ]);
  });

  it('is not waited for when a child of it keeps the pipe open', async () => {
    const sleeper = `require('node:child_process').spawn('sleep', ['5'], { stdio: 'inherit' }).unref();`;
    open(`onMessage(() => { ${sleeper} setTimeout(() => process.exit(0), 50); });`);
    const from = Date.now();
    request(1, 'work');
    await hears('1: lost', 'renewed');
    expect(Date.now() - from).toBeLessThan(4000);
  });

  it('is stopped when it closes its output, since it can answer nothing more', async () => {
    open(`onMessage(() => { fs.closeSync(1); setInterval(() => {}, 1000); });`);
    request(1, 'work');
    await hears('1: lost', 'renewed');
    expect(reports).toEqual([expect.stringContaining('SIGTERM')]);
  });

  it('that never ran was certainly not reached', async () => {
    open('');
    channel = openProcess({ command: join(folder, 'nothing') });
    const kinds: string[] = [];
    channel.listen({
      frame: () => {},
      failed: (_, { kind }) => void kinds.push(kind),
      renewed: () => void kinds.push('renewed'),
      closed: () => void kinds.push('closed'),
    });
    request(1, 'work');
    expect(kinds).toEqual([]);
    await expect.poll(() => kinds).toEqual(['not-sent']);
    await channel[Symbol.asyncDispose]();
    expect(kinds).toEqual(['not-sent', 'closed']);
  });

  it('over and over is left alone for a minute, and every request hears so', async () => {
    open('process.exit(1);');
    for (let id = 1; id <= 7; id += 1) {
      request(id, 'work');
      await expect.poll(() => heard.some((each) => each.startsWith(`${id}: `))).toBe(true);
    }
    expect(heard.slice(-2)).toEqual(['6: not-sent', '7: not-sent']);
    expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('.....');
  });
});

describe('a process that comes back', () => {
  it('while idle is announced at once, and begins the session before anything else', async () => {
    open(PLAIN);
    await begin();
    await die();
    expect(heard).toEqual(['renewed']);
    request(5, 'prompts/list');
    await hears('5: {"run":2}');
    expect(heard).toEqual([
      'renewed',
      'notifications/tools/list_changed',
      'notifications/resources/list_changed',
      '5: {"run":2}',
    ]);
    expect(logged().slice(-3)).toEqual([
      '2 initialize',
      '2 notifications/initialized',
      '2 prompts/list',
    ]);
  });

  it('gets no call that was decided on the tools of its predecessor', async () => {
    open(PLAIN);
    await begin();
    request(1, 'tools/list');
    await hears('1: {"run":1}');
    request(2, 'tools/call', { name: 'a' });
    await hears('2: {"run":1}');
    await die();
    request(3, 'tools/call', { name: 'a' });
    expect(heard).not.toContain('3: not-sent');
    await hears('3: not-sent');
    // Neither while the new process starts, nor when it runs.
    request(4, 'prompts/list');
    request(5, 'tools/call', { name: 'a' });
    await hears('5: not-sent', '4: {"run":2}');
    request(6, 'tools/call', { name: 'a' });
    await hears('6: not-sent');
    request(7, 'tools/list');
    await hears('7: {"run":2}');
    request(8, 'tools/call', { name: 'a' });
    await hears('8: {"run":2}');
    expect(logged().filter((line) => line.includes('tools/call'))).toEqual([
      '1 tools/call a',
      '2 tools/call a',
    ]);
  });

  it('is announced before a request that is sent in return for a failure', async () => {
    open(PLAIN);
    const order: string[] = [];
    channel.listen({
      frame: ({ message }) => void order.push(`answer ${String(message.id)}`),
      failed: (id) => {
        order.push(`failed ${String(id)}`);
        request(2, 'again');
      },
      renewed: () => void order.push('renewed'),
      closed: () => {},
    });
    request(1, 'die');
    await expect.poll(() => order).toEqual(['failed 1', 'renewed', 'answer 2']);
  });

  it('may ping before it answers initialize, and ask other things', async () => {
    open(`let hold; onMessage(({ id, method, result }) => {
      if (method === 'initialize' && run === 1) hello(id);
      else if (method === 'initialize') { hold = id; send({ id: 'p', method: 'ping' }); }
      else if (id === 'p') send({ id: 'r', method: 'roots/list' });
      else if (id === 'r') hello(hold);
      else if (method === 'die') process.exit(3);
      else if (id !== undefined) send({ id, result: { run } });
    });`);
    await begin();
    await die();
    request(1, 'prompts/list');
    await hears('r: roots/list');
    channel.send(toFrame({ jsonrpc: '2.0', id: 'r', result: { roots: [] } }));
    await hears('1: {"run":2}');
    expect(heard).not.toContain('p: ping');
    expect(logged().filter((line) => line.includes('answer'))).toEqual([
      '2 answer {}',
      '2 answer {"roots":[]}',
    ]);
  });

  it('gets back its log level and the subscriptions that were not ended', async () => {
    open(PLAIN);
    await begin();
    request(1, 'logging/setLevel', { level: 'debug' });
    request(2, 'logging/setLevel', { level: 'error' });
    for (const [index, uri] of ['a:1', 'a:2', 'a:3'].entries()) {
      request(10 + index, 'resources/subscribe', { uri });
    }
    request(20, 'resources/unsubscribe', { uri: 'a:2' });
    await hears('20: {"run":1}');
    await die();
    heard = [];
    request(30, 'prompts/list');
    await hears('30: {"run":2}');
    expect(logged().filter((line) => line.startsWith('2 '))).toEqual([
      '2 initialize',
      '2 notifications/initialized',
      '2 logging/setLevel error',
      '2 resources/subscribe a:1',
      '2 resources/subscribe a:3',
      '2 prompts/list',
    ]);
    expect(heard.filter((each) => !each.startsWith('notifications/'))).toEqual(['30: {"run":2}']);
  });

  it('ends a subscription of the 2026 revision with the process that acknowledged it', async () => {
    open(`onMessage(({ id, method }) => {
      if (method === 'subscriptions/listen') send({ method: 'notifications/subscriptions/acknowledged' });
      else if (method === 'die') process.exit(3);
      else send({ id, result: { run } });
    });`);
    request('l', 'subscriptions/listen');
    await hears('notifications/subscriptions/acknowledged');
    notify('die');
    await hears('l: lost', 'renewed');
    request(1, 'tools/list');
    await hears('1: {"run":2}');
    expect(logged()).toEqual(['1 subscriptions/listen', '1 die', '2 tools/list']);
  });

  it('and does not begin its session costs what waited for it, and nothing more', async () => {
    open(
      `onMessage(({ id, method }) => {
      if (method === 'initialize') { if (run === 2) return; if (run === 3) send({ id, error: { code: 1, message: 'no' } }); else hello(id); }
      else if (method === 'die') process.exit(3);
      else if (id !== undefined) send({ id, result: { run } });
    });`,
      { openingMs: 400 },
    );
    await begin();
    await die();
    request(1, 'prompts/list');
    await hears('1: not-sent');
    request(2, 'prompts/list');
    request(3, 'prompts/list');
    notify('notifications/cancelled', { requestId: 3 });
    await hears('3: not-sent', '2: not-sent');
    request(4, 'prompts/list');
    await hears('4: {"run":4}');
    expect(heard.filter((each) => /^\d/.test(each))).toHaveLength(4);
  });

  it('is begun by the client itself when the client starts over', async () => {
    open(PLAIN);
    await begin();
    await die();
    request(9, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    await expect.poll(() => heard.length).toBe(2);
    expect(logged().slice(-1)).toEqual(['2 initialize']);
  });

  it('takes no answer to what its predecessor asked, and the client hears that it is over', async () => {
    open(`onMessage(({ id, method }) => {
      if (method === 'ask') send({ id: 's', method: 'roots/list' });
      else if (method === 'die') process.exit(3);
      else if (id !== undefined) send({ id, result: { run } });
    });`);
    notify('ask');
    await hears('s: roots/list');
    notify('die');
    await hears('notifications/cancelled', 'renewed');
    request(1, 'work');
    channel.send(toFrame({ jsonrpc: '2.0', id: 's', result: {} }));
    await hears('1: {"run":2}');
    expect(logged()).toEqual(['1 ask', '1 die', '2 work']);
    expect(reports.join('\n')).toContain('not open');
  });
});

describe('requests', () => {
  it('are settled once, whatever the server answers', async () => {
    open(`onMessage(({ id }) => { send({ id: 99, result: 0 }); send({ id, result: 1 }); send({ id, result: 2 });
      send({ id: String(id), result: 3 }); send({ method: 'after' }); });`);
    request(1, 'work');
    await hears('after');
    expect(heard).toEqual(['1: 1', 'after']);
  });

  it('that were cancelled are in flight until a late answer, or lost after a while', async () => {
    open(
      `onMessage(({ id, method, params }) => {
      if (method === 'notifications/cancelled' && params.requestId === 1) send({ id: 1, result: 'late' });
      if (method === 'slow') setTimeout(() => send({ id, result: 'too late' }), 600);
      if (method === 'after') send({ id, result: 'after' });
    });`,
      { cancelGraceMs: 200 },
    );
    // The grace time must not run while the process is still starting.
    request(9, 'after');
    await hears('9: "after"');
    request(1, 'work');
    request(2, 'slow');
    notify('notifications/cancelled', { requestId: 1 });
    notify('notifications/cancelled', { requestId: 2 });
    await hears('9: "after"', '1: "late"', '2: lost');
    await new Promise((resolve) => void setTimeout(resolve, 700));
    request(3, 'after');
    await expect.poll(() => heard).toContain('3: "after"');
    expect(heard).toEqual(['9: "after"', '1: "late"', '2: lost', '3: "after"']);
  });

  it('are settled before the channel is closed, and nothing is said after that', async () => {
    open(PLAIN);
    request(1, 'hang');
    request(2, 'work');
    await hears('2: {"run":1}');
    const closing = channel[Symbol.asyncDispose]();
    request(3, 'work');
    await closing;
    expect(heard).toEqual(['2: {"run":1}', '3: not-sent', '1: lost', 'closed']);
    request(4, 'work');
    await new Promise((resolve) => void setTimeout(resolve, 20));
    expect(heard).toHaveLength(4);
  });

  it('may be answered while the server stops', async () => {
    open(`onMessage(({ id }) => process.stdin.on('end', () => send({ id, result: 'last' })));`);
    request(1, 'work');
    await expect.poll(() => logged()).toEqual(['1 work']);
    await channel[Symbol.asyncDispose]();
    expect(heard).toEqual(['1: "last"', 'closed']);
  });

  it('of nobody: a channel that never started closes all the same', async () => {
    open(PLAIN);
    await channel[Symbol.asyncDispose]();
    expect(heard).toEqual(['closed']);
  });
});

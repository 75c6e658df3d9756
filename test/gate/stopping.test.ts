/** How the gate ends as a process: every call answered or recorded, within its grace time, on any request to stop. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gateTransport, openLedger, toPolicy } from 'plimsoll/gate';
import { PLIMSOLL, receiptsIn, run } from './gate-process.ts';

/** A server that answers each call after the milliseconds that its arguments name. */
const SERVER = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tool = (name, description) => ({ name, description, inputSchema: { type: 'object', properties: { id: { type: 'string' }, ms: { type: 'number' } } } });
const tools = [tool('get_note', 'Gives one note.'), tool('delete_note', 'Deletes a note for good.'), tool('place_order', 'Places an order and charges the account.')];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } } });
  else if (method === 'tools/list') say({ id, result: { tools } });
  else if (method === 'tools/call') appendFileSync(process.argv[2], params.arguments.id + '\\n'), setTimeout(() => say({ id, result: { content: [{ type: 'text', text: params.name + ' ran' }] } }), params.arguments.ms ?? 0);
  else if (id !== undefined && method !== undefined) say({ id, result: {} });
}).on('close', () => process.exit());
`;

let folder: string;
let ledger: string;
let gate: ChildProcessWithoutNullStreams;
let said: string;
let ended: Promise<unknown>;
let answers: Map<unknown, Readonly<Record<string, unknown>>>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-stopping-'));
  ledger = `sqlite:${join(folder, 'ledger.sqlite')}`;
  writeFileSync(join(folder, 'server.mjs'), SERVER);
});

afterEach(async () => {
  gate.kill('SIGKILL');
  await ended;
  rmSync(folder, { recursive: true });
});

async function open(...flags: readonly string[]): Promise<void> {
  const server = ['--', process.execPath, join(folder, 'server.mjs'), join(folder, 'ran.txt')];
  gate = spawn(PLIMSOLL, ['gate', '--ledger', ledger, ...flags, ...server]);
  ended = once(gate, 'close');
  [said, answers] = ['', new Map()];
  gate.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  let partial = '';
  gate.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (partial + text).split('\n');
    partial = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Readonly<Record<string, unknown>>;
      answers.set(message['id'], message);
    }
  });
  const clientInfo = { name: 'test', version: '1' };
  send(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await vi.waitUntil(() => answers.has(0), { timeout: 20_000 });
  gate.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
}

/** Waits until the server has got as many calls. */
async function untilRun(count: number): Promise<void> {
  const file = join(folder, 'ran.txt');
  const ran = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0);
  await vi.waitUntil(() => ran() === count, { timeout: 10_000 });
}

function send(id: number, method: string, params: object): void {
  gate.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
}

function call(id: number, name: string, args: object): void {
  send(id, 'tools/call', { name, arguments: args });
}

type Way = 'SIGTERM' | 'SIGINT' | 'the end of input';

function stop(way: Way): void {
  if (way === 'the end of input') gate.stdin.end();
  else gate.kill(way);
}

async function endOf(): Promise<{ code: unknown; signal: unknown; ms: number }> {
  const started = Date.now();
  const [code, signal] = (await ended) as readonly [unknown, unknown];
  return { code, signal, ms: Date.now() - started };
}

const WAYS: readonly Way[] = ['SIGTERM', 'SIGINT', 'the end of input'];

describe.each(WAYS)('on %s', (way) => {
  it('the gate ends by itself when nothing is in flight', async () => {
    await open();
    stop(way);
    const { code, signal, ms } = await endOf();
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(ms).toBeLessThan(6000);
  });

  it('a question that is held ends, and the gate with it, long before its hold is over', async () => {
    await open();
    call(1, 'delete_note', { id: '1' });
    await vi.waitUntil(() => said.includes('is waiting for a person'), { timeout: 10_000 });
    stop(way);
    const { code, ms } = await endOf();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(8000);
    expect(said).not.toContain('lost');
    expect(said).not.toContain('could not');
    expect(await receiptsIn(ledger)).toMatchObject([{ operation: 'delete_note' }]);
    const { stdout } = await run(PLIMSOLL, ['approve', '--list', '--ledger', ledger]);
    expect(stdout).toBe('');
  });

  it('a read in flight ends with its receipt, and none is lost', async () => {
    await open();
    call(1, 'get_note', { id: '1', ms: 800 });
    call(2, 'get_note', { id: '2', ms: 60_000 });
    await untilRun(2);
    stop(way);
    const { code, ms } = await endOf();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(8000);
    expect(said).not.toContain('lost');
    expect(answers.get(1)).toMatchObject({ result: { content: [{ text: 'get_note ran' }] } });
    expect(await receiptsIn(ledger)).toHaveLength(2);
  });
});

it('a question that is held over HTTP ends with the gate too', async () => {
  const server = ['--', process.execPath, join(folder, 'server.mjs'), join(folder, 'ran.txt')];
  gate = spawn(PLIMSOLL, ['gate', '--http', '127.0.0.1:0', '--ledger', ledger, ...server]);
  ended = once(gate, 'close');
  said = '';
  gate.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await vi.waitUntil(() => /http\S+\/mcp/.test(said), { timeout: 20_000 });
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(/http\S+\/mcp/.exec(said)?.[0] ?? '');
  await client.connect(new StreamableHTTPClientTransport(url));
  const held = client.callTool({ name: 'delete_note', arguments: { id: '1' } });
  const end = held.then(
    () => 'answered',
    () => 'failed',
  );
  await vi.waitUntil(() => said.includes('is waiting for a person'), { timeout: 10_000 });
  gate.kill('SIGTERM');
  const { code, ms } = await endOf();
  expect(code).toBe(0);
  expect(ms).toBeLessThan(8000);
  await end;
  await client.close();
  expect(await receiptsIn(ledger)).toHaveLength(1);
});

it('a second signal ends the gate at once, with a code that says so', async () => {
  await open();
  call(1, 'get_note', { id: '1', ms: 60_000 });
  await untilRun(1);
  gate.kill('SIGTERM');
  // Signals that arrive together count as one.
  await new Promise((resolve) => setTimeout(resolve, 20));
  gate.kill('SIGTERM');
  const { code, ms } = await endOf();
  expect(code).toBe(143);
  expect(ms).toBeLessThan(1500);
});

it('SIGTERM after the end of input does not cut the orderly end short', async () => {
  await open();
  call(1, 'delete_note', { id: '1' });
  await vi.waitUntil(() => said.includes('is waiting for a person'), { timeout: 10_000 });
  gate.stdin.end();
  gate.kill('SIGTERM');
  const { code } = await endOf();
  expect(code).toBe(0);
  expect(await receiptsIn(ledger)).toHaveLength(1);
});

it('what a killed gate left in flight is found by the next one, and listed as unknown', async () => {
  const policy = join(folder, 'policy.yaml');
  // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
  writeFileSync(policy, JSON.stringify({ rules: [{ name: 'all', then: 'allow' }] }));
  await open('--policy', policy);
  call(1, 'place_order', { id: '1', ms: 60_000 });
  await untilRun(1);
  gate.kill('SIGKILL');
  await ended;
  await open('--policy', policy);
  const listed = async (): Promise<string> =>
    (await run(PLIMSOLL, ['ledger', 'unknown', '--ledger', ledger])).stdout;
  await expect.poll(listed, { timeout: 20_000, interval: 1000 }).toContain('place_order');
}, 45_000);

it('what a killed gate left in flight is found by a gate inside a client as well', async () => {
  // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
  const init = JSON.stringify({ rules: [{ name: 'all', then: 'allow' }] });
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, init);
  await open('--policy', policy);
  const args = { id: '1', ms: 60_000 };
  call(1, 'place_order', args);
  await untilRun(1);
  gate.kill('SIGKILL');
  await ended;
  await using opened = await openLedger(ledger);
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(folder, 'server.mjs'), join(folder, 'ran.txt')],
    stderr: 'ignore',
  });
  const allowed = toPolicy(JSON.parse(init) as object);
  await client.connect(
    gateTransport(transport, { server: 'server', ledger: opened, policy: allowed }),
  );
  const again = async (): Promise<string> =>
    JSON.stringify(await client.callTool({ name: 'place_order', arguments: args }));
  await expect.poll(again, { timeout: 25_000, interval: 1000 }).toContain('outcome-unknown');
  await client.close();
}, 60_000);

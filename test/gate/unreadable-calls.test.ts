/** Tool calls that strict reading refuses: each leaves one receipt, without its arguments. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { openHttpGate, PLIMSOLL, receiptsIn } from './gate-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-unreadable-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVER = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
);
const SECRET = 'hunter2-in-an-argument';
const toCall = (id: string, args: string, name = 'read_graph'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

const CALLS: readonly (readonly [string, Buffer])[] = [
  ['duplicate keys', Buffer.from(toCall('1', `{"a":"${SECRET}","a":2}`))],
  ['a lone surrogate', Buffer.from(toCall('2', `{"a":"${SECRET}\\ud800"}`))],
  ['depth', Buffer.from(toCall('3', `${'['.repeat(200)}"${SECRET}"${']'.repeat(200)}`))],
  ['bytes that are no UTF-8', Buffer.from(toCall('4', `{"a":"${SECRET}\xff"}`), 'latin1')],
  ['a twin', Buffer.from(toCall('5', '{}').replace('"arguments"', '"Name":"x","arguments"'))],
  [
    'params that are no object',
    Buffer.from('{"jsonrpc":"2.0","id":6,"method":"tools/call","params":[1]}'),
  ],
];
/** Whose they are cannot be told, or they are no calls. */
const OTHERS = [
  toCall('7,"id":8', '{}'),
  '{"jsonrpc":"2.0","method":"tools/call","params":{"a":1,"a":2}}',
  '{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"a":1,"a":2}}',
  '{nonsense',
];
const EXPECTED = ['read_graph', 'read_graph', 'read_graph', 'read_graph', 'read_graph', ''].map(
  (operation) => ({ operation, decision: 'refused', rule: 'invalid-request', effect: 'unknown' }),
);

const args = (ledger: string): readonly string[] => [
  '--ledger',
  ledger,
  '--',
  process.execPath,
  SERVER,
];

/** By name, backwards: those that may have changed something are written ahead of the others. */
async function readReceipts(ledger: string): Promise<readonly Record<string, unknown>[]> {
  const nameOf = ({ operation }: Record<string, unknown>): string => String(operation);
  return (await receiptsIn(ledger)).toSorted((a, b) => nameOf(b).localeCompare(nameOf(a)));
}

describe('a call that cannot be read strictly', { timeout: 60_000 }, () => {
  it('leaves one receipt over standard input, and what is no call is reported', async () => {
    const ledger = `sqlite:${join(folder, 'stdio.db')}`;
    const child = spawn(PLIMSOLL, ['gate', ...args(ledger)], { stdio: ['pipe', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
    let answers = '';
    child.stdout.on('data', (chunk: Buffer) => (answers += chunk.toString('utf8')));
    for (const [, line] of CALLS) child.stdin.write(Buffer.concat([line, Buffer.from('\n')]));
    for (const line of OTHERS) child.stdin.write(`${line}\n`);
    child.stdin.end();
    await once(child, 'exit');
    expect(answers.trim().split('\n')).toHaveLength(CALLS.length + OTHERS.length);
    const receipts = await readReceipts(ledger);
    expect(receipts).toMatchObject(EXPECTED);
    expect(JSON.stringify(receipts)).not.toContain(SECRET);
    expect(errors).toContain('could not be read and was refused');
    expect(errors).not.toContain(SECRET);
  });

  it('leaves one receipt over HTTP, also in a batch, where its headers say otherwise or its session is unknown', async () => {
    const ledger = `sqlite:${join(folder, 'http.db')}`;
    const post = async (url: URL, body: Buffer | string, headers = {}): Promise<number> => {
      const type = { 'content-type': 'application/json', accept: 'application/json' };
      const answer = await fetch(url, { method: 'POST', body, headers: { ...type, ...headers } });
      await answer.text();
      return answer.status;
    };
    {
      await using gate = await openHttpGate(args(ledger));
      for (const [, body] of CALLS) expect(await post(gate.url, body)).toBe(400);
      for (const body of OTHERS) expect(await post(gate.url, body)).toBe(400);
      const batch = `[${toCall('1', '{}')},${toCall('2', '{"a":1,"a":2}')}]`;
      expect(await post(gate.url, batch)).toBe(400);
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
      expect(await post(gate.url, toCall('1', '{}'), modern)).toBe(400);
      const stranger = { 'mcp-session-id': 'no-such-session' };
      expect(await post(gate.url, toCall('1', '{}'), stranger)).toBe(404);
    }
    const receipts = await readReceipts(ledger);
    const more = [1, 2, 3, 4].map(() => ({ operation: 'read_graph', decision: 'refused' }));
    expect(receipts).toMatchObject([...more, ...EXPECTED]);
    expect(receipts.every(({ via }) => via === 'mcp-http')).toBe(true);
    expect(JSON.stringify(receipts)).not.toContain(SECRET);
  });
});

/** What a gate process keeps of its calls, and how often a question that is polled is listed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { messageIn, post } from '../support/post.ts';
import { openHttpGate, PLIMSOLL, run } from './gate-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-kept-'));
const TOOLS = [
  { name: 'get_note', description: 'Reads a note.', inputSchema: { type: 'object' } },
  { name: 'delete_note', description: 'Deletes a note for good.', inputSchema: { type: 'object' } },
];

afterAll(() => rmSync(folder, { recursive: true }));

type Listed = Readonly<Record<string, unknown>>;

async function callAll(
  policy: string,
  calls: readonly (readonly [string, object])[],
): Promise<string> {
  const at = (name: string): string => join(mkdtempSync(join(folder, 'run-')), name);
  const [tools, policyFile] = [at('tools.json'), at('policy.yaml')];
  const ledger = `sqlite:${at('ledger.sqlite')}`;
  writeFileSync(tools, JSON.stringify(TOOLS));
  writeFileSync(policyFile, `asking: { holdSeconds: 0 }\n${policy}`);
  const server = [process.execPath, resolve('test/attacks/victim-server.ts'), tools, at('in')];
  const flags = ['--ledger', ledger, '--policy', policyFile, '--name', 'shop'];
  await using gate = await openHttpGate([...flags, '--', ...server], { PLIMSOLL_UNATTENDED: '1' });
  const accept = { accept: 'application/json, text/event-stream' };
  for (const [id, [name, args]] of calls.entries()) {
    const params = { name, arguments: args };
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
    expect(messageIn(await post(gate.url.href, body, accept))).toHaveProperty('result');
  }
  return ledger;
}

async function list(ledger: string, ...flags: readonly string[]): Promise<readonly Listed[]> {
  const { stdout } = await run(PLIMSOLL, ['audit', 'list', '--json', '--ledger', ledger, ...flags]);
  return JSON.parse(stdout) as readonly Listed[];
}

it('keeps a digest by default, and lists a question once, however often it was polled', async () => {
  const erase = ['delete_note', { id: '1' }] as const;
  const ledger = await callAll('', [erase, ['get_note', { id: '1' }], erase, erase]);
  const listed = await list(ledger);
  expect(listed.map(({ operation, decision }) => [operation, decision])).toEqual([
    ['delete_note', 'waiting'],
    ['get_note', 'ran'],
  ]);
  expect(listed.every((each) => !('arguments' in each) && 'argsDigest' in each)).toBe(true);
  expect((await list(ledger, '--polls')).length).toBe(4);
  expect((await list(ledger, '--operation', 'delete_note', '--since', '1h')).length).toBe(1);
});

it('keeps arguments without secrets where the policy says so', async () => {
  const args = { id: '1', note: 'for mia', apiKey: 'hunter2' };
  const ledger = await callAll('keepArguments: redacted\n', [['get_note', args]]);
  expect(await list(ledger)).toMatchObject([{ arguments: { ...args, apiKey: '[secret]' } }]);
  const shown = await run(PLIMSOLL, ['audit', 'show', '0', '--ledger', ledger]);
  expect(shown.stdout).toContain('{"id":"1","note":"for mia","apiKey":"[secret]"}');
});

it('keeps all of them, or nothing', async () => {
  const call = ['get_note', { token: 'hunter2' }] as const;
  const full = await callAll('keepArguments: full\n', [call]);
  expect(await list(full)).toMatchObject([{ arguments: { token: 'hunter2' } }]);
  const none = await callAll('keepArguments: none\n', [call]);
  const [receipt] = await list(none);
  expect(receipt).not.toHaveProperty('argsDigest');
  expect(receipt).not.toHaveProperty('arguments');
});

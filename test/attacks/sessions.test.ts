/** Clients that take more of the machine than is theirs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { openHttpGate } from '../gate/gate-process.ts';
import { post } from '../support/post.ts';
import { attack } from './attack.ts';

attack('a misled agent', 'starts a server process with each initialize, without end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-attack-'));
  const received = join(folder, 'received');
  writeFileSync(join(folder, 'tools.json'), '[]');
  const args = [resolve('test/attacks/victim-server.ts'), join(folder, 'tools.json'), received];
  const config = {
    mcpServers: { victim: { command: process.execPath, args } },
    ledger: `sqlite:${join(folder, 'ledger.sqlite')}`,
    http: { sessionsPerCaller: 2 },
  };
  writeFileSync(join(folder, 'plimsoll.yaml'), JSON.stringify(config));
  await using gate = await openHttpGate(['--config', join(folder, 'plimsoll.yaml')], {
    XDG_STATE_HOME: join(folder, 'state'),
  });
  const clientInfo = { name: 'attacker', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const accept = { accept: 'application/json, text/event-stream' };
  const begin = (): ReturnType<typeof post> => post(gate.url.href, body, accept);
  const answers = await Promise.all(Array.from({ length: 12 }, begin));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    200,
    ...Array<number>(10).fill(429),
  ]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers['retry-after']).toBe('30');
  const lines = existsSync(received) ? readFileSync(received, 'utf8').split('\n') : [];
  expect(lines.filter((line) => line.includes('"initialize"'))).toHaveLength(2);
  // Whoever ends one may begin another.
  const session = String(answers.find(({ status }) => status === 200)?.headers['mcp-session-id']);
  await post(gate.url.href, '', { ...accept, 'mcp-session-id': session }, 'DELETE');
  await expect.poll(async () => (await begin()).status, { timeout: 20_000 }).toBe(200);
  rmSync(folder, { recursive: true, force: true });
});

/** After a cancel nothing more is sent for its id: many servers behind one real gate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it, vi } from 'vitest';
import { PLIMSOLL, receiptsIn } from './gate-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-cancelled-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers a slow call only with its death. */
const SERVER = `
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const capabilities = { tools: {} };
  const inputSchema = { type: 'object' };
  const tools = [
    { name: 'get_slow', description: 'Reads slowly.', inputSchema },
    { name: 'get_note', description: 'Reads a note.', inputSchema },
  ];
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'notifications/cancelled') return process.exit(1);
    if (id === undefined) return;
    if (method === 'initialize') {
      const serverInfo = { name: 'dying', version: '1' };
      say({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
    } else if (method === 'tools/list') say({ id, result: { tools } });
    else if (params.name === 'get_slow') say({ method: 'notifications/message', params: { level: 'info', data: 'slow' } });
    else say({ id, result: { content: [] } });
  });
`;

it(
  'a read is cancelled and its server dies: its client hears nothing of it',
  { timeout: 30_000 },
  async () => {
    const server = join(folder, 'server.cjs');
    const config = join(folder, 'plimsoll.yaml');
    const ledger = `sqlite:${join(folder, 'ledger.db')}`;
    writeFileSync(server, SERVER);
    const entry = { command: process.execPath, args: [server] };
    writeFileSync(config, JSON.stringify({ mcpServers: { one: entry, two: entry } }));
    const child = spawn(resolve(PLIMSOLL), ['gate', '--config', config, '--ledger', ledger], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const heard: Record<string, unknown>[] = [];
    createInterface({ input: child.stdout }).on('line', (line) =>
      heard.push(JSON.parse(line) as never),
    );
    const send = (message: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    };
    const answered = (id: number): Promise<true> =>
      vi.waitUntil(() => heard.some((each) => each['id'] === id), { timeout: 10_000 });
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    await answered(1);
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'one__get_slow', arguments: {} } });
    await expect
      .poll(() => heard.some(({ method }) => method === 'notifications/message'), {
        timeout: 10_000,
      })
      .toBe(true);
    send({ method: 'notifications/cancelled', params: { requestId: 2 } });
    send({ id: 3, method: 'tools/call', params: { name: 'two__get_note', arguments: {} } });
    await answered(3);
    send({ id: 4, method: 'tools/call', params: { name: 'one__get_note', arguments: {} } });
    await answered(4);
    child.stdin.end();
    await once(child, 'exit');
    expect(heard.filter(({ id }) => id === 2)).toEqual([]);
    expect(await receiptsIn(ledger)).toMatchObject([
      { operation: 'get_slow', decision: 'cancelled', delivered: false },
      { operation: 'get_note', decision: 'ran' },
      { operation: 'get_note', decision: 'ran' },
    ]);
  },
);

/**
 * One gate in front of more and more servers: what its start, its list of all tools and a call cost its own
 * process, and its memory. All are names of one server over HTTP, whose own cost is not in it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildGate } from '../gate/build-gate.ts';
import { HTTP_SERVER } from '../gate/gate-command.ts';
import { openListening } from '../gate/line.ts';
import { cpuMs, residentMb } from '../gate/process-cost.ts';
import { print } from './cost.ts';

const CALLS = 500;
const IDLE_MS = 1000;

export async function measureServers(folder: string): Promise<void> {
  const gate = await buildGate(folder);
  await using server = await openListening([HTTP_SERVER]);
  print('servers', 'tools', 'start CPU ms', 'list CPU ms', 'call CPU µs', 'memory MB');
  for (const count of [1, 10, 50]) {
    const names = Array.from({ length: count }, (_, index) => `s${index}`);
    const mcpServers = Object.fromEntries(names.map((name) => [name, { url: server.url }]));
    const config = join(folder, `servers-${count}.yaml`);
    const ledger = `sqlite:${join(folder, `servers-${count}.sqlite`)}`;
    writeFileSync(config, JSON.stringify({ mcpServers, ledger }));
    await measureGate(gate, config, count);
  }
}

async function measureGate(gate: string, config: string, count: number): Promise<void> {
  const child = spawn(process.execPath, [gate, 'gate', '--config', config], {
    // At its end it says for each server that it has ended.
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, PLIMSOLL_UNATTENDED: '1' },
  });
  const { pid = 0 } = child;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${method}: the gate ended`);
      const message = JSON.parse(value) as { id?: number; result?: unknown }; // of the gate
      if (message.id !== id) continue;
      if (message.result === undefined) throw new Error(`${method}: ${value}`);
      return message.result;
    }
  };
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const started = cpuMs(pid);
  const { tools } = (await ask('tools/list', {})) as { tools: readonly { name: string }[] };
  const listed = cpuMs(pid);
  const name = tools.findLast((tool) => tool.name.endsWith('get_invoice'))?.name;
  for (let call = 0; call < CALLS; call += 1) {
    await ask('tools/call', { name, arguments: { invoice_id: 'INV-1' } });
  }
  const called = cpuMs(pid);
  await sleep(IDLE_MS);
  print(
    String(count),
    String(tools.length),
    String(started),
    String(listed - started),
    String(((called - listed) * 1000) / CALLS),
    residentMb(pid),
  );
  child.stdin.end();
  await once(child, 'exit');
}

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../ledger/open-ledger.ts';
import type { ServerConfig } from '../config/gate-config.ts';
import { DEFAULT_POLICY } from '../policy/policy.ts';
import { openServer } from '../open-server.ts';
import { openServices, toContext } from '../open-services.ts';
import type { ServerSight } from './server-sight.ts';
import { toFrame } from '../protocol/frame.ts';

const MEMORY = fileURLToPath(
  new URL('../../../node_modules/.bin/mcp-server-memory', import.meta.url),
);
const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

/** Says hello to a server and asks for its tools; gives what was seen of it. */
async function visit(command: string, ...args: readonly string[]): Promise<ServerSight> {
  await using ledger = await openLedger('sqlite::memory:');
  const services = openServices({ ledger, policy: DEFAULT_POLICY, report: () => {} });
  const context = toContext(services, { server: 'one' });
  const { sight } = context.server;
  expect(sight).toMatchObject({ state: 'unused', era: undefined, tools: [] });
  const traits = { name: 'one', disabled: false, env: {}, cwd: process.cwd() };
  const config: ServerConfig = { ...traits, kind: 'process', command, args };
  const authorizerOf = (): never => {
    throw new Error('not remote');
  };
  await using channel = openServer(config, context, { version: '1', authorizerOf });
  for (const [id, method, params] of [
    [1, 'initialize', HELLO],
    [2, 'tools/list', {}],
  ] as const) {
    await new Promise<void>((resolve) => {
      waiting = resolve;
      if (id === 1)
        channel.listen({ frame: settle, failed: settle, renewed: () => {}, closed: () => {} });
      channel.send(toFrame({ jsonrpc: '2.0', id, method, params }));
    });
  }
  return sight;
}

let waiting = (): void => {};
const settle = (): void => waiting();

describe('what is seen of a server', () => {
  it('is its era and its tools, once somebody used it', async () => {
    const sight = await visit(process.execPath, MEMORY);
    expect(sight).toMatchObject({ state: 'up', era: 'legacy' });
    expect(sight.tools.map(({ name }) => name)).toContain('delete_entities');
  });

  it('is that it is down when it cannot be reached', async () => {
    const sight = await visit(process.execPath, '--eval', 'process.exit(1)');
    expect(sight).toMatchObject({ state: 'down', tools: [] });
  });
});

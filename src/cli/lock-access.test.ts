/** Whoever pins is told when the gate of the server reads another lock, or may do so. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { useOwnHome } from '../../test/support/own-home.ts';
import { runMain } from '../../test/support/run-main.ts';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import { newGateId, openRegistration, readRegistry } from '../gate/registry.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { openLedger } from '../ledger/open-ledger.ts';

const TOOLS = [{ name: 'think', inputSchema: { type: 'object' } }];

const home = useOwnHome();

async function wrapAndPin(...flags: readonly string[]): Promise<string> {
  vi.spyOn(process, 'cwd').mockReturnValue(home());
  const host = join(home(), '.cursor', 'mcp.json');
  mkdirSync(join(home(), '.cursor'), { recursive: true });
  writeFileSync(host, '{"mcpServers":{"seq":{"command":"thinking-mcp"}}}');
  await runMain(['wrap', host, '--yes']);
  return pin(...flags);
}

async function pin(...flags: readonly string[]): Promise<string> {
  const list = join(home(), 'tools.json');
  writeFileSync(list, JSON.stringify({ tools: TOOLS }));
  return (await runMain(['pin', list, '--accept', ...flags])).stderr;
}

it('of a wrapped server whose gate has not run yet', async () => {
  const said = await wrapAndPin('--server', 'seq');
  expect(said).toContain(
    `the gate of seq, which is wrapped in ${home()}/.cursor/mcp.json, has not run yet`,
  );
  expect(said).toContain('Start the host once and run this command again');
});

it('not of a server that is not wrapped, or no longer', async () => {
  expect(await wrapAndPin('--server', 'other')).toBe('');
  await runMain(['unwrap']);
  expect(await pin('--server', 'seq')).toBe('');
});

it('of the lock itself once the gate has run, though everything is accepted by now', async () => {
  await wrapAndPin('--server', 'seq');
  await using ledger = await openLedger(defaultLedgerAddress());
  const seq = {
    name: 'seq',
    address: 'thinking-mcp',
    state: 'unused',
    trusted: false,
    mode: 'live',
    tools: [],
    lock: join(home(), 'elsewhere.json'),
  } as const;
  const { store } = ledger;
  const init = { policy: () => DEFAULT_POLICY, report: () => {}, lookEveryMs: 5 };
  await using _gate = openRegistration(newGateId(), { ...init, store, servers: () => [seq] });
  await vi.waitUntil(async () => (await readRegistry(store)).servers.length === 1);
  expect(await pin('--server', 'seq')).toContain(
    `run the command again with --lock ${home()}/elsewhere.json`,
  );
});

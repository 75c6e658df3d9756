import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { openApprovals } from '../gate/approvals/approvals.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { Receipt } from '../ledger/receipt.ts';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import type { RegisteredServer } from '../gate/registry.ts';
import { newGateId, openRegistration, readRegistry } from '../gate/registry.ts';
import { listTools } from '../gate/tools/list-tools.ts';
import { toTestQuestion } from '../../test/gate/approval-fixture.ts';
import { useOwnHome } from '../../test/support/own-home.ts';
import { runMain } from '../../test/support/run-main.ts';

const RECEIPT: Receipt = {
  kind: 'receipt',
  id: 'a2d5ab3e-5d9c-4a39-8f0a-6f1c7d1f6c01',
  at: '2026-11-18T08:00:00.000Z',
  operation: 'get_note',
  server: 'notes',
  act: 'read',
  tier: 'read',
  reach: 'own-account',
  openWorld: false,
  via: 'mcp-stdio',
  principal: 'ann',
  decision: 'ran',
  outcome: 'success',
  milliseconds: 3,
};

const home = useOwnHome();

function put(path: string, text: string): string {
  const file = join(home(), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function run(...args: readonly string[]): Promise<string> {
  vi.spyOn(process, 'cwd').mockReturnValue(home());
  return (await runMain(args)).stdout;
}

it('tells a newcomer where the records will be and what to do first', async () => {
  expect(await run()).toBe(
    [
      `Records    sqlite:${home()}/state/plimsoll/ledger.sqlite (not there yet; the first gate creates it)`,
      'Wrapped    nothing yet; plimsoll wrap shows what it would do',
      '',
    ].join('\n'),
  );
});

it('shows what is wrapped, what is not, what waits and what ran last', async () => {
  const cursor = put('.cursor/mcp.json', '{"mcpServers":{"notes":{"command":"notes-mcp"}}}');
  const zed = put('.config/zed/settings.json', '{"context_servers":{"shop":{"command":"shop"}}}');
  const gemini = put('.gemini/settings.json', '{"mcpServers":{"old":{"url":"http://x/sse"}}}');
  await run('wrap', cursor, '--yes');
  {
    await using ledger = await openLedger(defaultLedgerAddress());
    await ledger.record({ receipt: RECEIPT, args: {} });
    // Written later, as the receipt of a read may be, but it ran before.
    const at = '2026-11-18T07:59:59.000Z';
    const id = 'a2d5ab3e-5d9c-4a39-8f0a-6f1c7d1f6c02';
    await ledger.record({ receipt: { ...RECEIPT, id, at, operation: 'list_notes' }, args: {} });
  }
  const text = await run('status');
  expect(text).toContain(`Records    sqlite:${home()}/state/plimsoll/ledger.sqlite\n`);
  expect(text).toContain(`Wrapped    ${cursor}: notes\n`);
  expect(text).toContain(`Not gated  Zed, ${zed}: shop; plimsoll wrap puts a gate in front\n`);
  expect(text).toContain(
    `Not gated  Gemini CLI, ${gemini}: old; it cannot be wrapped; plimsoll wrap says why\n`,
  );
  expect(text).toContain('Waiting    nothing\n');
  expect(text).toMatch(/^Last call {2}notes: get_note at \S+Z, ran$/m);
  writeFileSync(cursor, '{"mcpServers":{}}');
  expect(await run('status')).toContain(
    `${cursor}: notes (changed since; plimsoll wrap looks again)`,
  );
  rmSync(cursor);
  expect(JSON.parse(await run('status', '--json'))).toMatchObject({
    wrapped: [{ file: cursor, servers: ['notes'], state: 'gone' }],
    bare: expect.arrayContaining([{ host: 'Zed', file: zed, servers: ['shop'], skipped: [] }]),
    records: { waiting: 0, unknown: 0, lastCalls: [{ server: 'notes' }] },
  });
});

it('shows what runs, and which tools are no longer what was accepted', async () => {
  const tool = (description: string): object => ({
    name: 'get_note',
    description,
    inputSchema: { type: 'object' },
  });
  const notes = {
    name: 'notes',
    address: 'notes-mcp',
    state: 'up',
    trusted: false,
    mode: 'live',
    tools: [tool('Gives a note.')],
  } as const;
  const saved = put('tools.json', JSON.stringify({ tools: notes.tools }));
  await run('pin', saved, '--server', 'notes', '--accept');
  await using ledger = await openLedger(defaultLedgerAddress());
  const { store } = ledger;
  const server = { now: notes };
  {
    const init = { policy: () => DEFAULT_POLICY, report: () => {}, lookEveryMs: 5 };
    const servers = (): readonly RegisteredServer[] => [server.now];
    await using _gate = openRegistration(newGateId(), { ...init, store, servers });
    await vi.waitUntil(async () => (await readRegistry(store)).servers.length === 1);
    const text = await run('status');
    expect(text).toContain('Running    notes\n');
    expect(text).not.toContain('Drifted');
    server.now = { ...notes, tools: [tool('Deletes a note for good.')] };
    await vi.waitUntil(async () =>
      JSON.stringify((await readRegistry(store)).servers).includes('for good'),
    );
    expect(await run('status')).toMatch(
      /^Drifted {4}notes get_note: riskier, held back until you accept it; to see the change: plimsoll pin --server notes --lock \S+\.json -- notes-mcp; to accept it: plimsoll pin --server notes --lock \S+\.json --accept get_note -- notes-mcp$/m,
    );
    expect(JSON.parse(await run('status', '--json'))).toMatchObject({
      records: { running: ['notes'], drifted: [{ tool: 'get_note', quarantined: true }] },
    });
  }
  expect(await run('status')).toContain('Running    no gate\n');
});

it('names presets that fit a server, until they are accepted where its gate reads pins', async () => {
  const path = import.meta
    .resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js');
  const args = [fileURLToPath(path)];
  const tools = await listTools({ kind: 'command', command: process.execPath, args });
  const saved = put('thinking.json', JSON.stringify({ tools }));
  const lock = join(home(), 'gate.lock.json');
  const thinking = {
    name: 'thinking',
    address: 'thinking-mcp',
    state: 'up',
    trusted: false,
    mode: 'live',
    tools,
    lock,
  } as const;
  await using ledger = await openLedger(defaultLedgerAddress());
  const { store } = ledger;
  const init = { policy: () => DEFAULT_POLICY, report: () => {}, lookEveryMs: 5 };
  const servers = (): readonly RegisteredServer[] => [thinking];
  await using _gate = openRegistration(newGateId(), { ...init, store, servers });
  await vi.waitUntil(async () => (await readRegistry(store)).servers.length === 1);
  const command = `plimsoll presets accept sequential-thinking --server thinking --lock ${lock} --`;
  expect(await run('status')).toContain(
    `Preset     sequential-thinking covers 1 tool of thinking: ${command} thinking-mcp\n`,
  );
  expect(JSON.parse(await run('status', '--json'))).toMatchObject({
    records: { presets: [{ server: 'thinking', preset: 'sequential-thinking' }] },
  });
  const flags = ['--server', 'thinking', '--lock', lock];
  await run('presets', 'accept', 'sequential-thinking', saved, ...flags);
  expect(await run('status')).not.toContain('Preset ');
});

it('names the ledger in each command that it gives, unless it is the default one', async () => {
  const file = join(home(), 'my ledger.sqlite');
  {
    await using ledger = await openLedger(`sqlite:${file}`);
    await openApprovals(ledger.store).request(toTestQuestion());
  }
  const flag = `--ledger 'sqlite:${file}'`;
  expect(await run('status', '--ledger', `sqlite:${file}`)).toContain(
    `Waiting    1 question; answer in the browser: plimsoll console --open ${flag}, or here: plimsoll approve --watch ${flag}\n`,
  );
});

it('reads the ledger that a configuration names, as every ledger command does', async () => {
  const address = `sqlite:${join(home(), 'team.sqlite')}`;
  await (await openLedger(address))[Symbol.asyncDispose]();
  const config = put('plimsoll.yaml', `mcpServers:\n  a: { command: x }\nledger: ${address}\n`);
  expect(await run('status', '--ledger', config)).toContain(`Records    ${address}\n`);
  expect(JSON.parse(await run('audit', 'list', '--ledger', config, '--json'))).toEqual([]);
  expect(JSON.parse(await run('ledger', 'unknown', '--ledger', config, '--json'))).toEqual([]);
});

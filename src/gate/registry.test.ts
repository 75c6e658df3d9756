import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { toTestQuestion } from '../../test/gate/approval-fixture.ts';
import { openApprovals } from './approvals/approvals.ts';
import { DEFAULT_POLICY } from './policy/policy.ts';
import type { RegisteredServer } from './registry.ts';
import { GATE_GONE_MS, newGateId, openRegistration, readRegistry } from './registry.ts';

let ledger: OpenLedger;
const reports: string[] = [];

beforeEach(async () => {
  ledger = await openLedger('sqlite::memory:');
});

afterEach(async () => {
  await ledger[Symbol.asyncDispose]();
  if (reports.length > 0) throw new Error(reports.join('\n'));
});

const NOTES: RegisteredServer = {
  name: 'notes',
  address: 'node notes.js',
  state: 'up',
  era: 'legacy',
  trusted: false,
  mode: 'live',
  tools: [{ name: 'get_note' }],
  lock: '/home/mia/.local/state/plimsoll/locks/notes.json',
};

function register(
  id: string,
  seen: { servers: readonly RegisteredServer[] },
  pace: { readonly beatEveryMs?: number } = {},
) {
  return openRegistration(id, {
    store: ledger.store,
    servers: () => seen.servers,
    policy: () => DEFAULT_POLICY,
    report: (message) => reports.push(message),
    lookEveryMs: 5,
    ...pace,
  });
}

async function seenIn(): Promise<readonly RegisteredServer[]> {
  return (await readRegistry(ledger.store)).servers;
}

/** As if the gate had been killed that long ago. */
async function age(gate: string): Promise<void> {
  await ledger.store.transaction((tx) =>
    tx.execute('UPDATE gates SET seen_at = seen_at - ? WHERE id = ?', [2 * GATE_GONE_MS, gate]),
  );
}

describe('the gates of a ledger', () => {
  it('register their servers, tools and policy, and what changes in them', async () => {
    const seen = { servers: [NOTES] };
    const [one, other] = [newGateId(), newGateId()];
    await using _one = register(one, seen);
    const shop = { ...NOTES, name: 'shop', address: 'https://shop.example/mcp', tools: [] };
    await using _other = register(other, { servers: [shop] });
    await vi.waitFor(async () => expect(await seenIn()).toEqual([NOTES, shop]));
    expect((await readRegistry(ledger.store)).policy).toEqual(DEFAULT_POLICY);
    seen.servers = [
      { ...NOTES, state: 'down', tools: [{ name: 'get_note' }, { name: 'add_note' }] },
    ];
    await vi.waitFor(async () => expect((await seenIn())[0]).toEqual(seen.servers[0]));
  });

  it('leave what they knew behind when they end, as no longer up', async () => {
    const gate = register(newGateId(), { servers: [NOTES] });
    await vi.waitFor(async () => expect(await seenIn()).toEqual([NOTES]));
    await gate[Symbol.asyncDispose]();
    expect(await seenIn()).toEqual([{ ...NOTES, state: 'down' }]);
  });

  it('are not up once they were not seen for a minute; the one that runs counts', async () => {
    const killed = newGateId();
    await using _killed = register(killed, { servers: [NOTES] });
    await vi.waitFor(async () => expect(await seenIn()).toEqual([NOTES]));
    await age(killed);
    expect(await seenIn()).toEqual([{ ...NOTES, state: 'down' }]);
    // The same server in another folder, whose gate is alive.
    const moved = { ...NOTES, address: 'node elsewhere.js' };
    await using _alive = register(newGateId(), { servers: [moved] });
    await vi.waitFor(async () => expect(await seenIn()).toEqual([moved]));
  });
});

describe('a server behind two gates', () => {
  it('is up while one of them runs, whichever wrote of it last', async () => {
    await using _first = register(newGateId(), { servers: [NOTES] }, { beatEveryMs: 20 });
    await vi.waitFor(async () => expect(await seenIn()).toEqual([NOTES]));
    const second = register(newGateId(), { servers: [NOTES] });
    await vi.waitFor(async () => {
      const rows = await ledger.store.transaction((tx) => tx.execute('SELECT id FROM gates'));
      expect(rows).toHaveLength(2);
    });
    await second[Symbol.asyncDispose]();
    await vi.waitFor(async () => expect(await seenIn()).toEqual([NOTES]));
  });
});

describe('servers of one name and command behind gates with other locks', () => {
  const other = { ...NOTES, lock: '/home/mia/.local/state/plimsoll/locks/other.json' };

  async function locksIn(): Promise<readonly string[]> {
    const { servers, all } = await readRegistry(ledger.store);
    expect(servers).toHaveLength(1);
    expect(all).toContainEqual(servers[0]);
    return all.map(({ lock = '' }) => lock).toSorted((a, b) => a.localeCompare(b));
  }

  it('are two while both run, and one again when one has ended', async () => {
    const first = register(newGateId(), { servers: [NOTES] }, { beatEveryMs: 20 });
    await using _second = register(newGateId(), { servers: [other] }, { beatEveryMs: 20 });
    await vi.waitFor(async () => expect(await locksIn()).toEqual([NOTES.lock, other.lock]));
    await first[Symbol.asyncDispose]();
    expect(await locksIn()).toEqual([other.lock]);
  });

  it('are one where a gate with the same lock runs twice', async () => {
    await using _first = register(newGateId(), { servers: [NOTES] });
    await using _second = register(newGateId(), { servers: [{ ...NOTES, address: 'node b.js' }] });
    await vi.waitFor(async () => {
      const rows = await ledger.store.transaction((tx) =>
        tx.execute('SELECT id FROM gated_servers'),
      );
      expect(rows).toHaveLength(2);
    });
    expect(await locksIn()).toEqual([NOTES.lock]);
  });
});

describe('questions of a gate that was killed', () => {
  async function askAndAge(session: string): Promise<string> {
    const gate = newGateId();
    const approvals = openApprovals(ledger.store, { gate });
    const { id } = await approvals.request({
      ...toTestQuestion(undefined, { session }),
      holdSeconds: 45,
    });
    await ledger.store.transaction((tx) =>
      tx.execute('UPDATE approvals SET created_at = created_at - ?', [2 * GATE_GONE_MS]),
    );
    return id;
  }

  it('are withdrawn, since no caller can come back for them', async () => {
    const id = await askAndAge('s-1');
    const approvals = openApprovals(ledger.store);
    await approvals.sweep();
    expect(await approvals.find(id)).toMatchObject({ state: 'WITHDRAWN', reason: 'gate-gone' });
    expect(await approvals.listPending()).toEqual([]);
  });

  it('stay open where the caller is known again by the next gate, and say that it is gone', async () => {
    const id = await askAndAge('principal:mia');
    const approvals = openApprovals(ledger.store);
    await approvals.sweep();
    expect(await approvals.find(id)).toMatchObject({ state: 'PENDING', heldUntil: 0 });
    expect((await approvals.find(id))?.callerGoneAt).toBeGreaterThan(0);
  });

  it('stay as they are while the gate is seen', async () => {
    const gate = newGateId();
    await using _gate = register(gate, { servers: [NOTES] });
    const approvals = openApprovals(ledger.store, { gate });
    const { id } = await approvals.request(toTestQuestion());
    await vi.waitFor(async () => expect(await seenIn()).toEqual([NOTES]));
    await ledger.store.transaction((tx) =>
      tx.execute('UPDATE approvals SET created_at = created_at - ?', [2 * GATE_GONE_MS]),
    );
    await approvals.sweep();
    expect(await approvals.find(id)).toMatchObject({ state: 'PENDING', callerGoneAt: 0 });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import { newGateId, openRegistration } from '../gate/registry.ts';
import { ownLock } from '../gate/tools/lock.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { openRegistryView } from './registry-view.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-registry-view-'));

afterAll(() => rmSync(scratch, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

/** The lock of a server, as a console sees it whose ledger says that it is there. */
async function lockSeen(lock: string, areHere = true): Promise<string | undefined> {
  await using ledger = await openLedger('sqlite::memory:');
  await using _gate = openRegistration(newGateId(), {
    store: ledger.store,
    servers: () => [
      {
        name: 'notes',
        address: 'node notes.js',
        state: 'up',
        trusted: false,
        mode: 'live',
        tools: [],
        lock,
      },
    ],
    policy: () => DEFAULT_POLICY,
    report: (message, cause) => {
      throw new Error(message, { cause });
    },
    lookEveryMs: 5,
  });
  return await vi.waitFor(async () => {
    const view = openRegistryView(ledger.store, areHere);
    await view.refresh();
    const [server] = view.servers();
    if (server === undefined) throw new Error('the gate has not registered yet');
    return server.lock;
  });
}

it("keeps pins in one of the user's own locks, or in a file that is there", async () => {
  vi.stubEnv('XDG_STATE_HOME', scratch);
  const named = join(scratch, 'plimsoll.lock.json');
  writeFileSync(named, '{}');
  for (const lock of [ownLock(scratch), named]) {
    expect(await lockSeen(lock)).toBe(lock);
    expect(await lockSeen(lock, false)).toBeUndefined();
  }
});

it('makes no other file that the ledger names', async () => {
  vi.stubEnv('XDG_STATE_HOME', scratch);
  const locks = join(scratch, 'plimsoll', 'locks');
  for (const lock of [
    join(scratch, 'other.json'),
    `${locks}/../wraps/x.json`,
    `${locks}/deeper/x.json`,
    join(locks, 'x.txt'),
    'x.json',
  ]) {
    expect(await lockSeen(lock)).toBeUndefined();
  }
});

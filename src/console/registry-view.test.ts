import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openConsolePages } from '../../test/support/console-pages.ts';
import { pinsOf } from '../../test/support/pins-of.ts';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import { newGateId, openRegistration } from '../gate/registry.ts';
import { ownLock, writeLockFile } from '../gate/tools/lock.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { openRegistryView } from './registry-view.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-registry-view-'));
const VAGUE = { name: 'dlt_usr', description: 'User of an account' };

afterAll(() => rmSync(scratch, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

/** A console that sees one gate, whose pins are in this lock. */
async function openView(lock: string) {
  const ledger = await openLedger('sqlite::memory:');
  const gate = openRegistration(newGateId(), {
    store: ledger.store,
    servers: () => [
      {
        name: 'notes',
        address: 'node notes.js',
        state: 'up',
        trusted: false,
        mode: 'live',
        tools: [VAGUE],
        lock,
      },
    ],
    policy: () => DEFAULT_POLICY,
    report: (message, cause) => {
      throw new Error(message, { cause });
    },
    lookEveryMs: 5,
  });
  return {
    view: await vi.waitFor(async () => {
      const view = openRegistryView(ledger.store);
      await view.refresh();
      expect(view.servers()).toHaveLength(1);
      return view;
    }),
    async [Symbol.asyncDispose]() {
      await gate[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
    },
  };
}

describe('the pins of a gate', () => {
  it("are those of its lock, which the console may write if it is one of the user's own", async () => {
    vi.stubEnv('XDG_STATE_HOME', scratch);
    const lock = ownLock(scratch);
    await using opened = await openView(lock);
    const { view } = opened;
    expect(view.servers()).toMatchObject([{ name: 'notes', lock }]);
    expect(view.pins.pinOf('notes', 'dlt_usr')).toBeUndefined();
    expect(view.pins.check('notes', [VAGUE]).get('dlt_usr')).toMatchObject({ quarantined: false });
    await writeLockFile(lock, { servers: new Map([['notes', pinsOf(VAGUE)]]) });
    expect(view.pins.check('notes', [VAGUE]).get('dlt_usr')).toMatchObject({
      drift: { kind: 'same' },
    });
    expect(view.pins.pinOf('nobody', 'dlt_usr')).toBeUndefined();
    expect(view.pins.trustOf('nobody', 'dlt_usr')).toEqual({});
    expect(view.pins.isHeldBack('nobody', 'dlt_usr', VAGUE, () => [VAGUE])).toBe(false);
  });

  it('are not written to any other file that the ledger names', async () => {
    vi.stubEnv('XDG_STATE_HOME', scratch);
    const locks = join(scratch, 'plimsoll', 'locks');
    for (const lock of [
      join(scratch, 'plimsoll.lock.json'),
      `${locks}/../wraps/x.json`,
      `${locks}/deeper/x.json`,
      join(locks, 'x.txt'),
      'x.json',
    ]) {
      await using opened = await openView(lock);
      expect(opened.view.servers()).toHaveLength(1);
      expect(opened.view.servers()[0]).not.toHaveProperty('lock');
    }
  });

  it('are reviewed in a console that was started on demand', async () => {
    vi.stubEnv('XDG_STATE_HOME', scratch);
    await using opened = await openView(ownLock(join(scratch, '..')));
    const { view } = opened;
    await using pages = await openConsolePages({ servers: view.servers, pins: view.pins });
    const text = await pages.get('/servers/notes/review');
    const fields = [...text.matchAll(/name="(csrf|definition|decision)" value="([^"]*)"/g)];
    const form = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
    const reply = await pages.post('/servers/notes/pins', { ...form, tier: 'compute' });
    expect(reply.status).toBe(303);
    expect(view.pins.pinOf('notes', 'dlt_usr')).toBeUndefined(); // seen at the next look
    expect(view.pins.version(true)).toBeGreaterThan(1);
    expect(view.pins.pinOf('notes', 'dlt_usr')).toMatchObject({ tier: 'compute', stated: true });
    expect(await pages.get('/servers/notes/review')).toContain('Nothing is left to review');
  });
});

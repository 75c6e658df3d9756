/** What time and impatience do to a key record: leases, cancellation, old answers, and what is kept of arguments. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { LedgerOptions, OpenLedger, Recorded } from 'plimsoll/server';
import { createServer, defineOperation, openLedger, spends } from 'plimsoll/server';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sweepKeyRecords } from '../../src/ledger/idempotency/sweeper.ts';
import { callInProcess } from '../support/call-in-process.ts';

const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

interface Till {
  readonly ledger: OpenLedger;
  readonly pay: (key: string, signal?: AbortSignal) => Promise<Recorded>;
  /** How often the work was begun, and how often it was done. */
  readonly begun: () => number;
  readonly charges: () => number;
}

async function openTill(options: LedgerOptions = {}, workMs = 0): Promise<Till> {
  const ledger = await openLedger('sqlite::memory:', { report: () => {}, ...options });
  open.push(ledger);
  let [begun, charges] = [0, 0];
  const operation = defineOperation({
    name: 'pay',
    title: 'Pay Now',
    description: 'Pays.',
    input: z.object({ to: z.string().describe('Whom') }),
    output: z.object({ charge: z.int() }),
    effect: spends('EUR'),
    run: async (_, { signal }) => {
      begun += 1;
      await wait(workMs, undefined, { signal });
      return { charge: (charges += 1) };
    },
  });
  const server = createServer({
    name: 's',
    version: '1',
    operations: [operation],
    ledger,
    report: () => {},
  });
  return {
    ledger,
    begun: () => begun,
    charges: () => charges,
    pay: (key, signal = new AbortController().signal) =>
      callInProcess(server, operation, { to: 'alice@example.com' }, { key, signal }),
  };
}

describe('a lease', () => {
  it('is kept alive while the work goes on, however long', async () => {
    const { pay, charges } = await openTill({ keyRules: { leaseMs: 1000 } }, 2600);
    const key = randomUUID();
    const first = pay(key);
    await wait(1900);
    expect(await pay(key)).toMatchObject({ problem: { code: 'in-flight' } });
    expect(await first).toMatchObject({ kind: 'success' });
    expect(charges()).toBe(1);
  });
});

describe('cancellation', () => {
  it('stops a call that has not begun', async () => {
    const { pay, charges } = await openTill();
    const key = randomUUID();
    expect(await pay(key, AbortSignal.abort())).toMatchObject({ problem: { code: 'cancelled' } });
    expect(charges()).toBe(0);
    expect(await pay(key)).toMatchObject({ kind: 'success' });
  });

  it('does not stop one that has: its answer is kept for when the call comes again', async () => {
    const { pay, charges, begun } = await openTill({}, 100);
    const key = randomUUID();
    const abort = new AbortController();
    const first = pay(key, abort.signal);
    await expect.poll(begun).toBe(1);
    abort.abort();
    expect(await first).toMatchObject({ kind: 'success' });
    expect(await pay(key)).toMatchObject({ replayed: true, value: { charge: 1 } });
    expect(charges()).toBe(1);
  });
});

describe('an answer', () => {
  it('is dropped after its time, and the key stays used', async () => {
    const { pay, charges, ledger } = await openTill({ keyRules: { replayMs: 30 } });
    const key = randomUUID();
    await pay(key);
    await wait(50);
    expect(await sweepKeyRecords(ledger.store)).toBe(1);
    expect(await pay(key)).toMatchObject({ problem: { code: 'key-expired', status: 410 } });
    expect(charges()).toBe(1);
    const [row] = await ledger.store.transaction((tx) =>
      tx.execute('SELECT state, outcome FROM key_records'),
    );
    expect(row).toEqual({ state: 'TOMBSTONE', outcome: '' });
  });
});

describe('arguments', () => {
  const kept = {
    none: { args: '', salt: '', digest: false },
    digest: { args: '', salt: expect.stringMatching(/^[0-9a-f]{32}$/), digest: true },
    redacted: { args: '{"to":"alice@example.com"}', salt: expect.any(String), digest: true },
    full: { args: '{"to":"alice@example.com"}', salt: expect.any(String), digest: true },
  };

  it.each(Object.entries(kept))('are kept as the policy says: %s', async (policy, expected) => {
    const { pay, ledger } = await openTill({ arguments: policy as keyof typeof kept });
    await pay(randomUUID());
    const [row] = await ledger.store.transaction((tx) =>
      tx.execute('SELECT args, salt, body FROM receipts'),
    );
    const { argsDigest } = JSON.parse(String(row?.['body'])) as { argsDigest?: string };
    expect({ args: row?.['args'], salt: row?.['salt'], digest: argsDigest !== undefined }).toEqual(
      expected,
    );
    expect(String(row?.['body'])).not.toContain('alice');
  });
});

describe('a local effect whose key record was taken over', () => {
  it('is undone: of many holders, only the last commits', async () => {
    const ledger = await openLedger('sqlite::memory:', {
      report: () => {},
      keyRules: { leaseMs: 0 },
    });
    open.push(ledger);
    await ledger.store.transaction((tx) => tx.execute('CREATE TABLE notes (text TEXT)'));
    const operation = defineOperation({
      name: 'add_note',
      title: 'Add Note',
      description: 'Adds a note beside its key record.',
      input: z.object({}),
      effect: spends('EUR'),
      partner: { class: 'local' },
      run: async (_, { transaction }) => {
        await transaction?.execute("INSERT INTO notes (text) VALUES ('milk')");
      },
    });
    const server = createServer({
      name: 's',
      version: '1',
      operations: [operation],
      ledger,
      report: () => {},
    });
    const key = randomUUID();
    const call = () => callInProcess(server, operation, {}, { key });
    // With no lease at all, whoever comes next takes the key record from whoever came before.
    const outcomes = await Promise.all(Array.from({ length: 30 }, call));
    const rows = await ledger.store.transaction((tx) => tx.execute('SELECT text FROM notes'));
    expect(rows).toHaveLength(1);
    const ran = outcomes.filter((each) => each.kind === 'success' && each.replayed !== true);
    expect(ran).toHaveLength(1);
    expect(await call()).toMatchObject({ kind: 'success', replayed: true });
  });
});

/** One effect for each call, worked out from the arguments that run: what is reserved, run and recorded agree. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  creates,
  deletes,
  reads,
  refunds,
  sets,
  spends,
  varies,
  when,
  whenState,
} from '../effect/acts.ts';
import { defineOperation } from '../effect/define-operation.ts';
import type { Effect } from '../effect/effect.ts';
import type { Operation } from '../effect/operation.ts';
import type { Schema } from '../effect/schema.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { Receipt } from '../ledger/receipt.ts';
import { Recorder } from '../ledger/receipts/recorder.ts';
import type { Services } from './flow.ts';
import { ANONYMOUS } from './identity.ts';
import type { Recorded } from './outcome.ts';
import { invoke } from './pipeline.ts';

const KEY = 'a-key-of-16-letters';
const modes = ['preview', 'buy'] as const;
const buying = varies(reads('quote'), { when: when('mode', 'buy'), effect: spends('EUR') });

/** Each schema turns what is sent into a purchase, or something that no condition can be read from. */
const SPENDS: readonly (readonly [string, Schema, Record<string, unknown>])[] = [
  ['a default', z.object({ mode: z.enum(modes).default('buy').describe('M') }), {}],
  [
    'trimming and lower case',
    z.object({ mode: z.string().trim().toLowerCase().pipe(z.enum(modes)).describe('M') }),
    { mode: ' BUY' },
  ],
  [
    'a step before the schema',
    z.object({ mode: z.preprocess((mode) => mode ?? 'buy', z.enum(modes)).describe('M') }),
    {},
  ],
  ['a value of its own', z.object({ mode: z.enum(modes).catch('buy').describe('M') }), { mode: 1 }],
  [
    'a transform',
    z.object({ mode: z.enum(['p', 'b']).describe('M') }).transform(({ mode }) => ({
      mode: mode === 'b' ? 'buy' : 'preview',
    })),
    { mode: 'b' },
  ],
  [
    'a new name',
    z.object({ mode: z.string().describe('M') }).transform(({ mode }) => ({
      kind: mode.trim().toLowerCase(),
    })),
    { mode: ' BUY' },
  ],
  [
    'a new name and a default',
    z
      .object({ mode: z.enum(modes).optional().describe('M') })
      .transform(({ mode = 'buy' }) => ({ kind: mode })),
    {},
  ],
  [
    'a new form',
    z.object({
      mode: z
        .enum(modes)
        .transform((kind) => ({ kind }))
        .describe('M'),
    }),
    { mode: 'buy' },
  ],
  [
    'a list',
    z.object({ mode: z.enum(modes).describe('M') }).transform(({ mode }) => [mode]),
    { mode: 'buy' },
  ],
  [
    'several values at once',
    z.object({ mode: z.union([z.enum(modes), z.array(z.enum(modes))]).describe('M') }),
    { mode: ['preview', 'buy'] },
  ],
  [
    'a list beside something that is converted',
    z.object({
      mode: z.array(z.enum(modes)).describe('M'),
      at: z.string().default('now').transform(String).describe('A'),
    }),
    { mode: ['buy'] },
  ],
  [
    'keys in two cases',
    z.looseObject({ mode: z.enum(modes).describe('M') }),
    {
      mode: 'preview',
      Mode: 'buy',
    },
  ],
];

describe('the effect of a call whose arguments the schema changes', () => {
  it.each(SPENDS)('%s: a spend never runs without its key', async (_, input, args) => {
    await using shop = await openShop(input, buying);
    expect(await shop.call(args)).toMatchObject({ problem: { code: 'key-required' } });
    expect(shop.runs).toEqual([]);
    expect(shop.receipts).toMatchObject([{ act: 'spend', tier: 'external_spend' }]);
  });

  it.each(SPENDS)('%s: one key has one effect', async (_, input, args) => {
    await using shop = await openShop(input, buying);
    await shop.call(args, KEY);
    expect(await shop.call(args, KEY)).toMatchObject({ kind: 'success', replayed: true });
    expect(shop.runs).toHaveLength(1);
    expect(shop.receipts).toMatchObject([
      { act: 'spend', decision: 'ran', keyRecord: expect.any(String) },
      { act: 'spend', decision: 'replayed' },
    ]);
  });

  it('a call that stays what it says needs no key', async () => {
    const [, input] = SPENDS[0] ?? [];
    await using shop = await openShop(input as Schema, buying);
    expect(await shop.call({ mode: 'preview' })).toMatchObject({ kind: 'success' });
    expect(shop.receipts).toMatchObject([{ act: 'read', tier: 'read' }]);
  });

  it('derives one key from equal content, however it is written', async () => {
    const input = z.object({
      mode: z.string().trim().toLowerCase().describe('M'),
      amount: z.number().default(1).describe('A'),
      ticket: z
        .string()
        .default(() => randomUUID())
        .describe('T'),
    });
    await using shop = await openShop(input, spends('EUR', { repeat: 'key-derived' }));
    await shop.call({ mode: 'buy' });
    expect(await shop.call({ mode: ' BUY', amount: 1 })).toMatchObject({ replayed: true });
    await shop.call({ mode: 'buy', amount: 2 });
    expect(shop.runs).toHaveLength(2);
  });
});

const aDate = z.string().transform((text) => new Date(text));

type Arguments = Record<string, unknown>;

it.each<[string, Schema, Arguments, Arguments, Arguments]>([
  [
    'a date',
    z.object({ on: aDate.describe('D') }),
    { on: '2026-01-02' },
    { on: '2026-01-02T00:00:00Z' },
    { on: '2026-01-03' },
  ],
  [
    'a large integer',
    z.object({ n: z.union([z.string(), z.int()]).transform(BigInt).describe('N') }),
    { n: '12' },
    { n: 12 },
    { n: '13' },
  ],
  [
    'dates in a list of objects',
    z.object({ days: z.array(z.object({ on: aDate })).describe('D') }),
    { days: [{ on: '2026-01-02' }] },
    { days: [{ on: '2026-01-02T00:00Z' }] },
    { days: [{ on: '2026-01-02' }, { on: '2026-01-02' }] },
  ],
  [
    'what JSON has no form for, as it was sent',
    z.object({
      tags: z
        .array(z.string())
        .transform((tags) => new Set(tags))
        .describe('T'),
    }),
    { tags: ['a'] },
    { tags: ['a'] },
    { tags: ['b'] },
  ],
])('derives a key from %s', async (_, input, one, same, other) => {
  await using shop = await openShop(input, spends('EUR', { repeat: 'key-derived' }));
  await shop.call(one);
  expect(await shop.call(same)).toMatchObject({ kind: 'success', replayed: true });
  await shop.call(other);
  expect(shop.runs).toHaveLength(2);
});

describe('several variations that apply at once', () => {
  const input = z.object({
    remove: z.boolean().optional().describe('R'),
    pay: z.boolean().optional().describe('P'),
    note: z.string().optional().describe('N'),
  });
  const both = varies(
    creates('order'),
    { when: when('remove', true), effect: deletes('order') },
    { when: when('pay', true), effect: spends('EUR', { reach: 'third-party' }) },
    { when: when('note'), effect: sets('note') },
  );

  it('all count: the gravest is recorded, and the key of the other is required', async () => {
    await using shop = await openShop(input, both);
    const args = { remove: true, pay: true };
    expect(await shop.call(args)).toMatchObject({ problem: { code: 'key-required' } });
    await shop.call(args, KEY);
    expect(await shop.call(args, KEY)).toMatchObject({ replayed: true });
    expect(shop.runs).toHaveLength(1);
    expect(shop.receipts[1]).toMatchObject({
      act: 'delete',
      tier: 'destructive',
      reach: 'third-party',
      openWorld: true,
    });
  });

  it('one alone has its own effect only', async () => {
    await using shop = await openShop(input, both);
    await shop.call({ remove: true });
    await shop.call({ note: 'x' });
    await shop.call({});
    expect(shop.receipts.map(({ act }) => act)).toEqual(['delete', 'set', 'create']);
  });
});

describe('variations within variations', () => {
  const input = z.object({
    action: z.enum(['look', 'order']).describe('A'),
    pay: z.boolean().default(false).describe('P'),
  });
  const nested = varies(reads('order'), {
    when: when('action', 'order'),
    effect: varies(creates('order'), { when: when('pay', true), effect: spends('EUR') }),
  });

  it('apply when both conditions hold', async () => {
    await using shop = await openShop(input, nested);
    await shop.call({ action: 'look', pay: true });
    await shop.call({ action: 'order' });
    expect(await shop.call({ action: 'order', pay: true })).toMatchObject({
      problem: { code: 'key-required' },
    });
    await shop.call({ action: 'order', pay: true }, KEY);
    expect(shop.receipts.map(({ act }) => act)).toEqual(['read', 'create', 'spend', 'spend']);
    expect(shop.runs).toHaveLength(3);
  });
});

describe('an effect that depends on what is stored', () => {
  const retrying = varies(spends('EUR'), {
    when: whenState('refund-failed'),
    effect: refunds('EUR'),
  });

  it('is recorded as what the store says, and a repeat answers the same after the store changed', async () => {
    let held: readonly string[] = [];
    await using shop = await openShop(z.object({}), retrying, () => held);
    await shop.call({}, KEY);
    held = ['refund-failed'];
    expect(await shop.call({}, KEY)).toMatchObject({ kind: 'success', replayed: true });
    await shop.call({}, `${KEY}-2`);
    expect(shop.receipts.map(({ act }) => act)).toEqual(['spend', 'refund', 'refund']);
    expect(shop.runs).toHaveLength(2);
  });

  it('is the worst case when the store cannot be read, and the call still runs', async () => {
    const reports: string[] = [];
    await using shop = await openShop(
      z.object({}),
      varies(reads('order'), { when: whenState('open'), effect: deletes('order') }),
      () => {
        throw new Error('no store');
      },
      (message) => reports.push(message),
    );
    expect((await shop.call({})).kind).toBe('success');
    expect(shop.receipts.map(({ act }) => act)).toEqual(['delete']);
    expect(reports).toEqual(['order: the stored state could not be read']);
  });
});

interface Shop extends AsyncDisposable {
  readonly runs: unknown[];
  readonly receipts: Receipt[];
  readonly call: (args: Record<string, unknown>, key?: string) => Promise<Recorded>;
}

/** One operation on a real ledger. */
async function openShop(
  input: Schema,
  effect: Effect,
  states?: () => readonly string[],
  report: Services['report'] = (message, cause) => {
    throw new Error(message, { cause });
  },
): Promise<Shop> {
  const open = await openLedger('sqlite::memory:');
  const runs: unknown[] = [];
  const receipts: Receipt[] = [];
  const operation: Operation = defineOperation<Schema>({
    name: 'order',
    title: 'Order Something',
    description: 'Orders something.',
    input,
    effect,
    ...(states !== undefined && { states }),
    run: (given) => {
      runs.push(given);
      return {};
    },
  });
  let ids = 0;
  const services: Services = {
    now: () => new Date('2026-11-15T12:00:00Z'),
    newId: () => `id-${(ids += 1)}`,
    ledger: {
      ...open,
      record: (entry, tx) => {
        receipts.push(entry.receipt);
        return open.record(entry, tx);
      },
    },
    recorder: new Recorder(() => {}),
    report,
  };
  return {
    runs,
    receipts,
    call: (args, key) =>
      invoke(
        {
          operation,
          args,
          identity: ANONYMOUS,
          via: 'in-process',
          signal: new AbortController().signal,
          progress: async () => {},
          ...(key !== undefined && { keys: [key] }),
        },
        services,
      ),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

/** One operation for each class of effect, as far as it is treated differently when something fails. */
import type { Call, Effect, Operation, Partner as PartnerInit } from 'plimsoll/server';
import {
  creates,
  defineOperation,
  deletes,
  delivers,
  reads,
  refunds,
  shares,
  spends,
} from 'plimsoll/server';
import * as z from 'zod';
import type { Partner } from './partner.ts';

export interface EffectClass {
  readonly name: string;
  readonly operation: (partner: Partner) => Operation;
  /** What a caller sends: a key of its own, or none. */
  readonly sendsKey: boolean;
  /** Whether a key record keeps it to one effect, whoever made the key. */
  readonly isKeyed: boolean;
  /** The effect is a row of the ledger's own database. */
  readonly isLocal: boolean;
  /** The partner can be asked, so that nothing stays unknown. */
  readonly canFindOut: boolean;
}

interface ClassInit extends Partial<Omit<EffectClass, 'name' | 'operation'>> {
  readonly effect: Effect;
  readonly partner?: (partner: Partner) => PartnerInit;
  readonly run: (partner: Partner, call: Call) => Promise<void>;
}

const input = z.object({ item: z.string().describe('What it is about') });
const output = z.object({ item: z.string() });

function toClass(name: string, init: ClassInit): EffectClass {
  const { sendsKey = true, isKeyed = true, isLocal = false, canFindOut = false } = init;
  return {
    name,
    sendsKey,
    isKeyed,
    isLocal,
    canFindOut,
    operation: (partner) => {
      const details = init.partner?.(partner);
      return defineOperation({
        name: name.replaceAll(/\W+/g, '_'),
        title: 'Operation',
        description: 'Does it.',
        input,
        output,
        effect: init.effect,
        ...(details !== undefined && { partner: details }),
        run: async ({ item }, call) => {
          await init.run(partner, call);
          return { item };
        },
      });
    },
  };
}

const dedup = (): PartnerInit => ({ class: 'dedup' });
const opaque = (): PartnerInit => ({ class: 'opaque' });
const lookup = (partner: Partner): PartnerInit => ({
  class: 'lookup',
  reconcile: async ({ key }) =>
    (await partner.lookUp(key))
      ? { kind: 'executed', value: { item: 'milk' } }
      : { kind: 'cancelled' },
});
const unkeyed = { sendsKey: false, isKeyed: false } as const;
const actOnce = (partner: Partner, { key = '' }: Call): Promise<void> => partner.act(key, true);
const act = (partner: Partner, { key = '' }: Call): Promise<void> => partner.act(key, false);

export const EFFECT_CLASSES: readonly EffectClass[] = [
  toClass('read', { ...unkeyed, effect: reads('note'), run: (partner) => partner.read() }),
  toClass('write', { ...unkeyed, effect: creates('note'), run: act }),
  toClass('delete', { ...unkeyed, effect: deletes('note'), run: actOnce }),
  toClass('delivery', {
    ...unkeyed,
    effect: delivers('letter', { reach: 'third-party' }),
    run: act,
  }),
  toClass('local write', {
    isLocal: true,
    effect: creates('note', { repeat: 'key-required' }),
    partner: () => ({ class: 'local' }),
    run: async (_, { transaction }) => {
      await transaction?.execute("INSERT INTO notes (text) VALUES ('milk')");
    },
  }),
  toClass('keyed write', {
    effect: creates('note', { repeat: 'key-optional' }),
    partner: opaque,
    run: act,
  }),
  toClass('spend, dedup', { effect: spends('EUR cents'), partner: dedup, run: actOnce }),
  toClass('spend, opaque', { effect: spends('EUR cents'), partner: opaque, run: act }),
  toClass('spend, lookup', {
    canFindOut: true,
    effect: spends('EUR cents'),
    partner: lookup,
    run: act,
  }),
  toClass('spend, derived key, dedup', {
    sendsKey: false,
    effect: spends('EUR cents', { repeat: 'key-derived' }),
    partner: dedup,
    run: actOnce,
  }),
  toClass('spend, derived key, opaque', {
    sendsKey: false,
    effect: spends('EUR cents', { repeat: 'key-derived' }),
    partner: opaque,
    run: act,
  }),
  toClass('refund', { effect: refunds('EUR cents'), partner: dedup, run: actOnce }),
  toClass('share', {
    effect: shares('link', { repeat: 'key-required' }),
    partner: opaque,
    run: async (partner, { key = '', secrets }) => {
      await secrets?.mint({ prefix: 'plk', subject: 'milk', ttlSeconds: 60 });
      await partner.act(key, false);
    },
  }),
  // Its answer never arrives, so that each run has something to reconcile.
  toClass('reconcile', {
    canFindOut: true,
    effect: spends('EUR cents'),
    partner: lookup,
    run: async (partner, { key = '' }) => {
      await partner.act(key, false);
      throw new Error('the line broke on the way back');
    },
  }),
];

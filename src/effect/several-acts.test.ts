/** Calls with several acts, and effects that depend on what is stored: from the declaration to the wire and back. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  cancels,
  creates,
  deletes,
  reads,
  refunds,
  shares,
  spends,
  together,
  updates,
  varies,
  when,
  whenState,
} from './acts.ts';
import { closient } from './conventions/closient.ts';
import { epd } from './conventions/epd.ts';
import { geopera } from './conventions/geopera.ts';
import { nextcloud } from './conventions/nextcloud.ts';
import { plimsoll } from './conventions/plimsoll.ts';
import { checkDeclaration } from './declaration-faults.ts';
import type { OperationInit } from './define-operation.ts';
import { defineOperation } from './define-operation.ts';
import type { Effect } from './effect.ts';
import { effectsOf } from './effect.ts';
import { inferCall } from './infer/infer-call.ts';
import { inferEffect } from './infer/infer-effect.ts';
import { readDeclaredEffect } from './infer/read-declared-effect.ts';
import { narrowEffect, narrowParsed } from './narrow-effect.ts';
import { stamp } from './stamp.ts';

const key = { repeat: 'key-required' } as const;
const refundAndCancel = together(
  refunds('USD cents', key),
  cancels('subscription', { repeat: ['end-state', 'key-required'] }),
);
const retryOrder = varies(spends('USD cents', { ...key, reversible: true }), {
  when: whenState('refund-failed'),
  effect: refunds('USD cents', key),
});

function declare(effect: Effect, init: Partial<OperationInit<z.ZodObject, z.ZodObject>> = {}) {
  return defineOperation({
    name: 'do_it',
    title: 'Do it',
    description: 'Does it.',
    input: z.object({ id: z.string().describe('Which one') }),
    effect,
    run: () => ({}),
    ...init,
  });
}

describe('several acts in one call', () => {
  it('has the tier of the gravest and keeps every act', () => {
    expect(refundAndCancel).toMatchObject({
      act: 'cancel',
      tier: 'destructive',
      reversible: false,
    });
    expect(effectsOf(refundAndCancel).map(({ act }) => act)).toEqual(['cancel', 'refund']);
    expect(refundAndCancel.money).toEqual({ moves: 'refund', unit: 'USD cents' });
    expect(refundAndCancel.repeat).toEqual({ kind: 'key', need: 'required' });
  });

  it('promises no more than each act keeps, in every convention', () => {
    const effect = together(shares('report'), updates('customer', { reversible: false }));
    const hints = (convention: typeof epd) => stamp(declare(effect), convention).annotations;
    expect(effect.tier).toBe('share_export');
    // The share alone would be harmless; the update beside it is not.
    expect(hints(epd).destructiveHint).toBe(true);
    expect(hints(closient).destructiveHint).toBe(true);
    expect(hints(plimsoll).destructiveHint).toBe(true);
    expect(hints(geopera).destructiveHint).toBe(false);
    expect(hints(nextcloud).destructiveHint).toBeUndefined();
  });

  it('lets one key cover what would be new on every call', () => {
    const charge = together(spends('USD cents', key), creates('customer'));
    expect(stamp(declare(charge), epd).annotations.idempotentHint).toBe(true);
    expect(stamp(declare(charge), plimsoll).annotations.idempotentHint).toBe(true);
    const plain = together(deletes('note'), creates('copy'));
    expect(stamp(declare(plain), plimsoll).annotations.idempotentHint).toBe(false);
  });

  it('takes a part that varies for its worst', () => {
    const part = varies(reads('note'), { when: when('id', 'all'), effect: deletes('note') });
    expect(together(updates('note'), part).tier).toBe('destructive');
  });

  it('is read back from the wire as it was declared, and no milder', () => {
    const tool = (effect: Effect) => ({ name: 'do_it', ...stamp(declare(effect), plimsoll) });
    expect(readDeclaredEffect(tool(refundAndCancel))).toEqual(refundAndCancel);
    const understated = structuredClone(tool(refundAndCancel)) as {
      _meta: Record<string, Record<string, unknown>>;
    };
    const wire = understated._meta['dev.plimsoll/effect'] ?? {};
    Object.assign(wire, { act: 'read', tier: 'read', reversible: true });
    expect(readDeclaredEffect(understated)?.tier).toBe('external_spend');
    Object.assign(wire, { also: [{ act: 'refund' }] });
    expect(readDeclaredEffect(understated)).toBeUndefined();
  });

  it('is refused when one of its acts is declared wrong', () => {
    const bad = together(cancels('subscription'), refunds('USD cents', { repeat: 'fresh' }));
    const faults = checkDeclaration({ ...declareLoosely(bad) });
    expect(faults.map(({ code }) => code)).toEqual(['spend-without-contract']);
  });
});

describe('several repeat contracts', () => {
  it('make a delete that takes an optional key repeatable in the default convention too', () => {
    const keyed = deletes('note', { repeat: 'key-optional' });
    const both = deletes('note', { repeat: ['end-state', 'key-optional'] });
    expect(stamp(declare(keyed), plimsoll).annotations.idempotentHint).toBe(false);
    expect(stamp(declare(both), plimsoll).annotations.idempotentHint).toBe(true);
    expect(declare(both).addsKeyArgument).toBe(true);
    const tool = { name: 'do_it', ...stamp(declare(both), plimsoll) };
    expect(readDeclaredEffect(tool)).toEqual(both);
  });

  it('are refused where they cannot hold at once', () => {
    expect(() => declare(creates('note', { repeat: ['fresh', 'key-optional'] }))).toThrow(
      'repeats-contradict',
    );
  });
});

describe('an effect that depends on what is stored', () => {
  const call = { input: { id: '1' }, args: { id: '1' }, inputSchema: { type: 'object' } };

  it('is the worst case for everyone who cannot see the store', () => {
    expect(stamp(declareLoosely(retryOrder), epd).annotations.destructiveHint).toBe(true);
    const acts = (effect: Effect) => effectsOf(effect).map(({ act }) => act);
    expect(acts(narrowEffect(retryOrder, { id: '1' }))).toEqual(['spend', 'refund']);
    const operation = declare(retryOrder, { states: () => [] });
    const tool = { ...operation, ...stamp(operation, plimsoll) };
    const seen = inferCall(tool, inferEffect(tool, { trusted: true }), { id: '1' });
    expect(acts(seen.effect)).toEqual(['spend', 'refund']);
  });

  it('is the one that the state gives it once that is known', () => {
    const acts = (...held: string[]) =>
      effectsOf(narrowParsed(retryOrder, { ...call, states: new Set(held) })).map(({ act }) => act);
    expect(acts()).toEqual(['spend']);
    expect(acts('refund-failed')).toEqual(['refund']);
  });

  it('is refused without a function that reads the state, and the other way round', () => {
    expect(() => declare(retryOrder)).toThrow('states-not-read');
    expect(() => declare(reads('order'), { states: () => [] })).toThrow('states-not-read');
  });
});

function declareLoosely(effect: Effect) {
  return {
    name: 'do_it',
    title: 'Do it',
    description: 'Does it.',
    effect,
    scopes: [],
    produces: [],
    inputSchema: { type: 'object' },
  };
}

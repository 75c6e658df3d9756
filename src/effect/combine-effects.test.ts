/** Several effects as one, which promises no more than each of them. */
import { describe, expect, it } from 'vitest';
import type { Facts } from './acts.ts';
import {
  creates,
  deletes,
  delivers,
  estimates,
  puts,
  reads,
  shares,
  spends,
  together,
  varies,
  when,
} from './acts.ts';
import { combineEffects } from './combine-effects.ts';
import type { Effect } from './effect.ts';
import { effectsOf } from './effect.ts';

describe('effects that apply at once', () => {
  const both = combineEffects([
    creates('link', { repeat: 'version-required', trace: 'audit' }),
    deletes('note', { modes: ['live'] }),
    spends('EUR', { reach: 'third-party', estimate: 'price' }),
    shares('link', { secrets: ['url'] }),
  ]);

  it('are named by the gravest and keep the strictest of every fact', () => {
    expect(both).toMatchObject({
      act: 'delete',
      object: 'note',
      tier: 'destructive',
      repeat: { kind: 'key', need: 'required' },
      reach: 'third-party',
      trace: 'audit',
      money: { moves: 'charge', unit: 'EUR', estimate: 'price' },
      secrets: ['url'],
      overwrites: false,
      reversible: false,
      modes: ['live'],
      varies: [],
    });
    expect(effectsOf(both).map(({ act }) => act)).toEqual(['delete', 'spend', 'share', 'create']);
  });

  it('are the same in any order', () => {
    const parts = [puts('a'), delivers('b', { reach: 'user-url' }), reads('c', { trace: 'audit' })];
    const [a, b, c] = parts as [Effect, Effect, Effect];
    const one = combineEffects([a, b, c]);
    const other = combineEffects([c, a, b]);
    expect(one).toEqual(other);
    expect(effectsOf(one).map(({ act }) => act)).toEqual(['put', 'deliver']);
  });

  it('a key covers whatever else the call does; without one the loosest counts', () => {
    const repeats = ['same', 'end-state', 'version-required', 'version-optional', 'fresh'] as const;
    const keys = ['key-optional', 'key-derived', 'key-required'] as const;
    const rising = [...repeats, ...keys].map((repeat) => creates('x', { repeat }));
    for (const [at, stricter] of rising.entries()) {
      for (const looser of rising.slice(0, at)) {
        expect(combineEffects([looser, stricter]).repeat).toEqual(stricter.repeat);
        expect(combineEffects([stricter, looser]).repeat).toEqual(stricter.repeat);
      }
    }
  });

  it('keeps the deepest trace and the farthest reach, whichever part has them', () => {
    const grave = combineEffects([deletes('x', { trace: 'audit', reach: 'user-url' }), puts('x')]);
    expect(grave).toMatchObject({ trace: 'audit', reach: 'user-url' });
    const mild = combineEffects([deletes('x'), puts('x', { trace: 'audit', reach: 'user-url' })]);
    expect(mild).toMatchObject({ trace: 'audit', reach: 'user-url' });
  });

  it('overwrites if one part does, and can be undone if all can', () => {
    const calm = { overwrites: false, reversible: true } as const;
    const pair = (a: Facts, b: Facts): Effect =>
      combineEffects([deletes('x', { ...calm, ...a }), creates('y', { ...calm, ...b })]);
    expect(pair({}, {})).toMatchObject(calm);
    expect(pair({ overwrites: true }, {}).overwrites).toBe(true);
    expect(pair({}, { overwrites: true }).overwrites).toBe(true);
    expect(pair({ reversible: false }, {}).reversible).toBe(false);
    expect(pair({}, { reversible: false }).reversible).toBe(false);
  });

  it('runs only in modes that all parts run in', () => {
    const live = creates('y', { modes: ['live'] });
    expect(combineEffects([deletes('x'), live]).modes).toEqual(['live']);
    expect(combineEffects([deletes('x', { modes: ['sandbox'] }), live]).modes).toEqual([]);
  });

  it('gives the reason for secrets of whichever part has one', () => {
    const reason = { secrets: ['key'], secretsReason: 'The key is shown once.' } as const;
    const shown = combineEffects([deletes('x'), creates('y', reason)]);
    expect(shown).toMatchObject(reason);
    expect(combineEffects([deletes('x'), creates('y')])).not.toHaveProperty('secretsReason');
  });

  it('names money that moves before a price that is only asked for, and none where there is none', () => {
    const money = (...parts: readonly [Effect, ...Effect[]]) => combineEffects(parts).money;
    const asked = estimates('EUR', { tier: 'destructive', tierReason: 'It locks the price.' });
    expect(money(asked, spends('USD'))).toEqual({ moves: 'charge', unit: 'USD' });
    expect(money(asked, creates('x'))).toEqual({ moves: 'estimate', unit: 'EUR' });
    expect(combineEffects([deletes('x'), creates('y')])).not.toHaveProperty('money');
  });

  it('is one act alone where the others only look', () => {
    expect(combineEffects([deletes('x'), reads('y')])).not.toHaveProperty('also');
  });

  it('are flat: no part of several has parts of its own', () => {
    const several = together(deletes('x'), spends('EUR'));
    const all = combineEffects([several, creates('y')]);
    expect(effectsOf(all).map(({ act }) => act)).toEqual(['delete', 'spend', 'create']);
    for (const part of all.also ?? []) expect(part).not.toHaveProperty('also');
    const graver = combineEffects([deletes('y'), together(spends('EUR'), creates('x'))]);
    expect(effectsOf(graver).map(({ act }) => act)).toEqual(['delete', 'spend', 'create']);
    for (const part of graver.also ?? []) expect(part).not.toHaveProperty('also');
    expect(combineEffects([several])).toEqual(several);
    expect(combineEffects([several, reads('y')]).also).toHaveLength(1);
  });

  it('vary no more', () => {
    const varied = varies(creates('x'), { when: when('a'), effect: deletes('x') });
    expect(combineEffects([varied]).varies).toEqual([]);
    expect(combineEffects([varied, spends('EUR')]).also).toMatchObject([{ varies: [] }]);
  });
});

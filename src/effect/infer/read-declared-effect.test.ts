import { describe, expect, it } from 'vitest';
import { creates, deletes, reads, spends, varies, when } from '../acts.ts';
import type { Effect } from '../effect.ts';
import { readDeclaredEffect } from './read-declared-effect.ts';
import { inferEffect } from './infer-effect.ts';

/** As it comes over the wire. */
function declare(effect: unknown, name = 'thing'): object {
  return JSON.parse(JSON.stringify({ name, _meta: { 'dev.plimsoll/effect': effect } })) as object;
}

const plain: Effect = creates('note', { repeat: 'key-optional', reach: 'own-account' });

describe('a declared effect', () => {
  it.each([
    plain,
    spends('EUR', { estimate: 'quote' }),
    varies(reads('note'), { when: when('action', 'delete'), effect: deletes('note') }),
    varies(plain, { when: when('force'), effect: deletes('note') }),
    varies(reads('note'), {
      when: when('action', 'change'),
      effect: varies(plain, { when: when('force'), effect: deletes('note') }),
    }),
  ])('comes back as it was declared: %#', (effect) => {
    expect(readDeclaredEffect(declare(effect))).toEqual(effect);
  });

  it.each([
    ['no object', 'create'],
    ['an unknown act', { ...plain, act: 'frobnicate' }],
    ['an unknown tier', { ...plain, tier: 'harmless' }],
    ['a read of another tier', { ...plain, act: 'read' }],
    ['a write that claims to look only', { ...plain, tier: 'read' }],
    ['a missing fact', { ...plain, reach: undefined }],
    ['a fact too many', { ...plain, trusted: true }],
    ['a wrong repeat', { ...plain, repeat: { kind: 'version', need: 'derived' } }],
    ['a wrong money', { ...plain, money: { moves: 'charge' } }],
    ['a wrong flag', { ...plain, reversible: 'yes' }],
    ['a wrong mode', { ...plain, modes: ['live', 'prod'] }],
    [
      'a condition on nothing',
      { ...plain, varies: [{ when: { argument: 'x', is: [] }, effect: plain }] },
    ],
    [
      'variations within variations of which one is wrong',
      {
        ...plain,
        varies: [
          { when: when('x'), effect: { ...plain, varies: [{ when: when('y'), effect: 'x' }] } },
        ],
      },
    ],
  ])('with %s is none', (_, effect) => {
    expect(readDeclaredEffect(declare(effect))).toBeUndefined();
    expect(inferEffect(declare(effect, 'delete_x'), { trusted: true }).asks).toBe(true);
  });

  it('that is very deep is none, and nothing breaks', () => {
    let deep: object = plain;
    for (let level = 0; level < 20_000; level += 1)
      deep = { ...plain, varies: [{ when: when('x'), effect: deep }] };
    const tool = { name: 'get_x', _meta: { 'dev.plimsoll/effect': deep } };
    expect(readDeclaredEffect(tool)).toBeUndefined();
  });

  it('of a trusted server is the effect', () => {
    const reading = inferEffect(declare(plain, 'delete_everything'), { trusted: true });
    expect(reading).toMatchObject({ effect: plain, asks: false });
    expect(reading.reasons[0]?.code).toBe('declared');
  });

  it('asks for the gravest of its variations', () => {
    const effect = varies(reads('note'), {
      when: when('action', 'delete'),
      effect: deletes('note'),
    });
    expect(inferEffect(declare(effect, 'get_note'), { trusted: true }).asks).toBe(true);
  });

  it('of anyone else can only raise', () => {
    expect(inferEffect(declare(plain, 'delete_everything')).asks).toBe(true);
    expect(inferEffect(declare(deletes('note'), 'get_note')).effect.tier).toBe('destructive');
    const hidden = varies(reads('note'), { when: when('x', 1), effect: spends('EUR') });
    expect(inferEffect(declare(hidden, 'get_note')).effect.tier).toBe('external_spend');
  });

  it('is outweighed by a pin and by what was observed', () => {
    const trusted = true;
    expect(inferEffect(declare(plain), { trusted, pin: { tier: 'destructive' } }).asks).toBe(true);
    const evidence = { tier: 'destructive', calls: 1 } as const;
    expect(inferEffect(declare(plain), { trusted, evidence }).asks).toBe(true);
  });
});

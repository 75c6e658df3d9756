/** The judge of the fault plan finds what it is there for. */
import type { Recorded } from 'plimsoll/server';
import { toProblem } from 'plimsoll/server';
import { describe, expect, it } from 'vitest';
import type { EffectClass } from './effect-classes.ts';
import { EFFECT_CLASSES } from './effect-classes.ts';
import { judge } from './judge.ts';
import { Life } from './points.ts';
import type { Counted } from './run-one.ts';

function classOf(name: string): EffectClass {
  const found = EFFECT_CLASSES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no class ${name}`);
  return found;
}

const SUCCESS = { kind: 'success', value: {} } as Recorded;
const UNAVAILABLE = {
  kind: 'failure',
  problem: toProblem('unavailable', 'Nothing was run.'),
} as Recorded;
const FINE: Counted = { effects: [1], states: ['SUCCEEDED'], receipts: ['success'] };

function judgeSpend(changes: Partial<Counted>, answer: Recorded = SUCCESS): readonly string[] {
  const attempt = { id: 1, life: new Life(), answer };
  return judge(classOf('spend, opaque'), [attempt], { ...FINE, ...changes });
}

describe('the judge', () => {
  it('has nothing to say of a call that was done once, recorded and told', () => {
    expect(judgeSpend({})).toEqual([]);
  });

  it.each<[string, Partial<Counted>, Recorded, string]>([
    ['two effects', { effects: [1, 2] }, SUCCESS, '2 effects under one key'],
    ['no receipt', { receipts: [] }, SUCCESS, 'answered success without a receipt'],
    ['two receipts', { receipts: ['success', 'success'] }, SUCCESS, 'receipts too many: success'],
    ['an open key record', { states: ['DISPATCHED'] }, SUCCESS, 'the key record stays DISPATCHED'],
    ['no effect', { effects: [] }, SUCCESS, 'answered as done, and it did not happen'],
    [
      'an effect that is denied',
      { receipts: ['unavailable'] },
      UNAVAILABLE,
      'answered unavailable, and it ran',
    ],
  ])('finds %s', (_, changes, answer, violation) => {
    expect(judgeSpend(changes, answer)).toContain(violation);
  });

  it('wants an end for what can be found out', () => {
    const attempt = { id: 1, life: new Life(), answer: undefined };
    const counted = { effects: [1], states: ['UNKNOWN'], receipts: [] };
    expect(judge(classOf('spend, opaque'), [attempt], counted)).toEqual([]);
    expect(judge(classOf('spend, lookup'), [attempt], counted)).toEqual([
      'the key record stays UNKNOWN',
    ]);
  });
});

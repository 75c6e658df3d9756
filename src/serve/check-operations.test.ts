import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creates, deletes, estimates, reads, spends } from '../effect/acts.ts';
import type { Effect } from '../effect/effect.ts';
import { defineOperation } from '../effect/define-operation.ts';
import { withExceptions } from '../effect/house.ts';
import { plimsoll } from '../effect/houses/plimsoll.ts';
import type { Operation } from '../effect/operation.ts';
import { checkOperations } from './check-operations.ts';

function define(name: string, effect: Effect, scopes: readonly string[] = []): Operation {
  const words = { title: `The ${name}`, description: 'Does it.' };
  return defineOperation({
    name,
    ...words,
    input: z.object({}),
    effect,
    scopes,
    run: () => undefined,
  });
}

const place = define('place', spends('EUR', { estimate: 'price' }));

describe('checkOperations', () => {
  it('refuses two operations of one name', () => {
    const twice = [define('a', reads('x')), define('a', reads('x'))];
    expect(() => checkOperations(twice, plimsoll, false)).toThrow(
      'a: two operations have this name',
    );
  });

  it('R198: refuses a spend whose estimate is missing or is not a read', () => {
    expect(() => checkOperations([place], plimsoll, false)).toThrow('"price" is not an operation');
    expect(() => checkOperations([place, define('price', creates('x'))], plimsoll, false)).toThrow(
      'must be a read',
    );
    expect(() =>
      checkOperations([place, define('price', estimates('EUR'))], plimsoll, false),
    ).not.toThrow();
  });

  it('R9: refuses a house whose exception makes a delete read-only', () => {
    const house = withExceptions(plimsoll, [
      { operation: 'drop', hints: { readOnlyHint: true }, reason: 'A mistake.' },
    ]);
    const drop = define('drop', deletes('x'));
    expect(() => checkOperations([drop], house, false)).toThrow(
      'a read-only tool cannot be destructive',
    );
  });

  it('refuses scopes that nobody could ever hold', () => {
    const scoped = [define('a', reads('x'), ['x:read'])];
    expect(() => checkOperations(scoped, plimsoll, false)).toThrow(
      'give createServer an authenticate function',
    );
    expect(() => checkOperations(scoped, plimsoll, true)).not.toThrow();
  });
});

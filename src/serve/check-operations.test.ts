import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creates, estimates, reads, spends } from '../effect/acts.ts';
import type { Effect } from '../effect/effect.ts';
import { defineOperation } from '../effect/define-operation.ts';
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
    expect(() => checkOperations(twice, false)).toThrow('a: two operations have this name');
  });

  it('R198: refuses a spend whose estimate is missing or is not a read', () => {
    expect(() => checkOperations([place], false)).toThrow('"price" is not an operation');
    expect(() => checkOperations([place, define('price', creates('x'))], false)).toThrow(
      'must be a read',
    );
    expect(() => checkOperations([place, define('price', estimates('EUR'))], false)).not.toThrow();
  });

  it('refuses scopes that nobody could ever hold', () => {
    const scoped = [define('a', reads('x'), ['x:read'])];
    expect(() => checkOperations(scoped, false)).toThrow(
      'give createServer an authenticate function',
    );
    expect(() => checkOperations(scoped, true)).not.toThrow();
  });
});

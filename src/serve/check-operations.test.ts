import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creates, deletes, estimates, reads, spends } from '../effect/acts.ts';
import type { Effect } from '../effect/effect.ts';
import { defineOperation } from '../effect/define-operation.ts';
import { withExceptions } from '../effect/convention.ts';
import { plimsoll } from '../effect/conventions/plimsoll.ts';
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

/** Nobody can sign in; a ledger is there. */
const nothing = { signIn: false, keyRecord: true };

const place = define('place', spends('EUR', { estimate: 'price' }));

describe('checkOperations', () => {
  it('refuses two operations of one name', () => {
    const twice = [define('a', reads('x')), define('a', reads('x'))];
    expect(() => checkOperations(twice, plimsoll, nothing)).toThrow(
      'a: two operations have this name',
    );
  });

  it('R198: refuses a spend whose estimate is missing or is not a read', () => {
    expect(() => checkOperations([place], plimsoll, nothing)).toThrow(
      '"price" is not an operation',
    );
    expect(() =>
      checkOperations([place, define('price', creates('x'))], plimsoll, nothing),
    ).toThrow('must be a read');
    expect(() =>
      checkOperations([place, define('price', estimates('EUR'))], plimsoll, nothing),
    ).not.toThrow();
  });

  it('R9: refuses a convention whose exception makes a delete read-only', () => {
    const convention = withExceptions(plimsoll, [
      { operation: 'drop', hints: { readOnlyHint: true }, reason: 'A mistake.' },
    ]);
    const drop = define('drop', deletes('x'));
    expect(() => checkOperations([drop], convention, nothing)).toThrow(
      'a read-only tool cannot be destructive',
    );
  });

  it('refuses a key contract that no ledger can keep', () => {
    const keyless = { ...nothing, keyRecord: false };
    const pay = define('pay', spends('EUR'));
    expect(() => checkOperations([pay], plimsoll, keyless)).toThrow('which requires a ledger');
    expect(() => checkOperations([pay], plimsoll, nothing)).not.toThrow();
  });

  it('refuses scopes that nobody could ever hold', () => {
    const scoped = [define('a', reads('x'), ['x:read'])];
    expect(() => checkOperations(scoped, plimsoll, nothing)).toThrow(
      'pass createServer an authenticate function',
    );
    expect(() => checkOperations(scoped, plimsoll, { ...nothing, signIn: true })).not.toThrow();
  });
});

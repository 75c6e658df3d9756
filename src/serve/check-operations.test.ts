import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { creates, deletes, estimates, reads, spends, varies, when } from '../effect/acts.ts';
import type { Effect } from '../effect/effect.ts';
import { defineOperation } from '../effect/define-operation.ts';
import { withExceptions } from '../effect/convention.ts';
import { nextcloud } from '../effect/conventions/nextcloud.ts';
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

  it('refuses a tool that its team lists in public as something else', () => {
    const lists = { ...plimsoll, classes: { safe: ['list_*'], 'needs-approval': ['drop'] } };
    const wrong = [define('list_notes', reads('x')), define('list_clear', deletes('x'))];
    expect(() => checkOperations(wrong, lists, nothing)).toThrow(
      'list_clear is listed as safe, but its hints say needs-approval',
    );
    expect(() => checkOperations(wrong.slice(0, 1), lists, nothing)).not.toThrow();
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

  it('refuses an added exception for an operation that the server does not have', () => {
    const added = (operation: string) =>
      withExceptions(nextcloud, [{ operation, hints: { openWorldHint: false }, reason: 'Local.' }]);
    const drop = define('drop', deletes('x'));
    expect(() => checkOperations([drop], added('dorp'), nothing)).toThrow(
      'dorp: convention nextcloud has an exception for it',
    );
    expect(() => checkOperations([drop], added('drop'), nothing)).not.toThrow();
  });

  it('refuses an estimate that some arguments make more than a read', () => {
    const price = defineOperation({
      name: 'price',
      title: 'Price It',
      description: 'Prices it.',
      input: z.object({ keep: z.boolean().describe('Keeps the offer') }),
      effect: varies(estimates('EUR'), { when: when('keep', true), effect: creates('offer') }),
      run: () => undefined,
    });
    expect(() => checkOperations([place, price], plimsoll, nothing)).toThrow('must be a read');
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

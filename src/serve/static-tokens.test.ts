import { describe, expect, it } from 'vitest';
import { staticTokens } from './static-tokens.ts';

const alice = { id: 'alice', scopes: ['a:b'] };
const authenticate = staticTokens([
  { token: 'one', principal: alice },
  { token: 'two', principal: { id: 'bob', scopes: [] } },
]);

describe('staticTokens', () => {
  it('knows whose token it is', () => {
    expect(authenticate('one')).toBe(alice);
    expect(authenticate('two')).toMatchObject({ id: 'bob' });
  });

  it.each(['', 'ONE', 'one ', 'onetwo', 'on'])('knows nobody by "%s"', (token) => {
    expect(authenticate(token)).toBeUndefined();
  });
});

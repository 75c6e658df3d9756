import { describe, expect, it } from 'vitest';
import { isScope, missingScopes } from './operation.ts';

describe('missingScopes', () => {
  it.each([
    [['orders:read'], ['orders:read'], []],
    [['orders:read'], ['*'], []],
    [['orders:read'], ['orders:*'], []],
    [['orders:read'], ['*:read'], []],
    [['orders:write'], ['*:read'], ['orders:write']],
    [['orders:write'], ['order:*'], ['orders:write']],
    [['openid'], ['*:openid'], ['openid']],
    [['openid'], ['openid'], []],
    [[], [], []],
  ])('%j held against %j leaves %j', (required, held, missing) => {
    expect(missingScopes(required, held)).toEqual(missing);
  });

  it('R203: all of several scopes are needed', () => {
    const required = ['todo:write', 'calendar:read'];
    expect(missingScopes(required, ['todo:write'])).toEqual(['calendar:read']);
    expect(missingScopes(required, ['todo:*', '*:read'])).toEqual([]);
  });
});

describe('isScope', () => {
  it.each(['notes:write', 'notes.write', 'openid', 'api_keys:read'])('takes %s', (scope) => {
    expect(isScope(scope)).toBe(true);
  });

  it.each(['*', 'notes:*', '*:write', 'a b', '', 'a:b:c'])('refuses to require "%s"', (scope) => {
    expect(isScope(scope)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { checkServerNames, fromPrefixed, toPrefixed } from './names.ts';

describe('names behind the mux', () => {
  it('can be taken apart again, whatever the tool is called', () => {
    for (const name of ['a', '__a', 'a__b', '_']) {
      expect(fromPrefixed(toPrefixed('my-server', name) ?? '')).toEqual({
        server: 'my-server',
        name,
      });
    }
    expect(fromPrefixed('plain')).toBeUndefined();
    expect(fromPrefixed('__plain')).toBeUndefined();
  });

  it('are not made too long', () => {
    expect(toPrefixed('s', 'x'.repeat(125))).toHaveLength(128);
    expect(toPrefixed('s', 'x'.repeat(126))).toBeUndefined();
  });

  it('of servers are letters, digits and hyphens, and differ', () => {
    expect(checkServerNames(['a', 'GitHub-2'])).toEqual([]);
    const bad = ['', 'a_b', 'a b', 'x'.repeat(33), 'é'];
    expect(checkServerNames(bad).map(({ code }) => code)).toEqual(bad.map(() => 'invalid-name'));
    expect(checkServerNames(['git', 'Git'])).toMatchObject([
      { code: 'name-collision', server: 'Git' },
    ]);
  });
});

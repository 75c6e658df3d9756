import { describe, expect, it } from 'vitest';
import { changeMembers } from './members.ts';

const TEXT = '{"id" : 1,"params":{ "a" : 1.0, "b":{"x":[1,2]} ,"c":"\\u00e9" },"z":null}';

describe('changeMembers', () => {
  it('leaves out, replaces and adds, and keeps the text of all others', () => {
    const changed = changeMembers(TEXT, ['params'], { b: undefined, c: '"d"', e: '[]' });
    expect(changed).toBe('{"id" : 1,"params":{"a" : 1.0,"c":"d","e":[]},"z":null}');
  });

  it('fills an empty object, and finds nothing where there is none', () => {
    expect(changeMembers('{"a":{}}', ['a'], { b: '1' })).toBe('{"a":{"b":1}}');
    expect(changeMembers(TEXT, ['params', 'a'], { b: '1' })).toBeUndefined();
    expect(changeMembers(TEXT, ['none'], { b: '1' })).toBeUndefined();
  });
});

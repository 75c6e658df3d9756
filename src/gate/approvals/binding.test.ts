import { describe, expect, it } from 'vitest';
import { canonicalArguments, digestArguments } from './binding.ts';

const CALL = '{"to":"mia","amount":12.50,"tags":["a","b"]}';

describe('the arguments that a yes is bound to', () => {
  it.each([
    ['another order of keys', '{"amount":12.50,"tags":["a","b"],"to":"mia"}'],
    ['another spacing', '{ "to": "mia",\n "amount": 12.50, "tags": [ "a", "b" ] }'],
    ['another way to escape', '{"\\u0074o":"mi\\u0061","amount":12.50,"tags":["a","b"]}'],
  ])('are the same in %s', (_, text) => {
    expect(digestArguments(text)).toBe(digestArguments(CALL));
  });

  it.each([
    ['another value', CALL.replace('mia', 'eve')],
    ['another order of a list', CALL.replace('"a","b"', '"b","a"')],
    ['a number in another text', CALL.replace('12.50', '12.5')],
    ['a number as a text', CALL.replace('12.50', '"12.50"')],
    ['a key more', CALL.replace('{', '{"cc":null,')],
    ['a key in another case', CALL.replace('"to"', '"To"')],
    ['a letter in another composition', CALL.replace('mia', 'mia\u0301')],
  ])('are others with %s', (_, text) => {
    expect(digestArguments(text)).not.toBe(digestArguments(CALL));
  });

  it('keep digits that a double loses', () => {
    const [one, other] = ['{"id":9007199254740992}', '{"id":9007199254740994}'];
    expect(canonicalArguments(one)).toBe(one);
    expect(digestArguments(one)).not.toBe(digestArguments(other));
    expect(canonicalArguments('{"b":-0.0,"a":1e2}')).toBe('{"a":1e2,"b":-0.0}');
  });

  it('are equal only to themselves where parsers could read them differently', () => {
    const twice = '{"to":"mia","to":"eve"}';
    expect(canonicalArguments(twice)).toBe(twice);
    expect(digestArguments(twice)).not.toBe(digestArguments('{"to":"eve"}'));
  });

  it('are bound together with what else is sent', () => {
    expect(digestArguments(CALL, '{"task":{}}')).not.toBe(digestArguments(CALL));
  });
});

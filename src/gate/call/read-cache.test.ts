import { beforeEach, describe, expect, it } from 'vitest';
import { computes, deletes, reads, shares } from '../../effect/acts.ts';
import type { Effect } from '../../effect/effect.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { RpcMessage } from '../protocol/frame.ts';
import type { CacheKey, CacheLimits, CacheTerms } from './read-cache.ts';
import { ReadCache } from './read-cache.ts';

const KEY: CacheKey = {
  principal: 'ann',
  tenant: 't',
  server: 's',
  definition: 'd',
  arguments: 'a',
};
const TERMS: CacheTerms = { effect: reads('note'), cacheSeconds: 60 };

let now = 0;
beforeEach(() => {
  now = 1_000_000;
});

function openCache(limits?: CacheLimits): ReadCache {
  return new ReadCache(() => now, limits);
}

function toAnswer(result: JsonValue): { message: RpcMessage; result: Uint8Array } {
  return { message: { id: 1, result }, result: Buffer.from(JSON.stringify(result)) };
}

const ANSWER = toAnswer({ content: [{ type: 'text', text: 'böse' }] });

function keep(
  cache: ReadCache,
  key: Partial<CacheKey> = {},
  given = ANSWER,
  terms = TERMS,
): boolean {
  const whole = { ...KEY, ...key };
  return cache.keep(whole, given, terms, cache.mark(whole.server));
}

function has(cache: ReadCache, key: Partial<CacheKey> = {}): boolean {
  return cache.find({ ...KEY, ...key }) !== undefined;
}

describe('the read cache', () => {
  it('R154: gives the result of a read again, byte for byte, until its time is over', () => {
    const cache = openCache();
    expect(keep(cache)).toBe(true);
    expect(cache.find(KEY)).toEqual(Uint8Array.from(ANSWER.result));
    now += 59_999;
    expect(has(cache)).toBe(true);
    now += 1;
    expect(has(cache)).toBe(false);
  });

  it('is used for what was read to only look, and for nothing else', () => {
    const kept = (effect: Effect, cacheSeconds = 60): boolean =>
      keep(openCache(), {}, ANSWER, { effect, cacheSeconds });
    expect(kept(reads('note'))).toBe(true);
    for (const effect of [computes('report'), deletes('note'), shares('note')]) {
      expect(kept(effect)).toBe(false);
    }
    expect(kept(reads('token', { secrets: ['token'] }))).toBe(false);
  });

  it('keeps nothing unless the policy opted in', () => {
    for (const cacheSeconds of [0, -1, Number.NaN]) {
      expect(keep(openCache(), {}, ANSWER, { ...TERMS, cacheSeconds })).toBe(false);
    }
  });

  it.each(Object.keys(KEY) as (keyof CacheKey)[])('tells calls apart by %s', (part) => {
    const cache = openCache();
    keep(cache);
    expect(has(cache, { [part]: 'other' })).toBe(false);
  });

  it('cannot be made to confuse the parts of its key', () => {
    const cache = openCache();
    keep(cache, { principal: 'ann","t', tenant: '' });
    expect(has(cache, { principal: 'ann', tenant: 't","' })).toBe(false);
  });

  it('never keeps errors, questions back, tasks, or what is no result', () => {
    const refused: JsonValue[] = [
      { isError: true, content: [] },
      { isError: 'yes', content: [] },
      { resultType: 'input_required', inputRequests: {} },
      { resultType: 'task', task: {} },
      'text',
      null,
    ];
    for (const result of refused) expect(keep(openCache(), {}, toAnswer(result))).toBe(false);
    const error = { message: { id: 1, error: { code: 1 } }, result: Buffer.from('{}') };
    expect(keep(openCache(), {}, error)).toBe(false);
    const complete = toAnswer({ resultType: 'complete', isError: false, content: [] });
    expect(keep(openCache(), {}, complete)).toBe(true);
  });

  it('never keeps more than a megabyte of one result', () => {
    const sized = (bytes: number): boolean =>
      keep(openCache(), {}, { ...ANSWER, result: new Uint8Array(bytes) });
    expect([sized(1024 * 1024), sized(1024 * 1024 + 1)]).toEqual([true, false]);
  });

  it('keeps a result of no bytes, and forgets it with its server', () => {
    const cache = openCache();
    expect(keep(cache, {}, { ...ANSWER, result: new Uint8Array(0) })).toBe(true);
    expect(cache.find(KEY)).toEqual(new Uint8Array(0));
    cache.invalidateServer('s');
    expect(has(cache)).toBe(false);
  });

  it('does not change with the buffer that an answer was read into', () => {
    const cache = openCache();
    const result = Buffer.from('{"a":1}');
    keep(cache, {}, { ...ANSWER, result });
    result.fill(0);
    expect(Buffer.from(cache.find(KEY) ?? []).toString()).toBe('{"a":1}');
  });
});

describe('writes', () => {
  it('drop all that is kept of their server, for every principal, and nothing else', () => {
    const cache = openCache();
    keep(cache);
    keep(cache, { principal: 'bob', tenant: 'u' });
    keep(cache, { server: 'other' });
    cache.invalidateServer('s');
    expect(has(cache)).toBe(false);
    expect(has(cache, { principal: 'bob', tenant: 'u' })).toBe(false);
    expect(has(cache, { server: 'other' })).toBe(true);
  });

  it('keep out the answer of a read that was on its way', () => {
    const cache = openCache();
    const mark = cache.mark('s');
    cache.invalidateServer('s');
    expect(cache.keep(KEY, ANSWER, TERMS, mark)).toBe(false);
    expect(keep(cache)).toBe(true);
  });
});

describe('its limits', () => {
  it('drop what was used longest ago, by number', () => {
    const cache = openCache({ entries: 2 });
    keep(cache, { arguments: '1' });
    keep(cache, { arguments: '2' });
    has(cache, { arguments: '1' });
    keep(cache, { arguments: '3' });
    expect(['1', '2', '3'].map((each) => has(cache, { arguments: each }))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('and by bytes, counting what was replaced or dropped no longer', () => {
    const cache = openCache({ bytes: 100 });
    const sized = (bytes: number) => ({ ...ANSWER, result: new Uint8Array(bytes) });
    for (let turn = 0; turn < 10; turn += 1) keep(cache, {}, sized(60));
    keep(cache, { arguments: '2' }, sized(40));
    expect([has(cache), has(cache, { arguments: '2' })]).toEqual([true, true]);
    keep(cache, { arguments: '3' }, sized(1));
    expect([has(cache), has(cache, { arguments: '2' })]).toEqual([false, true]);
    expect(keep(cache, {}, sized(101))).toBe(false);
  });
});

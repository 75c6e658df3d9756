import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../lib/json-value.ts';
import { redactArguments } from './redact-arguments.ts';

function redacted(args: JsonValue): unknown {
  return JSON.parse(redactArguments(args));
}

describe('arguments without secrets', () => {
  it.each([
    'password',
    'dbPassword',
    'DBPassword',
    'myAPIKey',
    'API_KEY',
    'x-api-key',
    'Authorization',
    'token',
    'accessToken',
    'clientSecret',
    'private-key',
    'cookies',
    'cvv',
  ])('the value of %s is hidden, whatever it is', (name) => {
    expect(redacted({ [name]: 'hunter2', a: { [name]: ['x', 1] } })).toEqual({
      [name]: '[secret]',
      a: { [name]: '[secret]' },
    });
  });

  it.each([
    'max_tokens',
    'nextPageToken',
    'page_token',
    'keyboard',
    'tokenize',
    'monkey',
    'author',
  ])('the value of %s stays', (name) => {
    expect(redacted({ [name]: 'x1' })).toEqual({ [name]: 'x1' });
  });

  it('nothing is no secret', () => {
    const empty = { password: '', token: null, secret: false };
    expect(redacted(empty)).toEqual(empty);
  });

  it.each([
    ['use ghp_0123456789abcdefghij0123456789abcdef now', 'use [secret] now'],
    ['key AKIAIOSFODNN7EXAMPLE', 'key [secret]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0x.c2lnbmF0dXJl', '[secret]'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [secret]'],
    ['postgres://mia:hunter2@db.example/app', 'postgres://mia:[secret]@db.example/app'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[secret]'],
    [
      'a -----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE\n-----END RSA PRIVATE KEY----- b',
      'a [secret] b',
    ],
    ['-----BEGIN PRIVATE KEY-----\nMI-cut', '[secret]'],
    ['https://example.com/a:b?c=d@e', 'https://example.com/a:b?c=d@e'],
    ['a plain sentence about a token', 'a plain sentence about a token'],
  ])('%j becomes %j', (text, shown) => {
    expect(redacted({ notes: [text] })).toEqual({ notes: [shown] });
  });

  it('numbers, order and all other text stay, in time that grows with the text', () => {
    const args = { b: 1.5, a: [true, null, { ключ: 'é"\n' }] };
    expect(redactArguments(args)).toBe(JSON.stringify(args));
    const long = `${'a:'.repeat(50_000)}${'//'.repeat(50_000)}${'Bearer '.repeat(20_000)}`;
    const start = performance.now();
    redactArguments({ long });
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

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
    'password2',
    'PGPASSWORD',
    'SMTP_PASS',
    'GITHUB_PAT',
    'AWS_SECRET_ACCESS_KEY',
    'SECRET_KEY_BASE',
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
    'path',
    'boarding_pass',
    'spinner',
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

  const HIDDEN: readonly (readonly [what: string, given: JsonValue, shown: JsonValue])[] = [
    [
      'variables',
      [
        { name: 'API_KEY', value: 'k1' },
        { name: 'CITY', value: 'Bern' },
      ],
      [
        { name: 'API_KEY', value: '[secret]' },
        { name: 'CITY', value: 'Bern' },
      ],
    ],
    [
      'a key, whatever its value',
      { key: 'password', value: ['x', 1], type: 'list' },
      { key: 'password', value: '[secret]', type: 'list' },
    ],
    [
      'parameters of a stack',
      { ParameterKey: 'DbPassword', ParameterValue: 'x' },
      { ParameterKey: 'DbPassword', ParameterValue: '[secret]' },
    ],
    [
      'a field of a page',
      { selector: 'input[name="password"]', text: 'x' },
      { selector: 'input[name="password"]', text: '[secret]' },
    ],
    [
      'a list of headers',
      [
        ['X-Api-Key', 'abc'],
        ['Accept', 'text/html'],
      ],
      [
        ['X-Api-Key', '[secret]'],
        ['Accept', 'text/html'],
      ],
    ],
    [
      'options',
      ['--token', 'abc', '--api-key=def', '-e', 'DB_PASSWORD=x,y!', '--city', 'Bern'],
      ['--token', '[secret]', '--api-key=[secret]', '-e', 'DB_PASSWORD=[secret]', '--city', 'Bern'],
    ],
    [
      'an environment',
      { env: { PGPASSWORD: 'x', HOME: '/' } },
      { env: { PGPASSWORD: '[secret]', HOME: '/' } },
    ],
  ];

  it.each(HIDDEN)('the value of a pair is hidden in %s', (_, given, shown) => {
    expect(redacted({ given })).toEqual({ given: shown });
  });

  it.each<JsonValue>([
    { name: 'city', value: 'Bern' },
    { name: 'token', description: 'where to go on', required: true },
    { name: 'password', value: '' },
    { label: 'token', description: 'about tokens' },
    { valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
    ['password', 'reset'],
    [
      ['nextPageToken', 'abc'],
      ['key', 'c minor'],
    ],
    ['--token', '--verbose', '--page-token', 'abc'],
    'use --token to sign in, or the --password option; --token <token>',
    'TOKEN=$TOKEN PASSWORD=${DB_PASSWORD} max_tokens=100 token_type=x token=null',
    'if (token === other) { token => x } const key = map.get("a") ?? 1; type Token = string',
    'Token: a thing. Password: see the manual. Cookie: a biscuit. Authorization: required',
    'WHERE password = ? AND token = $1',
    '{"description":"a token","keys":["a"],"monkey":"b","token":{"type":"string"}}',
  ])('%j stays', (given) => {
    expect(redacted({ given })).toEqual({ given });
  });

  it.each([
    ['deploy --token abc --city Bern', 'deploy --token [secret] --city Bern'],
    ["deploy --password 'a b' now", "deploy --password '[secret]' now"],
    [
      'API_KEY=abc DB_PASS="a \\" b" city=Bern ./run',
      'API_KEY=[secret] DB_PASS="[secret]" city=Bern ./run',
    ],
    [
      'Server=db;User Id=mia;Password=a,b!;Timeout=3',
      'Server=db;User Id=mia;Password=[secret];Timeout=3',
    ],
    [
      'https://x.example/?api_key=abc&city=Bern#a',
      'https://x.example/?api_key=[secret]&city=Bern#a',
    ],
    [
      'f(token=abc, city=Bern), [token=def,city=x]',
      'f(token=[secret], city=Bern), [token=[secret],city=x]',
    ],
    ['password = "a b"\ncity = "Bern"', 'password = "[secret]"\ncity = "Bern"'],
    ['Authorization=Bearer a1 b', 'Authorization=[secret] b'],
    ["-H 'X-Api-Key: abc' -H 'Accept: a'", "-H 'X-Api-Key: [secret]' -H 'Accept: a'"],
    ["-H 'Authorization: token a1' -v", "-H 'Authorization: [secret]' -v"],
    ['Cookie: a=b; c=d\nAccept: a', 'Cookie: [secret]\nAccept: a'],
    [
      '{"password":"a\\"b","pin_code": 12,"n":1}',
      '{"password":"[secret]","pin_code": [secret],"n":1}',
    ],
    [String.raw`{\"token\":\"a\\\"b\",\"n\":1}`, String.raw`{\"token\":\"[secret]\",\"n\":1}`],
    ["{'api-key': 'abc', 'n': 1}", "{'api-key': '[secret]', 'n': 1}"],
    ['{"token":"cut off', '{"token":"[secret]'],
    ['PRIVATE_KEY=-----BEGIN PRIVATE KEY-----\nMI-cut', 'PRIVATE_KEY=[secret]'],
    ['TOKEN=ghp_0123456789abcdefghij0123456789abcdef.', 'TOKEN=[secret].'],
  ])('a value that the text names is hidden: %j becomes %j', (text, shown) => {
    expect(redacted({ command: text })).toEqual({ command: shown });
  });

  it('numbers, order and all other text stay', () => {
    const args = { b: 1.5, a: [true, null, { ключ: 'é"\n' }] };
    expect(redactArguments(args)).toBe(JSON.stringify(args));
  });

  it.each([
    'a:',
    '//',
    'Bearer ',
    '--',
    '-token ',
    '"token": "',
    '\\"',
    'token=)',
    ',a=',
    'x-',
    'a_',
    'page_',
    'cookie: a=',
  ])('takes time that grows with the text and with a name, on many %j', (part) => {
    const spend = (length: number): number => {
      const long = part.repeat(length / part.length);
      const args = {
        long: `${long} token="abc"`,
        [`${long}_token`]: 'x',
        [`${long}_password`]: 'y',
      };
      const start = process.threadCpuUsage().user;
      expect(redactArguments(args)).not.toContain('"y"');
      return (process.threadCpuUsage().user - start) / 1000;
    };
    spend(20_000);
    // Sixteen times as much text takes as many times as long, and not the square of that.
    expect(spend(320_000)).toBeLessThan(16 * (spend(20_000) + 10) * 3);
  });
});

import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../lib/problem.ts';
import { toUpstreamProblem } from './to-upstream-problem.ts';
import { UpstreamError } from './request-plan.ts';

const read = { readsOnly: true, keyed: false };
const write = { readsOnly: false, keyed: false };
const spend = { readsOnly: false, keyed: true };

function problemOf(status: number, body?: unknown, headers = {}, sent = write) {
  const error = toUpstreamProblem(
    { status, headers: new Headers(headers), body },
    { title: 'Shop' },
    sent,
  );
  return error instanceof ProblemError ? error.problem : error;
}

describe('toUpstreamProblem', () => {
  it.each([
    [400, 'invalid-input'],
    [402, 'payment-required'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [409, 'conflict'],
    [410, 'not-found'],
    [413, 'payload-too-large'],
    [422, 'invalid-input'],
    [429, 'rate-limited'],
  ])('%i is %s', (status, code) => {
    expect(problemOf(status)).toMatchObject({ code, detail: `Shop answered ${status}.` });
  });

  it('never passes on a refusal of the server’s own credentials', () => {
    const challenge = { 'www-authenticate': 'Bearer', 'retry-after': '7' };
    for (const status of [401, 403]) {
      const problem = problemOf(status, { detail: 'Token tok_1 has expired' }, challenge, spend);
      expect(problem).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 7 });
      expect(JSON.stringify(problem)).not.toContain('tok_1');
    }
  });

  it.each([408, 502, 503, 504])(
    '%i of a read will pass, and of a mutation leaves doubt',
    (status) => {
      expect(problemOf(status, undefined, {}, read)).toMatchObject({ code: 'unavailable' });
      expect(problemOf(status, undefined, {}, write)).toBeInstanceOf(UpstreamError);
    },
  );

  it.each([405, 418, 500, 501, 302])('%i is a failure that the server logs', (status) => {
    expect(problemOf(status, undefined, {}, read)).toBeInstanceOf(UpstreamError);
    expect(problemOf(status, undefined, {}, write)).toBeInstanceOf(UpstreamError);
  });

  it.each([
    [{ title: 'Gone', detail: 'There is no order 7.' }, 'There is no order 7.'],
    [{ title: 'Gone' }, 'Gone'],
    [{ message: 'No\n  such thing' }, 'No such thing'],
    [{ error: { message: 'No such thing' } }, 'No such thing'],
    [{ error: 'not_found' }, 'not_found'],
    [{ detail: 'x'.repeat(1000) }, 'x'.repeat(300)],
  ])('passes on what %j says', (body, said) => {
    expect(problemOf(404, body)).toHaveProperty('detail', `Shop answered 404: ${said}`);
  });

  it.each([
    [{ errors: [{ pointer: '/amount', detail: 'Too small' }] }, '/amount', 'Too small'],
    [
      { detail: [{ loc: ['body', 'a', 0], msg: 'Not a number', type: 'x' }] },
      '/a/0',
      'Not a number',
    ],
  ])('shows where the arguments are wrong: %j', (body, pointer, detail) => {
    expect(problemOf(422, body)).toMatchObject({ errors: [{ pointer, detail }] });
  });

  it.each([
    ['7', 7],
    ['999999999', 86_400],
    [new Date(Date.now() - 5000).toUTCString(), 0],
    ['soon', 30],
    [undefined, 30],
  ])('tells how long to wait: %s', (header, retryAfter) => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    expect(problemOf(429, undefined, headers)).toMatchObject({ retryAfter });
  });

  it('tells the version that an object has now', () => {
    expect(problemOf(412, undefined, { etag: 'W/"v7"' })).toMatchObject({
      code: 'stale-version',
      current: 'v7',
    });
    expect(problemOf(412)).not.toHaveProperty('current');
  });

  it.each([
    [{ code: 'in-flight' }, {}],
    [{ error: { code: 'idempotency_key_in_use' } }, {}],
    [{ type: 'urn:plimsoll:problem:outcome-unknown' }, {}],
    [undefined, { 'retry-after': '2' }],
  ])('takes 409 under a key for work that goes on, not for a refusal: %j %j', (body, headers) => {
    expect(problemOf(409, body, headers, spend)).toBeInstanceOf(UpstreamError);
    expect(problemOf(409, body, headers, write)).toMatchObject({ code: 'conflict' });
    expect(problemOf(409, { code: 'sold-out' }, {}, spend)).toMatchObject({ code: 'conflict' });
  });
});

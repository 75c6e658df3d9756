/**
 * Maps an API's refusal to our catalogue. Only messages meant for callers are passed on, and only where
 * the status is a refusal: after a 5xx of a mutation it is not known whether it was done.
 */
import type { ProblemCode } from '../../lib/problem-kind.ts';
import type { InputError, ProblemFields } from '../../lib/problem.ts';
import { ProblemError } from '../../lib/problem.ts';
import { asList, asObject, asText, member } from './reference.ts';
import { oneLine } from './find-exclusion.ts';
import type { SentCall, Upstream } from './request-plan.ts';
import { UpstreamError } from './request-plan.ts';

const REFUSALS: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid-input',
  402: 'payment-required',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  412: 'stale-version',
  413: 'payload-too-large',
  422: 'invalid-input',
  423: 'conflict',
  428: 'conflict',
  429: 'rate-limited',
  451: 'forbidden',
};

/** A gateway or a busy server; a read can be retried. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 502, 503, 504]);

/** Error codes that APIs use for a key whose request is still running. */
const WORKING = /in.?flight|in.?progress|in.?use|outcome.?unknown/i;

/** When the API does not say how long to wait. */
const USUAL_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 86_400;
const MOST_ERRORS = 20;

interface Refusing {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, when it was JSON. */
  readonly body: unknown;
}

export function toUpstreamProblem(
  { status, headers, body }: Refusing,
  { title }: Pick<Upstream, 'title'>,
  { readsOnly, keyed }: SentCall,
): Error {
  if (refusesCredentials(status, headers)) {
    const detail = `${title} refused the credentials of this server (${status}), so this request did nothing. The operator of this server has to renew them.`;
    return new ProblemError('unavailable', detail, fieldsOf('unavailable', headers, body));
  }
  const said = explanationIn(body);
  const sentence = `${title} answered ${status}${said === undefined ? '.' : `: ${said}`}`;
  const code = REFUSALS[status] ?? (readsOnly && PASSING.has(status) ? 'unavailable' : undefined);
  const isWorking = keyed && status === 409 && saysWorking(headers, body);
  if (code === undefined || isWorking) return new UpstreamError(sentence);
  return new ProblemError(code, sentence, fieldsOf(code, headers, body));
}

/** A caller has no part in them: a sign-in of its own would change nothing. */
function refusesCredentials(status: number, headers: Headers): boolean {
  return status === 401 || (status === 403 && headers.has('www-authenticate'));
}

/** A 409 under a key may mean that the first request with it is still running. */
function saysWorking(headers: Headers, body: unknown): boolean {
  const codes = [member(body, 'code'), member(body, 'type'), member(member(body, 'error'), 'code')];
  return headers.has('retry-after') || codes.some((code) => WORKING.test(String(code)));
}

function fieldsOf(code: ProblemCode, headers: Headers, body: unknown): ProblemFields {
  if (code === 'invalid-input') return { errors: inputErrorsIn(body) };
  const tag = /^(?:W\/)?"(.*)"$/.exec(headers.get('etag') ?? '')?.[1];
  if (code === 'stale-version') return tag === undefined ? {} : { current: tag };
  const wait = secondsIn(headers.get('retry-after'));
  if (code === 'rate-limited') return { retryAfter: wait ?? USUAL_WAIT_SECONDS };
  return code === 'unavailable' && wait !== undefined ? { retryAfter: wait } : {};
}

/** RFC 9457's `detail`, or what other APIs put in its place. */
function explanationIn(body: unknown): string | undefined {
  const error = member(body, 'error');
  const said = [
    member(body, 'detail'),
    member(body, 'message'),
    member(error, 'message'),
    error,
    member(body, 'title'),
  ];
  const first = said.map(asText).find((text) => text !== undefined);
  return first === undefined ? undefined : oneLine(first).slice(0, 300);
}

/** RFC 9457's own extension (`pointer`, `detail`) and FastAPI's (`loc`, `msg`). */
function inputErrorsIn(body: unknown): readonly InputError[] {
  const listed = [...asList(member(body, 'errors')), ...asList(member(body, 'detail'))];
  return listed.slice(0, MOST_ERRORS).flatMap((each) => {
    const error = asObject(each) ?? {};
    const detail = asText(error['detail']) ?? asText(error['msg']) ?? asText(error['message']);
    if (detail === undefined) return [];
    const [, ...steps] = asList(error['loc']).map(String);
    const pointer = asText(error['pointer']) ?? steps.map((step) => `/${step}`).join('');
    return [{ pointer: pointer.slice(0, 200), detail: oneLine(detail).slice(0, 300) }];
  });
}

/** `Retry-After` is a number of seconds or a date. */
function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT_SECONDS);
}

/**
 * Builds the HTTP request of one call from its plan. Arguments fill slots in a request and never change
 * which request it is: not the host, not the path, not the server's own headers.
 */
import { ProblemError } from '../../lib/problem.ts';
import { joinValue, percentEncode, refuseArgument, toQuery } from './to-query.ts';
import { KEY_HEADER, looseName } from './read-parameters.ts';
import type { Json } from './reference.ts';
import { member } from './reference.ts';
import type { RequestPlan, PlannedParameter, PlannedBody } from './request-plan.ts';

export interface BuiltRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
}

interface Sender {
  readonly baseUrl: URL;
  /** The server's own; they override any argument. */
  readonly headers: Readonly<Record<string, string>>;
  /** The caller's idempotency key. */
  readonly key: string | undefined;
}

export function buildRequest(plan: RequestPlan, args: Json, sender: Sender): BuiltRequest {
  const body = plan.body === undefined ? undefined : toBody(plan.body, args, sender.key);
  return {
    url: toUrl(plan, args, sender.baseUrl),
    method: plan.method,
    headers: toHeaders(plan, args, sender, body !== undefined),
    ...(body !== undefined && { body }),
  };
}

function toUrl(plan: RequestPlan, args: Json, baseUrl: URL): URL {
  const inPath = new Map(plan.parameters.filter(isIn('path')).map((each) => [each.name, each]));
  const filled = plan.path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const parameter = inPath.get(name);
    return parameter === undefined ? '' : toSegment(parameter, member(args, parameter.argument));
  });
  const wanted = baseUrl.pathname.replace(/\/$/, '') + filled;
  const url = new URL(baseUrl.origin + wanted);
  if (url.pathname !== wanted || filled.split('/').some(goesUp)) {
    throw new ProblemError('invalid-input', 'An argument would lead to another path of the API.', {
      remedy: 'Send arguments for the path without `.` and `..` between slashes. Nothing was run.',
    });
  }
  url.search = toQuery(plan, args);
  return url;
}

/** Fully encoded, slashes too. An empty value would be another path. */
function toSegment(parameter: PlannedParameter, value: unknown): string {
  const { argument } = parameter;
  const text = joinValue(parameter, value, (part) => percentEncode(part, argument)) ?? '';
  if (text === '') throw refuseArgument(argument, 'It must not be empty in a path.');
  return text;
}

/** Some servers decode a segment, once or twice, before they split the path and resolve dots. */
function goesUp(segment: string): boolean {
  return segment
    .replaceAll(/%25/g, '%')
    .split(/%2f|%5c/i)
    .map((part) => part.replaceAll(/%2e/gi, '.'))
    .some((part) => part === '.' || part === '..');
}

function toHeaders(
  { parameters, body }: RequestPlan,
  args: Json,
  { headers, key }: Sender,
  hasBody: boolean,
): Headers {
  const built = new Headers({ accept: 'application/json, application/problem+json, text/*;q=0.5' });
  const ours = new Set(Object.keys(headers).map(looseName));
  for (const parameter of parameters.filter(isIn('header'))) {
    const { argument, name } = parameter;
    const text = joinValue(parameter, member(args, argument), (part) => part);
    if (text === undefined || ours.has(looseName(name))) continue;
    setHeader(built, name, text, `/${argument}`);
  }
  if (key !== undefined) setHeader(built, KEY_HEADER, key, '');
  if (hasBody && body !== undefined) built.set('content-type', body.contentType);
  for (const [name, value] of Object.entries(headers)) built.set(name, value);
  return built;
}

function setHeader(headers: Headers, name: string, value: string, pointer: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ProblemError('invalid-input', `The value for ${name} cannot be sent as a header.`, {
      errors: [{ pointer, detail: 'It must be one line of Latin characters.' }],
    });
  }
}

function toBody(body: PlannedBody, args: Json, key: string | undefined): string | undefined {
  if (body.arguments === 'body') {
    const whole = member(args, body.arguments);
    return whole === undefined ? undefined : JSON.stringify(whole);
  }
  const given = body.arguments
    .map((name) => [name, member(args, name)] as const)
    .filter(([, value]) => value !== undefined);
  if (body.keyField !== undefined && key !== undefined) given.push([body.keyField, key]);
  if (given.length === 0 && !body.required) return undefined;
  return JSON.stringify(Object.fromEntries(given));
}

function isIn(place: PlannedParameter['place']): (parameter: PlannedParameter) => boolean {
  return (parameter) => parameter.place === place;
}

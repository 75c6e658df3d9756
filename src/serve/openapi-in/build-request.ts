/**
 * Builds the HTTP request of one call from its plan. Arguments fill slots in a request and never change
 * which request it is: not the host, not the path, not the server's own headers.
 */
import { ProblemError } from '../../lib/problem.ts';
import { KEY_HEADER } from './read-parameters.ts';
import type { Json } from './reference.ts';
import { asObject } from './reference.ts';
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

function toUrl({ path, parameters }: RequestPlan, args: Json, baseUrl: URL): URL {
  const inPath = new Map(parameters.filter(isIn('path')).map((each) => [each.name, each]));
  const filled = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const parameter = inPath.get(name);
    return parameter === undefined ? '' : toSegment(parameter, args[parameter.argument]);
  });
  const wanted = baseUrl.pathname.replace(/\/$/, '') + filled;
  const url = new URL(baseUrl.origin + wanted);
  if (url.pathname !== wanted) {
    throw new ProblemError('invalid-input', 'An argument would lead to another path of the API.');
  }
  for (const parameter of parameters.filter(isIn('query'))) {
    for (const [name, value] of toQueryPairs(parameter, args[parameter.argument])) {
      url.searchParams.append(name, value);
    }
  }
  return url;
}

/** Fully encoded, slashes too. An empty value would be another path. */
function toSegment(parameter: PlannedParameter, value: unknown): string {
  const text = toPlainText(parameter, value) ?? '';
  const pointer = `/${parameter.argument}`;
  if (text === '' || !text.isWellFormed()) {
    throw new ProblemError('invalid-input', `"${parameter.argument}" cannot be used in a path.`, {
      errors: [{ pointer, detail: 'It must be a non-empty string.' }],
    });
  }
  return encodeURIComponent(text);
}

function toHeaders(
  { parameters, body }: RequestPlan,
  args: Json,
  { headers, key }: Sender,
  hasBody: boolean,
): Headers {
  const built = new Headers({ accept: 'application/json, application/problem+json, text/*;q=0.5' });
  for (const { argument, name, ...rest } of parameters.filter(isIn('header'))) {
    const text = toPlainText({ argument, name, ...rest }, args[argument]);
    if (text !== undefined) setHeader(built, name, text, `/${argument}`);
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
    const whole = args['body'];
    return whole === undefined ? undefined : JSON.stringify(whole);
  }
  const given = body.arguments
    .filter((name) => args[name] !== undefined)
    .map((name) => [name, args[name]] as const);
  if (body.keyField !== undefined && key !== undefined) given.push([body.keyField, key]);
  if (given.length === 0 && !body.required) return undefined;
  return JSON.stringify(Object.fromEntries(given));
}

function isIn(place: PlannedParameter['place']): (parameter: PlannedParameter) => boolean {
  return (parameter) => parameter.place === place;
}

/** The value for a path or a header; `undefined` when there is nothing to send. */
function toPlainText({ style }: PlannedParameter, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (style === 'json') return JSON.stringify(value);
  return flatten(value).map(toText).join(',');
}

/** Name and value pairs for a query. */
function toQueryPairs(
  { name, style, explode }: PlannedParameter,
  value: unknown,
): readonly (readonly [string, string])[] {
  if (value === undefined || value === null) return [];
  if (style === 'json') return [[name, JSON.stringify(value)]];
  const object = asObject(value);
  if (object !== undefined && (style === 'deepObject' || explode)) {
    return Object.entries(object)
      .filter(([, inner]) => inner !== undefined && inner !== null)
      .flatMap(([key, inner]) => {
        const full = style === 'deepObject' ? `${name}[${key}]` : key;
        return (Array.isArray(inner) ? inner : [inner]).map(
          (each) => [full, toText(each)] as const,
        );
      });
  }
  if (Array.isArray(value) && explode) return value.map((each) => [name, toText(each)]);
  const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
  return [[name, flatten(value).map(toText).join(separator)]];
}

/** Objects become `key,value,key,value`. */
function flatten(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  const object = asObject(value);
  return object === undefined ? [value] : Object.entries(object).flat();
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Writes the query of a request. An exploded object lets its caller choose names: never those of a
 * credential, of the request's method or of another parameter.
 */
import { ProblemError } from '../../lib/problem.ts';
import { looseName } from './read-parameters.ts';
import type { Json } from './reference.ts';
import { asList, asObject, member } from './reference.ts';
import type { PlannedParameter, RequestPlan, Style } from './request-plan.ts';

/** Names that frameworks read a credential or another method from, whatever a document says. */
const NEVER_CHOSEN = [
  'access_token',
  'api_key',
  'apikey',
  'auth_token',
  'authorization',
  'x_api_key',
  '_method',
  '_httpmethod',
  'http_method_override',
  'x_http_method',
  'x_http_method_override',
];

type Pair = readonly [name: string, value: string];

/** Without the `?`; empty when there is nothing to send. */
export function toQuery({ parameters, reserved }: RequestPlan, args: Json): string {
  const taken = new Set([...NEVER_CHOSEN, ...reserved]);
  const pairs: Pair[] = [];
  for (const parameter of parameters.filter(({ place }) => place === 'query')) {
    const value = member(args, parameter.argument);
    const chosen = chosenNames(parameter, value);
    const wrong = chosen.find((name) => taken.has(looseName(name)));
    if (wrong !== undefined) {
      const shown = JSON.stringify(wrong.slice(0, 100));
      throw refuseArgument(parameter.argument, `Its member ${shown} is not for callers to set.`);
    }
    for (const name of chosen) taken.add(looseName(name));
    pairs.push(...toPairs(parameter, value));
  }
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

/** The names of an exploded object's members, which become names of the query. */
function chosenNames({ style, explode }: PlannedParameter, value: unknown): readonly string[] {
  return explode && style !== 'json' && style !== 'deepObject'
    ? Object.keys(asObject(value) ?? {})
    : [];
}

/** Encoded. */
function toPairs(parameter: PlannedParameter, value: unknown): readonly Pair[] {
  const { argument, name, style, explode } = parameter;
  if (!isGiven(value)) return [];
  const encode = (text: string) => percentEncode(text, argument);
  const encodeValue = parameter.allowsReserved
    ? (text: string) => keepReserved(encode(text))
    : encode;
  const pair = (key: string, inner: unknown): Pair => [encode(key), encodeValue(toText(inner))];
  if (style === 'deepObject' && typeof value === 'object') {
    if (Array.isArray(value))
      return asList(value)
        .filter(isGiven)
        .map((item) => pair(`${name}[]`, item));
    return deepMembers(name, value, argument).map(([key, inner]) => pair(key, inner));
  }
  if (explode && style !== 'json' && typeof value === 'object') {
    return membersOf(Array.isArray(value) ? { [name]: value } : value).map(([key, inner]) =>
      pair(key, inner),
    );
  }
  const joined = joinValue(parameter, value, encodeValue);
  return joined === undefined ? [] : [[encode(name), joined]];
}

/** Lists as one entry for each item. */
function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(asObject(value) ?? {}).flatMap(([name, inner]) =>
    (Array.isArray(inner) ? asList(inner) : [inner])
      .filter(isGiven)
      .map((each) => [name, each] as const),
  );
}

/** `where[price][min]`. A name with a bracket could be read as another path. */
function deepMembers(
  name: string,
  value: unknown,
  argument: string,
): readonly (readonly [string, unknown])[] {
  return membersOf(value).flatMap(([key, inner]) => {
    if (key === '' || /[[\]]/.test(key)) {
      throw refuseArgument(argument, 'The name of a member is empty or contains a bracket.');
    }
    const path = `${name}[${key}]`;
    return asObject(inner) === undefined
      ? [[path, inner] as const]
      : deepMembers(path, inner, argument);
  });
}

/** The reserved characters that cannot end a value or a query, or be read as a space. */
function keepReserved(encoded: string): string {
  return encoded.replaceAll(/%(?:3A|2F|3F|40|24|2C)/g, decodeURIComponent);
}

/** As they are sent in a query. */
const SEPARATORS: Readonly<Partial<Record<Style, string>>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

type Encode = (text: string) => string;

/** `undefined` when there is nothing to send. */
export function joinValue(
  { argument, style, explode }: PlannedParameter,
  value: unknown,
  encode: Encode,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (style === 'json' || typeof value !== 'object') return encode(toText(value));
  const separator = SEPARATORS[style] ?? ',';
  const parts = partsOf(value).map((part) => part.map((text) => encode(text)));
  if (parts.flat().some((text) => text.includes(separator))) {
    throw refuseArgument(argument, 'A member contains the character that separates members.');
  }
  const joined = parts.map((part) => part.join(explode ? '=' : separator)).join(separator);
  return parts.length === 0 ? undefined : joined;
}

/** Items of a list, or the names and values of an object. */
function partsOf(value: object): readonly (readonly string[])[] {
  if (Array.isArray(value))
    return asList(value)
      .filter(isGiven)
      .map((item) => [toText(item)]);
  return Object.entries(asObject(value) ?? {})
    .filter(([, inner]) => isGiven(inner))
    .map(([name, inner]) => [name, toText(inner)]);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** For paths and queries: everything but letters, digits and `-_.!~*'()`. */
export function percentEncode(text: string, argument: string): string {
  if (!text.isWellFormed()) {
    throw refuseArgument(argument, 'It contains half of a surrogate pair.');
  }
  return encodeURIComponent(text);
}

export function refuseArgument(argument: string, detail: string): ProblemError {
  return new ProblemError('invalid-input', `"${argument}" cannot be sent. ${detail}`, {
    errors: [{ pointer: `/${argument}`, detail }],
  });
}

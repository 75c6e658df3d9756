/**
 * Writes a value as one text, as RFC 6570 does: members are encoded, then joined by a separator that no
 * encoded member contains. Null members and empty lists are left out.
 */
import { ProblemError } from '../../lib/problem.ts';
import { asList, asObject } from './reference.ts';
import type { PlannedParameter, Style } from './request-plan.ts';

/** As they are sent in a query. */
const SEPARATORS: Readonly<Partial<Record<Style, string>>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
};

export type Encode = (text: string) => string;

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

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function toText(value: unknown): string {
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

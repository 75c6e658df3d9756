/**
 * Arguments as text without what looks like a secret: values under names of secrets, also where name and value are
 * members or items of their own, credentials in well-known forms, and tokens of our own. A filter, not a promise: a
 * secret in plain words stays.
 */
import { redactSecrets } from '../../lib/find-secret-tokens.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { SECRET_MARK } from '../../lib/secret.ts';
import { hideInText } from './hide-in-text.ts';
import { isSecretName } from './is-secret-name.ts';

type Members = readonly (readonly [name: string, value: JsonValue])[];

/** Members of which one names what the other is, as in lists of variables, headers and fields of forms. */
const PAIRS: readonly (readonly [naming: RegExp, value: RegExp])[] = [
  [
    /^(?:(?:env|header|parameter|param|field|variable|attribute|property|setting|option|secret)_?)?(?:name|key)$|^(?:header|field|variable|var|parameter|property|attribute|setting|option|k)$/i,
    /^(?:(?:env|header|parameter|param|field|variable|attribute|property|setting|option|secret)_?)?(?:values?|val)$|^v$/i,
  ],
  [/^(?:selector|locator|element|label)$/i, /^(?:value|text)$/i],
];

export function redactArguments(args: JsonValue): string {
  return redactSecrets(JSON.stringify(redact(args)));
}

/** Recursion is safe, since what a client sends has a bounded depth. */
function redact(value: JsonValue): JsonValue {
  if (typeof value === 'string') return hideInText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return redactItems(value as readonly JsonValue[]);
  const members: Members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  const named = PAIRS.find(([naming]) =>
    members.some(
      ([name, text]) => typeof text === 'string' && naming.test(name) && isSecretName(text),
    ),
  )?.[1];
  return Object.fromEntries(
    members.map(([name, member]) => {
      const isHidden = isValue(member) && (isSecretName(name) || named?.test(name) === true);
      return [name, isHidden ? SECRET_MARK : redact(member)];
    }),
  );
}

/** A list of pairs, as of headers; or of words, of which one may be the option whose value comes next. */
function redactItems(items: readonly JsonValue[]): JsonValue {
  const isPairs = items.length > 0 && items.every(isPair);
  if (isPairs) return items.map(redactPair);
  return items.map((item, index) =>
    isOption(items[index - 1]) && isValue(item) && !isFlag(item) ? SECRET_MARK : redact(item),
  );
}

function isPair(item: JsonValue): boolean {
  return Array.isArray(item) && item.length === 2 && typeof item[0] === 'string';
}

function redactPair(pair: JsonValue): JsonValue {
  const [name, value] = pair as readonly [string, JsonValue]; // it is one
  return [redact(name), isSecretName(name) && isValue(value) ? SECRET_MARK : redact(value)];
}

function isOption(item: JsonValue | undefined): boolean {
  return isFlag(item) && isSecretName(item as string); // only a string is a flag
}

function isFlag(item: JsonValue | undefined): boolean {
  return typeof item === 'string' && /^--?[A-Za-z][\w-]{0,80}$/.test(item);
}

/** Nothing is no secret. */
function isValue(value: JsonValue): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}

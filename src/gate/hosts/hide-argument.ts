/**
 * A word of a command line as it can be shown: without the values of variables and headers, credentials in
 * URLs, and what stands under the name of a secret or looks like one. The names stay. Pure.
 */
import type { JsonValue } from '../../lib/json-value.ts';
import { SECRET_MARK } from '../../lib/secret.ts';
import { redactArguments } from '../../ledger/receipts/redact-arguments.ts';

/** Stands in the place of what is not shown. */
export const HIDDEN = '…';

const SECRET_PART = /key|token|secret|pass|pwd|auth|credential|bearer|cookie/i;
/** Too short or too common to count inside a longer word, such as the `pat` of `path`. */
const SECRET_WORD = /(?<![a-z])(?:pat|pats|sas|jwt|dsn|otp|cred|creds|session|sessions)(?![a-z])/i;
/** Long and not like a path, a package or a word: most likely random. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w+=-]{24,}$/i;
const ENV_FLAG = /^(?:-e|--env)$/;
const HEADER_FLAG = /^(?:-H|--headers?)$/;
/** What follows names a variable, which holds the value. */
const NAMES_VARIABLE = /\w-env(?:-var)?$/;
const FLAG = /^--?[a-z]/i;
/** Schemes are short, so that the time grows with the text. */
const URLS = /[a-z][a-z\d+.-]{0,30}:\/\/[^\s"'`<>]+/gi;

/** Assignments within assignments; what is deeper is hidden as a whole. */
const DEEPEST = 8;

/** `before` is the word before it. */
export function hideArgument(text: string, before = '', depth = 0): string {
  if (NAMES_VARIABLE.test(before)) return text;
  if (ENV_FLAG.test(before)) return text.replace(/=.+$/s, `=${HIDDEN}`);
  if (HEADER_FLAG.test(before)) return hideHeader(text);
  const isNamed = FLAG.test(before) && !before.includes('=') && namesSecret(before);
  if (isNamed && !/^--[a-z]/i.test(text)) return HIDDEN;
  const [, name, value] = /^([\w.-]+)=(.+)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) {
    const isSecret = namesSecret(name) && !NAMES_VARIABLE.test(name);
    const isHidden = isSecret || depth >= DEEPEST;
    return `${name}=${isHidden ? HIDDEN : hideArgument(value, name, depth + 1)}`;
  }
  if (/^[\w-]+:\s*[^\s/\\]/.test(text) && namesSecret(text.slice(0, text.indexOf(':'))))
    return hideHeader(text);
  if (RANDOM.test(text)) return HIDDEN;
  return hideForms(text.replaceAll(URLS, hideUrl));
}

export function namesSecret(name: string): boolean {
  return SECRET_PART.test(name) || SECRET_WORD.test(name.replaceAll(/([a-z\d])(?=[A-Z])/g, '$1-'));
}

function hideHeader(text: string): string {
  const [name] = /^[\w-]+\s*[:=]\s*/.exec(text) ?? [''];
  return text === name ? text : `${name}${HIDDEN}`;
}

/** A path may be a credential, too. */
function hideUrl(text: string): string {
  if (!URL.canParse(text)) return HIDDEN;
  const [, scheme = '', user, host = '', path = '', query, fragment] =
    /^([^:]*:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
  const parts = path.split('/').map((part) => (RANDOM.test(part) ? HIDDEN : part));
  return [
    scheme,
    user === undefined ? '' : `${HIDDEN}@`,
    host,
    parts.join('/'),
    query === undefined ? '' : query.replaceAll(/([?&])([^=&]*=)?[^&]+/g, `$1$2${HIDDEN}`),
    fragment === undefined ? '' : `#${HIDDEN}`,
  ].join('');
}

/** JSON within a word keeps its names. */
function hideForms(text: string): string {
  const json = /^\s*[[{]/.test(text) ? parse(text) : undefined;
  if (json !== undefined) return redactArguments(json).replaceAll(SECRET_MARK, HIDDEN);
  const plain = JSON.parse(redactArguments(text)) as string; // of a text it makes a text
  return plain === text ? text : plain.replaceAll(SECRET_MARK, HIDDEN);
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

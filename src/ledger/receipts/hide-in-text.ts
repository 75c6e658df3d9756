/**
 * A text without what looks like a secret: credentials in well-known forms, and values that the text itself
 * names, as command lines, environment files, connection strings, headers and JSON in a string do.
 */
import { SECRET_MARK } from '../../lib/secret.ts';
import { isSecretName } from './is-secret-name.ts';

const FORMS: readonly RegExp[] = [
  /\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|sk|rk|pk|xox[abeoprs]|hf|npm|pypi|dop_v1|shpat|whsec)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  // One that is encrypted has headers with hyphens; one that is cut off has no end.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs,
  /(?<=\b(?:Bearer|Basic) )[\w.~+/=-]{8,}/gi,
  /(?<=\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/gi,
];

/**
 * A name with what connects it to its value: `--token x`, `TOKEN=x`, `"token": x`, `X-Token: x`; without the name for
 * cookies, all of which are hidden. Names are short and begin where no other is under way, so that the time grows
 * with the text.
 */
const NAMED = new RegExp(
  String.raw`(?<![\w-])(?:${[
    String.raw`(--?[a-z][\w-]{0,60}) {1,8}(?!-)`,
    String.raw`(-{0,2}[a-z_][\w.-]{0,80})(?:=(?![=>~])| {1,8}= {1,8}(?=["']))`,
    String.raw`(["'][a-z_][\w .-]{0,60})\\{0,8}["']\s{0,8}:\s{0,8}`,
    String.raw`((?:x|api|access|auth|private|proxy|client|csrf|xsrf|job)-[\w-]{1,60}): {0,8}`,
    // Where something else follows, the words are about these.
    String.raw`(authorization): {0,8}(?=(?:(?:bearer|basic|token|apikey) )?\S{0,60}\d)`,
    String.raw`(?:set-)?cookie: {0,8}(?=[\w.-]{1,60}=)`,
  ].join('|')})`,
  'gi',
);

/** Without these in it, a text names no secret. Most texts end with these searches. */
const CONNECTED = /[=:]|-[a-z]/i;
const PARTS = /pass|pin|pwd|secret|credential|authori|cookie|key|token|[_-]pat|otp|cvv|cvc/i;

const QUOTE = /\\{0,8}["']/y;
/** A list of assignments goes on behind a comma, and a secret may contain one. */
const BARE = /(?:(?:bearer|basic|token|apikey) {1,8}(?=\S))?(?:(?!,[\w.-]{1,80}=)[^\s&;"'`|<>])+/iy;
const LINE = /[^\r\n"']+/y;
/** Stands for a value, begins something longer, or follows on the name of an option in a sentence. */
const NO_VALUE =
  /^(?:\$\{?[A-Z_][A-Z\d_]*\}?|\$\d+|\?|:\w+|%s|\*+|[[{]|\{\{.*|\[secret\]|null|none|undefined|true|false|an?|the|to|is|are|was|has|and|or|for|in|on|of|with|as|if|when|which|that|must|should|can|may|from|flag|option|argument|parameter)$/i;

export function hideInText(text: string): string {
  return hideNamed(FORMS.reduce((hidden, form) => hidden.replace(form, SECRET_MARK), text));
}

function hideNamed(text: string): string {
  if (!CONNECTED.test(text) || !PARTS.test(text)) return text;
  let [hidden, read] = ['', 0];
  NAMED.lastIndex = 0;
  for (let found = NAMED.exec(text); found !== null; found = NAMED.exec(text)) {
    const at = NAMED.lastIndex;
    const name = found.slice(1).find((part) => part !== undefined);
    if (name !== undefined && !isSecretName(name)) continue;
    const [start, end] = name === undefined ? [at, endOf(LINE, text, at)] : valueAt(text, at);
    if (start === end || NO_VALUE.test(text.slice(start, end))) continue;
    hidden += text.slice(read, start) + SECRET_MARK;
    NAMED.lastIndex = read = end;
  }
  return hidden + text.slice(read);
}

/** From where up to where, without its quotes; up to the end of the text where they do not close. */
function valueAt(text: string, at: number): readonly [start: number, end: number] {
  const start = endOf(QUOTE, text, at);
  if (start > at) return [start, endOfQuoted(text, text.slice(at, start), start)];
  return [at, withoutClosing(text, at, endOf(BARE, text, at))];
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** A quote with more backslashes than the first belongs to the value. */
function endOfQuoted(text: string, quote: string, start: number): number {
  let at = text.indexOf(quote, start);
  while (at > start && text[at - 1] === '\\') at = text.indexOf(quote, at + 1);
  return at === -1 ? text.length : at;
}

/** What closes a call, a list or a sentence stays. */
function withoutClosing(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && ')]},.'.includes(text.charAt(last - 1))) {
    if (text.endsWith(SECRET_MARK, last)) break;
    last -= 1;
  }
  return last;
}

/**
 * A host's configuration as it can be shown: without the values of variables and headers, and without what
 * looks like a secret anywhere else in the file. Keys, line breaks and layout stay. Pure.
 */
import type { Dialect } from './dialects.ts';
import { DIALECTS } from './dialects.ts';
import { findServers } from './find-servers.ts';
import { HIDDEN, hideArgument, namesSecret } from './hide-argument.ts';
import type { HostScalar, TextSpan } from './host-text.ts';
import { readHostText } from './host-text.ts';
import { URL_VARIABLE } from './read-gated.ts';
import type { FileKind } from './wrap-config.ts';

/** Every value below these is hidden, whatever its name. */
const HIDDEN_BELOW: ReadonlySet<string> = new Set(
  Object.values(DIALECTS).flatMap(({ env, headers }) => [env, ...headers]),
);
/** Their values are names of variables. */
const NAMES_VARIABLES: ReadonlySet<string> = new Set(
  Object.values<Dialect>(DIALECTS).flatMap(({ bearerFrom = '', headersFrom = '' }) => [
    bearerFrom,
    headersFrom,
  ]),
);

/** A text that is not a configuration is hidden as a whole. */
export function hideValues(text: string, { format, isGemini }: FileKind): string {
  const read = readHostText(text, format);
  if (read.kind === 'malformed') return HIDDEN;
  const { servers, odd } = findServers(read.root, isGemini);
  const entries = new Map([...servers, ...odd].map(({ path }) => [path.join('\0'), path.length]));
  const edits = [
    ...read.scalars().map((scalar) => toShown(text, scalar, entries)),
    ...read.comments().map((span) => ({ ...span, content: hideComment(textAt(text, span)) })),
  ].toSorted((a, b) => a.offset - b.offset);
  let shown = '';
  let at = 0;
  for (const { offset, length, content } of edits) {
    if (offset < at) continue; // a comment within a value that is hidden
    shown += text.slice(at, offset) + content;
    at = offset + length;
  }
  return shown + text.slice(at);
}

interface Shown extends TextSpan {
  readonly content: string;
}

function toShown(text: string, scalar: HostScalar, entries: ReadonlyMap<string, number>): Shown {
  const written = textAt(text, scalar);
  const hidden = hideScalar(scalar, withinEntry(scalar.path, entries));
  const content = hidden === scalar.value ? written : quoteLike(written, hidden);
  return { offset: scalar.offset, length: scalar.length, content };
}

/** From the server's own entry on: its name may be any word. */
function withinEntry(
  path: readonly string[],
  entries: ReadonlyMap<string, number>,
): readonly string[] {
  for (let length = path.length; length > 0; length -= 1) {
    const depth = entries.get(path.slice(0, length).join('\0'));
    if (depth !== undefined) return path.slice(depth);
  }
  return path;
}

function hideScalar({ value, before, isShared }: HostScalar, keys: readonly string[]): string {
  if (value === '') return value;
  if (isShared === true) return HIDDEN;
  if (keys.at(-1) === URL_VARIABLE) return hideArgument(value);
  if (keys.slice(0, -1).some((key) => HIDDEN_BELOW.has(key))) return HIDDEN;
  if (keys.some((key) => NAMES_VARIABLES.has(key))) return value;
  return keys.some(namesSecret) ? HIDDEN : hideArgument(value, before);
}

/** With as many line breaks, so that the numbers of lines stay true. */
function quoteLike(written: string, hidden: string): string {
  const breaks = written.match(/\r\n|\r|\n/g)?.join('') ?? '';
  if (written.startsWith('"')) return JSON.stringify(hidden) + breaks;
  return written.startsWith("'") ? `'${hidden}'${breaks}` : hidden + breaks;
}

/** People leave entries in comments: what is given a value loses it, and what is quoted. */
function hideComment(comment: string): string {
  return comment
    .split(/(\r\n|\r|\n)/)
    .map((line) => line.replace(/([:=])(?!\/\/)\s*[^\s{].*$/, `$1 ${HIDDEN}`))
    .map((line) => line.replaceAll(/(["'])(?:(?!\1).)+\1(?!\s*[:=])/g, `$1${HIDDEN}$1`))
    .map((line) => hideArgument(line))
    .join('');
}

function textAt(text: string, { offset, length }: TextSpan): string {
  return text.slice(offset, offset + length);
}

/**
 * Reads YAML (and so JSON) and checks it. All errors are reported at once, each with its line and
 * column in the text.
 */
import type { Document, Pair, Scalar } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

export interface PathFault<Code extends string = string> {
  readonly code: Code;
  readonly path: readonly (string | number)[];
  /** Never quotes a value, which may be a secret. */
  readonly detail: string;
  /** Index into the text at the path. */
  readonly at?: number;
  /** It is about the last key of the path, not about its value. */
  readonly onKey?: boolean;
}

export type Checked<T, Code extends string = string> =
  | { readonly kind: 'checked'; readonly value: T }
  | { readonly kind: 'faults'; readonly faults: readonly PathFault<Code>[] };

export interface YamlFault<Code extends string = string> {
  readonly code: Code | 'malformed-yaml';
  /** `rules[2].when`; empty for the whole. */
  readonly path: string;
  readonly detail: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export type YamlReading<T, Code extends string = string> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'faults'; readonly faults: readonly YamlFault<Code>[] };

/** The check gets `undefined` for an empty text. */
export function readYaml<T, Code extends string>(
  text: string,
  check: (value: unknown) => Checked<T, Code>,
): YamlReading<T, Code> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
  });
  const place = (fault: Omit<YamlFault<Code>, 'line' | 'column'>, offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { ...fault, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const malformed = (detail: string, offset: number): YamlFault<Code> =>
    place({ code: 'malformed-yaml', path: '', detail }, offset);
  // A warning is about an unknown tag, whose meaning would be lost, so it counts as an error.
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0)
    return {
      kind: 'faults',
      faults: wrong.map(({ message, pos }) => malformed(withoutSource(message), pos[0])),
    };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 }) ?? undefined;
  } catch {
    const detail = 'an alias is undefined, or there are too many aliases';
    return { kind: 'faults', faults: [malformed(detail, 0)] };
  }
  const checked = check(value);
  if (checked.kind === 'checked') return { kind: 'read', value: checked.value };
  const placed = checked.faults
    .map((fault) => ({ fault, offset: findOffset(document, text, fault) }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ fault: { code, path, detail }, offset }) =>
      place({ code, path: toPath(path), detail }, offset),
    );
  return { kind: 'faults', faults: placed };
}

/** The parser's sentences end with what they are about, such as a token, which may be a secret. */
function withoutSource(message: string): string {
  return message.replace(/(?<=\S): .*$|(?<=escape sequence) .*$/s, '');
}

/** `['rules', 0, 'when']` as people write it: `rules[0].when`. */
export function toPath(keys: readonly (string | number)[]): string {
  return keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('');
}

/** One error of a file, for people. */
export interface FileFault {
  readonly file: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export function toFileFault(fault: YamlFault, file: string): FileFault {
  const { code, path, detail, line, column } = fault;
  const message = path === '' ? detail : `${path}${code === 'missing' ? '' : ':'} ${detail}`;
  return { file, line, column, message };
}

/** The `file:line:column` form that editors and terminals can jump to. */
export function toFaultLine({ file, line, column, message }: FileFault): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** For a missing member, the position of its parent. */
function findOffset(document: Document, text: string, { path, at, onKey }: PathFault): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, key] of path.entries()) {
    const pair = pairOf(node, key);
    const inner: unknown = isSeq(node) ? node.items[Number(key)] : pair?.value;
    if (inner === undefined && pair === undefined) break;
    const keyOffset = startOf(pair?.key);
    const isLast = depth === path.length - 1;
    offset = (isLast && onKey === true ? keyOffset : startOf(inner)) ?? keyOffset ?? offset;
    node = isAlias(inner) ? inner.resolve(document) : inner;
  }
  if (at === undefined || !isScalar(node)) return offset;
  return findInScalar(node, text, at) ?? offset;
}

function pairOf(node: unknown, key: string | number): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key));
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/**
 * Folding and indentation change only white space, so the character is found by counting the others.
 * Gives up on numeric escapes.
 */
function findInScalar(scalar: Scalar, text: string, at: number): number | undefined {
  if (!scalar.range || typeof scalar.value !== 'string') return undefined;
  const value = scalar.value;
  const [start, end] = scalar.range;
  const before = value.slice(0, at).replaceAll(/\s/g, '').length;
  const quote = scalar.type === 'QUOTE_DOUBLE' ? '"' : scalar.type === 'QUOTE_SINGLE' ? "'" : '';
  let from = quote === '' ? start : start + 1;
  if (scalar.type?.startsWith('BLOCK_') === true) from = text.indexOf('\n', start) + 1;
  let seen = 0;
  let after = from;
  for (let index = from; index < end; index++) {
    const here = index;
    if (quote === '"' && text[index] === '\\') {
      index++;
      if (/[ntr]/.test(text[index] ?? '')) continue;
      if (!/["\\/\s]/.test(text[index] ?? '')) return undefined;
    } else if (quote === "'" && text[index] === quote) index++;
    if (/\s/.test(text[index] ?? '')) continue;
    if (seen === before && at < value.length) return here;
    seen++;
    after = index + 1;
    if (seen === before && at >= value.length) return after;
  }
  return after;
}

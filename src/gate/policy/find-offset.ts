/** Where in a YAML text a value, a key or one character of a text value stands. */
import type { Document, Pair, Scalar } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';

interface Spot {
  /** Index into the text value. */
  readonly at?: number | undefined;
  readonly onKey?: boolean;
}

/** Of what is missing: the place where it is missed. */
export function findOffset(
  document: Document,
  text: string,
  path: readonly (string | number)[],
  spot: Spot = {},
): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, key] of path.entries()) {
    const pair = pairOf(node, key);
    const inner: unknown = isSeq(node) ? node.items[Number(key)] : pair?.value;
    if (inner === undefined && pair === undefined) break;
    const keyOffset = startOf(pair?.key);
    const isLast = depth === path.length - 1;
    offset = (isLast && spot.onKey ? keyOffset : startOf(inner)) ?? keyOffset ?? offset;
    node = isAlias(inner) ? inner.resolve(document) : inner;
  }
  if (spot.at === undefined || !isScalar(node)) return offset;
  return findInScalar(node, text, spot.at) ?? offset;
}

function pairOf(node: unknown, key: string | number): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key));
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/**
 * Folding and indentation change only the white space, so the character is found by counting the
 * others. Gives up on escapes that spell a character by its number.
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

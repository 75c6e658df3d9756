/**
 * Follows `$ref` within the document. A reference to outside is refused, never fetched: a document must
 * not choose what this machine reads.
 */
import { Refused } from './finding.ts';

/** A value, and the resource that `#` refers to inside it. */
export interface Located {
  readonly value: unknown;
  readonly root: unknown;
}

const MOST_HOPS = 32;

/** The value at the end of any chain of references. */
export function resolve(value: unknown, root: unknown): Located {
  let at = locate(value, root);
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    const reference = member(at.value, '$ref');
    if (typeof reference !== 'string') return at;
    at = resolvePointer(reference, at.root);
  }
  throw new Refused(
    'reference-cycle',
    'A $ref is circular or follows too many others; point it at a value.',
  );
}

/** A schema with an `$id` is its own resource, and its references are relative to it. */
export function locate(value: unknown, root: unknown): Located {
  return { value, root: typeof member(value, '$id') === 'string' ? value : root };
}

/** What one reference points at. */
export function resolvePointer(reference: string, root: unknown): Located {
  const shown = JSON.stringify(reference.slice(0, 120));
  if (!reference.startsWith('#')) {
    throw new Refused(
      'reference-remote',
      `$ref ${shown} points outside the document and is not fetched; bundle the document first.`,
    );
  }
  let at: Located = { value: root, root };
  for (const step of stepsOf(reference.slice(1), shown)) {
    at = locate(stepInto(at.value, step), at.root);
    if (at.value === undefined) throw broken(shown);
  }
  return at;
}

function stepsOf(fragment: string, shown: string): readonly string[] {
  if (fragment === '') return [];
  if (!fragment.startsWith('/')) throw broken(shown);
  try {
    return decodeURIComponent(fragment)
      .slice(1)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    throw broken(shown);
  }
}

function stepInto(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? asList(value)[Number(step)] : undefined;
  return asObject(value) === undefined ? undefined : member(value, step);
}

function broken(shown: string): Refused {
  return new Refused(
    'reference-broken',
    `$ref ${shown} does not resolve; write a JSON pointer to a value in the document.`,
  );
}

/** Reads parts of an unchecked document: each function returns the value, or `undefined`. */

export type Json = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Json; // a parsed document has string keys only
}

/** The member itself, never one that an object inherits. */
export function member(value: unknown, key: string): unknown {
  const object = asObject(value);
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** A non-empty string. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The number of values inside, or `undefined` if it is not JSON or nested too deep. */
export function countValues(value: unknown, depth = 32): number | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return 1;
  if (typeof value === 'number') return Number.isFinite(value) ? 1 : undefined;
  if (typeof value !== 'object' || depth === 0) return undefined;
  let count = 1;
  for (const inner of Object.values(value)) {
    const more = countValues(inner, depth - 1);
    if (more === undefined) return undefined;
    count += more;
  }
  return count;
}

/**
 * Follows `$ref` within the document. What points outside is refused, never fetched: a document
 * must not choose what this machine reads.
 */
import { Refused } from './finding.ts';
import { asList, asObject, member } from './json.ts';

/** A value, and the resource that `#` means inside it. */
export interface Located {
  readonly value: unknown;
  readonly root: unknown;
}

const MOST_HOPS = 32;

/** The value that stands at the end of any chain of references. */
export function resolve(value: unknown, root: unknown): Located {
  let at = locate(value, root);
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    const reference = member(at.value, '$ref');
    if (typeof reference !== 'string') return at;
    at = lookUp(reference, at.root);
  }
  throw new Refused(
    'reference-cycle',
    'A $ref leads to itself or through too many others; let it end at something.',
  );
}

/** A schema with an `$id` is a resource of its own, and its references begin there. */
export function locate(value: unknown, root: unknown): Located {
  return { value, root: typeof member(value, '$id') === 'string' ? value : root };
}

/** What one reference points at. */
export function lookUp(reference: string, root: unknown): Located {
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
    `$ref ${shown} points at nothing; write a JSON pointer to something in the document.`,
  );
}

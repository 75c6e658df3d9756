/** A saved tools/list answer as text: its tools, their place in the file, and the line of any part. */
import { memberOf, readHostJson } from '../../gate/hosts/host-json.ts';
import type { Lock } from '../../gate/tools/lock.ts';
import type { ServerSubject } from '../subject.ts';
import { toSubject } from '../subject.ts';
import type { Listing } from './source.ts';

interface SavedList {
  readonly tools: readonly unknown[];
  /** The keys that lead to the tools. */
  readonly path: readonly string[];
}

/** A list, an object with `tools`, or the whole JSON-RPC answer; undefined for anything else. */
export function toSavedList(answer: unknown): SavedList | undefined {
  for (const path of [[], ['tools'], ['result', 'tools']]) {
    const tools = path.reduce<unknown>(
      (part, key) => (isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined),
      answer,
    );
    if (Array.isArray(tools)) return { tools, path };
  }
  return undefined;
}

/** `/tools/3/name` as keys of the file that contains the list. */
export function toFileKeys(pointer: string, path: readonly string[]): readonly string[] {
  const [, root, ...keys] = pointer
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (root === undefined) return path;
  return root === 'tools' ? [...path, ...keys] : [...path.slice(0, -1), root, ...keys];
}

/** A part without its own line has its parent's. */
export function toLineOf(text: string, path: readonly string[]): (pointer: string) => number {
  const reading = readHostJson(text);
  if (reading.kind === 'malformed') return () => 1;
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (pointer) => {
    let node = reading.root;
    for (const key of toFileKeys(pointer, path)) {
      const next =
        node.type === 'array' ? node.children?.[Number(key)] : memberOf(node, key)?.value;
      if (next === undefined) break;
      node = next;
    }
    return countBefore(ends, node.offset) + 1;
  };
}

function countBefore(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Turns listings into subjects: each server with all the others as neighbours, and with its pins. Pure. */
export function toSubjects(
  listings: readonly Listing[],
  lock: Lock | undefined,
): readonly ServerSubject[] {
  const alone = listings.map(({ name, tools }) => {
    const pins = lock?.servers.get(name);
    return toSubject(name, tools, pins === undefined ? {} : { pins });
  });
  const known = alone.map(({ name, tools }) => ({ name, tools: tools.map((tool) => tool.name) }));
  return alone.map((subject) => ({
    ...subject,
    neighbours: known.filter(({ name }) => name !== subject.name),
  }));
}

/** Applies fixes to the JSON of a saved list. Pure; fixes that are not certain are skipped and reported. */
import { stat } from 'node:fs/promises';
import { readTextFile } from '../lib/read-text-file.ts';
import { writeAtomically } from '../lib/write-atomically.ts';
import { toCanonicalJson } from '../lib/canonical-json.ts';
import type { JsonValue } from '../lib/json-value.ts';
import { parseStrictJson } from '../lib/strict-json.ts';
import type { Finding, Fix } from './rule.ts';
import { toFileKeys, toSavedList } from './sources/saved-list.ts';

interface FixResult {
  readonly value: JsonValue;
  readonly applied: readonly Fix[];
  /** In conflict with another fix, or without a target. */
  readonly left: readonly Fix[];
}

type Container = Record<string, JsonValue> | JsonValue[];

/** `path` leads to the tools in the file. */
export function applyFixes(
  file: JsonValue,
  path: readonly string[],
  findings: readonly Finding[],
): FixResult {
  const { agreed, disputed } = sortOut(findings.flatMap(({ fix }) => fix ?? []));
  const value = structuredClone(file);
  const applied: Fix[] = [];
  const left: Fix[] = [...disputed];
  for (const some of Map.groupBy(agreed, toTool).values()) {
    const trial = structuredClone(value);
    for (const fix of some) apply(trial, path, fix);
    // Both at once cannot be true, and nothing here says which of them is.
    const isWrong = contradicts(trial, path, some) && !contradicts(value, path, some);
    const safe = isWrong ? some.filter(({ pointer }) => !isAboutBoth(pointer)) : some;
    for (const fix of some) {
      const isDone = safe.includes(fix) && apply(value, path, fix);
      (isDone ? applied : left).push(fix);
    }
  }
  return { value, applied, left };
}

function toTool({ pointer }: Fix): string {
  return /^\/tools\/\d+/.exec(pointer)?.[0] ?? '';
}

function isAboutBoth(pointer: string): boolean {
  return /\/annotations\/(?:readOnlyHint|destructiveHint)$/.test(pointer);
}

/** Whether the tool that these fixes are about claims to be read-only and destructive. */
function contradicts(root: JsonValue, path: readonly string[], [fix]: readonly Fix[]): boolean {
  const claims = (hint: string): boolean => {
    const keys = toFileKeys(`${fix === undefined ? '' : toTool(fix)}/annotations/${hint}`, path);
    const value = keys.reduce<JsonValue | undefined>(
      (part, key) => (toContainer(part) as Readonly<Record<string, JsonValue>> | undefined)?.[key],
      root,
    );
    return value === true;
  };
  return claims('readOnlyHint') && claims('destructiveHint');
}

/** Two different fixes of one place cancel each other. */
function sortOut(fixes: readonly Fix[]): {
  readonly agreed: readonly Fix[];
  readonly disputed: readonly Fix[];
} {
  const groups = [...Map.groupBy(fixes, ({ pointer }) => pointer).values()];
  const isAgreed = (some: readonly Fix[]): boolean => new Set(some.map(toWish)).size === 1;
  return {
    agreed: groups.filter(isAgreed).flatMap((some) => some.slice(0, 1)),
    disputed: groups.filter((some) => !isAgreed(some)).flat(),
  };
}

function toWish(fix: Fix): string {
  return fix.kind === 'set' ? toCanonicalJson(fix.value) : 'remove';
}

function apply(root: JsonValue, path: readonly string[], fix: Fix): boolean {
  const keys = toFileKeys(fix.pointer, path);
  const last = keys.at(-1);
  if (last === undefined || keys.length <= path.length) return false;
  const parent = keys
    .slice(0, -1)
    .reduce<Container | undefined>(
      (part, key) => part && enter(part, key, fix.kind),
      toContainer(root),
    );
  if (parent === undefined || Array.isArray(parent)) return false;
  if (fix.kind === 'remove') return Object.hasOwn(parent, last) && delete parent[last];
  define(parent, last, fix.value);
  return true;
}

/** Missing objects on the path to a new member are created. */
function enter(part: Container, key: string, kind: Fix['kind']): Container | undefined {
  if (Array.isArray(part)) return toContainer(part[Number(key)]);
  if (!Object.hasOwn(part, key)) {
    if (kind === 'remove') return undefined;
    define(part, key, {});
  }
  return toContainer(part[key]);
}

/** Not by assignment, where `__proto__` would set the prototype. */
function define(part: Record<string, JsonValue>, key: string, value: JsonValue): void {
  const member = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(part, key, member);
}

function toContainer(value: JsonValue | undefined): Container | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return value as Container; // a part of our own copy
}

/**
 * Applies fixes to the file of a saved list, in its own indentation. Returns what was applied and what
 * was not.
 */
interface FixedFile {
  readonly applied: readonly Fix[];
  readonly left: readonly Fix[];
}

const LIMITS = { bytes: 256 * 1024 * 1024, depth: 200 };

/** Throws an Error with one sentence when rewriting it could change anything else. */
export async function fixSaved(path: string, findings: readonly Finding[]): Promise<FixedFile> {
  const text = await readTextFile(path);
  const json = parseStrictJson(text, LIMITS);
  if (json.kind === 'refused') throw new Error(`${path} cannot be rewritten: ${json.detail}`);
  const saved = toSavedList(json.value);
  if (saved === undefined) throw new Error(`${path} has no "tools"`);
  const { value, applied, left } = applyFixes(json.value, saved.path, findings);
  if (applied.length > 0) {
    const { mode } = await stat(path);
    const after = JSON.stringify(value, null, indentOf(text));
    await writeAtomically(path, text.endsWith('\n') ? `${after}\n` : after, mode & 0o777);
  }
  return { applied, left };
}

/** The indentation of the first indented line; a single-line text stays on one line. */
function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '';
}

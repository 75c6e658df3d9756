/** Applies fixes to the JSON of a saved list. Pure; what cannot be done without doubt is left and told. */
import type { JsonValue } from '../../lib/json-value.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { Finding, Fix } from '../finding.ts';
import { toFileKeys } from '../sources/saved-list.ts';

export interface FixResult {
  readonly value: JsonValue;
  readonly applied: readonly Fix[];
  /** Against another fix, or with no place to go. */
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
  for (const fix of agreed) (apply(value, path, fix) ? applied : left).push(fix);
  return { value, applied, left };
}

/** Two fixes of one place that want different things cancel each other. */
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

/** An object that is missing on the way to a new member is made. */
function enter(part: Container, key: string, kind: Fix['kind']): Container | undefined {
  if (Array.isArray(part)) return toContainer(part[Number(key)]);
  if (!Object.hasOwn(part, key)) {
    if (kind === 'remove') return undefined;
    define(part, key, {});
  }
  return toContainer(part[key]);
}

/** Not by assignment, in which `__proto__` would mean something else. */
function define(part: Record<string, JsonValue>, key: string, value: JsonValue): void {
  const member = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(part, key, member);
}

function toContainer(value: JsonValue | undefined): Container | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return value as Container; // a part of our own copy
}

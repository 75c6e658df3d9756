/**
 * Checks a value against a zod schema and reports every error with its path, for the author of the
 * file.
 */
import { z } from 'zod';
import type { Checked, PathFault } from './read-yaml.ts';

type ShapeCode = 'unknown-key' | 'missing' | 'wrong-value';

/** A custom issue may set its position in `params`: `at`, or `onKey` (as in `PathFault`). */
export function checkShape<T>(schema: z.ZodType<T>, value: unknown): Checked<T, ShapeCode> {
  const parsed = schema.safeParse(value, { error: describeIssue, reportInput: true });
  if (parsed.success) return { kind: 'checked', value: parsed.data };
  return { kind: 'faults', faults: parsed.error.issues.flatMap(toFaults) };
}

/**
 * An object with these keys and no others; a misspelled key must not count as a missing one. `instead`
 * says what to write for wrong keys that people try.
 */
export function only<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  instead: Readonly<Record<string, string>> = {},
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  const describe = (key: string): string => {
    if (Object.hasOwn(instead, key)) return instead[key] ?? '';
    const meant = suggest(key, known);
    const hint = meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
    return `there is no key ${JSON.stringify(key)} here; ${hint}`;
  };
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? issue.keys.map(describe).join('\n') : undefined,
  });
}

/** A list, or the only item of one. */
export function oneOrMore<Item extends z.ZodType>(
  item: Item,
  none?: string,
): z.ZodPreprocess<z.ZodArray<Item>> {
  return z.preprocess(
    (value) => (Array.isArray(value) || value === undefined ? value : [value]),
    z.array(item).min(1, none),
  );
}

export const text: z.ZodString = z.string().regex(/\S/, 'must not be empty');

/** Runs an object's refinement even when a part is invalid, so that all errors are reported at once. */
export const always: z.core.$ZodSuperRefineParams = {
  when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

function toFaults(issue: z.core.$ZodIssue): readonly PathFault<ShapeCode>[] {
  const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
  const detail = issue.message;
  if (issue.code === 'unrecognized_keys') {
    const details = detail.split('\n');
    return issue.keys.map((key, index) => ({
      code: 'unknown-key',
      path: [...path, key],
      detail: details[index] ?? '',
      onKey: true,
    }));
  }
  if (issue.code === 'custom') {
    const { at, onKey } = issue.params ?? {};
    const where = { ...(typeof at === 'number' && { at }), ...(onKey === true && { onKey: true }) };
    return [{ code: 'wrong-value', path, detail, ...where }];
  }
  return [{ code: issue.input === undefined ? 'missing' : 'wrong-value', path, detail }];
}

function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue;
  if (code === 'invalid_type')
    return input === undefined ? 'is missing' : wrongType(issue.expected, input);
  if (code === 'invalid_value')
    return input === undefined ? 'is missing' : oneOf(issue.values.map(String), input);
  if (code === 'too_small') return `must ${verb(issue.origin)} at least ${issue.minimum}`;
  if (code === 'too_big') return `must ${verb(issue.origin)} at most ${issue.maximum}`;
  return undefined;
}

function wrongType(expected: string, input: unknown): string {
  const isBare = typeof input === 'number' || typeof input === 'boolean';
  if (expected === 'string' && isBare) return 'must be a string; put it in quotes';
  return `must be ${article(expected)}, not ${kindOf(input)}`;
}

function oneOf(values: readonly string[], input: unknown): string {
  const list = `must be one of ${values.join(', ')}`;
  const meant = typeof input === 'string' ? suggest(input, values) : undefined;
  return meant === undefined ? list : `${list}; did you mean ${meant}?`;
}

function verb(origin: string): 'have' | 'be' {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function article(expected: string): string {
  const words: Readonly<Record<string, string>> = {
    object: 'a mapping',
    record: 'a mapping',
    array: 'a list',
    string: 'text',
    int: 'a whole number',
    boolean: 'true or false',
  };
  return words[expected] ?? `a ${expected}`;
}

function kindOf(input: unknown): string {
  if (input === null) return 'nothing';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'a mapping';
  if (typeof input === 'string') return 'text';
  if (typeof input === 'boolean') return 'true or false';
  return Number.isInteger(input) ? 'a number' : 'a fraction';
}

/** The known word closest to a misspelled one. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3));
  return known
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate) }))
    .filter((one) => one.distance <= most)
    .toSorted((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** Letters to add, drop, change or swap with a neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        costAt(last, j) + 1,
        costAt(row, j - 1) + 1,
        costAt(last, j - 1) + (same ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, costAt(before, j - 2) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return costAt(last, b.length);
}

function costAt(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

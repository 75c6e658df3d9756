/** What a shape check found, in words for whoever wrote the policy. Nothing here knows a policy. */
import type { z } from 'zod';
import { suggest } from './suggest.ts';

/** One line for each key, in the order of the keys. */
export function describeUnknownKeys(keys: readonly string[], known: readonly string[]): string {
  return keys
    .map((key) => {
      const meant = suggest(key, known);
      const hint =
        meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`;
      return `there is no key ${JSON.stringify(key)} here; ${hint}`;
    })
    .join('\n');
}

export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue;
  if (code === 'invalid_type')
    return input === undefined
      ? 'is missing'
      : `must be ${article(issue.expected)}, not ${kindOf(input)}`;
  if (code === 'invalid_value')
    return input === undefined ? 'is missing' : oneOf(issue.values.map(String), input);
  if (code === 'too_small') return `must ${verb(issue.origin)} at least ${issue.minimum}`;
  if (code === 'too_big') return `must ${verb(issue.origin)} at most ${issue.maximum}`;
  return undefined;
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
    object: 'a map',
    record: 'a map',
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
  if (typeof input === 'object') return 'a map';
  return typeof input === 'string' ? 'text' : JSON.stringify(input);
}

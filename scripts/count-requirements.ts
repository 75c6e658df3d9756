/** Which of the numbered requirements the titles of passing tests name. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

const Requirements = z.record(z.string().regex(/^R\d+$/), z.string());

export interface RequirementCount {
  readonly shown: readonly string[];
  /** Number and wording, in order. */
  readonly uncovered: readonly (readonly [string, string])[];
  readonly summary: string;
}

export function readRequirements(): Readonly<Record<string, string>> {
  return Requirements.parse(JSON.parse(readFileSync('test/requirements.json', 'utf8')));
}

export function countRequirements(titles: readonly string[]): RequirementCount {
  const all = Object.entries(readRequirements());
  const named = new Set(titles.flatMap((title) => title.match(/\bR\d+\b/g) ?? []));
  const shown = all.map(([id]) => id).filter((id) => named.has(id));
  return {
    shown,
    uncovered: all.filter(([id]) => !named.has(id)),
    summary: `${shown.length} of ${all.length} requirements shown`,
  };
}

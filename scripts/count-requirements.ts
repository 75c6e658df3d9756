/**
 * Which of the numbered requirements are shown: those that at least one test names in its own title,
 * if every test that names them passed.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { TestResult } from './test-results.ts';

const Requirements = z.record(z.string().regex(/^R\d+$/), z.string());
const Recorded = z.object({ shown: z.int().nonnegative() });
const RECORDED_FILE = 'test/requirements-shown.json';

export interface RequirementCount {
  readonly shown: readonly string[];
  /** Number and wording, in order. */
  readonly uncovered: readonly (readonly [string, string])[];
  readonly summary: string;
}

export function readRequirements(): Readonly<Record<string, string>> {
  return Requirements.parse(JSON.parse(readFileSync('test/requirements.json', 'utf8')));
}

/** How many must be shown. Raised with the tests that show more, never lowered. */
export function readRecordedCount(): number {
  return Recorded.parse(JSON.parse(readFileSync(RECORDED_FILE, 'utf8'))).shown;
}

export function countRequirements(
  tests: readonly TestResult[],
  requirements: Readonly<Record<string, string>>,
): RequirementCount {
  const passed = namedBy(tests.filter(({ hasPassed }) => hasPassed));
  const notPassed = namedBy(tests.filter(({ hasPassed }) => !hasPassed));
  const isShown = (id: string): boolean => passed.has(id) && !notPassed.has(id);
  const all = Object.entries(requirements);
  const shown = all.map(([id]) => id).filter(isShown);
  return {
    shown,
    uncovered: all.filter(([id]) => !isShown(id)),
    summary: `${shown.length} of ${all.length} requirements shown`,
  };
}

export function isFewer({ shown }: RequirementCount, recorded: number): boolean {
  return shown.length < recorded;
}

/** What to do about a count that is not the recorded one. */
export function compareCount(count: RequirementCount, recorded: number): string | undefined {
  const shown = count.shown.length;
  if (shown === recorded) return undefined;
  return isFewer(count, recorded)
    ? `${recorded} must be shown; npm run requirements -- --last lists those that are not`
    : `${RECORDED_FILE} says ${recorded}; raise it to ${shown}`;
}

function namedBy(tests: readonly TestResult[]): ReadonlySet<string> {
  return new Set(tests.flatMap(({ title }) => title.match(/\bR\d+\b/g) ?? []));
}

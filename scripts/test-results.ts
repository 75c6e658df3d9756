/** The results of the last test run, as vitest's JSON reporter wrote them. */
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';

export const RESULTS_FILE = '.cache/test-results.json';

const Results = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numFailedTestSuites: z.number(),
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ status: z.string(), title: z.string() })) }),
  ),
});

export type TestResults = z.infer<typeof Results>;

/** One test under its own title, without those of the groups around it. */
export interface TestResult {
  readonly title: string;
  readonly hasPassed: boolean;
}

export function readTestResults(): TestResults | undefined {
  if (!existsSync(RESULTS_FILE)) return undefined;
  return Results.parse(JSON.parse(readFileSync(RESULTS_FILE, 'utf8')));
}

export function toTestList({ testResults }: TestResults): readonly TestResult[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ title, status }) => ({ title, hasPassed: status === 'passed' }));
}

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
    z.object({
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

export type TestResults = z.infer<typeof Results>;

export function readTestResults(): TestResults | undefined {
  if (!existsSync(RESULTS_FILE)) return undefined;
  return Results.parse(JSON.parse(readFileSync(RESULTS_FILE, 'utf8')));
}

export function passingTests(results: TestResults): readonly string[] {
  return results.testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'passed')
    .map((test) => test.fullName);
}

/**
 * Everything that must pass before a change lands, in one run: format, lint, types, the built package,
 * dead code and the tests. The last line is for CI.
 */
import { mkdirSync, rmSync } from 'node:fs';
import {
  compareCount,
  countRequirements,
  isFewer,
  readRecordedCount,
  readRequirements,
} from './count-requirements.ts';
import type { Step } from './run-step.ts';
import { runStep } from './run-step.ts';
import { readTestResults, RESULTS_FILE, toTestList } from './test-results.ts';

/** Each chain runs in order, the chains in parallel; the tests run alone. */
const CHAINS: readonly (readonly Step[])[] = [
  [
    { name: 'build', command: 'node', args: ['scripts/build.ts'] },
    { name: 'built command', command: 'node', args: ['dist/cli/main.js', 'serve', '--help'] },
    { name: 'package', command: 'publint', args: ['--strict'] },
    { name: 'dead code', command: 'knip', args: [] },
  ],
  [
    { name: 'format', command: 'oxfmt', args: ['--check'] },
    { name: 'types', command: 'tsc', args: ['-p', 'tsconfig.json'] },
    { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  ],
];

const TESTS: Step = {
  name: 'tests',
  command: 'vitest',
  args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS_FILE}`],
  loud: true,
  silentMs: 3 * 60_000,
};

rmSync(RESULTS_FILE, { force: true });
mkdirSync('.cache', { recursive: true });

const failed: string[] = [];
async function runChain(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (!(await runStep(step))) failed.push(step.name);
  }
}
await Promise.all(CHAINS.map(runChain));
await runChain([TESTS]);

const results = readTestResults();
if (results !== undefined) {
  const count = countRequirements(toTestList(results), readRequirements());
  const recorded = readRecordedCount();
  const difference = compareCount(count, recorded);
  process.stdout.write(`${[count.summary, difference].filter(Boolean).join('; ')}\n`);
  if (isFewer(count, recorded)) failed.push('requirements');
}
if (failed.length > 0) process.stdout.write(`failed: ${failed.join(', ')}\n`);
const steps = CHAINS.flat().length + 2 - failed.length;
const passed = (results?.numPassedTests ?? 0) + steps;
const bad = (results?.numFailedTests ?? 0) + failed.length;
process.stdout.write(`${passed} passed, ${bad} failed, ${results?.numPendingTests ?? 0} skipped\n`);
process.exitCode = bad === 0 ? 0 : 1;

/**
 * Lists which requirements the passing tests show. Runs the tests when there are no results yet or
 * anything changed since; `--last` uses the last results.
 */
import { mkdirSync, statSync, globSync } from 'node:fs';
import { countRequirements } from './count-requirements.ts';
import { runStep } from './run-step.ts';
import { passingTests, readTestResults, RESULTS_FILE } from './test-results.ts';

if (!process.argv.includes('--last') && isStale()) {
  mkdirSync('.cache', { recursive: true });
  process.stderr.write('running the tests first; --last uses the last results instead\n');
  await runStep({
    name: 'tests',
    command: 'vitest',
    args: ['run', '--reporter=json', `--outputFile.json=${RESULTS_FILE}`],
  });
}

const results = readTestResults();
if (results === undefined) {
  process.stderr.write('there are no test results; run npm test\n');
  process.exit(1);
}
const { uncovered, summary } = countRequirements(passingTests(results));
for (const [id, text] of uncovered) process.stdout.write(`${id.padEnd(5)} ${text}\n`);
process.stdout.write(`${summary}\n`);

function isStale(): boolean {
  const made = statSync(RESULTS_FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = globSync([
    '{src,test,scripts}/**/*.{ts,json,md}',
    'examples/*/*.{ts,json,md}',
    'docs/**/*.md',
  ]);
  return files.some((file) => statSync(file).mtimeMs > made);
}

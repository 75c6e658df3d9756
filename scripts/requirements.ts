/**
 * Lists which requirements the tests show. Runs the tests when there are no results yet or anything
 * changed since; `--last` uses the last results.
 */
import { globSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { countRequirements, readRequirements } from './count-requirements.ts';
import { runStep } from './run-step.ts';
import { readTestResults, RESULTS_FILE, toTestList } from './test-results.ts';

if (!process.argv.includes('--last') && isStale()) {
  // A run that breaks off must not leave the results of an earlier one.
  rmSync(RESULTS_FILE, { force: true });
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
const { uncovered, summary } = countRequirements(toTestList(results), readRequirements());
for (const [id, text] of uncovered) process.stdout.write(`${id.padEnd(5)} ${text}\n`);
process.stdout.write(`${summary}\n`);

/** Tests read docs, images and fixtures too, so every file counts. */
function isStale(): boolean {
  const made = statSync(RESULTS_FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = globSync(['*', '{bin,src,test,scripts,examples,docs,bench}/**/*'], {
    exclude: ['**/node_modules/**'],
  });
  return files.some((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > made);
}

/** Stryker, as `npm run mutation` starts it. */
import { chosenPart } from './scripts/mutation/parts.ts';

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: chosenPart().mutate,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Only an endless loop takes as long, however busy the machine is.
  timeoutMS: 60_000,
  // Stryker would parse it with the compiler's programming interface, which TypeScript 7 does not have.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  tempDirName: '.cache/stryker',
  ignorePatterns: ['bench', 'dist'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false },
  jsonReporter: { fileName: '.cache/mutation/report.json' },
};

/** `npm run mutation`; `-- --mutate FILE` for a part of it. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: [
    'src/ledger/idempotency/key-record-machine.ts',
    'src/gate/call/budgets.ts',
    'src/gate/approvals/*.ts',
    'src/effect/**/*.ts',
    '!src/**/*.test.ts',
  ],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // Stryker would parse it with the compiler's programming interface, which TypeScript 7 does not have.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  tempDirName: '.cache/stryker',
  ignorePatterns: ['bench', 'dist', 'docs'],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false },
  jsonReporter: { fileName: '.cache/mutation/report.json' },
};

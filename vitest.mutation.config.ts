/** The tests that mutants must fail: those beside the mutated code, and the golden files of the conventions. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['plimsoll-source'] },
  ssr: { resolve: { conditions: ['plimsoll-source'], externalConditions: ['plimsoll-source'] } },
  test: {
    include: [
      'src/effect/**/*.test.ts',
      'src/ledger/idempotency/*.test.ts',
      'src/gate/approvals/*.test.ts',
      'src/gate/call/budgets.test.ts',
      'test/conventions/*.test.ts',
    ],
    globalSetup: ['test/setup/shared-services.ts'],
    testTimeout: 30_000,
  },
});

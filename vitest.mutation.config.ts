/** The tests that mutants must fail, as `npm run mutation` chooses them. */
import { defineConfig } from 'vitest/config';
import { chosenPart } from './scripts/mutation/parts.ts';

export default defineConfig({
  resolve: { conditions: ['plimsoll-source'] },
  ssr: { resolve: { conditions: ['plimsoll-source'], externalConditions: ['plimsoll-source'] } },
  test: {
    include: [...chosenPart().tests],
    globalSetup: ['test/setup/shared-services.ts'],
    testTimeout: 30_000,
  },
});

/** Two projects, sorted by what a test can reach: see test/setup/projects.ts. */
import { defineConfig } from 'vitest/config';
import { sortTests } from './test/setup/projects.ts';

const { pure, system } = sortTests();

export default defineConfig({
  resolve: { conditions: ['plimsoll-source'] },
  ssr: { resolve: { conditions: ['plimsoll-source'], externalConditions: ['plimsoll-source'] } },
  test: {
    maxWorkers: 3,
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: [...pure],
          isolate: false,
          setupFiles: ['test/setup/fail-on-faults.ts', 'test/setup/stay-pure.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: [...system],
          globalSetup: ['test/setup/shared-services.ts'],
          setupFiles: ['test/setup/fail-on-faults.ts'],
        },
      },
    ],
  },
});

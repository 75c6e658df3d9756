import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['plimsoll-source'] },
  ssr: { resolve: { conditions: ['plimsoll-source'], externalConditions: ['plimsoll-source'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/*/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
  },
});

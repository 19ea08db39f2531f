import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/e2e/**/*.test.ts'],
    // A process can always be ended; a thread that holds a broken connection may not (Node 20).
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    // Controllers, scheduler and the simulated node have races of their own, most of all after a restart. What passes
    // only the second time is named at the end of the run (scripts/count-tests.mjs).
    retry: 1,
    hookTimeout: 120_000,
    reporters: ['default', ['json', { outputFile: 'coverage/e2e-results.json' }]],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['json', 'text-summary'],
      reportOnFailure: true,
      reportsDirectory: 'coverage/e2e',
    },
  },
});

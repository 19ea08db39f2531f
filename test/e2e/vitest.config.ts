import { defineConfig } from 'vitest/config';
import { browserScriptsOfTests } from '../../scripts/browser-script.mjs';
import { manualOfTests } from '../../scripts/manual.mjs';

export default defineConfig({
  plugins: [browserScriptsOfTests, manualOfTests],
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/e2e/**/*.test.ts'],
    // A process can always be ended; a thread that holds a broken connection may not (Node 20).
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    // No test is tried twice: what fails once in a while is a race, in tshelm or in the test bed, and has a cause.
    retry: 0,
    hookTimeout: 120_000,
    // vitest empties style sheets otherwise, those that are imported as text too.
    css: true,
    reporters: ['default', ['./scripts/results-reporter.mjs', { outputFile: 'coverage/e2e-results.json' }]],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['json', 'text-summary'],
      reportOnFailure: true,
      reportsDirectory: 'coverage/e2e',
    },
  },
});

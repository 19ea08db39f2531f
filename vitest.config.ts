import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    pool: 'threads',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'coverage/unit-results.json' }]],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['json', 'text-summary'],
      reportsDirectory: 'coverage/unit',
      reportOnFailure: true,
    },
  },
});

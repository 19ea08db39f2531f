import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { browserScriptsOfTests } from './scripts/browser-script.mjs';
import { manualOfTests } from './scripts/manual.mjs';

const source = (file: string): string => fileURLToPath(new URL(`src/${file}`, import.meta.url));

/** The packages of GitHub that are inlined below name source maps whose sources they lack; vite warns of each. */
const withoutSourceMaps = {
  name: 'without-source-maps',
  load: (id: string) =>
    /node_modules\/@actions\/.*\.js$/.test(id)
      ? { code: readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''), map: null }
      : undefined,
};

export default defineConfig({
  plugins: [browserScriptsOfTests, manualOfTests, withoutSourceMaps],
  resolve: {
    // The examples import the package by its name.
    alias: [
      { find: /^tshelm$/, replacement: source('index.ts') },
      { find: /^tshelm\/testing$/, replacement: source('testing.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    // It imports JSON as Node 20 cannot.
    server: { deps: { inline: [/@actions\/(?:workflow-parser|expressions)/] } },
    pool: 'threads',
    isolate: false,
    // Two more than there are cores: tests that wait leave theirs idle half the time (on two cores 208 s with three workers, 187 s with four).
    maxWorkers: availableParallelism() + 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // vitest empties style sheets otherwise, those that are imported as text too.
    css: true,
    reporters: ['default', ['./scripts/results-reporter.mjs', { outputFile: 'coverage/unit-results.json' }]],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['json', 'text-summary'],
      reportsDirectory: 'coverage/unit',
      reportOnFailure: true,
    },
  },
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isTshelmError } from '../../src/index.ts';
import { sandbox } from '../../src/testing.ts';
import { brokenCharts, writeBrokenChart } from '../e2e/support/broken-objects.ts';

const directory = mkdtempSync(join(tmpdir(), 'tshelm-broken-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('there are 60 of them and more', () => expect(brokenCharts.length).toBeGreaterThanOrEqual(60));

// test/e2e/broken-objects.test.ts asks a real cluster the same.
describe('a chart whose fault is in its objects fails with the cause', () => {
  test.each(brokenCharts.map((chart) => [chart.by, chart.name, chart] as const))(
    '%s: %s',
    async (_by, _name, chart) => {
      const cluster = await sandbox({ time: 'simulated' });
      const folder = writeBrokenChart(directory, chart);
      const failure = await cluster.tshelm
        .install('r', folder, { wait: 'watcher', waitForJobs: true, timeoutMs: 60_000 })
        .catch((error) => error);
      await cluster.close();
      expect(isTshelmError(failure)).toBe(true);
      expect(failure.problems.map(({ code }: { code: string }) => code)).toContain(chart.code);
    },
  );
});

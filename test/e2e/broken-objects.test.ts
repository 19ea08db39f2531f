import { describe, expect, test } from 'vitest';
import { brokenCharts, writeBrokenChart } from './support/broken-objects.ts';
import { scratchDirectory } from './support/charts.ts';
import { tshelm } from './support/programs.ts';

const directory = scratchDirectory();

// What kubelets find is not here: the nodes of this control plane are simulated. test/sandbox/broken-charts.test.ts has all.
const judged = brokenCharts.filter(({ by }) => by !== 'kubelet');

describe.concurrent('a real cluster names the cause that the sandbox names', () => {
  test.each(judged.map((chart, index) => [`${chart.by}: ${chart.name}`, chart, index] as const))(
    '%s',
    async (_name, chart, index) => {
      const folder = writeBrokenChart(directory, chart);
      const release = ['broken', '-n', `broken-objects-${index}`];
      const wait = ['--create-namespace', '--wait', '--wait-for-jobs', '--timeout', '15s', '--grace', '2s'];
      const ran = await tshelm.run(['install', ...release, folder, ...wait]);
      await tshelm.run(['uninstall', ...release, '--no-hooks', '--ignore-not-found']);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(`[${chart.code}]`);
    },
  );
});

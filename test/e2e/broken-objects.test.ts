import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { brokenCharts, writeBrokenChart } from './support/broken-objects.ts';
import { scratchDirectory } from './support/charts.ts';
import { adminOf, namespaceObject } from './support/namespaces.ts';
import { tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('broken-objects');

// What kubelets find is not here: the nodes of this control plane are simulated. test/sandbox/broken-charts.test.ts has all.
const judged = brokenCharts.filter(({ by }) => by !== 'kubelet');

describe.concurrent('a real cluster names the cause that the sandbox names', () => {
  test.each(judged.map((chart, index) => [`${chart.by}: ${chart.name}`, chart, index] as const))(
    '%s',
    async (_name, chart, index) => {
      const namespace = `${admin.namespace}-${index}`;
      const quotas = chart.objects.filter(isQuota);
      for (const quota of quotas) await enforce(quota, namespace);
      const objects = chart.objects.filter((object) => !quotas.includes(object));
      const folder = writeBrokenChart(directory, { ...chart, objects });
      const release = ['broken', '-n', namespace];
      const wait = ['--create-namespace', '--wait', '--wait-for-jobs', '--timeout', '15s', '--grace', '2s'];
      const ran = await tshelm.run(['install', ...release, folder, ...wait]);
      await tshelm.run(['uninstall', ...release, '--no-hooks', '--ignore-not-found']);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(`[${chart.code}]`);
    },
  );
});

const isQuota = ({ kind }: KubernetesObject): boolean => kind === 'ResourceQuota';

/** Makes a quota and waits until its controller has counted for it: before that, the API server admits every pod. */
async function enforce(quota: KubernetesObject, namespace: string): Promise<void> {
  const cluster = admin.cluster();
  await cluster.apply(namespaceObject(namespace));
  await cluster.apply({ ...quota, metadata: { ...quota.metadata, namespace } });
  const id = { apiVersion: 'v1', kind: 'ResourceQuota', namespace, name: quota.metadata.name };
  await expect
    .poll(async () => ((await cluster.get(id))?.status as { hard?: unknown } | undefined)?.hard, { timeout: 60_000 })
    .toBeDefined();
}

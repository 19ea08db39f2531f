// Tests of a chart: `npx vitest run`. The sandbox is a Kubernetes API in the process; nothing has to be installed.
import { join } from 'node:path';
import type { V1ConfigMap, V1Deployment } from '@kubernetes/client-node';
import { isTshelmError, ofKind, Tshelm, type Values } from 'tshelm';
import { type Sandbox, sandbox } from 'tshelm/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const chart = join(import.meta.dirname, '../chart');

describe('what the chart renders', () => {
  const tshelm = new Tshelm();

  test('the image has the version of the app, unless a tag is given', () => {
    const imageOf = (values: Values): string | undefined => {
      const { objects } = tshelm.renderSync(chart, { values });
      const deployment = objects.find(ofKind<V1Deployment>('apps/v1', 'Deployment'));
      return deployment?.spec?.template.spec?.containers[0]?.image;
    };
    expect(imageOf({})).toBe('registry.example.com/shop:2.4');
    expect(imageOf({ tag: '3.0' })).toBe('registry.example.com/shop:3.0');
  });

  test('zero replicas are refused', () => {
    expect(() => tshelm.renderSync(chart, { values: { replicas: 0 } })).toThrow("at '/replicas'");
  });
});

describe('how the chart behaves', () => {
  let cluster: Sandbox;
  beforeAll(async () => {
    cluster = await sandbox({ time: 'simulated' });
  });
  afterAll(() => cluster.close());

  test('an upgrade keeps the Deployment and changes the greeting', async () => {
    const { tshelm } = cluster;
    await tshelm.install('shop', chart, { wait: 'watcher' });
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' };
    const before = await cluster.get(deployment);
    await tshelm.upgrade('shop', chart, { values: { greeting: 'welcome' }, wait: 'watcher' });
    const after = await cluster.get(deployment);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    const settings = await cluster.get<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', name: 'shop' });
    expect(settings?.data).toEqual({ greeting: 'welcome' });
  });

  test('an image that is not there fails the deploy, and five minutes pass in no time', async () => {
    const { tshelm } = cluster;
    const broken = tshelm.chart({
      'Chart.yaml': 'apiVersion: v2\nname: broken\nversion: 1.0.0\n',
      'templates/pod.yaml': `apiVersion: v1
kind: Pod
metadata: {name: broken, annotations: {sandbox.tshelm.dev/fate: image-pull}}
spec: {containers: [{name: main, image: nowhere}]}
`,
    });
    const failure = await tshelm.install('broken', broken, { wait: 'watcher' }).catch((error: unknown) => error);
    if (!isTshelmError(failure, 'wait-failed', 'wait-timeout')) throw failure;
    expect(failure.problems).toMatchObject([
      { code: 'image-not-found', subject: { id: { kind: 'Pod', name: 'broken' } } },
    ]);
  });
});

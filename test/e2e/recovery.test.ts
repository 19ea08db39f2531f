import { describe, expect, test } from 'vitest';
import { waitUntilEstablished } from '../../src/cluster/wait.ts';
import { configMap, documents, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, helm3, ok, tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('recovery');
const inNamespace = ['-n', admin.namespace, '--timeout', '20s'];
const valueOf = async (name: string): Promise<unknown> => (await admin.object('v1', 'ConfigMap', name))?.['data'];

describe('a record without what rendering never reads (--trim-record)', () => {
  const chart = writeChart(directory, 'trimmed', {
    'values.yaml': 'tag: one\n',
    'README.md': 'left out\n',
    'templates/all.yaml': configMap('main', '{{ .Values.tag }}'),
  });

  test.each([helm, helm3])('$name reads it, rolls back to it and upgrades it', async (other) => {
    const name = `trimmed-${other.name}`;
    await ok(tshelm, ['install', name, chart, '--trim-record', ...inNamespace]);
    await ok(tshelm, ['upgrade', name, chart, '--trim-record', '--set', 'tag=two', ...inNamespace]);
    const stored = await ok(tshelm, ['get', 'manifest', name, '-n', admin.namespace]);
    expect(await ok(other, ['get', 'manifest', name, '-n', admin.namespace])).toBe(stored);
    await ok(other, ['rollback', name, '1', ...inNamespace]);
    expect(await valueOf(`${name}-main`)).toEqual({ value: 'one' });
    await ok(other, ['upgrade', name, chart, '--set', 'tag=three', ...inNamespace]);
    expect(await valueOf(`${name}-main`)).toEqual({ value: 'three' });
    await ok(tshelm, ['rollback', name, '2', ...inNamespace]);
    expect(await valueOf(`${name}-main`)).toEqual({ value: 'two' });
  });
});

describe('a kind that is served no more', () => {
  const group = `${admin.namespace}.example.com`;
  const crd = (versions: readonly string[]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === versions.length - 1,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      })),
    },
  });
  const crdId = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '' };
  const serve = async (...versions: string[]): Promise<void> => {
    await admin.cluster().delete({ ...crdId, name: `widgets.${group}` });
    await expect
      .poll(() => admin.cluster().get({ ...crdId, name: `widgets.${group}` }), { timeout: 20_000 })
      .toBe(undefined);
    if (versions.length === 0) return;
    await admin.cluster().apply(crd(versions));
    await waitUntilEstablished(admin.cluster(), [`widgets.${group}`], { timeoutMs: 20_000 });
  };
  const widget = `apiVersion: ${group}/v1beta1\nkind: Widget\nmetadata:\n  name: {{ .Release.Name }}\n`;
  const old = writeChart(directory, 'old', { 'templates/all.yaml': documents(widget, configMap('main', 'old')) });
  const bare = writeChart(directory, 'bare', { 'templates/all.yaml': configMap('main', 'bare') });

  test('is rolled back to in the version that is served, and Helm goes on from there', {
    timeout: 90_000,
  }, async () => {
    await serve('v1beta1');
    await ok(tshelm, ['install', 'moved', old, ...inNamespace]);
    await ok(tshelm, ['upgrade', 'moved', bare, ...inNamespace]);
    await serve('v1');
    const { code, stderr } = await tshelm.run(['rollback', 'moved', '1', ...inNamespace]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`Widget/moved is sent as ${group}/v1`);
    expect(await admin.names(`${group}/v1`, 'Widget')).toEqual(['moved']);
    await ok(helm, ['upgrade', 'moved', bare, ...inNamespace]);
    expect(await admin.names(`${group}/v1`, 'Widget')).toEqual([]);
  });

  test('without a successor is left out of a rollback, and does not block an uninstall', {
    timeout: 90_000,
  }, async () => {
    await serve('v1beta1');
    await ok(tshelm, ['install', 'gone', old, ...inNamespace]);
    await ok(tshelm, ['upgrade', 'gone', bare, ...inNamespace]);
    await serve();
    const { code, stderr } = await tshelm.run(['rollback', 'gone', '1', ...inNamespace]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Widget/gone is not restored');
    expect(await valueOf('gone-main')).toEqual({ value: 'old' });
    await ok(tshelm, ['uninstall', 'gone', ...inNamespace]);
  });
});

test('after a failed first install, the next upgrade --install works', async () => {
  const chart = writeChart(directory, 'first', {
    'templates/all.yaml': documents(
      configMap('main', 'x'),
      'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\nspec:\n  ports: [{port: {{ .Values.port }} }]\n',
    ),
  });
  const failed = await tshelm.run(['install', 'first', chart, '--set', 'port=99999', ...inNamespace]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('Service "first" is invalid');
  await ok(tshelm, ['upgrade', '--install', 'first', chart, '--set', 'port=80', ...inNamespace]);
  expect(await ok(helm, ['history', 'first', '-n', admin.namespace])).toMatch(/^1\s.*superseded[^]*^2\s.*deployed/m);
});

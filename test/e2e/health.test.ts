import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { auditOf } from './support/audit.ts';
import { configMap, documents, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { ok, tshelm } from './support/programs.ts';

// Health checks beside a real API server: the second batch is sent after the status that makes `current` true.
const directory = scratchDirectory();
const admin = adminOf('health');
const audit = auditOf(admin);
const { namespace } = admin;
const group = `${namespace}.example.com`;
const inNamespace = ['-n', namespace, '--timeout', '30s'];

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.${group}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
const inGroup = (name: string, after = ''): string =>
  `  annotations: {helm.sh/resource-group: ${name}${after === '' ? '' : `, helm.sh/depends-on/resource-groups: '["${after}"]'`}}`;
const widget = (name: string): string =>
  `apiVersion: ${group}/v1\nkind: Widget\nmetadata:\n  name: ${name}\n${inGroup('first')}\n`;
const chartOf = (name: string): string =>
  writeChart(directory, name, {
    'crds/widgets.yaml': definition,
    'templates/all.yaml': documents(
      widget(name),
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: after-${name}\n${inGroup('second', 'first')}\n`,
    ),
  });

const checks = join(directory, 'health.yaml');
writeFileSync(
  checks,
  `- apiVersion: ${group}/v1
  kind: Widget
  inProgress: status.?phase.orValue('') == 'Building'
  failed: status.?phase.orValue('') == 'Broken'
  current: status.conditions.exists(c, c.type == 'Serving' && c.status == 'True')
`,
);

/** What a controller would do: it writes these statuses, one every second, once the object is there. */
async function control(name: string, statuses: readonly object[]): Promise<void> {
  const id = { apiVersion: `${group}/v1`, kind: 'Widget', namespace, name };
  while (
    (await admin
      .cluster()
      .get(id)
      .catch(() => undefined)) === undefined
  )
    await delay(100);
  for (const status of statuses) {
    await delay(1_000);
    await admin.cluster().patch(id, 'merge', { status }, { subresource: 'status' });
  }
}
const serving = (status: string) => ({ phase: 'Done', conditions: [{ type: 'Serving', status }] });

test.each(['install', 'upgrade'])('the second batch of an %s is sent after current is true', async (verb) => {
  const name = `up-${verb}`;
  audit.begin();
  const controlled = control(name, [{ phase: 'Building' }, serving('False'), serving('True')]);
  const words = [name, chartOf(name), ...inNamespace, '--wait=ordered', '--health', checks];
  await ok(tshelm, verb === 'install' ? ['install', ...words] : ['upgrade', '--install', ...words]);
  await controlled;
  const writes = await audit.writes();
  const statuses = writes.filter(({ object }) => object === `widgets.${group}/status/${name}`);
  const second = writes.find(({ object }) => object === `configmaps/after-${name}`);
  expect(statuses).toHaveLength(3);
  expect(second?.at).toBeGreaterThan(statuses.at(-1)?.at ?? Number.NaN);
});

describe('an object of which failed is true', () => {
  test.each(['--wait', '--wait=ordered'])('with %s fails long before the timeout, and is the cause', async (wait) => {
    const name = `broken${wait.replace('=', '').slice(1)}`;
    const controlled = control(name, [{ phase: 'Broken' }]);
    const started = performance.now();
    const words = ['install', name, chartOf(name), ...inNamespace, wait, '--health', checks];
    const { code, stderr } = await tshelm.run(words);
    await controlled;
    expect(code).toBe(1);
    expect(performance.now() - started).toBeLessThan(25_000);
    expect(stderr).toContain(`Widget/${name}`);
    expect(stderr).toContain("status.?phase.orValue('') == 'Broken'");
    if (wait === '--wait=ordered') expect(await admin.object('v1', 'ConfigMap', `after-${name}`)).toBeUndefined();
  });
});

test('a mistake in the file is told before anything is sent', async () => {
  const wrong = join(directory, 'wrong.yaml');
  writeFileSync(wrong, `- {apiVersion: ${group}/v1, kind: Widget, current: 'status.('}\n`);
  const chart = writeChart(directory, 'wrong', { 'templates/all.yaml': configMap('only', 'x') });
  audit.begin();
  const { code, stderr } = await tshelm.run(['install', 'wrong', chart, ...inNamespace, '--wait', '--health', wrong]);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`${wrong}:1: current is not`) });
  expect(await audit.writes(({ userAgent, isNamespaced }) => userAgent === 'tshelm' && isNamespaced)).toEqual([]);
});

test('tshelm health judges an object that is there', async () => {
  await control('up-install', [{ phase: 'Broken' }]);
  const judged = await tshelm.run([
    'health',
    `widgets.${group}/up-install`,
    '-n',
    namespace,
    '--health',
    checks,
    '-o',
    'json',
  ]);
  expect({ code: judged.code, found: JSON.parse(judged.stdout) }).toMatchObject({
    code: 1,
    found: [{ kind: 'Widget', namespace, rule: 'user', state: 'failed' }],
  });
  const id = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '' };
  expect(await admin.cluster().delete({ ...id, name: `widgets.${group}` })).toBe(true);
});

import { expect, test } from 'vitest';
import { expectHookOrder, hookFiles, hookTable } from '../plan/hook-table.ts';
import { auditOf } from './support/audit.ts';
import { configMap, hook, job, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { ok, tshelm } from './support/programs.ts';

// The order of hooks, with the API server's audit log as the witness.
const directory = scratchDirectory();
const admin = adminOf('order-hooks');
const audit = auditOf(admin);
const { namespace } = admin;
const inNamespace = ['-n', namespace, '--timeout', '60s'];

const hookJob = (name: string, weight: number): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations: {helm.sh/hook: "pre-upgrade,post-rollback,pre-delete,test", helm.sh/hook-weight: "${weight}"}
spec:
  template:
    metadata: {annotations: {e2e.tshelm.dev/ready-after: 300ms}}
    spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job:1}]}
`;

/** From the request that brings a hook's Job to the one that calls it complete. */
async function lives(): Promise<ReadonlyMap<string, { readonly began: number; readonly ready: number }>> {
  const writes = await audit.writes();
  const names = [...new Set(writes.filter(({ resource }) => resource === 'jobs.batch').map(({ name }) => name))];
  return new Map(
    names.map((name) => {
      const sent = writes.find(
        ({ object, verb, userAgent }) => object === `jobs.batch/${name}` && verb === 'patch' && userAgent === 'tshelm',
      );
      const done = writes.find(
        ({ object, at, conditions }) =>
          object === `jobs.batch/status/${name}` && conditions.includes('Complete') && at > (sent?.at ?? 0),
      );
      return [name, { began: sent?.at ?? Number.NaN, ready: done?.at ?? Number.NaN }];
    }),
  );
}

test.each(hookTable)('A $A, B $B, C $C: $order, on every event', async (row) => {
  const files = hookFiles(row, hookJob, (text) => `runHooksInParallel: ${text}`);
  const chart = writeChart(directory, `hooks-${row.A}-${row.B}`, { ...files, 'templates/a.yaml': configMap('a', 'x') });
  await ok(tshelm, ['install', 'rel', chart, ...inNamespace]);
  for (const command of [
    ['upgrade', 'rel', chart, ...inNamespace],
    ['rollback', 'rel', '1', ...inNamespace],
    ['test', 'rel', ...inNamespace],
    ['uninstall', 'rel', ...inNamespace],
  ]) {
    audit.begin();
    await ok(tshelm, command);
    expectHookOrder(row.order, await lives());
  }
  await admin.clear('batch/v1', 'Job');
});

test('a hook that is not waited for until it is gone is never taken for the new one', async () => {
  const annotations = { ...hook('pre-install,pre-upgrade'), 'helm.sh/hook-delete-timeout': '0' };
  const finalizers = (text: string): string => text.replace('\nspec:', '\n  finalizers: [example.com/wait]\nspec:');
  const chart = writeChart(directory, 'timeout', { 'templates/a.yaml': finalizers(job('old', { annotations })) });
  await ok(tshelm, ['install', 'zero', chart, ...inNamespace]);
  audit.begin();
  const { code, stderr } = await tshelm.run(['upgrade', 'zero', chart, ...inNamespace]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/already exists[^]*helm\.sh\/hook-delete-timeout/);
  const jobs = await audit.writes(
    ({ object, userAgent }) => object === 'jobs.batch/zero-old' && userAgent === 'tshelm',
  );
  expect(jobs.map(({ verb, code: answer }) => `${verb} ${answer}`)).toEqual(['delete 200', 'create 409']);
  const id = { apiVersion: 'batch/v1', kind: 'Job', namespace, name: 'zero-old' };
  await admin.cluster().patch(id, 'merge', { metadata: { finalizers: null } });
  await ok(tshelm, ['uninstall', 'zero', ...inNamespace]);
});

test('mistakes of hooks are warned of, and what they mean', async () => {
  const annotations = {
    ...hook('pre-install', { policy: 'hook-succeeded,never' }),
    'helm.sh/hook-weight': 'abc',
    'helm.sh/hook-delete-timeout': 'soon',
  };
  const chart = writeChart(directory, 'mistaken', { 'templates/a.yaml': job('a', { annotations }) });
  const { code, stderr } = await tshelm.run(['install', 'mistaken', chart, ...inNamespace]);
  expect(code).toBe(0);
  const told = [...stderr.matchAll(/warning: mistaken\/templates\/a\.yaml:\d+: Job\/mistaken-a: (\S+)/g)];
  const keys = ['helm.sh/hook-delete-policy', 'helm.sh/hook-delete-timeout', 'helm.sh/hook-weight'];
  expect(new Set(told.map(([, key]) => key))).toEqual(new Set(keys));
  await ok(tshelm, ['uninstall', 'mistaken', ...inNamespace]);
});

test('a test that is to fail has a result too', async () => {
  const chart = writeChart(directory, 'tests', {
    'templates/a.yaml': job('breaks', { annotations: hook('test-failure'), fate: 'fail' }),
  });
  await ok(tshelm, ['install', 'tests', chart, ...inNamespace]);
  expect(await ok(tshelm, ['test', 'tests', ...inNamespace])).toMatch(
    /TEST SUITE: {5}tests-breaks\nLast Started: .*\nLast Completed: .*\nPhase: {10}Succeeded\n/,
  );
  await ok(tshelm, ['uninstall', 'tests', ...inNamespace, '--delete-hooks']);
});

test('uninstall promises no deletion of definitions', async () => {
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.${namespace}.example.com
  annotations: {helm.sh/hook: crd-install}
spec:
  group: ${namespace}.example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
  const chart = writeChart(directory, 'defines', {
    'templates/crd.yaml': crd,
    'templates/a.yaml': configMap('a', 'x', hook('pre-install')),
  });
  await ok(tshelm, ['install', 'defines', chart, ...inNamespace]);
  const { stderr } = await tshelm.run(['uninstall', 'defines', ...inNamespace]);
  const definition = `CustomResourceDefinition/gadgets.${namespace}.example.com`;
  expect(stderr).toContain('hook objects stay in the cluster: ');
  expect(stderr).toContain(definition);
  expect(stderr).toContain(
    `; \`kubectl delete -n ${namespace} configmap/defines-a\` deletes the ones that can be deleted`,
  );
  const name = `gadgets.${namespace}.example.com`;
  await admin
    .cluster()
    .delete({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '', name });
});

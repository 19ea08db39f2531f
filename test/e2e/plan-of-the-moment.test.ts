import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { PlannedObject } from '../../src/plan/types.ts';
import { configMap, documents, hook, job, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { ok, tshelm, tshelmPath } from './support/programs.ts';

/*
 * What a plan says of a cluster that is not at rest: an object is on its way out, a webhook does not answer, a run was
 * killed, somebody else has an object.
 */
const directory = scratchDirectory();
const admin = adminOf('moment');
const { namespace } = admin;
const there = ['-n', namespace];
const here = [...there, '--timeout', '60s'];
const chart = writeChart(directory, 'app', {
  'templates/maps.yaml': documents(configMap('one', '{{ .Values.k | default "1" | quote }}'), configMap('two', 'x')),
});
const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });

async function planned(...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await tshelm.run(['plan', ...words, ...here, '-o', 'json']);
  const { objects } = (JSON.parse(stdout) as { changes: { objects: readonly (PlannedObject & { name: string })[] } })
    .changes;
  return Object.fromEntries(objects.map(({ name, action }) => [name, action]));
}

test('an object that is being deleted is created anew, as the upgrade then does', async () => {
  await ok(tshelm, ['install', 'going', chart, ...here]);
  const cluster = admin.cluster();
  await cluster.patch(map('going-one'), 'merge', { metadata: { finalizers: ['example.com/held'] } });
  const uid = (await cluster.get(map('going-one')))?.metadata.uid;
  await cluster.delete(map('going-one'));
  expect(await planned('going', chart)).toEqual({ 'going-one': 'create', 'going-two': 'unchanged' });
  const drift = await ok(tshelm, ['drift', 'going', ...there]);
  expect(drift).toContain('ConfigMap/going-one: it is being deleted');
  const upgrading = tshelm.run(['upgrade', 'going', chart, '--skip-unchanged', ...here]);
  await delay(1_000);
  await cluster.patch(map('going-one'), 'merge', { metadata: { finalizers: null } });
  expect((await upgrading).code).toBe(0);
  const after = (await cluster.get(map('going-one')))?.metadata;
  expect(after?.uid).not.toBe(uid);
  expect(after?.deletionTimestamp).toBeUndefined();
});

test('a webhook that nothing of the release brings is no step to come: the plan fails as the upgrade does', async () => {
  await ok(tshelm, ['install', 'behind', chart, ...here]);
  const hooks = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: namespace },
  };
  await admin.cluster().apply({
    ...hooks,
    webhooks: [
      {
        name: 'down.example.com',
        clientConfig: { url: 'https://127.0.0.1:1' },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      },
    ],
  });
  onTestFinished(() =>
    admin
      .cluster()
      .delete({ ...hooks, namespace: '', name: namespace })
      .then(() => {}),
  );
  await expect
    .poll(() => planned('behind', chart), { timeout: 20_000 })
    .toEqual({
      'behind-one': 'refused',
      'behind-two': 'refused',
    });
  const plan = await tshelm.run(['plan', 'behind', chart, ...here]);
  expect(plan).toMatchObject({ code: 1, stdout: expect.stringContaining('2 refused') as unknown });
  expect(plan.stdout).not.toContain('earlier step');
  expect(await ok(tshelm, ['drift', 'behind', ...there])).toContain('2 of 2 objects not as recorded');
  expect((await tshelm.run(['upgrade', 'behind', chart, '--set', 'k=2', ...here])).code).toBe(1);
});

test('a fix says what it leaves, by its exit code too', async () => {
  await ok(tshelm, ['install', 'mixed', chart, ...here]);
  const cluster = admin.cluster();
  await cluster.patch(map('mixed-one'), 'merge', { data: { value: 'by hand' } }, { fieldManager: 'hand' });
  await cluster.delete(map('mixed-two'));
  await cluster.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'mixed-two' } });
  const fix = ['drift', 'mixed', '--fix', '--yes', ...there];
  const first = await tshelm.run(fix);
  expect(first.code).toBe(1);
  expect(first.stdout).not.toContain('as its revision says again');
  expect(first.stderr).toContain('ConfigMap/mixed-two is not brought back');
  expect((await cluster.get(map('mixed-one')))?.['data']).toEqual({ value: '1' });
  expect((await tshelm.run(fix)).code).toBe(1);
});

test('after a run that was killed, plan and diff say what upgrade then does', async () => {
  const slow = writeChart(directory, 'slow', {
    'templates/maps.yaml': configMap('one', '{{ .Values.k | default "1" | quote }}'),
    'templates/hook.yaml': job('hooked', { annotations: hook('pre-upgrade'), readyAfter: '60s' }),
  });
  await ok(tshelm, ['install', 'dead', slow, ...here]);
  const run = spawn(tshelmPath, ['upgrade', 'dead', slow, '--set', 'k=2', ...here], { stdio: 'ignore' });
  const ended = once(run, 'close');
  await expect
    .poll(() => admin.names('v1', 'Secret', 'name=dead,status=pending-upgrade'), { timeout: 20_000 })
    .toHaveLength(1);
  run.kill('SIGKILL');
  await ended;
  expect(await planned('dead', slow, '--set', 'k=2')).toMatchObject({ 'dead-one': 'change' });
  expect(await ok(tshelm, ['diff', 'dead', slow, '--set', 'k=2', ...here])).toContain('-> revision 3');
  await ok(tshelm, ['upgrade', 'dead', slow, '--set', 'k=2', '--no-hooks', ...here]);
  expect(await admin.records('dead')).toHaveLength(3);
});

test('--create-namespace gives a namespace that is there its label once, which the plan tells', async () => {
  const name = `${namespace}-own`;
  const id = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name };
  await admin.cluster().create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { fieldManager: 'hand' });
  onTestFinished(() =>
    admin
      .cluster()
      .delete(id)
      .then(() => {}),
  );
  const words = ['into', chart, '-n', name, '--create-namespace'];
  const actions = async (): Promise<readonly string[]> => {
    const { stdout } = await tshelm.run(['plan', ...words, '-o', 'json']);
    const { objects } = (JSON.parse(stdout) as { changes: { objects: readonly (PlannedObject & { kind: string })[] } })
      .changes;
    return objects.filter(({ kind }) => kind === 'Namespace').map(({ action }) => action);
  };
  expect(await actions()).toEqual(['change']);
  expect((await tshelm.run(['install', ...words])).stderr).toContain(`Namespace/${name} configured`);
  expect(await actions()).toEqual([]);
});

test('a policy for names that refuses the trial of a replacement: plan and run say how it was tried', async () => {
  const fixed = writeChart(directory, 'fixed', {
    'templates/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fixed}\ndata: {k: {{ .Values.k | default "1" | quote }}}\nimmutable: true\n`,
  });
  await ok(tshelm, ['install', 'fixed', fixed, ...here]);
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: namespace },
  };
  const binding = { ...policy, kind: 'ValidatingAdmissionPolicyBinding' };
  await admin.cluster().apply({
    ...policy,
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
      validations: [{ expression: "object.metadata.name == 'fixed'", message: 'only fixed' }],
    },
  });
  await admin.cluster().apply({
    ...binding,
    spec: {
      policyName: namespace,
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
    },
  });
  onTestFinished(async () => {
    for (const { apiVersion, kind } of [policy, binding])
      await admin.cluster().delete({ apiVersion, kind, namespace: '', name: namespace });
  });
  const words = ['fixed', fixed, '--set', 'k=2', '--replace-immutable', ...here];
  const how = 'under a name that begins with fixed-';
  await expect.poll(async () => (await tshelm.run(['plan', ...words])).stdout, { timeout: 30_000 }).toContain(how);
  const run = await tshelm.run(['upgrade', ...words]);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(how) as unknown });
});

import { describe, expect, test } from 'vitest';
import { isApiError } from '../../src/cluster/api-error.ts';
import { auditOf, type Write } from './support/audit.ts';
import { documents, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, helm3, ok, tshelm } from './support/programs.ts';

/*
 * What a real API server refuses of a rename, an uninstall or a replacement although it accepted the dry run, as an admission
 * policy does that comes between; and what it would refuse, which is asked beforehand.
 */
const directory = scratchDirectory();
const admin = adminOf('refused-moves');
const { namespace } = admin;
const here = ['-n', namespace];

const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.at }}-${name}"}\ndata: {value: {{ .Values.value | default "1" | quote }}}\n`;
const two = writeChart(directory, 'two', { 'templates/all.yaml': documents(configMap('a'), configMap('b')) });
const web = writeChart(directory, 'web', {
  'templates/all.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: "{{ .Release.Name }}"}\nspec:\n  replicas: 1\n  selector: {matchLabels: {app: {{ .Values.label }}}}\n  template:\n    metadata: {labels: {app: {{ .Values.label }}}}\n    spec: {containers: [{name: web, image: example.com/web}]}\n',
});

const uidOf = async (kind: 'ConfigMap' | 'Secret', name: string): Promise<string> =>
  (await admin.object('v1', kind, name))?.metadata.uid ?? 'gone';

/** Runs a task while deletions of a kind are refused, but for dry runs. */
async function whileNotDeleted(kind: 'ConfigMap' | 'Secret', task: () => Promise<void>): Promise<void> {
  const cluster = admin.cluster();
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const name = `${namespace}-${kind.toLowerCase()}`;
  const canary = { apiVersion: 'v1', kind, metadata: { namespace, name: 'canary' } };
  const isRefused = async (): Promise<boolean> => {
    await cluster.apply(canary);
    return cluster.delete({ apiVersion: 'v1', kind, namespace, name: 'canary' }).then(() => false, isApiError);
  };
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: [`${kind.toLowerCase()}s`] },
  ];
  await cluster.apply({
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules },
      validations: [{ expression: 'request.?dryRun.orValue(false) == true', message: 'nothing goes today' }],
    },
  });
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  await cluster.apply({
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], matchResources: { namespaceSelector } },
  });
  try {
    await expect.poll(isRefused, { timeout: 30_000 }).toBe(true);
    await task();
  } finally {
    for (const policy of ['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy'])
      await cluster.delete({ apiVersion, kind: policy, namespace: '', name });
    await expect.poll(isRefused, { timeout: 30_000 }).toBe(false);
  }
}

test.each([helm3, helm, tshelm])(
  'what a failed uninstall was to keep, $name keeps when it goes on',
  { timeout: 120_000 },
  async (by) => {
    const release = `kept-${by.name}`;
    await ok(tshelm, ['install', release, two, '--set', `at=${release}`, ...here]);
    const uid = await uidOf('ConfigMap', `${release}-b`);
    const words = ['uninstall', release, `--keep-objects=ConfigMap/${release}-b`, ...here];
    await whileNotDeleted('ConfigMap', async () => {
      const { code, stderr } = await tshelm.run(words);
      expect([code, stderr]).toEqual([1, expect.stringContaining('nothing goes today')]);
      expect(stderr).toContain(`no uninstall deletes what is kept: ConfigMap/${release}-b`);
      expect(stderr).toContain(`fix    tshelm uninstall ${release} --keep-objects=ConfigMap/${release}-b`);
    });
    await ok(by, ['uninstall', release, ...here]);
    expect(await uidOf('ConfigMap', `${release}-a`)).toBe('gone');
    expect(await uidOf('ConfigMap', `${release}-b`)).toBe(uid);
    expect(await admin.records(release)).toEqual([]);
  },
);

test('a rename that is refused at its end is finished after upgrades of the new name', {
  timeout: 120_000,
}, async () => {
  const words = ['rename', 'old', 'new', ...here];
  const values = ['--set', 'at=renamed', ...here];
  await ok(tshelm, ['install', 'old', two, ...values]);
  const uid = await uidOf('ConfigMap', 'renamed-a');
  await whileNotDeleted('Secret', async () => {
    const { code, stderr } = await tshelm.run(words);
    expect([code, stderr]).toEqual([1, expect.stringContaining('nothing goes today')]);
    expect(stderr).toContain('fix    tshelm rename old new');
    for (const by of [tshelm, helm, helm3])
      await ok(by, ['upgrade', 'new', two, ...values, '--set', `value=${by.name}`]);
  });
  const before = await admin.records('new');
  const { code, stderr } = await tshelm.run(['upgrade', 'old', two, ...values]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('tshelm rename old new')]);
  await ok(tshelm, words);
  expect([await admin.records('old'), await admin.records('new')]).toEqual([[], before]);
  expect(await uidOf('ConfigMap', 'renamed-a')).toBe(uid);
  for (const by of [helm3, helm]) await ok(by, ['rollback', 'new', '2', ...here]);
});

describe.each(['true', 'false'])('with --server-side=%s', (serverSide) => {
  test('a replacement keeps the fields that are left to others, as its plan says', async () => {
    const release = `replaced-${serverSide}`;
    const flags = [`--server-side=${serverSide}`, ...here];
    const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: release };
    await ok(tshelm, ['install', release, web, '--set', `label=${release}`, ...flags]);
    const patch = { spec: { replicas: 5 } };
    const before = await admin.cluster().patch(id, 'merge', patch, { fieldManager: 'kube-controller-manager' });
    const words = [release, web, '--set', `label=${release}-new`, '--replace-immutable', ...flags];
    const rule = ['--take-fields', 'Deployment:spec.replicas=leave'];
    const left = 'leaves spec.replicas to kube-controller-manager';
    expect(await ok(tshelm, ['plan', ...words, ...rule])).toContain(left);
    const { code, stderr } = await tshelm.run(['upgrade', ...words, ...rule]);
    expect([code, stderr]).toEqual([0, expect.stringContaining(left)]);
    const after = await admin.cluster().get(id);
    expect(after).toMatchObject({ spec: { replicas: 5, selector: { matchLabels: { app: `${release}-new` } } } });
    expect(after?.metadata.uid).not.toBe(before.metadata.uid);
  });
});

test('who may not update records is refused before anything is written', async () => {
  const audit = auditOf(admin);
  const user = 'no-update';
  const all = ['get', 'list', 'watch', 'create', 'patch', 'delete'];
  await admin.grant(user, [
    { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: all },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: [...all, 'update'] },
  ]);
  await ok(tshelm, ['install', 'mine', two, '--set', 'at=mine', ...here]);
  audit.begin();
  for (const flags of [['--dry-run'], []]) {
    const words = ['rename', 'mine', 'yours', ...flags, ...here, '--kube-as-user', user];
    const { code, stderr } = await tshelm.run(words);
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot update resource "secrets"')]);
    expect(stderr).not.toContain('not finished');
  }
  // Pods of the tests before may still come and go.
  const isOurs = ({ userAgent, isNamespaced, code, resource }: Write): boolean =>
    userAgent === 'tshelm' && isNamespaced && code < 300 && resource !== 'leases.coordination.k8s.io';
  expect(await audit.writes(isOurs)).toEqual([]);
});

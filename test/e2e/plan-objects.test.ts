import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fieldDifferences } from '../../src/manifest/field-differences.ts';
import { objectKey } from '../../src/manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../src/manifest/types.ts';
import { withoutServerState } from '../../src/manifest/without-server-state.ts';
import type { PlannedAction, PlannedObject } from '../../src/plan/types.ts';
import { auditOf, type Write } from './support/audit.ts';
import {
  configMap,
  documents,
  hook,
  job,
  scratchDirectory,
  workload,
  writeChart,
  writeFiles,
} from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, helm3, ok, tshelm } from './support/programs.ts';

/*
 * What `tshelm plan` says of each object, against what the change then did: the objects before and after it, and the
 * writes that the API server's audit log tells of.
 */
const directory = scratchDirectory();
const admin = adminOf('plan-objects');
const audit = auditOf(admin);
const { namespace } = admin;
const here = ['-n', namespace, '--timeout', '60s'];

type Planned = ResourceId & Omit<PlannedObject, 'id'>;

async function plannedBy(words: readonly string[]): Promise<readonly Planned[]> {
  const text = await ok(tshelm, ['plan', ...words, ...here, '-o', 'json']);
  return (JSON.parse(text) as { changes: { objects: readonly Planned[] } }).changes.objects;
}

const idOf = ({ apiVersion, kind, namespace: where, name }: Planned): ResourceId => ({
  apiVersion,
  kind,
  namespace: where,
  name,
});
const stateOf = async (id: ResourceId): Promise<KubernetesObject | undefined> => {
  // A kind that is not served yet has no objects.
  const served = await admin.cluster().mapping(id.apiVersion, id.kind);
  return served === undefined ? undefined : admin.cluster().get(id);
};

interface Outcome {
  readonly action: PlannedAction | 'none';
  readonly fields?: readonly string[];
}

/** What became of an object, in the words of a plan. */
function outcome(before: KubernetesObject | undefined, after: KubernetesObject | undefined): Outcome {
  if (before === undefined) return { action: 'create' };
  if (after === undefined || after.metadata['deletionTimestamp']) return { action: 'delete' };
  const [was, is] = [meant(before), meant(after)];
  const fields = fieldDifferences(was, is).map(({ path }) => path);
  if (after.metadata.uid !== before.metadata.uid) return { action: 'replace', fields: fields.sort() };
  if (fields.length === 0) return { action: 'none' };
  const isAdopted = ownerOf(before) !== ownerOf(after);
  return { action: isAdopted ? 'adopt' : 'change', fields: fields.sort() };
}

/** Without what controllers write. */
function meant(object: KubernetesObject): KubernetesObject {
  const { metadata, ...others } = withoutServerState(object);
  if (metadata.annotations === undefined) return { ...others, metadata } as KubernetesObject;
  const annotations = { ...metadata.annotations };
  delete annotations['deployment.kubernetes.io/revision'];
  return { ...others, metadata: { ...metadata, annotations } } as KubernetesObject;
}

const ownerOf = ({ metadata }: KubernetesObject): string | undefined =>
  metadata.annotations?.['meta.helm.sh/release-name'];

/** Plans, carries out, and says where the two part; returns the actions by object. */
async function compare(
  planWords: readonly string[],
  words: readonly string[],
): Promise<Readonly<Record<string, PlannedAction>>> {
  const planned = await plannedBy(planWords);
  const before = await Promise.all(planned.map((one) => stateOf(idOf(one))));
  audit.begin();
  await ok(tshelm, [...words, ...here]);
  const writes = await audit.writes(({ userAgent, code }) => userAgent === 'tshelm' && code < 300);
  const after = await Promise.all(planned.map((one) => stateOf(idOf(one))));
  const said = planned.map(({ action, fields }): Outcome => {
    if (action === 'unchanged' || action === 'keep') return { action: 'none' };
    return fields === undefined ? { action } : { action, fields: [...fields].sort() };
  });
  const byObject = (outcomes: readonly Outcome[]) =>
    Object.fromEntries(planned.map((one, index) => [objectKey(idOf(one)), outcomes[index]]));
  expect(byObject(said)).toEqual(byObject(planned.map((_one, index) => outcome(before[index], after[index]))));
  const kept = new Set(planned.filter(({ action }) => action === 'keep').map(({ name }) => name));
  expect(writes.filter(({ name }) => kept.has(name))).toEqual([]);
  const names = new Set(planned.map(({ name }) => name));
  const isRecord = ({ resource, name }: { resource: string; name: string }): boolean =>
    resource === 'leases.coordination.k8s.io' || name.startsWith('sh.helm.release.v1.') || name.includes('-hooked');
  const unplanned = writes.filter((write) => write.isNamespaced && !isRecord(write) && !names.has(write.name));
  expect(unplanned.map(({ verb, object }) => `${verb} ${object}`)).toEqual([]);
  return Object.fromEntries(planned.map(({ kind, name, action }) => [`${kind}/${name}`, action]));
}

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cogs.plan-objects.example.com}
spec:
  group: plan-objects.example.com
  scope: Namespaced
  names: {plural: cogs, singular: cog, kind: Cog, listKind: CogList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`;

const files = {
  'templates/config.yaml': documents(
    configMap('settings', '{{ .Values.data | default "x" }}'),
    `{{ if .Values.more }}${configMap('more', 'less')}{{ end }}`,
    `{{ if .Values.kept }}${configMap('kept', 'on purpose', { 'helm.sh/resource-policy': 'keep' })}{{ end }}`,
  ),
  'templates/workloads.yaml': documents(workload('Deployment', 'web'), workload('StatefulSet', 'db')),
  'templates/service.yaml':
    'apiVersion: v1\nkind: Service\nmetadata: {name: {{ .Release.Name }}-web}\nspec: {selector: {app: {{ .Release.Name }}-web}, ports: [{port: {{ .Values.port | default 80 }}}]}\n',
  'templates/secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}-auth}\nstringData: {password: {{ .Values.password | default "first" }}}\n',
  'templates/list.yaml':
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: {{ .Release.Name }}-listed}\n  data: {a: "1"}\n',
  'templates/hook.yaml': job('hooked', { annotations: hook('pre-install,pre-upgrade') }),
};
const chart = writeChart(directory, 'shop', files);
const customs = writeChart(directory, 'customs', {
  'crds/cogs.yaml': crd,
  'templates/cog.yaml':
    'apiVersion: plan-objects.example.com/v1\nkind: Cog\nmetadata: {name: {{ .Release.Name }}-cog}\nspec: {teeth: {{ .Values.teeth | default 12 }}}\n',
});

describe.each([
  ['server-side', 'ss', []],
  ['client-side', 'cs', ['--server-side=false']],
] as const)('%s apply', (_method, release, how) => {
  const upgrade = (...flags: readonly string[]) => {
    const words = [release, chart, ...flags];
    return compare([...words, ...how], ['upgrade', ...words, ...how]);
  };

  test('through the life of a release', { timeout: 300_000 }, async () => {
    const first = [release, chart, '--set', 'more=true,kept=true', ...how];
    const created = await compare(first, ['install', ...first]);
    expect(new Set(Object.values(created))).toEqual(new Set(['create']));
    expect(await upgrade('--set', 'more=true,kept=true')).toMatchObject({ [`Deployment/${release}-web`]: 'unchanged' });
    expect(await upgrade('--set', 'more=true,kept=true,data=z,tag=2')).toMatchObject({
      [`ConfigMap/${release}-settings`]: 'change',
      [`Deployment/${release}-web`]: 'change',
      [`Service/${release}-web`]: 'unchanged',
    });
    expect(await upgrade('--set', 'replicas=2,port=81,password=second')).toMatchObject({
      [`ConfigMap/${release}-more`]: 'delete',
      [`ConfigMap/${release}-kept`]: 'keep',
      [`Secret/${release}-auth`]: 'change',
    });
    expect(await compare(['rollback', release, '1', ...how], ['rollback', release, '1', ...how])).toMatchObject({
      [`ConfigMap/${release}-more`]: 'create',
    });
    const gone = await compare(['uninstall', release], ['uninstall', release, '--wait']);
    expect(gone).toMatchObject({ [`Deployment/${release}-web`]: 'delete', [`ConfigMap/${release}-kept`]: 'keep' });
    const again = [release, chart, ...how];
    expect(await compare(again, ['install', ...again])).toMatchObject({ [`ConfigMap/${release}-settings`]: 'create' });
  });

  test('takes over what belongs to others', { timeout: 120_000 }, async () => {
    const named = `shared-${release}`;
    const shared = writeChart(directory, named, {
      'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${named}}\ndata: {a: {{ .Values.a | default "1" | quote }}}\n`,
    });
    await ok(tshelm, ['install', `${release}-one`, shared, ...here, ...how]);
    const refused = await tshelm.run(['plan', `${release}-two`, shared, ...here, ...how]);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining(`ConfigMap/${named}  (refused)`) });
    const words = [`${release}-two`, shared, '--take-ownership', '--set', 'a=2', ...how];
    expect(await compare(words, ['install', ...words])).toEqual({ [`ConfigMap/${named}`]: 'adopt' });
  });
});

test('what the API server stores anew as it was is unchanged in the plan and in the run', {
  timeout: 120_000,
}, async () => {
  const claims = writeChart(directory, 'claims', {
    'templates/claim.yaml':
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: {{ .Release.Name }}}\nspec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 1Gi}}}\n',
  });
  await ok(tshelm, ['install', 'claims', claims, ...here]);
  const id = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: 'claims' };
  const versionOf = async () => (await admin.cluster().get(id))?.metadata.resourceVersion;
  const before = await versionOf();
  expect(await plannedBy(['claims', claims])).toMatchObject([{ action: 'unchanged' }]);
  const run = await tshelm.run(['upgrade', 'claims', claims, ...here, '--progress', 'plain']);
  expect(await versionOf()).not.toBe(before);
  expect(run.stderr).toContain('1 unchanged');
  expect(run.stderr).not.toContain('configured');
});

test('a field of another manager is refused, and taken with --force-conflicts', { timeout: 120_000 }, async () => {
  const words = ['conflicts', chart, '--set', 'replicas=2'];
  await ok(tshelm, ['install', ...words, ...here]);
  const scaled = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'conflicts-web' } };
  await admin.cluster().apply({ ...scaled, spec: { replicas: 5 } }, { fieldManager: 'scaler', force: true });
  const refused = await tshelm.run(['plan', 'conflicts', chart, '--set', 'replicas=3', ...here]);
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('Deployment/conflicts-web  (refused)') });
  expect(refused.stdout).toContain('1 refused');
  const forced = ['conflicts', chart, '--set', 'replicas=3', '--force-conflicts'];
  expect(await compare(forced, ['upgrade', ...forced])).toMatchObject({ 'Deployment/conflicts-web': 'change' });
});

test('what taking an object over would meet next is said at once', { timeout: 120_000 }, async () => {
  const chartFolder = writeChart(directory, 'contested', {
    'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: contested}\ndata: {a: "1"}\n',
  });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'contested' }, data: { a: '2' } };
  await admin.cluster().apply(object, { fieldManager: 'somebody', force: true });
  const words = ['contested', chartFolder, ...here];
  const refused = await tshelm.run(['plan', ...words]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /\n1\. .*\[owned-elsewhere\][^]*--take-ownership[^]*\n2\. .*\[conflict\][^]*--force-conflicts/,
  );
  await ok(tshelm, ['plan', ...words, '--take-ownership', '--force-conflicts']);
});

describe('the rules of a field', () => {
  const rule = 'Deployment:spec.replicas';
  test.each([
    ['leave', 'unchanged', 'change'],
    ['take', 'change', 'change'],
  ] as const)('%s it', { timeout: 120_000 }, async (action, alone, besides) => {
    const release = `ruled-${action}`;
    const words = (...flags: readonly string[]) => [release, chart, '--take-fields', `${rule}=${action}`, ...flags];
    await ok(tshelm, ['install', release, chart, '--set', 'replicas=2', ...here]);
    const scaled = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: `${release}-web` } };
    const scale = (replicas: number) =>
      admin.cluster().apply({ ...scaled, spec: { replicas } }, { fieldManager: 'scaler', force: true });
    await scale(5);
    const first = words('--set', 'replicas=3');
    expect(await compare(first, ['upgrade', ...first])).toMatchObject({ [`Deployment/${release}-web`]: alone });
    await scale(6);
    const second = words('--set', 'replicas=4,tag=2');
    expect(await compare(second, ['upgrade', ...second])).toMatchObject({ [`Deployment/${release}-web`]: besides });
  });
});

describe.each([
  ['Helm 4', helm, 'four'],
  ['Helm 3', helm3, 'three'],
] as const)('a release of %s', (_version, program, release) => {
  test('is upgraded, and rolled back to what it was', { timeout: 120_000 }, async () => {
    await ok(program, ['install', release, chart, '--set', 'more=true', ...here]);
    const words = [release, chart, '--set', 'tag=2,data=why'];
    expect(await compare(words, ['upgrade', ...words])).toMatchObject({
      [`ConfigMap/${release}-more`]: 'delete',
      [`Deployment/${release}-web`]: 'change',
      [`Service/${release}-web`]: 'unchanged',
    });
    expect(await compare(['rollback', release, '1'], ['rollback', release, '1'])).toMatchObject({
      [`ConfigMap/${release}-more`]: 'create',
      [`Deployment/${release}-web`]: 'change',
    });
  });
});

test('an older chart, with the values of before', { timeout: 120_000 }, async () => {
  const newer = writeChart(directory, 'newer', {
    ...files,
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 2.0.0\n',
    'templates/since-2.yaml': configMap('since-2', 'new'),
  });
  await ok(tshelm, ['install', 'older', newer, '--set', 'data=mine', ...here]);
  const words = ['older', chart, '--reuse-values', '--set', 'tag=9'];
  expect(await compare(words, ['upgrade', ...words])).toMatchObject({
    'ConfigMap/older-since-2': 'delete',
    'ConfigMap/older-settings': 'unchanged',
    'Deployment/older-web': 'change',
  });
});

test('what follows a failed upgrade', { timeout: 120_000 }, async () => {
  const failing = writeChart(directory, 'failing', {
    ...files,
    'templates/fails.yaml': `{{ if .Values.fails }}${job('fails', { annotations: hook('post-upgrade'), fate: 'fail' })}{{ end }}`,
  });
  await ok(tshelm, ['install', 'failed', failing, ...here]);
  const broken = await tshelm.run(['upgrade', 'failed', failing, '--set', 'fails=true,data=half,more=true', ...here]);
  expect(broken.code).toBe(1);
  const words = ['failed', failing, '--set', 'data=whole'];
  expect(await compare(words, ['upgrade', ...words])).toMatchObject({
    'ConfigMap/failed-settings': 'change',
    'ConfigMap/failed-more': 'delete',
  });
});

test('what an uninstall kept is taken up by the next install', { timeout: 120_000 }, async () => {
  const words = ['again', chart, '--set', 'kept=true'];
  await ok(tshelm, ['install', ...words, ...here]);
  await ok(tshelm, ['uninstall', 'again', '--wait', ...here]);
  expect(await compare(words, ['install', ...words])).toMatchObject({
    'ConfigMap/again-kept': 'unchanged',
    'ConfigMap/again-settings': 'create',
  });
});

test('--force-replace', { timeout: 120_000 }, async () => {
  const plain = writeChart(directory, 'plain', {
    'templates/config.yaml': documents(
      configMap('settings', '{{ .Values.data | default "x" }}'),
      configMap('same', 'as it is'),
    ),
    'templates/service.yaml': files['templates/service.yaml'],
  });
  await ok(tshelm, ['install', 'forced', plain, ...here, '--server-side=false']);
  const words = ['forced', plain, '--force-replace', '--server-side=false', '--set', 'data=why'];
  expect(await compare(words, ['upgrade', ...words])).toEqual({
    'ConfigMap/forced-settings': 'change',
    'ConfigMap/forced-same': 'unchanged',
    'Service/forced-web': 'unchanged',
  });
});

test('what is cluster-wide', { timeout: 120_000 }, async () => {
  const name = `plan-objects-${namespace}`;
  const wide = writeChart(directory, 'wide', {
    'templates/role.yaml': documents(
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: ${name}}\nrules: [{apiGroups: [""], resources: [pods], verbs: [{{ .Values.verb }}]}]\n`,
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: ${name}}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}}\nsubjects: [{kind: ServiceAccount, name: default, namespace: ${namespace}}]\n`,
    ),
  });
  const words = (verb: string) => ['wide', wide, '--set', `verb=${verb}`];
  await ok(tshelm, ['install', ...words('get'), ...here]);
  expect(await compare(words('list'), ['upgrade', ...words('list')])).toEqual({
    [`ClusterRole/${name}`]: 'change',
    [`ClusterRoleBinding/${name}`]: 'unchanged',
  });
  expect(await compare(['uninstall', 'wide'], ['uninstall', 'wide'])).toEqual({
    [`ClusterRole/${name}`]: 'delete',
    [`ClusterRoleBinding/${name}`]: 'delete',
  });
});

test('CRDs of crds/, and objects of kinds that come with them', { timeout: 120_000 }, async () => {
  const words = ['customs', customs];
  expect(await compare(words, ['install', ...words])).toEqual({
    'CustomResourceDefinition/cogs.plan-objects.example.com': 'create',
    'Cog/customs-cog': 'create',
  });
  writeFiles(join(directory, 'customs'), {
    'crds/cogs.yaml': crd.replace('listKind: CogList', 'listKind: CogList, shortNames: [cg]'),
  });
  const more = ['customs', customs, '--set', 'teeth=13', '--crds=upgrade'];
  expect(await compare(more, ['upgrade', ...more])).toEqual({
    'CustomResourceDefinition/cogs.plan-objects.example.com': 'change',
    'Cog/customs-cog': 'change',
  });
  await ok(tshelm, ['uninstall', 'customs', ...here]);
  const gone = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '' };
  await admin.cluster().delete({ ...gone, name: 'cogs.plan-objects.example.com' });
});

test('an immutable field is refused with what helps, and replaced by consent', { timeout: 120_000 }, async () => {
  const files = (label: string) => ({
    'templates/web.yaml': workload('Deployment', 'web')
      .replaceAll('{{ .Release.Name }}-web', `fixed-${label}`)
      .replace(`name: fixed-${label}`, 'name: fixed'),
    'templates/beside.yaml': configMap('beside', 'x'),
    'templates/port.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: fixed-port}\nspec: {ports: [{port: 80}]}\n',
  });
  const fixed = writeChart(directory, 'fixed', files('a'));
  await ok(tshelm, ['install', 'fixed', fixed, ...here]);
  writeFiles(fixed, files('b'));
  const refused = await tshelm.run(['plan', 'fixed', fixed, ...here, '--diff']);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('Deployment/fixed  (refused)');
  expect(refused.stdout).toContain('field is immutable');
  const consented = ['fixed', fixed, '--replace-immutable', '--replace', 'Service/fixed-port'];
  expect(await compare(consented, ['upgrade', ...consented])).toEqual({
    'Deployment/fixed': 'replace',
    'Service/fixed-port': 'replace',
    'ConfigMap/fixed-beside': 'unchanged',
  });
});

test('upgrade --skip-unchanged writes nothing where nothing differs', { timeout: 120_000 }, async () => {
  const words = ['still', chart, '--set', 'more=true'];
  await ok(tshelm, ['install', ...words, ...here]);
  const records = await admin.records('still');
  audit.begin();
  const skipped = await ok(tshelm, ['upgrade', ...words, '--skip-unchanged', ...here]);
  expect(skipped).toContain('Release "still" is unchanged: revision 1 stays deployed.');
  const isOurs = ({ userAgent, isNamespaced }: Write): boolean => userAgent === 'tshelm' && isNamespaced;
  expect((await audit.writes(isOurs)).map(({ verb, object }) => `${verb} ${object}`)).toEqual([]);
  expect((await audit.dryRuns()).filter(isOurs)).toEqual([]);
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'still-settings' } };
  await admin.cluster().apply({ ...settings, data: { value: 'by hand' } }, { fieldManager: 'hand', force: true });
  const forced = ['upgrade', ...words, '--skip-unchanged', '--force-conflicts', ...here];
  expect(await ok(tshelm, forced)).toContain('has been upgraded');
  expect(await admin.records('still')).toHaveLength(records.length + 1);
});

describe.each([
  ['server-side', 'many-ss', []],
  ['client-side', 'many-cs', ['--server-side=false']],
] as const)('more than 30 changes of every sort in one plan, %s', (_method, release, how) => {
  const numbered = (count: number, object: (index: number) => string): string =>
    documents(...Array.from({ length: count }, (_, index) => object(index)));
  const fixedMap = (index: number): string => `${configMap(`fixed-${index}`, '{{ .Values.v }}')}immutable: true\n`;
  const many = writeChart(directory, release, {
    'crds/cogs.yaml': crd.replaceAll('plan-objects', release),
    'templates/cogs.yaml': numbered(
      3,
      (index) =>
        `apiVersion: ${release}.example.com/v1\nkind: Cog\nmetadata: {name: {{ .Release.Name }}-cog-${index}}\nspec: {teeth: {{ .Values.v }}}\n`,
    ),
    'templates/changed.yaml': documents(
      numbered(6, (index) => configMap(`changed-${index}`, '{{ .Values.v }}')),
      ...['web', 'scaled', 'taken'].map((name) =>
        workload('Deployment', name).replace(/example\.com\/main:[^"\n]*/, 'example.com/main:{{ .Values.v }}'),
      ),
    ),
    'templates/same.yaml': numbered(5, (index) => configMap(`same-${index}`, 'x')),
    'templates/fixed.yaml': numbered(4, fixedMap),
    'templates/first.yaml': `{{ if eq .Values.v "one" }}\n${documents(
      numbered(5, (index) => configMap(`deleted-${index}`, 'x')),
      numbered(2, (index) => configMap(`kept-${index}`, 'x', { 'helm.sh/resource-policy': 'keep' })),
    )}\n{{ end }}`,
    'templates/second.yaml': `{{ if eq .Values.v "two" }}\n${documents(
      numbered(6, (index) => configMap(`created-${index}`, 'x')),
      numbered(3, (index) => configMap(`adopted-${index}`, 'mine')),
    )}\n{{ end }}`,
    'values.yaml': 'v: one\n',
  });

  test('the API server sees it, object by object', { timeout: 300_000 }, async () => {
    await ok(tshelm, ['install', release, many, ...how, ...here]);
    const owner = {
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'other', 'meta.helm.sh/release-namespace': namespace },
    };
    for (const index of [0, 1, 2])
      await admin.cluster().apply(
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace, name: `${release}-adopted-${index}`, ...(index === 0 ? {} : owner) },
          data: { value: 'theirs' },
        },
        { fieldManager: 'helm' },
      );
    for (const name of ['scaled', 'taken'])
      await admin
        .cluster()
        .patch(
          { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: `${release}-${name}` },
          'merge',
          { spec: { replicas: 3 } },
          { fieldManager: 'scaler' },
        );
    const rules = [
      `Deployment/${release}-scaled:spec.replicas=leave`,
      `Deployment/${release}-taken:spec.replicas=take`,
    ];
    const words = [
      release,
      many,
      '--set=v=two',
      '--replace-immutable',
      '--take-ownership',
      ...how,
      ...rules.flatMap((rule) => ['--take-fields', rule]),
    ];
    const actions = await compare(words, ['upgrade', ...words]);
    const counts: Record<string, number> = {};
    for (const action of Object.values(actions)) counts[action] = (counts[action] ?? 0) + 1;
    expect(counts).toEqual({ create: 6, change: 12, replace: 4, adopt: 3, delete: 5, keep: 2, unchanged: 5 });
    const rollback = ['rollback', release, '1', '--replace-immutable', ...how];
    const back = Object.values(await compare(rollback, rollback));
    expect(back.filter((action) => action !== 'unchanged' && action !== 'keep').length).toBeGreaterThanOrEqual(30);
    await ok(tshelm, ['uninstall', release, ...here]);
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '' };
    await admin.cluster().delete({ ...definition, name: `cogs.${release}.example.com` });
  });
});

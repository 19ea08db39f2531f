import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { configMap, documents, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, helm3, ok, type Program, tshelm } from './support/programs.ts';

/*
 * Fields that an autoscaler, a controller or a person has besides the chart, and the rules that say whose they are, on a
 * real API server. Managers are played by writes under their names, as the API server tells them apart by nothing else.
 */
const directory = scratchDirectory();
const admin = adminOf('take-fields');
const { namespace } = admin;

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
  annotations: {version: "{{ .Values.tag }}"}
spec:
  {{- with .Values.replicas }}
  replicas: {{ . }}
  {{- end }}
  selector: {matchLabels: {app: {{ .Release.Name }}-web}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}-web}}
    spec:
      containers:
        - {name: side, image: "example.com/side:{{ .Values.tag }}"}
        - {name: web, image: "example.com/web:{{ .Values.tag }}"}
`;
const chart = writeChart(directory, 'web', {
  'values.yaml': 'replicas: 2\ntag: a\n',
  'templates/all.yaml': documents(deployment, configMap('settings', '{{ .Values.tag }}')),
});

const idOf = (release: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: `${release}-web` });
const writeAs = (release: string, fieldManager: string, patch: object): Promise<KubernetesObject> =>
  admin.cluster().patch(idOf(release), 'merge', patch, { fieldManager });
const scale = (release: string, replicas: number) =>
  writeAs(release, 'kube-controller-manager', { spec: { replicas } });
const containers = (web: string) => [
  { name: 'side', image: 'example.com/side:a' },
  { name: 'web', image: web },
];

interface Spec {
  readonly replicas: number;
  readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
}

/** Replicas and images, as they are. */
async function live(release: string): Promise<readonly [number, ...string[]]> {
  const found = await admin.cluster().get(idOf(release));
  if (found === undefined) throw new Error(`there is no Deployment of ${release}`);
  const { replicas, template } = found['spec'] as Spec;
  return [replicas, ...template.spec.containers.map(({ image }) => image.replace('example.com/', ''))];
}

const upgrade = (program: Program, release: string, ...flags: readonly string[]) =>
  program.run(['upgrade', release, chart, '-n', namespace, ...flags]);
async function install(release: string, ...flags: readonly string[]): Promise<void> {
  await ok(tshelm, ['install', release, chart, '-n', namespace, ...flags]);
}

describe.each(['true', 'false'])('with --server-side=%s', (serverSide) => {
  const name = (text: string): string => `${text}-${serverSide}`;
  const method = `--server-side=${serverSide}`;

  test('what an autoscaler has is left to it, by the next upgrades and rollbacks too, until the rule goes', async () => {
    const release = name('scaled');
    await install(release, method);
    await scale(release, 5);
    const { code, stderr, stdout } = await upgrade(
      tshelm,
      release,
      '--set',
      'tag=b',
      '--take-fields',
      'Deployment:spec.replicas=leave',
    );
    expect(`${code} ${stdout}${stderr}`).toContain('leaves spec.replicas to kube-controller-manager');
    expect(await live(release)).toEqual([5, 'side:b', 'web:b']);
    await scale(release, 6);
    expect((await upgrade(tshelm, release, '--set', 'tag=c')).code).toBe(0);
    expect(await live(release)).toEqual([6, 'side:c', 'web:c']);
    await ok(tshelm, ['rollback', release, '1', '-n', namespace]);
    expect(await live(release)).toEqual([6, 'side:a', 'web:a']);
    // Helm's rollback carries the record on; its upgrade does not, and an earlier revision tells.
    const last = await upgrade(tshelm, release, '--set', 'tag=d', '--take-fields', 'none');
    if (serverSide === 'true') {
      expect(last.code).toBe(1);
      expect(last.stderr).toContain(`--take-fields=Deployment/${release}-web:spec.replicas`);
      expect(await live(release)).toEqual([6, 'side:a', 'web:a']);
    } else expect(await live(release)).toEqual([2, 'side:d', 'web:d']);
  });

  test('what Helm alone has keeps its value, also where the chart no longer sets it', async () => {
    const release = name('own');
    await install(release, method, '--set', 'replicas=4');
    const leave = ['--take-fields', 'Deployment/*:spec.replicas=leave'];
    expect((await upgrade(tshelm, release, ...leave, '--set', 'replicas=1,tag=b')).code).toBe(0);
    expect(await live(release)).toEqual([4, 'side:b', 'web:b']);
    expect((await upgrade(tshelm, release, '--set', 'replicas=null,tag=c')).code).toBe(0);
    expect(await live(release)).toEqual([4, 'side:c', 'web:c']);
    // An autoscaler takes it over without a conflict.
    await scale(release, 7);
    expect((await upgrade(tshelm, release, '--set', 'replicas=1,tag=d')).code).toBe(0);
    expect(await live(release)).toEqual([7, 'side:d', 'web:d']);
  });

  test('a rule of one manager speaks of no other, and a path of one item of no other', async () => {
    const release = name('managers');
    await install(release, method);
    await writeAs(release, 'keel', {
      spec: { template: { spec: { containers: containers('example.com/web:keel') } } },
    });
    const image = 'Deployment:spec.template.spec.containers[name=web].image';
    expect((await upgrade(tshelm, release, '--set', 'tag=b', '--take-fields', `${image}@keel=leave`)).code).toBe(0);
    expect(await live(release)).toEqual([2, 'side:b', 'web:keel']);
    const { code } = await upgrade(tshelm, release, '--set', 'tag=c', '--take-fields', `${image}@flux=leave`);
    expect(code).toBe(serverSide === 'true' ? 1 : 0);
    expect((await upgrade(tshelm, release, '--set', 'tag=c', '--take-fields', `${image}@keel`)).code).toBe(0);
    expect(await live(release)).toEqual([2, 'side:c', 'web:c']);
  });

  test('what must not be taken is refused, whatever else is forced', async () => {
    const release = name('kept');
    await install(release, method);
    await writeAs(release, 'kubectl-edit', { metadata: { annotations: { version: 'mine' } }, spec: { replicas: 3 } });
    const force = serverSide === 'true' ? ['--force-conflicts'] : [];
    const { code, stderr } = await upgrade(
      tshelm,
      release,
      '--set',
      'tag=b',
      ...force,
      '--take-fields',
      'Deployment:spec.replicas=fail',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('kubectl-edit');
    expect(await live(release)).toEqual([3, 'side:a', 'web:a']);
    const other = [
      '--take-fields',
      'Deployment:spec.replicas=leave',
      '--take-fields',
      'Deployment:metadata.annotations',
    ];
    expect((await upgrade(tshelm, release, '--set', 'tag=b', ...other)).code).toBe(0);
    expect(await live(release)).toEqual([3, 'side:b', 'web:b']);
    expect((await admin.cluster().get(idOf(release)))?.metadata.annotations).toMatchObject({ version: 'b' });
  });

  test('Helm reads, upgrades and rolls back what has rules, and what it upgraded is left again', async () => {
    for (const program of serverSide === 'true' ? [helm] : [helm, helm3]) {
      const release = name(`after-${program.name}`);
      await install(release, method);
      await scale(release, 5);
      const leave = ['--take-fields', 'Deployment:spec.replicas=leave'];
      expect((await upgrade(tshelm, release, '--set', 'tag=b', ...leave)).code).toBe(0);
      expect(await ok(program, ['get', 'manifest', release, '-n', namespace])).toContain('replicas: 2');
      const force = serverSide === 'true' ? ['--force-conflicts'] : [];
      await ok(program, ['upgrade', release, chart, '-n', namespace, '--set', 'tag=c', ...force]);
      expect(await live(release)).toEqual([2, 'side:c', 'web:c']);
      await scale(release, 8);
      expect((await upgrade(tshelm, release, '--set', 'tag=d')).code).toBe(0);
      expect(await live(release)).toEqual([8, 'side:d', 'web:d']);
      await ok(program, ['rollback', release, '2', '-n', namespace, ...force]);
    }
  });
});

test('the replicas of a HorizontalPodAutoscaler are left to it, and a conflict with its controller names the rule', async () => {
  const autoscaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: '{{ .Release.Name }}'}
spec: {minReplicas: 3, maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: '{{ .Release.Name }}-web'}}
`;
  const scaled = writeChart(directory, 'scaled', {
    'values.yaml': 'replicas: 2\ntag: a\n',
    'templates/all.yaml': documents(deployment, autoscaler),
  });
  const words = ['scaled', scaled, '-n', namespace];
  await ok(tshelm, ['install', ...words]);
  await expect.poll(() => live('scaled'), { timeout: 60_000, interval: 500 }).toEqual([3, 'side:a', 'web:a']);
  const refused = await tshelm.run(['upgrade', ...words, '--set', 'tag=b']);
  expect(refused.stderr).toContain('--take-fields=Deployment/scaled-web:spec.replicas');
  const leave = ['--take-fields', 'Deployment:spec.replicas@kube-controller-manager=leave'];
  await ok(tshelm, ['upgrade', ...words, '--set', 'tag=c', ...leave]);
  await ok(tshelm, ['upgrade', ...words, '--set', 'tag=d']);
  expect(await live('scaled')).toEqual([3, 'side:d', 'web:d']);
  await ok(tshelm, ['rollback', 'scaled', '1', '-n', namespace]);
  expect(await live('scaled')).toEqual([3, 'side:a', 'web:a']);
});

test('a saved plan leaves fields, and stays valid while they change; an exception is remembered', async () => {
  const release = 'saved';
  await install(release);
  await scale(release, 5);
  const rules = ['Deployment:spec=leave', 'Deployment:spec.template=take'].flatMap((rule) => ['--take-fields', rule]);
  const file = `${directory}/saved.plan`;
  await ok(tshelm, ['plan', release, chart, '-n', namespace, '--set', 'tag=b', ...rules, '--out', file]);
  const shown = await ok(tshelm, ['show-plan', file]);
  expect(shown).toContain('leaves spec.replicas to kube-controller-manager');
  expect(shown).not.toContain('not in the diff');
  await scale(release, 6);
  await ok(tshelm, ['apply', file]);
  expect(await live(release)).toEqual([6, 'side:b', 'web:b']);
  expect((await upgrade(tshelm, release, '--set', 'tag=c')).code).toBe(0);
  expect(await live(release)).toEqual([6, 'side:c', 'web:c']);
  // Without the exception, the template is left too.
  expect((await upgrade(tshelm, release, '--set', 'tag=d', '--take-fields', 'Deployment:spec=leave')).code).toBe(0);
  expect(await live(release)).toEqual([6, 'side:c', 'web:c']);
});

test('a field stays while a release changes from client-side to server-side apply', async () => {
  const release = 'method';
  await install(release, '--server-side=false', '--set', 'replicas=4');
  const leave = ['--take-fields', 'Deployment:spec.replicas=leave'];
  const words = ['--server-side=true', '--set', 'replicas=null,tag=b', ...leave];
  expect((await upgrade(tshelm, release, ...words)).code).toBe(0);
  expect(await live(release)).toEqual([4, 'side:b', 'web:b']);
  expect((await upgrade(tshelm, release, '--server-side=false', '--set', 'replicas=1,tag=c')).code).toBe(0);
  expect(await live(release)).toEqual([4, 'side:c', 'web:c']);
  const replace = ['--server-side=false', '--force-replace', '--set', 'replicas=1,tag=d'];
  expect((await upgrade(tshelm, release, ...replace)).code).toBe(0);
  expect(await live(release)).toEqual([4, 'side:d', 'web:d']);
});

test('what is taken is taken where every field that conflicts may be, and one rule that is missing is named', async () => {
  const release = 'taken';
  await install(release);
  await writeAs(release, 'kubectl-edit', { metadata: { annotations: { version: 'mine' } }, spec: { replicas: 3 } });
  const take = ['--take-fields', 'Deployment:spec.replicas'];
  const refused = await upgrade(tshelm, release, '--set', 'tag=b', ...take);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`--take-fields=Deployment/${release}-web:metadata.annotations.version`);
  expect(await live(release)).toEqual([3, 'side:a', 'web:a']);
  const both = [...take, '--take-fields', `Deployment/${release}-web:metadata.annotations.version`];
  const plan = await ok(tshelm, ['plan', release, chart, '-n', namespace, '--set', 'tag=b', ...both]);
  expect(plan).toContain('takes spec.replicas from kubectl-edit');
  const diff = await ok(tshelm, ['diff', release, chart, '-n', namespace, '--set', 'tag=b', ...both, '-o', 'json']);
  expect(JSON.parse(diff)).toMatchObject({
    changes: expect.arrayContaining([
      expect.objectContaining({
        taken: [
          { path: 'metadata.annotations.version', managers: ['kubectl-edit'] },
          { path: 'spec.replicas', managers: ['kubectl-edit'] },
        ],
      }),
    ]) as unknown,
  });
  const { code, stdout, stderr } = await upgrade(tshelm, release, '--set', 'tag=b', ...both);
  expect(`${code} ${stdout}${stderr}`).toContain('takes metadata.annotations.version from kubectl-edit');
  expect(await live(release)).toEqual([2, 'side:b', 'web:b']);
});

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject, ResourceId } from '../../src/manifest/types.ts';
import type { PassedRequest } from './chaos/proxy.ts';
import { Stage } from './chaos/stage.ts';
import { auditOf } from './support/audit.ts';
import { configMap, documents, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, helm3, ok, tshelm } from './support/programs.ts';

/*
 * Objects with fields that Kubernetes lets nobody change: each is deleted and recreated, alone. What happened is read
 * in the uids of the objects and in the API server's audit log.
 */
const directory = scratchDirectory();
const admin = adminOf('replace');
const audit = auditOf(admin);
const { namespace } = admin;
const here = ['-n', namespace, '--timeout', '60s'];

const pods = (label: string, image = '1'): string =>
  `{metadata: {labels: {app: ${label}}}, spec: {containers: [{name: main, image: "example.com/main:${image}"}]}}`;
const shared = '"{{ .Release.Namespace }}-{{ .Release.Name }}"';
const rbac = 'rbac.authorization.k8s.io';

/** Each kind with a field that changes with the value of its name; 'a' at first. */
const kinds: Readonly<Record<string, { readonly version: string; readonly isShared?: true; readonly text: string }>> = {
  ConfigMap: { version: 'v1', text: 'immutable: true\ndata: {k: VALUE}' },
  Secret: { version: 'v1', text: 'immutable: true\nstringData: {k: VALUE}' },
  Service: {
    version: 'v1',
    text: `spec: {clusterIP: 10.96.{{ if eq "VALUE" "a" }}24{{ else }}25{{ end }}{{ len .Release.Name }}.${(process.pid % 250) + 1}, ports: [{port: 80}]}`,
  },
  Deployment: {
    version: 'apps/v1',
    text: `spec: {selector: {matchLabels: {app: d-VALUE}}, template: ${pods('d-VALUE')}}`,
  },
  DaemonSet: {
    version: 'apps/v1',
    text: `spec: {selector: {matchLabels: {app: s-VALUE}}, template: ${pods('s-VALUE')}}`,
  },
  StatefulSet: {
    version: 'apps/v1',
    text: `spec: {serviceName: VALUE, selector: {matchLabels: {app: sts}}, template: ${pods('sts')}}`,
  },
  Job: {
    version: 'batch/v1',
    text: 'spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job:VALUE}]}}}',
  },
  RoleBinding: { version: `${rbac}/v1`, text: `roleRef: {apiGroup: ${rbac}, kind: Role, name: VALUE}` },
  ClusterRoleBinding: {
    version: `${rbac}/v1`,
    isShared: true,
    text: `roleRef: {apiGroup: ${rbac}, kind: ClusterRole, name: VALUE}`,
  },
  StorageClass: {
    version: 'storage.k8s.io/v1',
    isShared: true,
    text: 'provisioner: example.com/disk\nparameters: {type: VALUE}',
  },
  PriorityClass: {
    version: 'scheduling.k8s.io/v1',
    isShared: true,
    text: 'value: {{ if eq "VALUE" "a" }}1{{ else }}2{{ end }}',
  },
  IngressClass: { version: 'networking.k8s.io/v1', isShared: true, text: 'spec: {controller: example.com/VALUE}' },
  CSIDriver: { version: 'storage.k8s.io/v1', isShared: true, text: 'spec: {attachRequired: {{ eq "VALUE" "a" }}}' },
  PersistentVolumeClaim: {
    version: 'v1',
    text: 'spec: {storageClassName: VALUE, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}',
  },
};

const documentOf = (kind: string): string => {
  const { version, isShared, text } = kinds[kind] ?? { version: '', text: '' };
  const name = isShared ? shared : '"{{ .Release.Name }}-own"';
  const value = `{{ .Values.${kind} | default "a" }}`;
  // In an expression of a template the value stands without braces.
  const body = text.replaceAll('"VALUE"', `(.Values.${kind} | default "a")`).replaceAll('VALUE', value);
  return `apiVersion: ${version}\nkind: ${kind}\nmetadata: {name: ${name}}\n${body}\n`;
};
const all = writeChart(directory, 'all', {
  'templates/all.yaml': documents(...Object.keys(kinds).map(documentOf)),
});

const idOf = (kind: string, release: string): ResourceId => ({
  apiVersion: kinds[kind]?.version ?? '',
  kind,
  namespace: kinds[kind]?.isShared ? '' : namespace,
  name: kinds[kind]?.isShared ? `${namespace}-${release}` : `${release}-own`,
});

/** By object: its uid, and what changes when somebody writes it; of those whose status a controller writes, the generation. */
async function states(
  release: string,
): Promise<Readonly<Record<string, { readonly uid: string; readonly at: unknown }>>> {
  const found = await Promise.all(
    Object.keys(kinds).map(async (kind) => {
      const { metadata } = (await admin.cluster().get(idOf(kind, release))) as KubernetesObject;
      return [
        kind,
        {
          uid: metadata.uid ?? '',
          at: metadata.generation ?? (kind === 'PersistentVolumeClaim' || metadata.resourceVersion),
        },
      ] as const;
    }),
  );
  return Object.fromEntries(found);
}

interface Planned {
  readonly kind: string;
  readonly action: string;
  readonly forcedBy?: readonly string[];
}

async function plannedBy(words: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { changes } = JSON.parse(await ok(tshelm, ['plan', ...words, ...here, '-o', 'json'])) as {
    changes: { objects: readonly Planned[]; summary: Readonly<Record<string, number>> };
  };
  expect(changes.summary).toMatchObject({ replace: 1, refused: 0 });
  return Object.fromEntries(
    changes.objects
      .filter(({ action }) => action === 'replace')
      .map(({ kind, forcedBy = [] }) => [kind, forcedBy.join(', ')]),
  );
}

const forced: Readonly<Record<string, string>> = {
  ConfigMap: 'data.k',
  Secret: 'data',
  Service: 'spec.clusterIPs[0]',
  Deployment: 'spec.selector.matchLabels.app',
  DaemonSet: 'spec.selector.matchLabels.app',
  StatefulSet: 'spec.serviceName',
  Job: 'spec.template.spec.containers[0].image',
  RoleBinding: 'roleRef.name',
  ClusterRoleBinding: 'roleRef.name',
  StorageClass: 'parameters.type',
  PriorityClass: 'value',
  IngressClass: 'spec.controller',
  // So the API server calls it.
  CSIDriver: 'spec.attachedRequired',
  PersistentVolumeClaim: 'spec.storageClassName',
};

describe.each([
  ['server-side', 'ss', []],
  ['client-side', 'csa', ['--server-side=false']],
] as const)('%s apply', (_method, release, how) => {
  test('of 14 kinds each is replaced alone, as the plan says', { timeout: 600_000 }, async () => {
    await ok(tshelm, ['install', release, all, ...how, ...here]);
    const values: string[] = [];
    for (const kind of Object.keys(kinds)) {
      values.push(`${kind}=b`);
      const { name } = idOf(kind, release);
      const isData = kind === 'PersistentVolumeClaim';
      const consent = isData ? ['--replace', `${kind}/${name}`, '--allow-data-loss'] : ['--replace-immutable'];
      const words = [release, all, '--set', values.join(), ...how];
      const refused = await tshelm.run(['plan', ...words, ...here]);
      expect(refused.code, `${kind}: ${refused.stdout}${refused.stderr}`).toBe(1);
      if (!isData) expect(refused.stderr).toContain(`--replace=${kind}/${name}`);
      expect(await plannedBy([...words, ...consent])).toEqual({ [kind]: forced[kind] });
      const before = await states(release);
      audit.begin();
      await ok(tshelm, ['upgrade', ...words, ...consent, '--history-max', '0', ...here]);
      const after = await states(release);
      const replaced = Object.keys(kinds).filter((one) => before[one]?.uid !== after[one]?.uid);
      expect(replaced).toEqual([kind]);
      const { [kind]: _old, ...others } = before;
      expect(after).toMatchObject(others);
      const deletions = await audit.writes(({ verb, userAgent }) => verb === 'delete' && userAgent === 'tshelm');
      expect(deletions.filter(({ object }) => object.endsWith(`/${name}`)).map(({ code }) => code)).toEqual([200]);
    }
    await readByHelm(release);
    const claim = ['--replace', `PersistentVolumeClaim/${release}-own`, '--allow-data-loss'];
    await ok(tshelm, ['rollback', release, '1', '--replace-immutable', ...claim, '--history-max', '0', ...here]);
    await ok(tshelm, ['drift', release, '--exit-code', '-n', namespace]);
    await ok(tshelm, ['uninstall', release, ...here, '--wait']);
  });
});

/** Helm 4 and 3 read the release, write a revision each, and take it back. */
async function readByHelm(release: string): Promise<void> {
  for (const program of [helm, helm3]) {
    const values = (JSON.parse(await ok(program, ['get', 'values', release, '-n', namespace, '-o', 'json'])) ??
      {}) as Readonly<Record<string, string>>;
    const set = Object.entries(values)
      .map(([key, value]) => `${key}=${value}`)
      .join();
    await ok(program, ['upgrade', release, all, '--set', set, '--history-max', '0', ...here]);
    await ok(program, ['rollback', release, '--history-max', '0', '-n', namespace]);
  }
}

describe('a StatefulSet', () => {
  const chart = (name: string, template: string, extra = '') =>
    writeChart(directory, name, {
      'templates/db.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: {{ .Release.Name }}-db}
spec:
  replicas: 2
  serviceName: {{ .Values.service | default "one" }}
  selector: {matchLabels: {app: {{ .Release.Name }}-{{ .Values.label | default "a" }}}}
  template: {metadata: {labels: {app: {{ .Release.Name }}-{{ .Values.label | default "a" }}}}, spec: {containers: [{name: main, image: "example.com/db:1"}]}}
${template}`,
      'templates/settings.yaml': configMap('settings', '{{ .Values.service | default "one" }}'),
      'templates/extra.yaml': extra,
    });
  const className = `grows-${process.pid}`;
  const claims = `  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: {requests: {storage: {{ .Values.size | default "1Gi" }}}}}
`;
  const uids = async (kind: string, release: string) =>
    (await admin.cluster().list('v1', kind, { namespace }))
      .filter(({ metadata }) => metadata.name.includes(`${release}-db-`) && metadata['deletionTimestamp'] === undefined)
      .map(({ metadata }) => `${metadata.name} ${metadata.uid}`)
      .sort();

  beforeAll(async () => {
    const storage = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: className } };
    await admin
      .cluster()
      .apply({ ...storage, provisioner: 'kubernetes.io/no-provisioner', allowVolumeExpansion: true });
    for (const index of [0, 1, 2, 3])
      await admin.cluster().apply({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `${className}-${index}` },
        spec: {
          storageClassName: className,
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        },
      });
  });
  afterAll(async () => {
    const cluster = admin.cluster();
    await cluster.delete({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', namespace: '', name: className });
    for (const index of [0, 1, 2, 3])
      await cluster.delete({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        namespace: '',
        name: `${className}-${index}`,
      });
  });

  test.each([
    ['ssa', []],
    ['csa', ['--server-side=false']],
  ] as const)('keeps its pods and claims, which grow (%s)', { timeout: 240_000 }, async (method, how) => {
    const release = `keeps-${method}`;
    const db = chart('keeps', claims);
    await ok(tshelm, ['install', release, db, '--wait', ...how, ...here]);
    const [podsBefore, claimsBefore] = [await uids('Pod', release), await uids('PersistentVolumeClaim', release)];
    expect([podsBefore.length, claimsBefore.length]).toEqual([2, 2]);
    const words = [release, db, '--set', 'service=two,size=2Gi', '--replace-immutable'];
    const plan = await ok(tshelm, ['plan', ...words, ...here]);
    expect(plan).toContain(`StatefulSet/${release}-db  (replace: spec.serviceName, `);
    expect(plan).toContain('deleted without its pods and recreated');
    expect(plan.split('spec.serviceName')).toHaveLength(2);
    expect(plan).toContain(`PersistentVolumeClaim/data-${release}-db-0 grows from 1Gi to 2Gi`);
    await ok(tshelm, ['upgrade', ...words, '--wait', ...here]);
    await delay(2_000);
    expect(await uids('Pod', release)).toEqual(podsBefore);
    expect(await uids('PersistentVolumeClaim', release)).toEqual(claimsBefore);
    const claim = await admin.object('v1', 'PersistentVolumeClaim', `data-${release}-db-0`);
    expect(claim).toMatchObject({ spec: { resources: { requests: { storage: '2Gi' } } } });
    // Nothing resizes the volumes here, so the server would accept any size that is more than 1Gi.
    const less = [release, db, '--set', 'service=two,size=1536Mi', '--replace-immutable'];
    expect(await ok(tshelm, ['plan', ...less, ...here])).toContain(`data-${release}-db-0 keeps 2Gi: 1536Mi is less`);
    await ok(tshelm, ['upgrade', ...less, ...here]);
    expect(await admin.object('v1', 'PersistentVolumeClaim', `data-${release}-db-0`)).toEqual(claim);
    const back = await tshelm.run(['rollback', release, '1', '--replace-immutable', '--wait', ...here]);
    expect(back).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`data-${release}-db-0 keeps 2Gi`) as unknown,
    });
    expect(await uids('PersistentVolumeClaim', release)).toEqual(claimsBefore);
    expect(await uids('Pod', release)).toEqual(podsBefore);
    await ok(tshelm, ['uninstall', release, '--wait', ...here]);
    for (const index of [0, 1])
      await admin
        .cluster()
        .delete({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: `data-${release}-db-${index}` });
  });

  test('gets new pods where it does not choose the old ones', { timeout: 120_000 }, async () => {
    const db = chart('labels', '');
    await ok(tshelm, ['install', 'labels', db, '--wait', ...here]);
    const before = await uids('Pod', 'labels');
    const named = ['--replace', `${namespace}/StatefulSet/labels-db`];
    const plan = await ok(tshelm, ['plan', 'labels', db, '--set', 'label=b', ...named, ...here]);
    expect(plan).toContain('Pod/labels-db-0, Pod/labels-db-1 are deleted, since the new selector does not choose them');
    expect(plan).not.toContain('without its pods');
    await ok(tshelm, ['upgrade', 'labels', db, '--set', 'label=b', '--wait', ...named, ...here]);
    const after = await uids('Pod', 'labels');
    expect(after).toHaveLength(2);
    expect(after.filter((uid) => before.includes(uid))).toEqual([]);
    await ok(tshelm, ['uninstall', 'labels', '--wait', ...here]);
  });
});

test('a saved plan carries a replacement out', { timeout: 120_000 }, async () => {
  const chart = writeChart(directory, 'saved', {
    'templates/all.yaml': documents(documentOf('ConfigMap'), documentOf('Deployment')),
  });
  await ok(tshelm, ['install', 'saved', chart, ...here]);
  const file = join(directory, 'saved.plan');
  const words = ['saved', chart, '--set', 'Deployment=b', '--replace', 'Deployment/saved-own'];
  await ok(tshelm, ['plan', ...words, '--out', file, ...here]);
  expect(await ok(tshelm, ['show-plan', file])).toContain(
    'Deployment/saved-own  (replace: spec.selector.matchLabels.app is immutable)',
  );
  expect(await ok(tshelm, ['show-plan', file, '-o', 'markdown'])).toContain('replaced');
  const before = await admin.object('apps/v1', 'Deployment', 'saved-own');
  await ok(tshelm, ['apply', file, '-n', namespace]);
  const after = await admin.object('apps/v1', 'Deployment', 'saved-own');
  expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  expect(after).toMatchObject({ spec: { selector: { matchLabels: { app: 'd-b' } } } });
  await ok(tshelm, ['uninstall', 'saved', ...here]);
});

test.each([
  ['ssa', []],
  ['csa', ['--server-side=false']],
] as const)(
  'a failed upgrade is rolled back over what it has replaced (%s)',
  { timeout: 120_000 },
  async (method, how) => {
    const release = `back-${method}`;
    const parts = ['ConfigMap', 'StatefulSet', 'Deployment'];
    const chart = writeChart(directory, 'back', {
      'templates/all.yaml': documents(...parts.map(documentOf)),
      'templates/refused.yaml':
        '{{ if .Values.refused }}apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: refused}\nspec: {}{{ end }}\n',
    });
    await ok(tshelm, ['install', release, chart, ...how, ...here]);
    const get = async () =>
      Promise.all(parts.map(async (kind) => (await admin.cluster().get(idOf(kind, release)))?.metadata.uid));
    const before = await get();
    const set = [...parts.map((kind) => `${kind}=b`), 'refused=true'].join();
    const failed = await tshelm.run([
      'upgrade',
      release,
      chart,
      '--set',
      set,
      '--replace-immutable',
      '--rollback-on-failure',
      '--preflight=never',
      ...here,
    ]);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('rolled back') as unknown });
    const after = await get();
    expect(after.filter((uid, index) => uid === undefined || uid === before[index])).toEqual([]);
    await ok(tshelm, ['drift', release, '--exit-code', '-n', namespace]);
    const history = await ok(helm, ['history', release, '-n', namespace, '-o', 'json']);
    expect((JSON.parse(history) as { status: string }[]).map(({ status }) => status)).toEqual([
      'superseded',
      'failed',
      'deployed',
    ]);
    await ok(tshelm, ['uninstall', release, ...here]);
  },
);

test('a Service is replaced with the address and the port that it has, and not for an address that it cannot get', async () => {
  const port = 30_000 + (process.pid % 2_000);
  const chart = writeChart(directory, 'ports', {
    'templates/all.yaml': `apiVersion: v1
kind: Service
metadata: {name: ports}
spec: {type: NodePort, clusterIP: {{ .Values.ip | default "10.96.230.${(process.pid % 250) + 1}" }}, ports: [{port: 80, nodePort: ${port}}]}
`,
  });
  await ok(tshelm, ['install', 'ports', chart, ...here]);
  const uid = async () => (await admin.object('v1', 'Service', 'ports'))?.metadata.uid;
  const first = await uid();
  const words = ['ports', chart, '--replace', 'Service/ports', ...here];
  expect(await ok(tshelm, ['plan', ...words])).toContain('1 to replace');
  await ok(tshelm, ['upgrade', ...words]);
  const second = await uid();
  expect(second).not.toBe(first);
  for (const verb of ['plan', 'upgrade'])
    expect(await tshelm.run([verb, ...words, '--set', 'ip=10.200.0.1'])).toMatchObject({ code: 1 });
  expect(await uid()).toBe(second);
  await ok(tshelm, ['uninstall', 'ports', ...here]);
});

test('what may not be deleted, or is in use, is refused by the plan and by the run, and stays', {
  timeout: 120_000,
}, async () => {
  const claim =
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: used}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n';
  const user = documentOf('Deployment').replace(
    'spec: {containers:',
    'spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: used}}], containers:',
  );
  const chart = writeChart(directory, 'refused', { 'templates/all.yaml': documents(claim, user) });
  await ok(tshelm, ['install', 'refused', chart, ...here]);
  await expect.poll(() => admin.names('v1', 'Pod', 'app=d-a')).toHaveLength(1);
  const uids = () =>
    Promise.all([
      admin.object('v1', 'PersistentVolumeClaim', 'used'),
      admin.object('apps/v1', 'Deployment', 'refused-own'),
    ]);
  const before = await uids();
  const robot = `robot-${process.pid}`;
  const most = ['get', 'list', 'watch', 'create', 'update', 'patch'];
  await admin.grant(robot, [
    { apiGroups: [''], resources: ['secrets', 'persistentvolumeclaims', 'pods', 'events'], verbs: most },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: [...most, 'delete'] },
    { apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs: most },
  ]);
  for (const [words, why] of [
    [['--replace', 'PersistentVolumeClaim/used', '--allow-data-loss'], 'is used by Pod/refused-own-'],
    [['--set', 'Deployment=b', '--replace-immutable', '--kube-as-user', robot], 'cannot delete resource'],
  ] as const) {
    const planned = await tshelm.run(['plan', 'refused', chart, ...words, ...here]);
    expect(planned).toMatchObject({ code: 1, stderr: expect.stringContaining(why) as unknown });
    const ran = await tshelm.run(['upgrade', 'refused', chart, ...words, ...here]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(why) as unknown });
  }
  const after = await uids();
  expect(after.map((one) => one?.metadata.uid)).toEqual(before.map((one) => one?.metadata.uid));
  expect(after.map((one) => one?.metadata['deletionTimestamp'])).toEqual([undefined, undefined]);
  await ok(tshelm, ['uninstall', 'refused', ...here]);
});

describe('killed between two requests', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(directory, 'replace');
  });
  afterAll(() => stage.close());
  const replaced = ['ConfigMap', 'Service', 'Deployment', 'StatefulSet', 'Job', 'RoleBinding'];
  // Its pods have the names of those before, which it does not choose.
  const others = (text: string): string => text.replaceAll('app: sts', 'app: sts-{{ .Values.StatefulSet }}');
  const chart = writeChart(directory, 'killed', {
    'templates/all.yaml': documents(configMap('beside', 'x'), ...replaced.map(documentOf).map(others)),
  });
  const setOf = (value: string): string => replaced.map((kind) => `${kind}=${value}`).join();
  const words = (value: string): string[] => [
    'upgrade',
    '--install',
    'k',
    chart,
    '--set',
    setOf(value),
    '--replace-immutable',
    '--wait',
    '--timeout',
    '60s',
  ];

  /** What speaks against the release being there whole with these values. */
  async function problems(value: string, beside: string | undefined): Promise<readonly string[]> {
    const get = (kind: string, version: string, name: string) =>
      admin.cluster().get({ apiVersion: version, kind, namespace: stage.namespace, name });
    const found = await Promise.all(replaced.map((kind) => get(kind, kinds[kind]?.version ?? '', 'k-own')));
    const missing = replaced.filter((_kind, index) => found[index] === undefined);
    const pod = await get('Pod', 'v1', 'k-own-0');
    const other = await get('ConfigMap', 'v1', 'k-beside');
    const drift = await stage.run(['drift', 'k', '--exit-code']);
    return [
      ...missing.map((kind) => `${kind} is missing`),
      ...(pod?.metadata.labels?.['app'] === `sts-${value}` ? [] : ['the pod of the StatefulSet is an old one']),
      ...(other?.metadata.resourceVersion === beside ? [] : ['another object was written']),
      ...(drift.code === 0 ? [] : [`drift: ${drift.stdout}${drift.stderr}`]),
    ];
  }

  test('the next run ends it, and Helm goes on from there', { timeout: 1_800_000 }, async () => {
    expect(await stage.run(words('a'))).toMatchObject({ code: 0 });
    const beside = await admin
      .cluster()
      .get({ apiVersion: 'v1', kind: 'ConfigMap', namespace: stage.namespace, name: 'k-beside' });
    stage.proxy.begin(() => undefined);
    expect(await stage.start(words('b')).ended).toMatchObject({ code: 0 });
    const writes = stage.proxy.seen.filter(({ method }) => method !== 'GET').map(({ number }) => number);
    const [first, last] = [Math.min(...writes), Math.max(...writes)];
    const wanted = process.env['CHAOS'] === 'full' ? 60 : 24;
    const points = Array.from({ length: wanted }, (_, index) =>
      Math.round(first + ((last - first) * index) / (wanted - 1)),
    );
    const found: string[] = [];
    let kills = 0;
    for (const [index, at] of points.entries()) {
      const value = index % 2 === 0 ? 'a' : 'b';
      let kill = (): void => undefined;
      stage.proxy.begin(({ number }: PassedRequest) =>
        number === at ? { kind: 'run', task: () => kill(), isLost: index % 3 !== 0 } : undefined,
      );
      const run = stage.start(words(value));
      kill = run.kill;
      if ((await run.ended).signal === 'SIGKILL') kills += 1;
      await stage.proxy.idle();
      const again = await stage.run(words(value));
      const wrong = [
        ...(again.code === 0 ? [] : [`the next run: ${again.stderr}`]),
        ...(await problems(value, beside?.metadata.resourceVersion)),
      ];
      found.push(...wrong.map((text) => `killed at ${at} of ${last}: ${text}`));
    }
    console.log(`replace: killed ${kills} times at ${points.length} points`);
    expect(found).toEqual([]);
    // A run may need a request less than the one that was counted.
    expect(kills).toBeGreaterThanOrEqual(20);
    for (const program of [helm, helm3]) {
      await ok(program, ['upgrade', 'k', chart, '--set', setOf('b'), '-n', stage.namespace]);
      await ok(program, ['rollback', 'k', '-n', stage.namespace]);
    }
  });

  test('what is left to others survives it', { timeout: 600_000 }, async () => {
    const scaled = writeChart(directory, 'scaled', {
      'templates/all.yaml': documentOf('Deployment').replace('spec: {selector', 'spec: {replicas: 1, selector'),
    });
    const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: stage.namespace, name: 's-own' };
    const change = (value: string): string[] =>
      `upgrade --install s ${scaled} --set Deployment=${value} --replace-immutable --take-fields Deployment:spec.replicas=leave --timeout 60s`.split(
        ' ',
      );
    const replicas = async (): Promise<unknown> =>
      ((await admin.cluster().get(id)) as { spec?: { replicas?: number } } | undefined)?.spec?.replicas;
    expect(await stage.run(change('a'))).toMatchObject({ code: 0 });
    await admin.cluster().patch(id, 'merge', { spec: { replicas: 5 } }, { fieldManager: 'hpa' });
    stage.proxy.begin(() => undefined);
    expect(await stage.start(change('b')).ended).toMatchObject({ code: 0 });
    expect(await replicas()).toBe(5);
    const writes = stage.proxy.seen.filter(({ method }) => method !== 'GET').map(({ number }) => number);
    const found: string[] = [];
    let gone = 0;
    for (
      let at = Math.min(...writes), value = 'a';
      at <= Math.max(...writes);
      at++, value = value === 'a' ? 'b' : 'a'
    ) {
      let kill = (): void => undefined;
      stage.proxy.begin(({ number }: PassedRequest) =>
        number === at ? { kind: 'run', task: () => kill(), isLost: at % 2 === 0 } : undefined,
      );
      const run = stage.start(change(value));
      kill = run.kill;
      await run.ended;
      await stage.proxy.idle();
      if ((await admin.cluster().get(id)) === undefined) gone += 1;
      const again = await stage.run(change(value));
      if (again.code !== 0 || (await replicas()) !== 5)
        found.push(`killed at ${at}: ${await replicas()} replicas; ${again.stderr}`);
    }
    expect(found).toEqual([]);
    expect(gone).toBeGreaterThan(0);
  });
});

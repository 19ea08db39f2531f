import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/cluster/connect.ts';
import { auditOf, type Write } from './support/audit.ts';
import { configMap, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { differences, type PlannedStep, stagesOf } from './support/plan-stages.ts';
import { ok, tshelm } from './support/programs.ts';

/*
 * The plan that `tshelm plan` draws, against the writes that the API server's audit log tells of: each stage of the plan
 * comes whole and in its turn, each object is sent, and nothing else is.
 */
const directory = scratchDirectory();
const admin = adminOf('plan-audit');
const audit = auditOf(admin);
const { namespace } = admin;

/** What the API server calls an object, as the plan calls it. Kinds may be gone later, so they are kept. */
const kinds = new Map<string, string>();
const clusterScoped = new Set<string>();
async function learnKinds(): Promise<void> {
  const cluster = await connect({ namespace });
  for (const { group, plural, kind, namespaced } of await cluster.resources()) {
    kinds.set(group === '' ? plural : `${plural}.${group}`, kind);
    if (!namespaced) clusterScoped.add(kind);
  }
  cluster.close();
}
const objectOf = ({ resource, name }: Write): string => `${kinds.get(resource) ?? resource}/${name}`;

const isOurs = ({ userAgent, resource }: Write): boolean =>
  userAgent === 'tshelm' && resource !== 'leases.coordination.k8s.io';

/** Draws the plan, carries the action out, and says where the two part. */
async function compare(release: string, planWords: readonly string[], words: readonly string[]) {
  const drawn = await ok(tshelm, ['plan', ...planWords, '-n', namespace, '-o', 'json']);
  const { steps } = JSON.parse(drawn) as { steps: readonly PlannedStep[] };
  audit.begin();
  await ok(tshelm, [...words, '-n', namespace, '--timeout', '120s']);
  await learnKinds();
  const stages = stagesOf(steps, release);
  expect(stages.length).toBeGreaterThan(1);
  const planned = new Set(stages.flatMap(({ objects }) => objects));
  // What is cluster-wide may be another test's.
  const isAnothers = (object: string): boolean =>
    clusterScoped.has(object.split('/')[0] as string) && !planned.has(object);
  const writes = (await audit.writes(isOurs)).filter((write) => !isAnothers(objectOf(write)));
  return differences(stages, writes, objectOf);
}

/** Install, upgrade, rollback and uninstall; the first revision has what `first` adds, and the second what `second` adds. */
async function throughLife(
  release: string,
  chart: string,
  {
    wait = 'hookOnly',
    first = [],
    second = [],
  }: Partial<Record<'wait', string> & Record<'first' | 'second', string[]>>,
): Promise<void> {
  const how = [`--wait=${wait}`];
  const install = [release, chart, ...how, ...first];
  expect(await compare(release, install, ['install', ...install])).toEqual([]);
  const upgrade = [release, chart, ...how, ...second];
  expect(await compare(release, upgrade, ['upgrade', ...upgrade])).toEqual([]);
  const rollback = ['rollback', release, '1', ...how];
  expect(await compare(release, rollback, rollback)).toEqual([]);
  const uninstall = ['uninstall', release, ...how];
  expect(await compare(release, uninstall, uninstall)).toEqual([]);
}

const crd = (plural: string, kind: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.plan-audit.example.com}
spec:
  group: plan-audit.example.com
  scope: Namespaced
  names: {plural: ${plural}, singular: ${kind.toLowerCase()}, kind: ${kind}, listKind: ${kind}List}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`;
const custom = (kind: string, name: string): string =>
  `apiVersion: plan-audit.example.com/v1\nkind: ${kind}\nmetadata: {name: {{ .Release.Name }}-${name}}\n`;

describe('a chart of everything', () => {
  const hooks = [
    'pre-install',
    'post-install',
    'pre-upgrade',
    'post-upgrade',
    'pre-rollback',
    'post-rollback',
    'pre-delete',
    'post-delete',
  ];
  const files = {
    'crds/gadgets.yaml': crd('gadgets', 'Gadget'),
    'templates/gadget.yaml': custom('Gadget', 'one'),
    'templates/account.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: {{ .Release.Name }}-sa}\n',
    'templates/config.yaml': configMap('settings', '{{ .Values.data | default "x" }}'),
    'templates/more.yaml': `{{ if .Values.more }}${configMap('more', 'less')}{{ end }}`,
    'templates/web.yaml': workload('Deployment', 'web'),
    ...Object.fromEntries(
      hooks.flatMap((event) => [
        [
          `templates/${event}-1.yaml`,
          job(`${event}-1`, { annotations: { ...hook(event), 'helm.sh/hook-weight': '-1' } }),
        ],
        [`templates/${event}-2.yaml`, job(`${event}-2`, { annotations: hook(event) })],
      ]),
    ),
  };

  test('all at once', async () => {
    const chart = writeChart(directory, 'everything', files);
    await throughLife('every', chart, { first: ['--set', 'more=true'], second: ['--set', 'data=z'] });
  });

  test('subcharts in order', async () => {
    const chart = writeChart(directory, 'ordered', {
      ...files,
      'Chart.yaml':
        'apiVersion: v2\nname: ordered\nversion: 1.0.0\nannotations: {helm.sh/depends-on/subcharts: "db,queue"}\ndependencies: [{name: db, version: 1.0.0}, {name: queue, version: 1.0.0, depends-on: [db]}]\n',
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'charts/db/templates/db.yaml': `${workload('StatefulSet', 'db')}\n---\n${configMap('db', 'x')}`,
      'charts/queue/Chart.yaml': 'apiVersion: v2\nname: queue\nversion: 1.0.0\n',
      'charts/queue/templates/queue.yaml': workload('Deployment', 'queue'),
    });
    await throughLife('inorder', chart, { wait: 'ordered', first: ['--set', 'more=true'] });
  });
});

describe('the comparison itself', () => {
  const stages = [
    { title: 'first', objects: ['ConfigMap/a', 'ConfigMap/b'], verbs: ['patch'] },
    { title: 'second', objects: ['Deployment/c'], verbs: ['patch'] },
  ] as const;
  const write = (object: string, at: number, answered: number, code = 200): Write => {
    const [resource = '', name = ''] = object.split('/');
    return {
      verb: 'patch',
      resource,
      name,
      object,
      at,
      answered,
      code,
      isNamespaced: true,
      userAgent: 'tshelm',
      conditions: [],
      answer: undefined,
    };
  };
  const a = write('ConfigMap/a', 1, 2);
  const b = write('ConfigMap/b', 1, 4);
  const c = write('Deployment/c', 5, 6);

  test.each<[string, Write[], string[]]>([
    ['the plan', [a, b, c], []],
    [
      'another order',
      [a, write('Deployment/c', 3, 4), write('ConfigMap/b', 5, 6)],
      [
        'patch Deployment/c (second) came before ConfigMap/b (first)',
        'patch ConfigMap/b is nowhere in the rest of the plan',
        'ConfigMap/b (first) never came',
      ],
    ],
    [
      'no pause between stages',
      [a, b, write('Deployment/c', 3, 4)],
      ['patch Deployment/c came before all of "first" was answered'],
    ],
    ['something else', [a, b, write('Secret/s', 4, 5), c], ['patch Secret/s is nowhere in the rest of the plan']],
    ['something refused', [a, b, write('Deployment/c', 5, 6, 422)], ['Deployment/c (second) never came']],
  ])('%s', (_what, writes, found) =>
    expect(differences(stages, writes, ({ resource, name }) => `${resource}/${name}`)).toEqual(found),
  );

  test.each([
    ['while the first hook begins, it grows', 3, []],
    ['before it is there, a hook begins', 1, ['patch Job/h came before all of "record" was answered']],
  ])('a record: %s', (_what, hookAt, found) => {
    const record = 'Secret/sh.helm.release.v1.a.v1';
    const hookStages = [
      { title: 'record', objects: [record], verbs: ['patch'] },
      { title: 'hooks', objects: ['Job/h'], verbs: ['patch'] },
    ] as const;
    const writes = [write(record, 0, 2), write(record, 3, 6), write('Job/h', hookAt, 7)];
    expect(differences(hookStages, writes, ({ object }) => object)).toEqual(found);
  });
});

const archives = process.env['TSHELM_E2E_CHARTS'] ?? '../shared/charts/archives';
function archiveOf(name: string): string | undefined {
  const file = existsSync(archives) ? readdirSync(archives).find((each) => each.startsWith(`${name}-`)) : undefined;
  if (file === undefined) console.log(`the plan of ${name} is not compared: no archive of it in ${archives}`);
  return file === undefined ? undefined : join(archives, file);
}

/** What the second revision has less, or has changed. */
const realCharts = [
  ['podinfo', ['--set', 'hpa.enabled=true'], ['--set', 'replicaCount=2']],
  ['nats', [], ['--set', 'natsBox.enabled=false']],
  ['traefik', ['--set', 'ingressRoute.dashboard.enabled=true'], []],
  ['argo-cd', [], ['--set', 'notifications.enabled=false']],
  ['sealed-secrets', ['--set', 'networkPolicy.enabled=true'], []],
] as const;
const there = realCharts.flatMap(([name, first, second]) => {
  const archive = archiveOf(name);
  return archive === undefined ? [] : [{ name, archive, first: [...first], second: [...second] }];
});

describe.runIf(there.length > 0)('public charts', () => {
  test.each(there)('$name', async ({ name, archive, first, second }) => {
    await throughLife(name.replaceAll('-', ''), archive, { first, second });
  });
});

import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { orderingTables } from '../plan/ordering-tables.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, type Program, tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('ordering');
const { namespace } = admin;
const inNamespace = ['-n', namespace, '--timeout', '120s'];
const ordered = [...inNamespace, '--wait=ordered'];
const set = (values: string): readonly string[] => ['--set', values];

/** A Deployment whose pod is ready after two seconds, or what `global.after.NAME` says. */
const workload = (name: string, annotations = ''): string => `{{- if not .Values.global.removed }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  annotations: {${annotations}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata:
      labels: {app: ${name}, tag: {{ .Values.global.tag | quote }}}
      annotations: {e2e.tshelm.dev/ready-after: {{ dig "after" "${name}" "2s" .Values.global }}}
    spec: {containers: [{name: main, image: example.com/main:{{ .Values.global.tag }}}]}
{{- end }}
`;
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-settings}\ndata: {a: b}\n';

/** When something began and was ready, in seconds since the epoch, as the API server notes it. */
interface Life {
  readonly name: string;
  readonly began: number;
  readonly ready: number;
}

const seconds = (text: unknown): number => Date.parse(String(text)) / 1000;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
}

/** The pods of one version, by their app. */
async function podLives(tag: string): Promise<readonly Life[]> {
  const pods = await admin.cluster().list('v1', 'Pod', { namespace, labelSelector: `tag=${tag}` });
  return pods.map(({ metadata, status }) => {
    const { conditions } = status as { readonly conditions: readonly Condition[] };
    const ready = conditions.find((condition) => condition.type === 'Ready' && condition.status === 'True');
    const name = metadata.labels?.['app'] as string;
    return { name, began: seconds(metadata.creationTimestamp), ready: seconds(ready?.lastTransitionTime) };
  });
}

/** Deployments from their own creation to their pods' readiness. */
async function deploymentLives(tag: string): Promise<readonly Life[]> {
  const created = new Map(
    (await admin.cluster().list('apps/v1', 'Deployment', { namespace })).map(({ metadata }) => [
      metadata.name,
      seconds(metadata.creationTimestamp),
    ]),
  );
  return (await podLives(tag)).map((life) => ({ ...life, began: created.get(life.name) as number }));
}

/** What began before all of what began earlier was ready stands in the same batch. */
function batchesOf(lives: readonly Life[]): readonly (readonly string[])[] {
  const batches: Life[][] = [];
  for (const life of [...lives].sort((a, b) => a.began - b.began)) {
    const last = batches.at(-1);
    if (last === undefined || last.every(({ ready }) => ready <= life.began)) batches.push([life]);
    else last.push(life);
  }
  return batches.map((batch) => batch.map(({ name }) => name).sort());
}

/** The Deployments that go while `task` runs, in their order. */
async function deletedDuring(task: () => Promise<unknown>, count: number): Promise<readonly string[]> {
  const stop = new AbortController();
  const gone: string[] = [];
  let synced = (): void => {};
  const isSynced = new Promise<void>((resolve) => (synced = resolve));
  const watching = (async () => {
    for await (const event of admin.cluster().watch('apps/v1', 'Deployment', { namespace, signal: stop.signal })) {
      if (event.kind === 'synced') synced();
      if (event.kind === 'gone' && gone.push(event.object.metadata.name) === count) stop.abort();
    }
  })();
  await isSynced;
  await task();
  await watching;
  return gone;
}

/** A sequence cut into batches of these sizes, each sorted. */
const inBatches = (
  names: readonly string[],
  batches: readonly (readonly string[])[],
): readonly (readonly string[])[] => {
  let start = 0;
  return batches.map(({ length }) => names.slice(start, (start += length)).sort());
};

describe.each(orderingTables(workload))('$title', ({ title, files, batches }) => {
  const name = title.replaceAll(/\W+/g, '-').toLowerCase();
  const chart = writeChart(directory, name, { ...files, 'templates/settings.yaml': settings });
  const backwards = batches.toReversed();
  const count = batches.flat().length;

  test('is installed, upgraded, emptied, brought back and uninstalled in its order', async () => {
    await ok(tshelm, ['install', 'rel', chart, ...ordered, ...set('global.tag=1')]);
    expect(batchesOf(await deploymentLives('1'))).toEqual(batches);

    await ok(tshelm, ['upgrade', 'rel', chart, ...ordered, ...set('global.tag=2')]);
    expect(batchesOf(await podLives('2'))).toEqual(batches);

    const emptied = ['upgrade', 'rel', chart, ...ordered, ...set('global.tag=2,global.removed=true')];
    expect(inBatches(await deletedDuring(() => ok(tshelm, emptied), count), backwards)).toEqual(backwards);

    await ok(tshelm, ['rollback', 'rel', '1', ...ordered]);
    expect(batchesOf(await deploymentLives('1'))).toEqual(batches);

    const uninstalled = await deletedDuring(() => ok(tshelm, ['uninstall', 'rel', ...inNamespace]), count);
    expect(inBatches(uninstalled, backwards)).toEqual(backwards);
    expect(await admin.records('rel')).toEqual([]);
  });
});

test('with --eager, layer2 of seed 002 does not wait for X, and layer3 does', async () => {
  const { files } = orderingTables(workload)[1] as { readonly files: Readonly<Record<string, string>> };
  const chart = writeChart(directory, 'eager', files);
  await ok(tshelm, ['install', 'rel', chart, ...ordered, '--eager', ...set('global.tag=1,global.after.x=7s')]);
  const lives = new Map((await deploymentLives('1')).map((life) => [life.name, life]));
  const [foo, bar, fizz, x] = ['foo', 'bar', 'fizz', 'x'].map((each) => lives.get(each) as Life) as [
    Life,
    Life,
    Life,
    Life,
  ];
  expect(bar.began).toBeGreaterThanOrEqual(foo.ready);
  expect(bar.ready).toBeLessThan(x.ready);
  expect(fizz.began).toBeGreaterThanOrEqual(x.ready);
  await ok(tshelm, ['uninstall', 'rel', ...inNamespace, '--wait']);
});

describe('hooks, seed 000', () => {
  const hookJob = (name: string, weight: number): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name.toLowerCase()}
  annotations: {helm.sh/hook: pre-install, helm.sh/hook-weight: "${weight}"}
spec:
  template:
    metadata: {annotations: {e2e.tshelm.dev/ready-after: 1200ms}}
    spec: {restartPolicy: Never, containers: [{name: main, image: example.com/job:1}]}
`;
  const weights: Readonly<Record<string, readonly number[]>> = { A: [0, 1], B: [0, 0, 1], C: [0, 1] };

  /** H1 and H2 in A, H3 to H5 in B, H6 and H7 in C. */
  function hookChart(name: string, modes: Readonly<Record<string, string>>): string {
    let number = 0;
    const files = Object.entries(weights).flatMap(([subchart, each]) => [
      [
        `charts/${subchart}/Chart.yaml`,
        `apiVersion: v2\nname: ${subchart}\nversion: 1.0.0\nrunHooksInParallel: ${modes[subchart]}\n`,
      ],
      ...each.map((weight) => {
        number += 1;
        return [`charts/${subchart}/templates/h${number}.yaml`, hookJob(`H${number}`, weight)];
      }),
    ]);
    return writeChart(directory, name, Object.fromEntries(files) as Record<string, string>);
  }

  const jobLife = ({ metadata, status }: KubernetesObject): Life => ({
    name: metadata.name.toUpperCase(),
    began: seconds(metadata.creationTimestamp),
    ready: seconds((status as { readonly completionTime: string }).completionTime),
  });

  test.each([
    { A: 'true', B: 'true', C: 'true', order: 'H1, H3, H4, H6 | H2, H5, H7' },
    { A: 'true', B: 'false', C: 'true', order: 'H1, H6 | H3 | H4 | H2, H7 | H5' },
    { A: 'true', B: 'otherChartsOnly', C: 'true', order: 'H1, (H3>H4), H6 | H2, H5, H7' },
    { A: 'false', B: 'false', C: 'false', order: 'H1 | H3 | H4 | H6 | H2 | H5 | H7' },
  ])('A $A, B $B, C $C: $order', async ({ order, ...modes }) => {
    const chart = hookChart(`hooks-${modes.A}-${modes.B}`, modes);
    await ok(tshelm, ['install', 'hooks', chart, ...inNamespace]);
    const jobs = await admin.cluster().list('batch/v1', 'Job', { namespace });
    const lives = new Map(jobs.map((job) => [job.metadata.name.toUpperCase(), jobLife(job)]));
    const chainsOf = (batch: string): readonly (readonly Life[])[] =>
      batch.split(', ').map((chain) =>
        chain
          .replaceAll(/[()]/g, '')
          .split('>')
          .map((each) => lives.get(each) as Life),
      );
    const batches = order.split(' | ').map(chainsOf);
    for (const chains of batches) {
      for (const chain of chains) expect(chain.map(({ name }) => name)).toEqual(oneByOne(chain));
      const heads = chains.map(([head]) => head as Life);
      for (const head of heads) for (const other of heads) expect(head.began).toBeLessThan(other.ready);
    }
    for (const [index, chains] of batches.slice(1).entries()) {
      const before = Math.max(...(batches[index] ?? []).flat().map(({ ready }) => ready));
      for (const { began } of chains.flat()) expect(began).toBeGreaterThanOrEqual(before);
    }
    await ok(tshelm, ['uninstall', 'hooks', ...inNamespace, '--delete-hooks']);
  });

  /** The names of those that began when the one before was done. */
  const oneByOne = (chain: readonly Life[]): readonly string[] =>
    chain
      .filter(({ began }, index) => index === 0 || began >= (chain[index - 1] as Life).ready)
      .map(({ name }) => name);
});

test('everything wrong in a chart is told in one run, with file and line, and nothing is sent', async () => {
  const map = (name: string, annotations: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  annotations:\n${annotations}`;
  const chart = writeChart(directory, 'wrong', {
    'Chart.yaml':
      'apiVersion: v2\nname: wrong\nversion: 1.0.0\ndependencies:\n- {name: a, version: 1.0.0, depends-on: [b]}\n- {name: b, version: 1.0.0, depends-on: [a]}\n- {name: redis, version: 1.0.0}\n- {name: web, version: 1.0.0, depends-on: [rediss]}\n',
    ...Object.fromEntries(
      ['a', 'b', 'redis', 'web'].map((name) => [
        `charts/${name}/Chart.yaml`,
        `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
      ]),
    ),
    'templates/one.yaml': map('one', '    helm.sh/resource-group: one\n    helm.sh/depends-on/resource-groups: two\n'),
    'templates/two.yaml': map('two', '    helm.sh/resource-group: two\n    helm.sh/depends-on/resource-groups: one\n'),
    'templates/weight.yaml': map('weight', '    helm.sh/weight: heavy\n'),
    'templates/both.yaml': map('both', '    helm.sh/weight: "1"\n    helm.sh/layer: l\n'),
    'templates/groups.yaml': map('groups', '    helm.sh/resource-group: g\n    helm.sh/layer: l\n'),
    'templates/unknown.yaml': map(
      'unknown',
      '    helm.sh/resource-group: u\n    helm.sh/depends-on/resource-groups: nobody\n',
    ),
    'templates/alone.yaml': map('alone', '    helm.sh/resource-group: alone\n'),
  });
  const { code, stderr } = await tshelm.run(['install', 'wrong', chart, ...ordered]);
  expect(code).toBe(1);
  expect(stderr).toContain("the chart's order has 6 mistakes:");
  for (const told of [
    'subcharts of wrong wait for each other: a -> b -> a; remove one depends-on entry: a waits for b (wrong/Chart.yaml:5), b waits for a (wrong/Chart.yaml:6)',
    'wrong/Chart.yaml:8: depends-on of web names "rediss", which is no dependency of chart wrong; did you mean "redis"?',
    'resource groups of wrong wait for each other: one -> two -> one; remove one of the annotations: one waits for two (wrong/templates/one.yaml:7), two waits for one (wrong/templates/two.yaml:7)',
    'wrong/templates/weight.yaml:6: ConfigMap/weight has the weight "heavy"; helm.sh/weight takes a whole number such as "-5"',
    'wrong/templates/both.yaml:6: ConfigMap/both has both a weight and a group or layer; remove helm.sh/weight or the others',
    'wrong/templates/groups.yaml',
  ])
    expect(stderr).toContain(told);
  expect(await admin.records('wrong')).toEqual([]);
  expect(await admin.object('v1', 'ConfigMap', 'alone')).toBeUndefined();
});

test('a switched-off subchart, an unknown group and a lone group only warn', async () => {
  const chart = writeChart(directory, 'warned', {
    'Chart.yaml':
      'apiVersion: v2\nname: warned\nversion: 1.0.0\ndependencies:\n- {name: idle, version: 1.0.0, condition: idle.enabled}\n- {name: busy, version: 1.0.0, depends-on: [idle]}\n',
    'values.yaml': 'idle: {enabled: false}\n',
    'charts/idle/Chart.yaml': 'apiVersion: v2\nname: idle\nversion: 1.0.0\n',
    'charts/idle/templates/idle.yaml': workload('idle'),
    'charts/busy/Chart.yaml': 'apiVersion: v2\nname: busy\nversion: 1.0.0\n',
    'charts/busy/templates/busy.yaml': workload('busy'),
    'templates/lone.yaml': workload('lone', 'helm.sh/resource-group: alone'),
    'templates/queue.yaml': workload(
      'queue',
      'helm.sh/resource-group: queue, helm.sh/depends-on/resource-groups: [gone]',
    ),
  });
  const { code, stderr } = await tshelm.run(['install', 'warned', chart, ...ordered, ...set('global.tag=1')]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain(
    'waits for resource group "gone", which no resource of chart warned belongs to; that name is ignored',
  );
  expect(stderr).toContain('resource group "alone" of chart warned waits for no other, and no other waits for it');
  expect(batchesOf(await deploymentLives('1'))).toEqual([['busy'], ['lone', 'queue']]);
  await ok(tshelm, ['uninstall', 'warned', ...inNamespace]);
});

describe('beside stock Helm', () => {
  /** Three groups, one after another; `spelling` is the illegal one or the legal one that Helm can install. */
  const chain = (spelling: string): Readonly<Record<string, string>> => ({
    'templates/a.yaml': workload('a', 'helm.sh/resource-group: a'),
    'templates/b.yaml': workload('b', `helm.sh/resource-group: b, ${spelling}: '["a"]'`),
    'templates/c.yaml': workload('c', `helm.sh/resource-group: c, ${spelling}: '["b"]'`),
  });
  const illegal = writeChart(directory, 'chain', chain('helm.sh/depends-on/resource-groups'));
  const legal = writeChart(directory, 'chain-legal', chain('depends-on.helm.sh/resource-groups'));
  const byHelm = [...inNamespace, '--wait'];
  const names = ['a', 'b', 'c'];

  const illegalKeys = async (): Promise<readonly string[]> => {
    const live = await admin.cluster().list('apps/v1', 'Deployment', { namespace });
    const stored = await ok(helm, ['get', 'manifest', 'mixed', '-n', namespace]);
    const keys = live.flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}));
    return [...keys, ...(stored.match(/\S+(?=:)/g) ?? [])].filter((key) => /^helm\.sh\/.*\//.test(key));
  };
  const uninstallOrder = (program: Program): Promise<readonly string[]> =>
    deletedDuring(() => ok(program, ['uninstall', 'mixed', ...inNamespace]), names.length);

  test('what was released in order is upgraded and rolled back by Helm, and still uninstalled in order by tshelm', async () => {
    await ok(tshelm, ['install', 'mixed', illegal, ...ordered, ...set('global.tag=1')]);
    expect(await illegalKeys()).toEqual([]);
    await ok(helm, ['upgrade', 'mixed', legal, ...byHelm, ...set('global.tag=2')]);
    await ok(helm, ['rollback', 'mixed', '1', ...byHelm]);
    expect(await illegalKeys()).toEqual([]);
    expect(await uninstallOrder(tshelm)).toEqual(['c', 'b', 'a']);
  });

  test('after Helm’s upgrade alone too; and tshelm upgrades it in order again', async () => {
    await ok(tshelm, ['install', 'mixed', illegal, ...ordered, ...set('global.tag=1')]);
    await ok(helm, ['upgrade', 'mixed', legal, ...byHelm, ...set('global.tag=2')]);
    await ok(tshelm, ['upgrade', 'mixed', illegal, ...ordered, ...set('global.tag=3')]);
    expect(batchesOf(await podLives('3'))).toEqual([['a'], ['b'], ['c']]);
    await ok(helm, ['upgrade', 'mixed', legal, ...byHelm, ...set('global.tag=4')]);
    expect(await uninstallOrder(tshelm)).toEqual(['c', 'b', 'a']);
  });

  test('Helm uninstalls it whole', async () => {
    await ok(tshelm, ['install', 'mixed', illegal, ...ordered, ...set('global.tag=1')]);
    expect([...(await uninstallOrder(helm))].sort()).toEqual(names);
    expect(await admin.records('mixed')).toEqual([]);
  });
});

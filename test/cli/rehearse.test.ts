import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-rehearse-'));
afterAll(() => rmSync(folder, { recursive: true }));

function chart(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries({
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
    ...files,
  })) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true });
    writeFileSync(join(folder, name, file), text);
  }
  return join(folder, name);
}

const workload = (kind: string, name: string, annotations: string, podAnnotations = '', spec = ''): string =>
  `apiVersion: apps/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\nspec:\n${spec}  selector: {matchLabels: {app: ${name}}}\n  template:\n    metadata: {labels: {app: ${name}}, annotations: {${podAnnotations}}}\n    spec: {containers: [{name: main, image: nginx:{{ .Values.tag | default 1 }}}]}\n`;
const job = (name: string, annotations: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\nspec:\n  backoffLimit: 2\n  template:\n    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n`;
const group = (name: string, ...after: string[]): string =>
  `helm.sh/resource-group: ${name}${after.length === 0 ? '' : `, helm.sh/depends-on/resource-groups: '${JSON.stringify(after)}'`}`;

/** db (1 h by annotation) → app; cache → worker: with batches worker waits for db too. */
const shop = chart('shop', {
  'templates/db.yaml': workload('StatefulSet', 'db', group('db'), 'sandbox.tshelm.dev/ready-after: 1h'),
  'templates/cache.yaml': workload('Deployment', 'cache', group('cache')),
  'templates/app.yaml': workload('Deployment', 'app', group('app', 'db')),
  'templates/worker.yaml': workload(
    'Deployment',
    'worker',
    group('worker', 'cache'),
    '',
    '  progressDeadlineSeconds: 7200\n',
  ),
  'templates/migrate.yaml': job('migrate', 'helm.sh/hook: pre-install'),
  'templates/done.yaml': job('done', 'helm.sh/hook: post-install'),
  'templates/settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n',
});
const assumed = ['--assume', 'Deployment=30s,Job=2m', '--assume', 'deployment/worker=90m'];

interface Told {
  readonly status: string;
  readonly seconds: number;
  readonly criticalPath: readonly { resource: string; start: number; end: number }[];
  readonly steps: readonly { step: string; resources: readonly Record<string, unknown>[] }[];
  readonly failure?: { neverStarted: readonly string[]; left: readonly { name: string }[] };
  readonly withRollbackOnFailure?: Told;
}

async function rehearsed(...words: string[]): Promise<Told> {
  const { code, stdout, stderr } = await tshelm(['rehearse', ...words, '-o', 'json', '--timeout', '3h']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Told;
}

const path = ({ criticalPath }: Told): readonly string[] =>
  criticalPath.map(({ resource, start, end }) => `${resource} ${start}–${end}`);

test('hours are rehearsed with the time that annotations, --assume NAME and --assume KIND give', async () => {
  const told = await rehearsed(shop, ...assumed);
  expect(told.status).toBe('succeeded');
  expect(told.seconds).toBe(120 + 3600 + 5400 + 120);
  expect(path(told)).toEqual([
    'Job/migrate 0–120',
    'StatefulSet/db 120–3720',
    'Deployment/worker 3720–9120',
    'Job/done 9120–9240',
  ]);
  const resources = told.steps.flatMap((step) => step.resources);
  expect(Object.fromEntries(resources.map(({ resource, timeFrom }) => [resource, timeFrom]))).toEqual({
    'Job/migrate': 'assumed',
    'StatefulSet/db': 'annotation',
    'Deployment/cache': 'assumed',
    'Deployment/app': 'assumed',
    'Deployment/worker': 'assumed',
    'ConfigMap/settings': undefined,
    'Job/done': 'assumed',
  });
});

test('with --eager each waits only for its own', async () => {
  const told = await rehearsed(shop, ...assumed, '--eager');
  expect(told.seconds).toBe(120 + 30 + 5400 + 120);
  expect(path(told)).toEqual([
    'Job/migrate 0–120',
    'Deployment/cache 120–150',
    'Deployment/worker 150–5550',
    'Job/done 5550–5670',
  ]);
});

test('what stands in the way of one that fails, and what is left, with and without a rollback', async () => {
  const told = await rehearsed(shop, ...assumed, '--fail', 'db');
  expect(told.status).toBe('failed');
  expect(told.failure?.neverStarted).toEqual([
    'batch 2 of 3 (Deployment/app, Deployment/worker)',
    'batch 3 of 3 (ConfigMap/settings)',
    'run post-install hooks (Job/done)',
  ]);
  expect(told.failure?.left.map(({ name }) => name)).toEqual(['Job/migrate', 'Deployment/cache', 'StatefulSet/db']);
  const { withRollbackOnFailure: undone } = told;
  expect(undone?.failure?.left.map(({ name }) => name)).toEqual(['Job/migrate']);
  expect(undone?.steps.map(({ step }) => step)).toEqual(['run pre-install hooks', 'apply shop', 'delete shop']);
});

test('a Job that fails is tried as often and as late as Kubernetes tries it', async () => {
  const told = await rehearsed(shop, ...assumed, '--fail', 'job/migrate');
  // Three pods of two minutes each, ten and twenty seconds between them.
  expect(told.seconds).toBe(3 * 120 + 10 + 20);
  expect(told.failure?.neverStarted.map((each) => each.split(' (')[0])).toEqual([
    'apply shop',
    'run post-install hooks',
  ]);
});

test('what is assumed of nobody, and what needs a release, is said', async () => {
  const { stderr, code } = await tshelm([
    'rehearse',
    shop,
    '--assume',
    'Deploymant=3s,job/nobody=1s,*=1s',
    '--timeout',
    '3h',
  ]);
  expect([code, stderr]).toEqual([
    0,
    'warning: --assume deploymant: the plan has no such workload\nwarning: --assume job/nobody: the plan has no such workload\nsandbox: images, commands and probes were not run\n',
  ]);
  for (const action of ['rollback', 'uninstall', 'upgrade'])
    expect((await tshelm(['rehearse', shop, '--action', action])).stderr).toContain('this rehearsal needs --release');
});

test('the timeline as text is the same each time', async () => {
  const run = () => tshelm(['rehearse', 'rel', shop, ...assumed, '--eager', '--timeout', '3h']);
  const { stdout } = await run();
  expect(stdout).toBe((await run()).stdout);
  const lines = stdout.split('\n').map((line) => line.replace(/\|.*\|/, '|').trimEnd());
  expect(lines).toEqual([
    'install rel in namespace default (wait: ordered, eager) would take 1h34m30s if these durations are right (1 assumed by annotation, 5 assumed)',
    '  run pre-install hooks',
    '*   Job/migrate         | 0s–2m0s (2m0s, assumed)',
    '  apply shop',
    '    group cache',
    '*     Deployment/cache  | 2m0s–2m30s (30s, assumed)',
    '    group db',
    '      StatefulSet/db    | 2m0s–1h2m0s (1h0m0s, assumed by annotation)',
    '    group app',
    '      Deployment/app    | 1h2m0s–1h2m30s (30s, assumed)',
    '    group worker',
    '*     Deployment/worker | 2m30s–1h32m30s (1h30m0s, assumed)',
    '    ConfigMap/settings',
    '  run post-install hooks',
    '*   Job/done            | 1h32m30s–1h34m30s (2m0s, assumed)',
    '',
    'critical path (*): 1h34m30s',
    '  2m0s     Job/migrate (pre-install hook)',
    '  30s      Deployment/cache (group cache)',
    '  1h30m0s  Deployment/worker (group worker)',
    '  2m0s     Job/done (post-install hook)',
    '',
  ]);
});

test('a StatefulSet shares its time among pods that come one after another; custom resources follow their own rules', async () => {
  const rules = `helm.sh/readiness-success: '["{.phase} == Up"]', helm.sh/readiness-failure: '["{.phase} == Down"]'`;
  const kinds = chart('kinds', {
    'templates/set.yaml': workload('StatefulSet', 'set', 'helm.sh/weight: "1"', '', '  replicas: 3\n'),
    'templates/thing.yaml': `apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: thing, annotations: {helm.sh/weight: "2", ${rules}}}\n`,
  });
  const told = await rehearsed(kinds, '--assume', 'StatefulSet=30s,Thing=1m');
  expect(path(told)).toEqual(['StatefulSet/set 0–30', 'Thing/thing 30–90']);
  const failed = await rehearsed(kinds, '--assume', 'StatefulSet=30s,Thing=1m', '--fail', 'thing');
  expect([failed.status, failed.seconds]).toEqual(['failed', 90]);
});

test('an upgrade is rehearsed from the release as it is, with the times that it took before', async () => {
  const sandbox = openTestSandbox();
  const slow = workload('Deployment', 'a', '', 'sandbox.tshelm.dev/ready-after: 1100ms');
  const live = chart('live', { 'templates/a.yaml': slow });
  const installed = await sandbox.run('install', 'live', live, '--wait', '--timeout', '30s');
  expect(installed.code).toBe(0);
  chart('live', {
    'templates/a.yaml': workload('Deployment', 'a', ''),
    'templates/b.yaml': workload('Deployment', 'b', ''),
  });
  const words = ['rehearse', '--release', 'live', live, '--set', 'tag=2', '--assume', '*=7s', '-o', 'json'];
  const { stdout, stderr } = await sandbox.run(...words);
  expect(stderr).toBe('');
  const [told] = (JSON.parse(stdout) as Told).steps.map((step) => step.resources);
  expect(told?.map(({ resource, timeFrom }) => [resource, timeFrom])).toEqual([
    ['Deployment/a', 'history'],
    ['Deployment/b', 'assumed'],
  ]);
  expect((await sandbox.run('history', 'live', '-o', 'json')).stdout).not.toContain('"revision":2');
  sandbox.remove();
});

test('what its pods name and nobody makes fails the rehearsal; what the cluster has is there', async () => {
  const needs =
    'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, envFrom: [{configMapRef: {name: outside}}]}]}\n';
  const needy = chart('needy', { 'templates/p.yaml': needs });
  const alone = await tshelm(['rehearse', needy]);
  expect(alone.code).toBe(1);
  expect(alone.stderr).toContain('configmap "outside" not found');
  const sandbox = openTestSandbox();
  const base = chart('base', { 'templates/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: outside}\n' });
  expect((await sandbox.run('install', 'base', base)).code).toBe(0);
  expect((await sandbox.run('install', 'needy', needy)).code).toBe(0);
  expect(await sandbox.run('rehearse', '--release', 'needy', needy)).toMatchObject({
    code: 0,
    stderr: 'sandbox: images, commands and probes were not run\n',
  });
  sandbox.remove();
});

test.each([
  [
    ['--fail', 'nothing'],
    'cannot fail nothing: the chart has no workload with this name; it has Deployment/app, Deployment/cache, ',
  ],
  [
    ['--fail', 'db=sulk'],
    'cannot fail db=sulk: unknown kind of failure "sulk"; choose one of complete, fail, image-pull',
  ],
  [['--assume', 'Deployment=soon'], 'cannot assume Deployment=soon: time: invalid duration "soon"'],
])('%s is refused with the way out', async (words, message) => {
  const { code, stderr } = await tshelm(['rehearse', shop, ...words]);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test('a failure is shown as a real run shows it, with its cause first', async () => {
  const { stdout } = await tshelm(['rehearse', 'rel', shop, ...assumed, '--fail', 'statefulset/db']);
  expect(stdout).toMatch(/\nthe error: StatefulSet\/db: container .*CrashLoopBackOff/);
  expect(stdout).toContain("\n  Helm's error: resource StatefulSet/default/db not ready");
});

describe('--compare', () => {
  const server = (name: string, host: string): string => `apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec: {selector: {app: ${name}}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: "example.com/${name}", env: [{name: UPSTREAM_HOST, value: "${host}"}]}]}
`;
  const blog = chart('blog', {
    'templates/db.yaml': server('db', ''),
    'templates/api.yaml': server('api', 'db'),
    'templates/web.yaml': server('web', 'api'),
  });

  // db is ready after 10 seconds. api crashes at 1 s and at 2 s, waits 10 s, and has reached db at 13 s: ready at 22 s.
  // web crashes at 1 s, 2 s and 13 s, waits 20 s, starts at 33 s and is ready at 43 s.
  test('restarts and times with no order and with the suggested one', async () => {
    const { code, stdout } = await tshelm(['rehearse', blog, '--compare', '-o', 'json']);
    const { orders } = JSON.parse(stdout) as { orders: readonly Record<string, unknown>[] };
    expect({ code, orders }).toMatchObject({
      code: 0,
      orders: [
        { order: 'none', status: 'succeeded', restarts: 5, seconds: 43 },
        { order: 'suggested', status: 'succeeded', restarts: 0, seconds: 30 },
      ],
    });
  });

  // The database is ready after 10 seconds. The Job fails at 1 s and is complete at 21 s. The init container of the server
  // waits 11 seconds; the server crashes twice, is started again 10 seconds later, and ready another 10 seconds later.
  test('a server of the chart of the guide needs its migration', async () => {
    const { stdout } = await tshelm(['rehearse', 'fixtures/charts/blog', '--compare', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      orders: [
        { order: 'none', status: 'succeeded', restarts: 3, seconds: 33 },
        { order: 'suggested', status: 'succeeded', restarts: 0, seconds: 30 },
      ],
    });
  });

  // The server of the starter names only its database, and declares that it waits for the Job, which is complete at 21 s.
  test('a server needs the Jobs of the groups that it waits for', async () => {
    const directory = chart('starters', {});
    await tshelm(['create', join(directory, 'notes'), '--starter', 'ordered']);
    const { stdout } = await tshelm(['rehearse', join(directory, 'notes'), '--compare', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      orders: [
        { order: 'none', status: 'succeeded', seconds: 43 },
        { order: 'declared', status: 'succeeded', restarts: 0, seconds: 30 },
        { order: 'suggested', status: 'succeeded', restarts: 0, seconds: 30 },
      ],
    });
  });

  // The order has api before web, whose init container says so. web names api too, and must not be waited for by it.
  test('of two that name each other, that one is first for which an init container waits', async () => {
    const waiting = server('web', 'api').replace(
      'spec: {containers:',
      'spec: {initContainers: [{name: wait, image: busybox, args: ["nc -z api 80"]}], containers:',
    );
    const pair = chart('pair', { 'templates/api.yaml': server('api', 'web'), 'templates/web.yaml': waiting });
    const { stdout } = await tshelm(['rehearse', pair, '--compare', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      orders: [
        { order: 'none', status: 'succeeded', restarts: 0 },
        { order: 'suggested', status: 'succeeded', restarts: 0, seconds: 20 },
      ],
    });
  });

  test('a Service without a workload is not waited for', async () => {
    const [serviceAlone = ''] = server('gone', '').split('---');
    const lone = chart('lone', { 'templates/gone.yaml': serviceAlone, 'templates/web.yaml': server('web', 'gone') });
    const { stdout } = await tshelm(['rehearse', lone, '--compare', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      orders: [
        { restarts: 0, seconds: 10 },
        { restarts: 0, seconds: 10 },
      ],
    });
  });

  test('as text and as a page', async () => {
    const { stdout } = await tshelm(['rehearse', blog, '--compare']);
    expect(stdout).toMatchInlineSnapshot(`
      "install blog in namespace default with --fail '*=crash-until-ready' if these durations are right (3 assumed by default)
        no order: 5 restarts                       |████████████████████████████████████████████████████████████| 0s–43s (43s)
        the suggested order: 0 restarts, 5 avoided |██████████████████████████████████████████                  | 0s–30s (30s)

      no order, critical path: 43s
        43s  Deployment/web

      the suggested order, critical path: 30s
        10s  Deployment/db (Deployment/db)
        10s  Deployment/api (Deployment/api)
        10s  Deployment/web (Deployment/web)
      "
    `);
    const page = (await tshelm(['rehearse', blog, '--compare', '-o', 'html'])).stdout;
    expect(page).toContain('the suggested order: install blog');
  });

  test('an order that the chart declares is one of them', async () => {
    const { stdout } = await tshelm(['rehearse', shop, '--compare', ...assumed, '--timeout', '3h', '-o', 'json']);
    const { orders } = JSON.parse(stdout) as { orders: readonly { order: string }[] };
    expect(orders.map(({ order }) => order)).toEqual(['none', 'declared', 'suggested']);
  });

  test('subcharts beside each other are no order', async () => {
    const umbrella = chart('umbrella', {
      'Chart.yaml': 'apiVersion: v2\nname: umbrella\nversion: 1.0.0\ndependencies: [{name: a}, {name: b}]\n',
      'charts/a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
      'charts/a/templates/a.yaml': server('a', ''),
      'charts/b/Chart.yaml': 'apiVersion: v2\nname: b\nversion: 1.0.0\n',
      'charts/b/templates/b.yaml': server('b', 'a'),
    });
    const { stdout } = await tshelm(['rehearse', umbrella, '--compare', '-o', 'json']);
    const { orders } = JSON.parse(stdout) as { orders: readonly { order: string; restarts: number }[] };
    expect(orders.map(({ order, restarts }) => [order, restarts > 0])).toEqual([
      ['none', true],
      ['suggested', false],
    ]);
  });

  test('a version that Kubernetes no longer has is missing here too', async () => {
    const old = chart('old', { 'templates/a.yaml': 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a}\n' });
    const { stdout } = await tshelm(['rehearse', old, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      failure: { error: { code: 'no-matches-for-kind', details: { kinds: ['batch/v1beta1 CronJob'] } } },
    });
  });

  test('an uninstall has no chart', async () => {
    const { code, stderr } = await tshelm([
      'rehearse',
      'blog',
      '--action',
      'uninstall',
      '--release',
      'blog',
      '--compare',
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--compare needs a chart') });
  });
});

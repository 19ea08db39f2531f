import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/manifest/types.ts';
import { documents, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf, namespaceObject } from './support/namespaces.ts';
import { helm, ok, type Program, type Ran, type RunOptions, tshelm } from './support/programs.ts';
import { sandboxServer } from './support/sandbox-server.ts';
import { type Webhook, webhookFor } from './support/webhook.ts';

const directory = scratchDirectory();
const admin = adminOf('broken');
const sandbox = sandboxServer(directory);
const told: { case: string; tshelm: string; helm: string; says: string }[] = [];
const webhooks: Webhook[] = [];

const timeout = '20s';
const grace = '5s';

// What is loaded for the first time is no time to detect.
beforeAll(async () => {
  const chart = chartOf('warm-up', workload('Deployment', 'web', { fate: 'image-pull' }));
  const words = ['install', 'warm-up', chart, '-n', 'warm-up', '--create-namespace', '--wait', '--grace', '0s'];
  await tshelm.run(words, { env: sandbox });
});

afterAll(async () => {
  for (const webhook of webhooks) webhook.stop();
  for (const { configuration } of webhooks) {
    const { apiVersion, kind, metadata } = configuration;
    await admin.cluster().delete({ apiVersion, kind, namespace: '', name: metadata.name });
  }
  const lines = told
    .sort((a, b) => a.case.localeCompare(b.case))
    .map((row) => `| ${row.case} | ${row.tshelm} | ${row.helm} | ${row.says} |`);
  process.stdout.write(
    `\ntime to detect with --timeout ${timeout} (tshelm: --grace ${grace})\n| case | tshelm | Helm | tshelm's first line |\n|---|---|---|---|\n${lines.join('\n')}\n`,
  );
});

const chartOf = (name: string, ...texts: readonly string[]): string =>
  writeChart(directory, name, { 'templates/all.yaml': documents(...texts) });

/** A namespace of the case's own on the control plane. */
async function ownNamespace(name: string): Promise<string> {
  const namespace = `${admin.namespace}-${name}`;
  await admin.cluster().apply(namespaceObject(namespace));
  return namespace;
}

const inNamespace = (namespace: string, object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function openWebhook(name: string, resource: string, denial?: string): Promise<Webhook & { namespace: string }> {
  const namespace = await ownNamespace(name);
  const webhook = webhookFor(directory, { name, namespace, resource, port: await freePort(), denial });
  webhooks.push(webhook);
  await admin.cluster().apply(webhook.configuration);
  return { ...webhook, namespace };
}

/** What a run says first, without Helm's log before it. */
const firstLine = ({ stderr }: Ran): string => /^Error: (.*)$/m.exec(stderr)?.[1] ?? stderr;

async function timed(program: Program, words: readonly string[], env?: RunOptions['env']): Promise<[Ran, string]> {
  const started = performance.now();
  const ran = await program.run(words, env === undefined ? {} : { env });
  return [ran, `${((performance.now() - started) / 1000).toFixed(1)} s`];
}

/** Lets both programs fail at the same, and returns tshelm's first line. */
async function bothFail(
  name: string,
  words: readonly string[],
  env?: RunOptions['env'],
  between: () => Promise<unknown> = () =>
    ok(tshelm, ['uninstall', name, '--no-hooks', ...words.slice(3)], runOptions(env)),
): Promise<Ran> {
  const [ours, ourTime] = await timed(tshelm, [...words, '--timeout', timeout, '--grace', grace], env);
  expect(ours.code, ours.stderr).toBe(1);
  await between();
  const [theirs, theirTime] = await timed(helm, [...words, '--timeout', timeout], env);
  expect(theirs.code).toBe(1);
  told.push({ case: name, tshelm: ourTime, helm: theirTime, says: firstLine(ours).replaceAll('|', '\\|') });
  return ours;
}

const runOptions = (env: RunOptions['env']): RunOptions => (env === undefined ? {} : { env });
const deadline = 'context deadline exceeded';

describe.concurrent('what a kubelet tells: the first line names the cause', () => {
  const log = { 'sandbox.tshelm.dev/log': 'starting\npanic: no database at db:5432' };
  const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {other: x}\n';
  const env = '          env:\n            - {name: MODE, valueFrom: {configMapKeyRef: {name: settings, key: mode}}}\n';
  const initContainer = '      initContainers:\n        - {name: migrate, image: example.com/migrate:1}\n';

  test.each<[string, string, RegExp, boolean]>([
    [
      'image',
      workload('Deployment', 'web', { fate: 'image-pull' }),
      /container main: (ErrImagePull|ImagePullBackOff): .*failed to pull and unpack image "example.com\/main:1": not found/,
      true,
    ],
    [
      'crash',
      workload('Deployment', 'web', { fate: 'crash-loop', annotations: log }),
      /container main: CrashLoopBackOff, exit code 1, [23] restarts \[program-ended\]$/,
      true,
    ],
    [
      'probe',
      workload('Deployment', 'web', { fate: 'probe-fail' }),
      /container main: .*: Readiness probe failed: HTTP probe failed with statuscode: 503/,
      false,
    ],
    [
      'config-key',
      documents(configMap, workload('Deployment', 'web', { fate: 'config-error', extra: env })),
      /container main: CreateContainerConfigError: couldn't find key mode in ConfigMap config-key\/settings/,
      true,
    ],
    [
      'init-container',
      workload('Deployment', 'web', { fate: 'init-fail', extra: initContainer }),
      /container migrate: CrashLoopBackOff, exit code 1, 1 restart/,
      true,
    ],
    [
      'job-backoff',
      job('import', { fate: 'fail', annotations: log }),
      /container main: Error, exit code 1; BackoffLimitExceeded/,
      true,
    ],
    [
      'hook-timeout',
      job('slow', { annotations: { ...hook('pre-install'), ...log }, readyAfter: '1h' }),
      /pre-install: Job\/hook-timeout-slow: container main: still running/,
      false,
    ],
  ])('%s', async (name, manifest, expected, isFast) => {
    const words = ['install', name, chartOf(name, manifest), '-n', name, '--create-namespace', '--wait'];
    const all = name === 'job-backoff' ? [...words, '--wait-for-jobs'] : words;
    const between = async (): Promise<void> => {
      await ok(tshelm, ['uninstall', name, '-n', name, '--no-hooks', '--delete-hooks', '--wait'], { env: sandbox });
    };
    const ran = await bothFail(name, all, sandbox, between);
    expect(firstLine(ran)).toMatch(expected);
    // What a program writes is shown, and is not the headline.
    if (manifest.includes('sandbox.tshelm.dev/log')) expect(ran.stderr).toContain('panic: no database at db:5432');
    expect(ran.stderr.includes(deadline)).toBe(!isFast);
  });
});

describe.concurrent('what the control plane tells: the first line names the cause', () => {
  const plain = (name: string): string => chartOf(name, workload('Deployment', 'web'));
  const install = (name: string, chart: string, namespace: string): string[] => [
    'install',
    name,
    chart,
    '-n',
    namespace,
    '--wait',
  ];
  const uninstalled = (name: string, namespace: string) => () =>
    ok(tshelm, ['uninstall', name, '-n', namespace, '--wait']);

  test('quota', async () => {
    const namespace = await ownNamespace('quota');
    await admin.cluster().apply(
      inNamespace(namespace, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'small' },
        spec: { hard: { pods: '0' } },
      }),
    );
    const words = install('quota', plain('quota'), namespace);
    const ran = await bothFail('quota', words, undefined, uninstalled('quota', namespace));
    expect(firstLine(ran)).toMatch(/its pods cannot be created: .*exceeded quota: small/);
    expect(ran.stderr).not.toContain(deadline);
  });

  test('admission-webhook', async () => {
    const denial = 'images must come from registry.example.com';
    const webhook = await openWebhook('admission-webhook', 'pods', denial);
    await webhook.start();
    const words = install('admission-webhook', plain('admission-webhook'), webhook.namespace);
    const ran = await bothFail(
      'admission-webhook',
      words,
      undefined,
      uninstalled('admission-webhook', webhook.namespace),
    );
    expect(firstLine(ran)).toContain(`denied the request: ${denial}`);
    expect(ran.stderr).not.toContain(deadline);
  });

  test('service-account', async () => {
    const namespace = await ownNamespace('service-account');
    const chart = chartOf(
      'service-account',
      workload('Deployment', 'web', { extra: '      serviceAccountName: nobody\n' }),
    );
    const words = install('service-account', chart, namespace);
    const ran = await bothFail('service-account', words, undefined, uninstalled('service-account', namespace));
    expect(firstLine(ran)).toContain('serviceaccount "nobody" not found');
    expect(ran.stderr).not.toContain(deadline);
  });

  test('pvc-unbound', async () => {
    const namespace = await ownNamespace('pvc-unbound');
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec:\n  storageClassName: fast\n' +
      '  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n';
    const volumes = '      volumes:\n        - {name: data, persistentVolumeClaim: {claimName: data}}\n';
    const chart = chartOf('pvc-unbound', claim, workload('Deployment', 'web', { extra: volumes }));
    const words = install('pvc-unbound', chart, namespace);
    const ran = await bothFail('pvc-unbound', words, undefined, uninstalled('pvc-unbound', namespace));
    expect(firstLine(ran)).toMatch(/its volume is not bound.*storageclass\.storage\.k8s\.io "fast" not found/);
  });

  test('node-selector', async () => {
    const namespace = await ownNamespace('node-selector');
    const nodeSelector = '      nodeSelector: {disk: nvme}\n';
    const chart = chartOf('node-selector', workload('Deployment', 'web', { extra: nodeSelector }));
    const words = install('node-selector', chart, namespace);
    const ran = await bothFail('node-selector', words, undefined, uninstalled('node-selector', namespace));
    expect(firstLine(ran)).toMatch(/Unschedulable: 0\/\d+ nodes are available: .*node affinity\/selector/);
  });

  test('webhook-down', async () => {
    const webhook = await openWebhook('webhook-down', 'configmaps');
    const chart = chartOf('webhook-down', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n');
    const words = install('webhook-down', chart, webhook.namespace);
    const ran = await bothFail('webhook-down', words, undefined, uninstalled('webhook-down', webhook.namespace));
    expect(firstLine(ran)).toMatch(/failed calling webhook "webhook-down.example.com": .*connection refused/);
  });

  test('crd-missing', async () => {
    const namespace = await ownNamespace('crd-missing');
    const chart = chartOf('crd-missing', 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: one}\n');
    const words = install('crd-missing', chart, namespace);
    const ran = await bothFail('crd-missing', words, undefined, async () => {});
    expect(firstLine(ran)).toContain('no matches for kind "Gadget" in version "example.com/v1"');
  });

  test('finalizer', async () => {
    const namespace = await ownNamespace('finalizer');
    const chart = chartOf(
      'finalizer',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.com/never]}\n',
    );
    const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'held' };
    const release = () => admin.cluster().patch(id, 'merge', { metadata: { finalizers: [] } });
    await ok(helm, ['install', 'finalizer', chart, '-n', namespace]);
    const words = ['uninstall', 'finalizer', '-n', namespace, '--wait'];
    const ran = await bothFail('finalizer', words, undefined, async () => {
      await release();
      await ok(tshelm, ['uninstall', 'finalizer', '-n', namespace, '--wait']);
      await ok(helm, ['install', 'finalizer', chart, '-n', namespace]);
    });
    expect(firstLine(ran)).toMatch(/ConfigMap\/.*\/held still exists.*waiting for its finalizers: example\.com\/never/);
    await release();
  });
});

describe.concurrent('what a failure leaves behind', () => {
  test('a hook Job that is given up is suspended, and cannot run when what it lacked comes', async () => {
    const namespace = await ownNamespace('fenced');
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'migrator' } };
    const manifest = job('migrate', { annotations: hook('pre-install') });
    const chart = chartOf(
      'fenced',
      manifest.replace('restartPolicy', 'serviceAccountName: migrator\n      restartPolicy'),
    );
    const ran = await tshelm.run(['install', 'fenced', chart, '-n', namespace, '--grace', '1s', '--timeout', timeout]);
    expect(firstLine(ran)).toMatch(/failed pre-install: .*serviceaccount "migrator" not found/);
    expect(ran.stderr).toContain('is suspended so that it does not run later');
    await admin.cluster().apply(inNamespace(namespace, account));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const id = { apiVersion: 'batch/v1', kind: 'Job', namespace, name: 'fenced-migrate' };
    const live = await admin.cluster().get(id);
    expect(live?.['spec']).toMatchObject({ suspend: true });
    expect(live?.['status']).not.toHaveProperty('succeeded');
    expect(await admin.cluster().list('v1', 'Pod', { namespace })).toEqual([]);
  });

  test('a report of everything that was found, though the release is taken away; no secrets', async () => {
    const file = join(directory, 'report.json');
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {password: hunter2-hunter2}\n';
    const env = '          env:\n            - {name: TOKEN, value: a-value-of-the-environment}\n';
    const log = { 'sandbox.tshelm.dev/log': 'starting\ncannot log in with hunter2-hunter2' };
    const chart = chartOf(
      'reported',
      secret,
      workload('Deployment', 'web', { fate: 'crash-loop', annotations: log, extra: env }),
    );
    const words = ['install', 'reported', chart, '-n', 'reported', '--create-namespace', '--rollback-on-failure'];
    const ran = await tshelm.run([...words, '--report', file], { env: sandbox });
    expect(ran.code).toBe(1);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      outcome: 'failed',
      error: { code: 'install-rolled-back' },
      causes: [
        {
          code: 'program-ended',
          cause: {
            chain: ['Deployment/reported-web', /ReplicaSet/, /Pod/].map((part) =>
              typeof part === 'string' ? part : expect.stringMatching(part),
            ),
            container: 'main',
            exitCode: 1,
            restarts: 3,
          },
          evidence: [{ kind: 'log', lines: ['starting', 'cannot log in with ***'] }],
        },
      ],
    });
    expect(text + ran.stderr).not.toContain('hunter2');
    expect(text).not.toContain('a-value-of-the-environment');
    expect(await ok(tshelm, ['list', '-q', '-n', 'reported'], { env: sandbox })).toBe('');
  });

  test('the description of the revision names the cause in one line', async () => {
    const chart = chartOf('described', workload('Deployment', 'web', { fate: 'image-pull' }));
    const words = ['install', 'described', chart, '-n', 'described', '--create-namespace', '--wait', '--grace', '1s'];
    await tshelm.run(words, { env: sandbox });
    const history = JSON.parse(
      await ok(helm, ['history', 'described', '-n', 'described', '-o', 'json'], { env: sandbox }),
    );
    expect((history as { description: string }[])[0]?.description).toMatch(
      /^Release "described" failed: resource Deployment\/described\/described-web not ready.*(ErrImagePull|ImagePullBackOff): .*not found[^\n]*$/,
    );
  });
});

// Each takes longer than the grace to get ready, or looks broken for a while.
describe.concurrent('what is only slow is never failed', () => {
  const patient = ['--timeout', '90s', '--grace', grace, '--wait', '--wait-for-jobs'];
  const until = (time: string, more: object = {}) => ({
    annotations: { 'sandbox.tshelm.dev/fate-until': time, ...more },
  });
  const initContainer = '      initContainers:\n        - {name: migrate, image: example.com/migrate:1}\n';

  test.each([
    ['slow-pull', workload('Deployment', 'web', { fate: 'hang', ...until('9s') })],
    ['long-init', workload('Deployment', 'web', { fate: 'hang', ...until('9s'), extra: initContainer })],
    ['slow-readiness', workload('Deployment', 'web', { readyAfter: '9s' })],
    ['restarts-within-grace', workload('Deployment', 'web', { fate: 'crash-loop', ...until('3s'), readyAfter: '1s' })],
    ['image-pushed-late', workload('Deployment', 'web', { fate: 'image-pull', ...until('3s') })],
    ['one-crash', workload('Deployment', 'web', { annotations: { 'sandbox.tshelm.dev/fail-times': '1' } })],
    ['secret-made-late', workload('Deployment', 'web', { fate: 'config-error', ...until('3s') })],
    [
      'job-retried',
      job('import', { annotations: { 'sandbox.tshelm.dev/fail-times': '2' } }).replace(
        'backoffLimit: 0',
        'backoffLimit: 3',
      ),
    ],
    [
      'one-by-one',
      workload('StatefulSet', 'db', { readyAfter: '3s', extra: '' }).replace(/replicas: .*/, 'replicas: 3'),
    ],
    [
      'crash-while-a-database-is-pulled',
      documents(
        workload('Deployment', 'web', { fate: 'crash-loop', ...until('10s') }),
        workload('Deployment', 'db', { fate: 'hang', ...until('9s') }),
      ),
    ],
  ])('%s', async (name, manifest) => {
    const words = ['install', name, chartOf(name, manifest), '-n', `slow-${name}`, '--create-namespace', ...patient];
    await ok(tshelm, words, { env: sandbox });
  });

  test('a rollout while the old pods crash, and were past their deadline', async () => {
    const name = 'rollout';
    const pods = (options: object): string =>
      workload('Deployment', 'web', options).replace('  selector:', '  progressDeadlineSeconds: 1\n  selector:');
    const where = ['-n', 'slow-rollout', '--create-namespace'];
    await ok(tshelm, ['install', name, chartOf('rollout-1', pods({ fate: 'crash-loop' })), ...where], { env: sandbox });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const better = chartOf('rollout-2', pods({ readyAfter: '9s' }).replace('Seconds: 1\n', 'Seconds: 60\n'));
    await ok(tshelm, ['upgrade', name, better, ...where, '--set', 'tag=2', ...patient], { env: sandbox });
  });

  const later = async (ms: number, change: () => Promise<unknown>): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await change();
  };

  test('a volume that is bound late', async () => {
    const namespace = await ownNamespace('late-volume');
    const claim =
      'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec:\n  storageClassName: by-hand\n' +
      '  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n';
    const volumes = '      volumes:\n        - {name: data, persistentVolumeClaim: {claimName: data}}\n';
    const chart = chartOf('late-volume', claim, workload('Deployment', 'web', { extra: volumes }));
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: namespace },
      spec: {
        storageClassName: 'by-hand',
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/nowhere' },
        claimRef: { namespace, name: 'data' },
      },
    };
    await Promise.all([
      ok(tshelm, ['install', 'late-volume', chart, '-n', namespace, ...patient]),
      later(8_000, () => admin.cluster().apply(volume)),
    ]);
    const id = { apiVersion: 'v1', kind: 'PersistentVolume', namespace: '', name: namespace };
    await admin.cluster().delete(id);
  });

  test('a node that comes late', async () => {
    const namespace = await ownNamespace('late-node');
    const chart = chartOf(
      'late-node',
      workload('Deployment', 'web', {
        extra: `      nodeSelector: {pool: ${namespace}}\n      tolerations: [{key: pool, operator: Exists}]\n`,
      }),
    );
    // For this test's pod alone: one of another test would never end once its node is gone.
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: namespace, labels: { pool: namespace } },
      spec: { taints: [{ key: 'pool', value: namespace, effect: 'NoSchedule' }] },
    };
    await Promise.all([
      ok(tshelm, ['install', 'late-node', chart, '-n', namespace, ...patient]),
      later(8_000, () => admin.cluster().apply(node)),
    ]);
    await ok(tshelm, ['uninstall', 'late-node', '-n', namespace, '--wait']);
    await admin.cluster().delete({ apiVersion: 'v1', kind: 'Node', namespace: '', name: namespace });
  });

  test('a webhook that comes up late', async () => {
    const webhook = await openWebhook('late-webhook', 'pods');
    const chart = chartOf('late-webhook', workload('Deployment', 'web'));
    await Promise.all([
      ok(tshelm, ['install', 'late-webhook', chart, '-n', webhook.namespace, ...patient]),
      later(8_000, () => webhook.start()),
    ]);
  });

  test('a quota that the rollout frees itself', async () => {
    const namespace = await ownNamespace('freed-quota');
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'one' }, spec: { hard: { pods: '1' } } };
    await admin.cluster().apply(inNamespace(namespace, quota));
    const strategy = '  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}\n  selector:';
    const chart = chartOf('freed-quota', workload('Deployment', 'web').replace('  selector:', strategy));
    await ok(tshelm, ['install', 'freed-quota', chart, '-n', namespace, ...patient]);
    // The quota's controller counts again when it gets to it: on a busy machine after more than five seconds.
    const upgrade = ['upgrade', 'freed-quota', chart, '-n', namespace, ...patient, '--grace', '30s', '--set', 'tag=2'];
    await ok(tshelm, upgrade);
  });
});

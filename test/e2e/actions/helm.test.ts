import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionContext } from '../../../src/actions/action-context.ts';
import { history } from '../../../src/actions/history.ts';
import { install } from '../../../src/actions/install.ts';
import { list } from '../../../src/actions/list.ts';
import { rollback } from '../../../src/actions/rollback.ts';
import { uninstall } from '../../../src/actions/uninstall.ts';
import { upgrade } from '../../../src/actions/upgrade.ts';
import type { Context } from '../../../src/change/context.ts';
import { loadChart } from '../../../src/chart/load.ts';
import { connect } from '../../../src/cluster/connect.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import type { GoMap } from '../../../src/go/value.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { releaseJson } from '../../../src/release/codec.ts';

/** Needs KUBECONFIG and the binaries of test/e2e/run.sh: what one of the tools did, the other goes on with. */
const bin = process.env['TSHELM_E2E_BIN'] ?? '';
const namespace = 'actions';
const noValues: GoMap = new Map();

const helmOf =
  (binary: string) =>
  (...args: readonly string[]): string =>
    execFileSync(join(bin, binary), [...args, '--namespace', namespace], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
const helm = helmOf('helm');
const helm3 = helmOf('helm3');

const chartFiles: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.3\nappVersion: "4"\ndescription: <a> & "b"\n',
  'values.yaml': 'greeting: hello\nbig: 12345678901\nhook: complete\n',
  'values.schema.json': '{"type": "object"}\n',
  'README.md': 'read me\n',
  'templates/NOTES.txt': 'Welcome to {{ .Release.Name }}\n',
  'templates/settings.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-settings"}\ndata: {greeting: "{{ .Values.greeting }}"}\n',
  'templates/kept.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: "{{ .Release.Name }}-kept"\n  annotations: {helm.sh/resource-policy: keep}\n',
  'templates/hook.yaml':
    'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: "{{ .Release.Name }}-hook"\n' +
    '  annotations: {helm.sh/hook: "pre-install,pre-upgrade,pre-rollback", helm.sh/hook-weight: "-1"}\n' +
    'spec:\n  backoffLimit: 0\n  template:\n    metadata: {annotations: {e2e.tshelm.dev/fate: "{{ .Values.hook }}"}}\n' +
    '    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n',
};

function writeChart(): string {
  const root = mkdtempSync(join(tmpdir(), 'tshelm-shop-'));
  for (const [name, text] of Object.entries(chartFiles)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    utimesSync(join(root, name), 1_700_000_000, 1_700_000_000);
  }
  return root;
}

let cluster: Cluster;
let context: Context;
let chart: string;

beforeAll(async () => {
  cluster = await connect({ namespace });
  context = actionContext(cluster);
  chart = writeChart();
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await cluster.apply(object);
});
afterAll(() => cluster.close());

const ours = {
  install: async (name: string, values = noValues) => install(await loadChart(chart), values, { name }, context),
  upgrade: async (name: string, values = noValues) => upgrade(await loadChart(chart), values, { name }, context),
  statuses: async (name: string) =>
    (await history({ name }, context)).map(({ version, info }) => `${version} ${info.status} ${info.description}`),
};

const statusesOf = (history: string): readonly string[] =>
  (JSON.parse(history) as { revision: number; status: string; description: string }[]).map(
    ({ revision, status, description }) => `${revision} ${status} ${description}`,
  );

const settings = async (release: string): Promise<unknown> => {
  const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: `${release}-settings` };
  return ((await cluster.get(id)) as { data?: unknown } | undefined)?.data;
};

const values = (entries: Record<string, string>): GoMap => new Map(Object.entries(entries));

describe.each([
  ['helm', helm],
  ['helm3', helm3],
] as const)('with %s', (tool, run) => {
  test('it goes on with what tshelm installed', async () => {
    const name = `ours-${tool}`;
    await ours.install(name, values({ greeting: 'ours' }));
    expect(run('list', '-o', 'json')).toContain(`"name":"${name}"`);
    expect(run('status', name)).toContain(`Welcome to ${name}`);
    expect(JSON.parse(run('get', 'values', name, '-o', 'json'))).toEqual({ greeting: 'ours' });
    run('upgrade', name, chart, '--set', 'greeting=theirs');
    expect(await settings(name)).toEqual({ greeting: 'theirs' });
    run('rollback', name, '1');
    expect(await settings(name)).toEqual({ greeting: 'ours' });
    expect(await ours.statuses(name)).toEqual([
      '1 superseded Install complete',
      '2 superseded Upgrade complete',
      '3 deployed Rollback to 1',
    ]);
    expect(run('uninstall', name)).toContain(`[Secret] ${name}-kept`);
    expect(await settings(name)).toBeUndefined();
  });

  test('tshelm goes on with what it installed', async () => {
    const name = `theirs-${tool}`;
    run('install', name, chart, '--set', 'greeting=theirs');
    expect((await list({}, context)).map((release) => release.name)).toContain(name);
    const { release } = await ours.upgrade(name);
    expect(release.applyMethod).toBe(tool === 'helm3' ? 'csa' : 'ssa');
    expect(await settings(name)).toEqual({ greeting: 'theirs' });
    await ours.upgrade(name, values({ greeting: 'ours' }));
    expect(await settings(name)).toEqual({ greeting: 'ours' });
    await rollback({ name, revision: 1 }, context);
    expect(await settings(name)).toEqual({ greeting: 'theirs' });
    expect(statusesOf(run('history', name, '-o', 'json'))).toEqual([
      '1 superseded Install complete',
      '2 superseded Upgrade complete',
      '3 superseded Upgrade complete',
      '4 deployed Rollback to 1',
    ]);
    const { info } = await uninstall({ name }, context);
    expect(info).toBe(`These resources were kept due to the resource policy:\n[Secret] ${name}-kept\n`);
    expect(() => run('status', name)).toThrow(/not found/);
  });

  test('an upgrade that the other broke is put right', async () => {
    const name = `broken-${tool}`;
    run('install', name, chart);
    expect(() => run('upgrade', name, chart, '--set', 'hook=fail')).toThrow(/UPGRADE FAILED/);
    await ours.upgrade(name, values({ greeting: 'again' }));
    expect((await ours.statuses(name)).map((text) => text.split(' ').slice(0, 2).join(' '))).toEqual([
      '1 superseded',
      '2 failed',
      '3 deployed',
    ]);
    run('uninstall', name);
  });
});

test("a record is Helm's, byte for byte but for the times", async () => {
  const record = async (name: string): Promise<string> => {
    const release = await (await context.storage()).get(name, 1);
    return releaseJson(release as NonNullable<typeof release>)
      .replaceAll(/"(first_deployed|last_deployed|started_at|completed_at)":"[^"]*"/g, '"$1":""')
      .replaceAll(name, 'NAME');
  };
  helm('install', 'same-theirs', chart, '--set', 'greeting=x');
  await ours.install('same-ours', values({ greeting: 'x' }));
  expect(await record('same-ours')).toBe(await record('same-theirs'));
  for (const name of ['same-ours', 'same-theirs']) await uninstall({ name }, context);
});

test('failures read as in Helm', async () => {
  const failureOf = (...args: string[]): string => {
    try {
      helm(...args);
    } catch (error) {
      return String((error as { stderr: string }).stderr)
        .trim()
        .split('\n')
        .at(-1) as string;
    }
    throw new Error(`helm ${args.join(' ')} did not fail`);
  };
  const ourFailure = async (task: () => Promise<unknown>): Promise<string> =>
    task().then(
      () => 'no failure',
      (error: Error) => error.message,
    );
  await ours.install('taken');
  const pairs: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['INSTALLATION FAILED', failureOf('install', 'taken', chart), () => ours.install('taken')],
    ['INSTALLATION FAILED', failureOf('install', 'Bad_', chart), () => ours.install('Bad_')],
    ['UPGRADE FAILED', failureOf('upgrade', 'nope', chart), () => ours.upgrade('nope')],
    ['', failureOf('rollback', 'taken', '7'), () => rollback({ name: 'taken', revision: 7 }, context)],
    ['', failureOf('uninstall', 'nope'), () => uninstall({ name: 'nope' }, context)],
    ['', failureOf('history', 'nope'), () => history({ name: 'nope' }, context)],
  ];
  for (const [prefix, theirs, task] of pairs) {
    expect(theirs).toBe(`Error: ${prefix && `${prefix}: `}${await ourFailure(task)}`);
  }
  await uninstall({ name: 'taken' }, context);
});

test('somebody else’s object is refused in the same words', async () => {
  const object: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'clash-settings', namespace },
  };
  await cluster.apply(object, { fieldManager: 'somebody' });
  const theirs = (): string => helm('install', 'clash', chart);
  const message = await ours.install('clash').then(
    () => '',
    (error: Error) => error.message,
  );
  expect(message).toMatch(/^unable to continue with install: ConfigMap "clash-settings"/);
  expect(theirs).toThrow(message);
});

test('a release that was applied client-side can go over to server-side apply', async () => {
  const name = 'moves';
  helm3('install', name, chart, '--set', 'greeting=one');
  const { release } = await upgrade(
    await loadChart(chart),
    values({ greeting: 'two' }),
    { name, serverSide: 'true' },
    context,
  );
  expect(release.applyMethod).toBe('ssa');
  const live = await cluster.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: `${name}-settings` });
  const managers = (live?.metadata.managedFields ?? []) as { manager: string; operation: string }[];
  expect(managers.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual(['helm Apply']);
  await uninstall({ name }, context);
});

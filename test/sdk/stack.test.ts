import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatDiff, isTshelmError, type StackEvent, type StackOptions, Tshelm } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const helmfile = `environments:
  default: {values: [{replicas: 1}]}
  production: {values: [{replicas: 3}]}
---
releases:
  - name: web
    namespace: shop
    chart: ./chart
    wait: true
    needs: [data/db]
    labels: {tier: front}
    values: [{replicas: {{ .Values.replicas }}, seconds: 20}]
  - name: db
    namespace: data
    chart: ./chart
    wait: true
    values: [{seconds: 30}]
`;
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}, annotations: {sandbox.tshelm.dev/ready-after: {{ .Values.seconds }}s}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: {{ .Values.image | quote }}}]}}
`;

let folder: string;
let box: Sandbox;
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const stack = (options: StackOptions = {}) => box.tshelm.stack({ folder, ...options });
const secondsOf = (from: Date): number => (box.now().getTime() - from.getTime()) / 1000;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-stack-'));
  write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
  write('chart/values.yaml', 'replicas: 1\nseconds: 1\nimage: nginx\n');
  write('chart/templates/deployment.yaml', deployment);
  write('helmfile.yaml.gotmpl', helmfile);
  box = await sandbox({ time: 'simulated' });
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true });
});

test('a stack goes its way from the plan to its end', async () => {
  const production = stack({ environment: 'production' });
  expect((await production.list()).map(({ id, needs, labels }) => [id, needs, labels['tier']])).toEqual([
    ['data/db', [], undefined],
    ['shop/web', ['data/db'], 'front'],
  ]);
  const planned = await production.plan();
  expect(planned.map(({ id, kind, needs, plan }) => [id, kind, needs, plan?.action])).toEqual([
    ['data/db', 'change', [], 'install'],
    ['shop/web', 'change', ['data/db'], 'install'],
  ]);
  const start = box.now();
  const { releases } = await production.apply();
  expect(releases).toEqual([
    { id: 'data/db', name: 'db', namespace: 'data', change: 'installed', revision: 1 },
    { id: 'shop/web', name: 'web', namespace: 'shop', change: 'installed', revision: 1 },
  ]);
  expect(secondsOf(start)).toBe(50);
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  expect(await box.get(web)).toMatchObject({ spec: { replicas: 3 } });

  expect((await production.apply()).releases.map(({ change }) => change)).toEqual(['unchanged', 'unchanged']);
  expect((await production.status()).map(({ id, release }) => [id, release?.revision, release?.status])).toEqual([
    ['data/db', 1, 'deployed'],
    ['shop/web', 1, 'deployed'],
  ]);
  const diffs = await stack({ stateValues: { replicas: 5 } }).diff();
  expect(diffs.map(({ id, objects }) => [id, objects.map(({ change }) => change)])).toEqual([
    ['data/db', ['unchanged']],
    ['shop/web', ['changed']],
  ]);
  expect(formatDiff(diffs)).toContain('-  replicas: 3\n+  replicas: 5\n');

  await box.delete(web);
  const drifts = await production.drift();
  expect(drifts.map(({ id, objects }) => [id, objects.length])).toEqual([
    ['data/db', 0],
    ['shop/web', 1],
  ]);
  const foreseen = await production.fixDrift({ dryRun: 'plan' });
  expect(foreseen.releases.map(({ id, plan }) => [id, plan.steps.map(({ kind }) => kind)])).toEqual([
    ['data/db', []],
    ['shop/web', ['apply']],
  ]);
  expect(await box.get(web)).toBeUndefined();
  const fixing = production.fixDrift();
  const begun: string[] = [];
  for await (const event of fixing)
    if (event.kind === 'release-started') begun.push(`${event.release} ${event.action}`);
  expect(begun).toEqual(['shop/web fix']);
  expect((await fixing).releases).toMatchObject([{ id: 'data/db' }, { id: 'shop/web', warnings: [] }]);
  expect(await box.get(web)).toMatchObject({ spec: { replicas: 3 } });
  expect((await production.status()).map(({ release }) => release?.revision)).toEqual([1, 1]);
  expect((await production.sync({ values: { seconds: 5 } })).releases.map(({ revision }) => revision)).toEqual([2, 2]);
  expect((await production.destroy()).releases.map(({ id, change }) => [id, change])).toEqual([
    ['data/db', 'uninstalled'],
    ['shop/web', 'uninstalled'],
  ]);
  expect(await box.tshelm.list({ allNamespaces: true })).toEqual([]);
});

test('its events tell of the run, and of what happens in each release', async () => {
  const operation = stack().apply();
  const events: StackEvent[] = [];
  for await (const event of operation) events.push(event);
  const ofRun = events.flatMap((event) => {
    if (event.kind === 'stack-started') return [event.releases.map(({ id, action }) => `${id} ${action}`).join(', ')];
    if (event.kind === 'release-started') return [`${event.release} begins: ${event.action}`];
    return event.kind === 'release-ended' ? [`${event.release} ${event.state}: ${event.change} ${event.revision}`] : [];
  });
  expect(ofRun).toEqual([
    'data/db upgrade, shop/web upgrade',
    'data/db begins: upgrade',
    'data/db done: installed 1',
    'shop/web begins: upgrade',
    'shop/web done: installed 1',
  ]);
  const ready = events.flatMap((event) =>
    event.kind === 'resource' && event.state === 'ready' ? [`${event.release} ${event.id.name}`] : [],
  );
  expect(ready).toEqual(['data/db db', 'shop/web web']);
});

test('template and build ask no cluster', async () => {
  const alone = new Tshelm().stack({ folder, selectors: ['tier=front'], includeNeeds: true });
  const templated = await alone.template({ set: ['image=caddy'] });
  expect(templated.map(({ id }) => id)).toEqual(['data/db', 'shop/web']);
  for (const { output } of templated) expect(output).toContain('image: "caddy"');
  expect(await alone.build()).toContain('name: web');
  await expect(alone.plan()).rejects.toMatchObject({ code: 'stack-failed' });
});

describe('what fails', () => {
  test('a release stops what needs it, and its own error is at hand', async () => {
    const operation = stack().apply({ set: ['seconds=1000'], timeoutMs: 60_000 });
    const failure: unknown = await operation.then(undefined, (error: unknown) => error);
    if (!isTshelmError(failure, 'stack-failed')) throw failure;
    expect(failure.details).toMatchObject({ failed: ['data/db'], skipped: ['shop/web'] });
    const error = failure.details.errors['data/db'];
    if (!isTshelmError(error, 'wait-timeout')) throw failure;
    expect(error.details.unready.map(({ id }) => id.name)).toEqual(['db']);
    expect(failure.message).not.toContain('--');
  });

  test('a run can be put back as a whole', async () => {
    await stack().apply();
    const operation = stack({ stateValues: { replicas: 2 } }).sync({
      set: ['image=new'],
      values: { seconds: 1 },
      rollbackOnFailure: 'stack',
      timeoutMs: 10_000,
    });
    await expect(operation).resolves.toMatchObject({ releases: [{ revision: 2 }, { revision: 2 }] });
    write('chart/templates/broken.yaml', '{{ if eq .Release.Name "web" }}{{ fail "no web today" }}{{ end }}');
    const failing = stack().sync({ set: ['image=newer'], rollbackOnFailure: 'stack' });
    const events: StackEvent[] = [];
    const seen = (async () => {
      for await (const event of failing) events.push(event);
    })();
    await expect(seen).rejects.toMatchObject({ code: 'stack-failed', details: { failed: ['shop/web'] } });
    expect(events).toContainEqual({ kind: 'release-started', release: 'data/db', action: 'rollback' });
    expect(events.at(-1)).toMatchObject({
      kind: 'release-ended',
      release: 'data/db',
      change: 'rolled-back',
      revision: 4,
    });
  });

  test('a signal ends the run with its own reason; what was under way is recorded as failed', async () => {
    const controller = new AbortController();
    const operation = stack().apply({ signal: controller.signal });
    const seen = (async () => {
      for await (const event of operation) {
        if (event.kind === 'resource' && event.state === 'waiting') controller.abort();
      }
    })();
    await expect(seen).rejects.toMatchObject({ name: 'AbortError' });
    const statuses = await stack().status();
    expect(statuses.map(({ id, release }) => [id, release?.status])).toEqual([
      ['data/db', 'failed'],
      ['shop/web', undefined],
    ]);
  });

  test.each([
    ['a selector that nothing has', { selectors: ['tier=none'] }, 'stack-empty'],
    ['a file that is not there', { file: 'other.yaml' }, 'stack-invalid'],
    ['an environment that is not defined', { environment: 'stage' }, 'stack-empty'],
  ])('%s', async (_what, options, code) => {
    await expect(stack(options).apply()).rejects.toMatchObject({ code });
  });

  test('options that do not exist, or of another type, are refused', async () => {
    expect(() => stack({ selector: ['a=b'] } as never)).toThrow('there is no option selector; did you mean selectors?');
    expect(() => stack({ selectors: 'a=b' } as never)).toThrow('the option selectors must be an array of strings');
    await expect(stack().apply({ failFats: true } as never)).rejects.toMatchObject({ code: 'bad-options' });
    await expect(stack().plan({ showSecret: true } as never)).rejects.toMatchObject({ code: 'bad-options' });
  });

  test("words for Helm's command line are refused with their line", async () => {
    write(
      'helmfile.yaml.gotmpl',
      `helmDefaults:\n  args: [--reset-values]\n${helmfile.split('---\n')[1]}`.replace(/values: \[\{replicas.*/, ''),
    );
    await expect(stack().plan()).rejects.toMatchObject({
      code: 'stack-failed',
      message: expect.stringContaining('helmfile.yaml.gotmpl:2: helmDefaults.args: '),
    });
  });
});

describe('programs', () => {
  const hooked = `releases:
  - name: db
    namespace: data
    chart: ./chart
    hooks:
      - events: [presync]
        command: sh
        args: [-c, "echo $GREETING > ran.txt"]
`;

  test('hooks are refused before anything is done, with their line', async () => {
    write('helmfile.yaml.gotmpl', hooked);
    await expect(stack().apply()).rejects.toMatchObject({
      code: 'stack-programs',
      details: { program: 'sh' },
      message: expect.stringContaining('helmfile.yaml.gotmpl:5: release db: a hook runs the program sh'),
    });
    expect(await box.tshelm.list({ allNamespaces: true })).toEqual([]);
  });

  test('a template that starts one is refused', async () => {
    write('helmfile.yaml.gotmpl', `releases: []\nvalues: [{at: '{{ exec "date" (list) }}'}]\n`);
    await expect(stack().list()).rejects.toThrow('allow it with programs: true');
  });

  test.each([
    ['bases: ["git+https://git.example/stacks@base.yaml"]\n', 'git+https://git.example/stacks@base.yaml'],
    [
      'releases:\n- {name: a, chart: "git::https://me:x@git.example/charts@a"}\n',
      'git+https://me:xxxxx@git.example/charts@a',
    ],
  ])('git is one: %j', async (text, url) => {
    write('helmfile.yaml.gotmpl', text);
    await expect(stack().plan()).rejects.toThrow(`the program git fetch ${url} was not started`);
  });

  test('that are allowed run with the environment that was given', async () => {
    write('helmfile.yaml.gotmpl', hooked);
    const environment = { PATH: process.env['PATH'], GREETING: 'hello' };
    const tshelm = new Tshelm({ cluster: box.cluster, environment });
    await tshelm.stack({ folder, programs: true }).apply();
    expect((await tshelm.stack({ folder, programs: true }).status())[0]?.release?.status).toBe('deployed');
    await tshelm.close();
    expect(readFileSync(join(folder, 'ran.txt'), 'utf8')).toBe('hello\n');
  });

  test.each([false, true])('template runs hooks where programs may run: %s', async (programs) => {
    write('helmfile.yaml.gotmpl', hooked.replace('presync', 'prepare'));
    const environment = { PATH: process.env['PATH'], GREETING: 'hello' };
    const tshelm = new Tshelm({ cluster: box.cluster, environment });
    await tshelm.stack({ folder, programs }).template();
    await tshelm.close();
    expect(existsSync(join(folder, 'ran.txt'))).toBe(programs);
  });
});

test('a post-renderer is a program of the environment that was given', async () => {
  const release = (name: string): string =>
    `releases:\n  - {name: ${name}, namespace: shop, chart: ./chart, postRenderer: sed, postRendererArgs: [s/nginx/caddy/]}\n`;
  write('helmfile.yaml.gotmpl', release('web'));
  const tshelm = new Tshelm({ cluster: box.cluster, environment: { PATH: process.env['PATH'] } });
  const [templated] = await tshelm.stack({ folder, programs: true }).template();
  expect(templated?.output).toContain('image: "caddy"');
  await tshelm.stack({ folder, programs: true }).apply();
  expect(await box.get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' })).toMatchObject({
    spec: { template: { spec: { containers: [{ image: 'caddy' }] } } },
  });
  await tshelm.close();
  write('helmfile.yaml.gotmpl', release('other'));
  await expect(stack().apply()).rejects.toThrow('the program sed s/nginx/caddy/ was not started');
  expect(await box.tshelm.status('other', { namespace: 'shop' }).catch((error: unknown) => error)).toMatchObject({
    code: 'release-not-found',
  });
});

test('dependencies that charts/ lacks are fetched, unless that is forbidden', async () => {
  write('part/Chart.yaml', 'apiVersion: v2\nname: part\nversion: 0.1.0\n');
  write('part/templates/map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: part}\n');
  const dependency = 'dependencies: [{name: part, version: 0.1.0, repository: file://../part}]\n';
  write('chart/Chart.yaml', `apiVersion: v2\nname: chart\nversion: 0.1.0\n${dependency}`);
  await expect(stack({ skipDeps: true }).template()).rejects.toMatchObject({ code: 'dependencies-missing' });
  const [templated] = await stack().template();
  expect(templated?.output).toContain('metadata: {name: part}');
});

test('variables are those that were given, never those of the process', async () => {
  write('helmfile.yaml.gotmpl', `releases:\n  - {name: '{{ env "HOME" | default "none" }}', chart: ./chart}\n`);
  expect((await stack().list()).map(({ name }) => name)).toEqual(['none']);
  const tshelm = new Tshelm({ environment: { HOME: 'given' } });
  expect((await tshelm.stack({ folder }).list()).map(({ name }) => name)).toEqual(['given']);
});

test('releases of several clusters, each by the name of its context', async () => {
  const other = await sandbox({ time: 'simulated' });
  const release = (name: string, context: string) =>
    `  - {name: ${name}, namespace: shop, chart: ./chart, kubeContext: ${context}}\n`;
  write('helmfile.yaml.gotmpl', `releases:\n${release('web', 'east')}${release('api', 'west')}`);
  const both = stack({ clusters: { east: box.cluster, west: other.cluster } });
  expect((await both.apply()).releases.map(({ id }) => id)).toEqual(['east/shop/web', 'west/shop/api']);
  expect((await other.tshelm.list({ allNamespaces: true })).map(({ name }) => name)).toEqual(['api']);
  await expect(stack().status()).rejects.toThrow('the context east');
  await other.close();
});

test('check() looks at each release with its values, and tells no secret', async () => {
  const values = '{replicas: two, image: made-up, seconds: 1, password: hunter2-of-web}';
  write('helmfile.yaml.gotmpl', `releases:\n  - {name: web, namespace: shop, chart: ./chart, values: [${values}]}\n`);
  write('chart/templates/map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.password }}_X"}\n');
  const checked = await stack().check({ set: ['image=nginx'] });
  expect(checked).toMatchObject([{ id: 'shop/web', chart: 'chart', isRendered: true }]);
  const found = checked.flatMap(({ findings }) => findings.map(({ level, code }) => [level, code]));
  expect(found).toEqual([
    ['error', 'name-invalid'],
    ['error', 'field-type'],
  ]);
  expect(JSON.stringify(checked)).not.toContain('hunter2');
  const ignore = [{ code: 'name-invalid', reason: 'known' }];
  expect((await stack().check({ ignore, set: ['replicas=2'] }))[0]?.findings).toEqual([]);
});

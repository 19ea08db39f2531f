import { describe, expect, test } from 'vitest';
import { auditOf } from './support/audit.ts';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { workload } from './support/order.ts';
import { helm, ok, tshelm } from './support/programs.ts';

// What is sent in which order, with the API server's audit log as the witness.
const directory = scratchDirectory();
const admin = adminOf('order-audit');
const audit = auditOf(admin);
const { namespace } = admin;
const inNamespace = ['-n', namespace, '--timeout', '30s'];
const ordered = [...inNamespace, '--wait=ordered'];
const set = (values = ''): readonly string[] => ['--set', `global.tag=1,global.ready=1s${values}`];

/** What tshelm wrote beside its lock. */
const sent = () =>
  audit.writes(
    ({ userAgent, resource, isNamespaced }) => userAgent === 'tshelm' && isNamespaced && !resource.startsWith('leases'),
  );

/** When tshelm sent a Deployment, and when its pod was ready. */
async function lives() {
  const writes = await audit.writes();
  return (name: string) => ({
    sent: writes.find(({ object, userAgent }) => object === `deployments.apps/${name}` && userAgent === 'tshelm')?.at,
    ready: writes.find(
      ({ resource, name: pod, conditions }) =>
        resource === 'pods/status' && pod.startsWith(`${name}-`) && conditions.includes('Ready'),
    )?.at,
  });
}

async function expectOrder(names: readonly string[]): Promise<void> {
  const lifeOf = await lives();
  for (const [index, name] of names.slice(1).entries())
    expect(lifeOf(name).sent).toBeGreaterThan(lifeOf(names[index] as string).ready ?? Number.NaN);
}

const subchart = (name: string) => ({
  [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`,
  [`charts/${name}/templates/${name}.yaml`]: workload(name),
});
const three = { ...subchart('a'), ...subchart('b'), ...subchart('c') };
const chartYaml = (more: string): string => `apiVersion: v2\nname: foo\nversion: 1.0.0\n${more}`;

describe('edges between subcharts', () => {
  test('outlive helm package as the map', async () => {
    const map = `annotations: {helm.sh/depends-on/subcharts: '{"a": ["b"], "b": ["c"]}'}\n`;
    const dependencies =
      'dependencies: [{name: a, version: 1.0.0}, {name: b, version: 1.0.0}, {name: c, version: 1.0.0}]\n';
    const chart = writeChart(directory, 'mapped', { ...three, 'Chart.yaml': chartYaml(map + dependencies) });
    const archive = (await ok(helm, ['package', chart, '-d', directory])).trim().split(' ').at(-1) as string;
    audit.begin();
    await ok(tshelm, ['install', 'mapped', archive, ...ordered, ...set()]);
    await expectOrder(['c', 'b', 'a']);
    await ok(tshelm, ['uninstall', 'mapped', ...inNamespace]);
  });

  test('go on behind a subchart that is off', async () => {
    const chart = writeChart(directory, 'off', {
      ...three,
      'Chart.yaml': chartYaml(
        'dependencies:\n- {name: a, version: 1.0.0, depends-on: [b]}\n- {name: b, version: 1.0.0, condition: b.enabled, depends-on: [c]}\n- {name: c, version: 1.0.0}\n',
      ),
      'values.yaml': 'b: {enabled: false}\n',
    });
    expect(await ok(tshelm, ['plan', chart, ...set()])).toContain('c, through b, which is off (Chart.yaml depends-on)');
    audit.begin();
    await ok(tshelm, ['install', 'off', chart, ...ordered, ...set()]);
    await expectOrder(['c', 'a']);
    await ok(tshelm, ['uninstall', 'off', ...inNamespace]);
  });
});

test.each([
  ['a list that is cut off', `helm.sh/resource-group: '["db"'`],
  ['names without quotes', `helm.sh/layer: '[a, b]'`],
  ['a map', `helm.sh/depends-on/resource-groups: '{"a":1}'`],
  ['a bracket among names', `helm.sh/dependson/layer: 'db, [queue'`],
])('%s is refused, and nothing is sent', async (_what, annotation) => {
  const chart = writeChart(directory, 'malformed', { 'templates/a.yaml': workload('a', annotation) });
  audit.begin();
  const { code, stderr } = await tshelm.run(['install', 'malformed', chart, ...ordered, ...set()]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/malformed\/templates\/a\.yaml:\d+: Deployment\/a .* helm\.sh\//);
  expect(await sent()).toEqual([]);
});

test('an order inside a List is refused, and nothing is sent', async () => {
  const item = 'apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: item, annotations: {helm.sh/layer: one}}\n';
  const chart = writeChart(directory, 'listed', {
    'templates/a.yaml': `apiVersion: v1\nkind: List\nmetadata: {name: all}\nitems:\n- ${item}`,
  });
  audit.begin();
  const { code, stderr } = await tshelm.run(['install', 'listed', chart, ...inNamespace]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/ConfigMap\/item .* List\/all.* helm\.sh\/layer /);
  expect(await sent()).toEqual([]);
});

const chain = (second: string) => ({
  'templates/a.yaml': workload('a', 'helm.sh/resource-group: a'),
  'templates/b.yaml': second,
});

describe('objects of an ordered run', () => {
  const service = `apiVersion: v1
kind: Service
metadata: {name: b, annotations: {helm.sh/resource-group: b, depends-on.helm.sh/resource-groups: a}}
spec: {ports: [{port: 99999}]}
`;

  test('are tried before the first batch is sent', async () => {
    const chart = writeChart(directory, 'preflight', chain(service));
    audit.begin();
    const { code, stderr } = await tshelm.run(['install', 'preflight', chart, ...ordered, ...set()]);
    expect(code).toBe(1);
    expect(stderr).toContain('nothing was changed; --preflight=never skips this check');
    expect(stderr).toMatch(/^Error: INSTALLATION FAILED: Service\/b: .*Invalid value: 99999/m);
    expect(await sent()).toEqual([]);
    expect((await audit.dryRuns()).map(({ name }) => name).sort()).toEqual(['a', 'b']);
  });

  test('are tried inside a subchart too, which has batches of its own', async () => {
    const chart = writeChart(directory, 'inside', {
      'charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
      ...Object.fromEntries(Object.entries(chain(service)).map(([file, text]) => [`charts/sub/${file}`, text])),
    });
    audit.begin();
    const { code, stderr } = await tshelm.run(['install', 'inside', chart, ...ordered, ...set()]);
    expect(code).toBe(1);
    expect(stderr).toContain('nothing was changed; --preflight=never skips this check');
    expect(await sent()).toEqual([]);
    expect((await audit.dryRuns()).map(({ name }) => name).sort()).toEqual(['a', 'b']);
  });

  test('are not, with --preflight=never', async () => {
    const chart = writeChart(directory, 'unchecked', chain(service));
    audit.begin();
    const never = ['install', 'never', chart, ...ordered, '--preflight=never', ...set()];
    expect((await tshelm.run(never)).code).toBe(1);
    expect((await audit.dryRuns()).map(({ name }) => name)).toEqual([]);
    expect(await admin.names('apps/v1', 'Deployment')).toEqual(['a']);
    await ok(tshelm, ['uninstall', 'never', ...inNamespace]);
  });
});

describe('a Job of a batch that has failed', () => {
  const job = `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/resource-group: b, depends-on.helm.sh/resource-groups: a}}
spec:
  backoffLimit: 0
  template:
    metadata: {annotations: {e2e.tshelm.dev/ready-after: 0s{{ with .Values.fate }}, e2e.tshelm.dev/fate: {{ . }}{{ end }}}}
    spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/job:{{ .Values.image | default "1" }}"}]}
`;
  const chart = writeChart(directory, 'migrating', chain(job));
  const uid = async () => (await admin.object('batch/v1', 'Job', 'migrate'))?.metadata.uid;

  test.each([
    ['an upgrade with the mended chart', ['--set', 'image=2']],
    ['--resume, once what the Job needs is there', ['--resume', '--set', 'fate=fail']],
  ])('is created anew by %s', async (_way, mended) => {
    const failed = await tshelm.run(['install', 'jobs', chart, ...ordered, ...set(), '--set', 'fate=fail']);
    expect(failed.code).toBe(1);
    const before = await uid();
    audit.begin();
    const again = await tshelm.run(['upgrade', 'jobs', chart, ...ordered, ...set(), ...mended]);
    expect(await uid()).not.toBe(before);
    const jobs = await audit.writes(
      ({ object, userAgent }) => object === 'jobs.batch/migrate' && userAgent === 'tshelm',
    );
    expect(jobs.map(({ verb }) => verb)).toEqual(['delete', 'patch']);
    // The Job of the second row fails once more: what it needs is never there.
    expect(again.code).toBe(mended.includes('--resume') ? 1 : 0);
    await ok(tshelm, ['uninstall', 'jobs', ...inNamespace]);
  });

  test.each([
    ['an upgrade with the mended chart', ['--set', 'image=2']],
    ['--resume, as long as no pod of it runs', ['--resume', '--set', 'fate=image-pull']],
  ])('and one that was given up too, by %s', async (_way, mended) => {
    const fails = [...ordered, ...set(), '--grace', '1s'];
    const failed = await tshelm.run(['install', 'jobs', chart, ...fails, '--set', 'fate=image-pull']);
    expect(failed.stderr).toContain('Pod/migrate-');
    expect(failed.stderr).toContain('ImagePullBackOff');
    const before = await uid();
    audit.begin();
    const again = await tshelm.run(['upgrade', 'jobs', chart, ...fails, ...mended]);
    expect(again.stderr).toContain(
      'Job/migrate was abandoned by the previous run and has no running pod, so it is recreated',
    );
    expect(await uid()).not.toBe(before);
    const jobs = await audit.writes(
      ({ object, userAgent }) => object === 'jobs.batch/migrate' && userAgent === 'tshelm',
    );
    expect(jobs.map(({ verb }) => verb)).toEqual(['delete', 'patch']);
    expect(again.code).toBe(mended.includes('--resume') ? 1 : 0);
    await ok(tshelm, ['uninstall', 'jobs', ...inNamespace]);
  });

  test('is seen in status and get all, as table and as data', async () => {
    await tshelm.run(['install', 'jobs', chart, ...ordered, ...set(), '--set', 'fate=fail']);
    const name = ['jobs', '-n', namespace];
    for (const command of [['status'], ['get', 'all']]) {
      const table = await ok(tshelm, [...command, ...name]);
      expect(table).toMatch(/^UNITS:\nNAME +\tSTATE +\tSTARTED +\tENDED +\tREASON/m);
      expect(table).toMatch(/^migrating a *\tready *\t\w{3} \w{3} .*\d{4} *\t\w{3} \w{3}/m);
      expect(table).toMatch(/^migrating b *\tfailed *\t.*Job\/\S+\/migrate/m);
      for (const format of ['json', 'yaml'])
        expect(await ok(tshelm, [...command, ...name, '-o', format])).toMatch(/"?states"?:/);
    }
    await ok(tshelm, ['uninstall', ...name]);
  });
});

test('a custom readiness counts only for the generation that was applied', async () => {
  const group = `${namespace}.example.com`;
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
  await admin.cluster().apply(crd);
  const id = { apiVersion: `${group}/v1`, kind: 'Widget', namespace, name: 'w' };
  await expect.poll(() => admin.cluster().mapping(id.apiVersion, id.kind), { timeout: 20_000 }).toBeDefined();
  const rules = `helm.sh/readiness-success: '["{.phase} == Ready"]', helm.sh/readiness-failure: '["{.phase} == Broken"]'`;
  const chart = writeChart(directory, 'observed', {
    'templates/a.yaml': `apiVersion: ${group}/v1\nkind: Widget\nmetadata: {name: w, annotations: {helm.sh/resource-group: a, ${rules}}}\nspec: {size: {{ .Values.size }}}\n`,
    'templates/b.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: after, annotations: {helm.sh/resource-group: b, depends-on.helm.sh/resource-groups: a}}\ndata: {size: "{{ .Values.size }}"}\n`,
  });
  const observe = (generation: number): Promise<unknown> =>
    admin
      .cluster()
      .patch(id, 'merge', { status: { observedGeneration: generation, phase: 'Ready' } }, { subresource: 'status' });
  const generation = async (): Promise<unknown> => (await admin.cluster().get(id))?.metadata.generation;

  const installing = ok(tshelm, ['install', 'observed', chart, ...ordered, '--set', 'size=1']);
  await expect.poll(generation, { timeout: 20_000 }).toBe(1);
  await observe(1);
  await installing;

  const upgrading = ok(tshelm, ['upgrade', 'observed', chart, ...ordered, '--set', 'size=2']);
  await expect.poll(generation, { timeout: 20_000 }).toBe(2);
  // The old status is seen again, which must not end the wait: the later batch begins only after the new one.
  await observe(1);
  audit.begin();
  await observe(2);
  await upgrading;
  const writes = await audit.writes(({ object }) => object === 'configmaps/after' || object.includes('/status/w'));
  expect(writes.map(({ object }) => object.split('.')[0])).toEqual(['widgets', 'configmaps/after']);
  await ok(tshelm, ['uninstall', 'observed', ...inNamespace]);
  await admin.cluster().delete({ apiVersion: crd.apiVersion, kind: crd.kind, namespace: '', name: crd.metadata.name });
});

test('what an explicit --wait passes over is told in one line, and a failed condition is its own cause', async () => {
  const failing = `helm.sh/readiness-success: '["{.phase} == Ready"]', helm.sh/readiness-failure: '["{.replicas} >= 1"]'`;
  const chart = writeChart(directory, 'hinted', {
    'templates/a.yaml': workload('a', `helm.sh/layer: one, ${failing}`),
  });
  const passed = await tshelm.run(['install', 'hinted', chart, ...inNamespace, '--wait', ...set()]);
  expect(passed.stderr.match(/.*declares an order.*/g)).toEqual([
    expect.stringContaining('Deployment/a declares an order (helm.sh/layer), which --wait=watcher ignores'),
  ]);
  const failed = await tshelm.run([
    'upgrade',
    'hinted',
    chart,
    ...inNamespace,
    '--wait=ordered',
    ...set(',global.tag=2'),
  ]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('its failure condition {.replicas} >= 1 is true');
  expect(failed.stderr).not.toContain('nothing is wrong with it');
  await ok(tshelm, ['uninstall', 'hinted', ...inNamespace]);
});

test('diff tells each hazard once', async () => {
  const pod = '{restartPolicy: Never, containers: [{name: a, image: b, envFrom: [{configMapRef: {name: later}}]}]}';
  const chart = writeChart(directory, 'risky', {
    'templates/hook.yaml': `apiVersion: batch/v1\nkind: Job\nmetadata: {name: hook, annotations: {helm.sh/hook: pre-install}}\nspec: {template: {spec: ${pod}}}\n`,
    'templates/later.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: later}\n',
  });
  const { stderr } = await tshelm.run(['diff', 'risky', chart, '-n', namespace, '--install']);
  expect(stderr.match(/uses ConfigMap\/later/g)).toHaveLength(1);
});

import { describe, expect, test } from 'vitest';
import { formatPlan, isTshelmError, Tshelm, toYaml } from '../../src/index.ts';
import { type SandboxOptions, sandbox } from '../../src/testing.ts';

const workload = (kind: string, name: string, annotations = '{}'): string => `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}, annotations: ${annotations}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: nginx}]}
`;

const chartOf = (tshelm: Tshelm, ...templates: readonly string[]) =>
  tshelm.chart({
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    ...Object.fromEntries(templates.map((text, index) => [`templates/${index}.yaml`, text])),
  });

/** How an install of `web` and `db` goes, and how long it takes. */
async function installed(script: Omit<SandboxOptions, 'time'>, annotations?: string) {
  await using cluster = await sandbox({ time: 'simulated', ...script });
  const chart = chartOf(cluster.tshelm, workload('Deployment', 'web', annotations), workload('StatefulSet', 'db'));
  const start = cluster.now().getTime();
  const failure: unknown = await cluster.tshelm.install('shop', chart, { wait: 'watcher' }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { failure, ms: cluster.now().getTime() - start };
}

describe('what a test says of a chart without annotations', () => {
  test.each([
    ['a workload', { 'sts/db': 90_000 }, undefined, 90_000],
    ['a kind', { Deployment: 70_000 }, undefined, 70_000],
    ['all', { '*': 60_000 }, undefined, 60_000],
    ['an annotation goes before a kind', { Deployment: 70_000 }, '{sandbox.tshelm.dev/ready-after: 40s}', 40_000],
    ['a name goes before an annotation', { 'deploy/web': 70_000 }, '{sandbox.tshelm.dev/ready-after: 40s}', 70_000],
  ])('takes so long: %s', async (_, assume, annotations, expected) => {
    expect(await installed({ assume }, annotations)).toEqual({ failure: undefined, ms: expected });
  });

  test.each(['web=image-pull', 'deployment/web=image-pull', ['nobody', 'web=image-pull']])(
    'fails: %s',
    async (fail) => {
      const { failure } = await installed({ fail });
      if (!isTshelmError(failure, 'wait-failed')) throw failure;
      expect(failure.details.unready.map(({ id }) => `${id.kind}/${id.name}`)).toEqual(['Deployment/web']);
      expect(failure.message).toContain('ImagePullBackOff');
      expect(failure.details.problems?.map(({ subject }) => subject)).toMatchObject([
        { template: 'shop/templates/0.yaml' },
      ]);
    },
  );

  test('fails in the way of its kind where nothing else is said', async () => {
    const { failure } = await installed({ fail: 'db' });
    expect(failure).toMatchObject({ code: 'wait-failed', message: expect.stringContaining('CrashLoopBackOff') });
  });

  test.each([
    ['front=image-pull', ['Deployment/web']],
    ['mail=image-pull', ['Deployment/mail']],
    ['seed', ['Job/seed-1']],
    [['front', 'back'], ['StatefulSet/db']],
  ])('a group, a subchart, or a Job without its revision fails: %j', async (fail, failed) => {
    await using cluster = await sandbox({ fail });
    const grouped = (group: string, after = ''): string =>
      `{helm.sh/resource-group: ${group}${after && `, helm.sh/depends-on/resource-groups: '["${after}"]'`}}`;
    const chart = cluster.tshelm.chart({
      'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: mail, version: 1.0.0}]\n',
      'charts/mail/Chart.yaml': 'apiVersion: v2\nname: mail\nversion: 1.0.0\n',
      'charts/mail/templates/a.yaml': workload('Deployment', 'mail'),
      'templates/web.yaml': workload('Deployment', 'web', grouped('front', 'back')),
      'templates/db.yaml': workload('StatefulSet', 'db', grouped('back')),
      'templates/seed.yaml':
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: "seed-{{ .Release.Revision }}"}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}\n',
    });
    const failure: unknown = await cluster.tshelm.install('shop', chart, { wait: 'ordered' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!isTshelmError(failure, 'wait-failed')) throw failure ?? new Error('nothing failed');
    const unready = failure.details.unready.map(({ id }) => `${id.kind}/${id.name}`);
    expect(unready).toEqual(expect.arrayContaining([...failed]));
  });

  test('a name that is nearly that of a group is refused at the end, with the groups', async () => {
    const cluster = await sandbox({ fail: 'frond' });
    const after = `{helm.sh/resource-group: front, helm.sh/depends-on/resource-groups: '["back"]'}`;
    const chart = chartOf(
      cluster.tshelm,
      workload('Deployment', 'web', after),
      workload('Deployment', 'db', '{helm.sh/resource-group: back}'),
    );
    await cluster.tshelm.install('shop', chart, { wait: 'ordered' });
    await expect(cluster.close()).rejects.toThrow(
      'cannot fail frond: the sandbox ran Deployment/db, Deployment/web in the subcharts and groups back, front; did you mean front?',
    );
  });

  test.each([
    ['wbe=image-pull', 'cannot fail wbe: the sandbox ran Pod/db, Pod/web; did you mean web?'],
    [['db', 'wbe'], 'cannot fail wbe: the sandbox ran Pod/db, Pod/web; did you mean web?'],
    [['queue', 'mail'], 'cannot fail queue, mail: the sandbox ran Pod/db, Pod/web'],
    // They may come later than what fails first.
    [['web', 'web2'], undefined],
    [['db', 'queue'], undefined],
  ])('what fails nothing, though workloads ran, is refused at the end: %j', async (fail, message) => {
    const unused = await sandbox({ fail });
    await unused.close();
    const cluster = await sandbox({ fail });
    for (const name of ['db', 'web'])
      await cluster.apply({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default' },
        spec: { containers: [{ name: 'main', image: 'web:1' }] },
      } as never);
    await cluster.settle();
    if (message === undefined) await cluster.close();
    else await expect(cluster.close()).rejects.toMatchObject({ code: 'bad-options', message });
  });

  test.each([
    [
      { fail: 'web=nonsense' },
      /^fail: unknown kind of failure "nonsense"; choose one of ok, complete, fail, image-pull, /,
    ],
    [{ fail: 'web=' }, /^fail: unknown kind of failure ""; choose one of ok, complete, /],
    [{ fail: ['db', ''] }, /^fail: "" names no workload; write NAME, KIND\/NAME or \*, and =FATE behind it$/],
    [{ fail: '=oom' }, /^fail: "=oom" names no workload; /],
    [{ fail: 'job/=oom' }, /^fail: "job\/=oom" names no workload; /],
    [{ fail: 'web=oom=2' }, /^fail: "web=oom=2" names no workload; /],
    [{ fail: { web: 'oom' } }, /^the option fail must be a string or an array of strings$/],
    [{ fails: 'web' }, /^there is no option fails; did you mean fail\?$/],
    [
      { chaos: 'web' },
      /^there is no option chaos, only assume, deny, fail, kubeVersion, port, start, time, tshelm, user$/,
    ],
    [{ assume: { web: -1 } }, /^assume: web must be a number of milliseconds$/],
  ])('%j is refused', async (script, message) => {
    const options = { time: 'simulated', ...script } as SandboxOptions;
    const failure = await sandbox(options).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'bad-options', message: expect.stringMatching(message) });
  });
});

test('an unknown fate is refused by the sandbox', async () => {
  const { failure } = await installed({}, '{sandbox.tshelm.dev/fate: nonsense}');
  expect(failure).toMatchObject({
    code: 'apply-failed',
    message: expect.stringContaining('Unsupported value: "nonsense": supported values: "ok", "complete"'),
  });
});

test('a plan of an upgrade is that of an install where there is no release, unless that is forbidden', async () => {
  await using cluster = await sandbox({ time: 'simulated' });
  const { tshelm } = cluster;
  const chart = chartOf(tshelm, workload('Deployment', 'web'));
  const plan = await tshelm.plan('shop', chart, { action: 'upgrade' });
  expect(plan.action).toBe('install');
  expect(formatPlan(plan)).toMatch(/^install shop .*Deployment\/web/s);
  await expect(tshelm.plan('shop', chart, { action: 'upgrade', install: false })).rejects.toMatchObject({
    code: 'no-deployed-releases',
  });
});

test('objects become YAML, integers of 64 bits in full', () => {
  const tshelm = new Tshelm();
  const big = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big}\nsize: 9007199254740993\n';
  const { objects } = tshelm.renderSync(chartOf(tshelm, big));
  const document = '---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: big\nsize: 9007199254740993\n';
  expect(toYaml(objects)).toBe(document);
  expect(toYaml([...objects, ...objects])).toBe(document + document);
  expect(toYaml(objects.slice(0, 1)[0] ?? [])).toBe(document);
  expect(toYaml([])).toBe('');
});

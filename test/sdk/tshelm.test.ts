import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDiff, isTshelmError, Tshelm, type TshelmEvent } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const chartFiles = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.2.3\nappVersion: "7"\n',
  'values.yaml': 'replicas: 1\nbig: 1\nlabel: chart\n',
  'values.schema.json': '{"properties": {"replicas": {"type": "integer"}}}',
  'templates/config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {big: "{{ .Values.big }}", label: {{ .Values.label }}}\n',
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}, annotations: {sandbox.tshelm.dev/ready-after: 400s}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`,
  'templates/NOTES.txt': 'Welcome to {{ .Release.Name }}\n',
};

describe('rendering', () => {
  const tshelm = new Tshelm();
  const chart = tshelm.chart(chartFiles);

  test('64-bit integers stay exact on their way through a chart', () => {
    const { objects } = tshelm.renderSync(chart, { values: { big: 9007199254740993n } });
    expect(objects[0]).toMatchObject({ data: { big: '9007199254740993' } });
  });

  test.each([
    [{ timeout: 5 }, 'there is no option timeout; did you mean timeoutMs?'],
    [{ createNamespaces: true }, 'there is no option createNamespaces; did you mean createNamespace?'],
    [{ toString: 1 }, 'there is no option toString'],
    [{ timeoutMs: '10m' }, 'the option timeoutMs must be a number that is not negative'],
    [{ timeoutMs: Number.NaN }, 'the option timeoutMs must be a number that is not negative'],
    [
      { wait: 'orderd' },
      'the option wait must be one of hookOnly, watcher, legacy, ordered, auto; did you mean ordered?',
    ],
    [{ wait: true }, 'the option wait must be one of hookOnly, watcher, legacy, ordered, auto'],
    [{ values: 'a: 1' }, 'the option values must be a plain object'],
    [{ signal: 5 }, 'the option signal must be an AbortSignal'],
  ])('%j, which only a type checker would refuse, is refused', async (options, message) => {
    const given = options as object;
    expect(() => tshelm.renderSync(chart, given)).toThrow(message);
    await expect(tshelm.render(chart, given)).rejects.toMatchObject({ code: 'bad-options', message });
    await expect(tshelm.upgrade('web', chart, given)).rejects.toMatchObject({ code: 'bad-options', message });
  });

  test.each(['oci://registry.example.com/shop', 'https://example.com/shop-1.0.0.tgz', 'bitnami/redis'])(
    '%s has to be fetched, and renderSync says how',
    (reference) => {
      const render = () => tshelm.renderSync(reference);
      expect(render).toThrow(expect.objectContaining({ code: 'chart-not-found', details: { reference } }));
      expect(render).toThrow('use render');
    },
  );

  test('at once and waiting give the same', async () => {
    const options = { name: 'shop', values: { replicas: 3 }, set: ['label=set'] };
    const waited = await tshelm.render(chart, options);
    expect(tshelm.renderSync(chart, options)).toEqual(waited);
    expect(waited.notes).toBe('Welcome to shop\n');
    expect(waited.objects.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Deployment']);
  });

  test('whoever changes an object changes it for nobody else', () => {
    const first = tshelm.renderSync(chart);
    for (const { metadata } of first.objects) metadata.name = 'changed';
    expect(first.objects.map(({ metadata }) => metadata.name)).toEqual(['changed', 'changed']);
    const names = tshelm.renderSync(chart).objects.map(({ metadata }) => metadata.name);
    expect(names).toEqual(['release-name', 'release-name']);
  });

  test('the objects of crds/ are read when they are asked for', () => {
    const kind = 'CustomResourceDefinition';
    const rendered = (crd: string) => tshelm.renderSync(tshelm.chart({ ...chartFiles, 'crds/c.yaml': crd }));
    expect(rendered(`kind: ${kind}\nmetadata: {name: c}\n`).crds).toMatchObject([{ kind, metadata: { name: 'c' } }]);
    const broken = rendered('kind: [\n');
    expect(broken.objects).toHaveLength(2);
    expect(() => broken.crds).toThrow('YAML parse error');
  });

  test('a number of JavaScript is what a number in a values file is', () => {
    const [inObject] = tshelm.renderSync(chart, { values: { big: 12345678 } }).objects;
    expect(inObject).toMatchObject({ data: { big: '1.2345678e+07' } });
  });

  test.each([
    ['a date', { at: new Date(0) }, 'values.at is a Date'],
    ['a function', { list: [() => 1] }, 'values.list[0] is a function'],
    ['a number that is none', { n: Number.NaN }, 'values.n is NaN'],
    ['an integer with more than 64 bits', { n: 2n ** 64n }, 'values.n is an integer with more than 64 bits'],
  ])('%s is no value', (_what, values, words) => {
    expect(() => tshelm.renderSync(chart, { values: values as never })).toThrow(words);
  });

  test('what does not fit the schema is refused, at once too', async () => {
    const options = { values: { replicas: 'many' } };
    expect(() => tshelm.renderSync(chart, options)).toThrow("at '/replicas': got string, want integer");
    await expect(tshelm.render(chart, options)).rejects.toThrow("at '/replicas': got string, want integer");
  });

  test('without a cluster, what needs one says so', async () => {
    const failure = await tshelm.list().catch((error: unknown) => error);
    expect(isTshelmError(failure, 'no-cluster')).toBe(true);
  });
});

test.each(['real', 'simulated'] as const)(
  'many calls in a sandbox on %s time leave the program its turns',
  async (time) => {
    await using cluster = await sandbox({ time });
    const chart = cluster.tshelm.chart({ 'Chart.yaml': chartFiles['Chart.yaml'], 'templates/a.yaml': configMap });
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const names = Array.from({ length: 20 }, (_, index) => `web-${index}`);
    await Promise.all(names.map((name) => cluster.tshelm.install(name, chart)));
    isOver = true;
    // Each of them asks the API server more than five times, and each question and each answer has its turn.
    expect(turns).toBeGreaterThan(20 * 2 * 5);
  },
);

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n';

describe('a release in a sandbox on simulated time', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = await sandbox({ time: 'simulated' });
  });
  afterAll(() => box.close());

  test('goes its way from the install to its end', async () => {
    const { tshelm } = box;
    const chart = tshelm.chart(chartFiles);
    const operation = tshelm.install('shop', chart, { wait: 'watcher', timeoutMs: 600_000 });
    const events: TshelmEvent[] = [];
    for await (const event of operation) events.push(event);
    const { release } = await operation;
    expect(release).toMatchObject({ name: 'shop', revision: 1, status: 'deployed', values: {} });
    expect(box.now().getTime() - Date.parse('2026-01-01T00:00:00Z')).toBe(400_000);
    expect(events[0]?.kind).toBe('plan-started');
    expect(events.filter((event) => event.kind === 'resource' && event.state === 'ready')).toHaveLength(1);

    await tshelm.upgrade('shop', chart, { values: { label: 'new' } });
    expect(await box.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'shop' })).toMatchObject({
      data: { label: 'new' },
    });
    expect((await tshelm.history('shop')).map(({ status }) => status)).toEqual(['superseded', 'deployed']);
    expect(await tshelm.allValues('shop')).toEqual({ replicas: 1, big: 1, label: 'new' });
    const diff = await tshelm.diff('shop', chart, { values: { label: 'newer' } });
    expect(diff.objects.map(({ id, change }) => `${id.kind} ${change}`)).toEqual([
      'ConfigMap changed',
      'Deployment unchanged',
    ]);
    expect((await tshelm.drift('shop')).objects).toEqual([]);
    expect((await tshelm.rollback('shop')).release).toMatchObject({ revision: 3, status: 'deployed' });
    expect(Object.keys((await tshelm.status('shop')).resources)).toContain('v1/ConfigMap');
    expect((await tshelm.list({ matching: /^sh/ })).map(({ name }) => name)).toEqual(['shop']);
    await tshelm.uninstall('shop');
    expect(await tshelm.list()).toEqual([]);
  });

  test('objects and releases move, are left, and are adopted', async () => {
    const { tshelm } = box;
    const chart = tshelm.chart({ 'Chart.yaml': chartFiles['Chart.yaml'], 'templates/a.yaml': configMap });
    const named = ['ConfigMap/moving'];
    await tshelm.install('moving', chart);
    const dry = await tshelm.move('moving', 'target', named, { dryRun: true });
    expect(await tshelm.move('moving', 'target', named)).toEqual(dry);
    expect(dry.plan).toMatchObject({ kind: 'move', objects: [{ name: 'moving', state: 'changes' }] });
    const renamed = await tshelm.rename('target', 'renamed');
    expect(renamed.plan.records.map(({ action }) => action)).toEqual(['create', 'copy', 'delete']);
    expect((await tshelm.uninstall('renamed', { keepObjects: true })).info).toContain('[ConfigMap] moving');
    const adopted = await tshelm.adopt('moving', chart, named);
    expect([adopted.isUnchanged, (await tshelm.get('moving')).revision]).toEqual([false, 3]);
    await expect(tshelm.move('moving', '', named)).rejects.toMatchObject({ code: 'bad-options' });
    const inOptions = { objects: named } as unknown as string[];
    await expect(tshelm.move('moving', 'target', inOptions)).rejects.toMatchObject({ code: 'bad-options' });
    await tshelm.uninstall('moving');
  });

  test('fields are left to others, and what has drifted is brought back', async () => {
    const { tshelm } = box;
    const chart = tshelm.chart(chartFiles);
    const label = async () => (await box.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'own' }))?.['data'];
    await tshelm.install('own', chart, { values: { label: 'one' } });
    await tshelm.upgrade('own', chart, { values: { label: 'two' }, takeFields: ['ConfigMap:data.label=leave'] });
    expect(await label()).toMatchObject({ label: 'one' });
    const drift = await tshelm.drift('own');
    expect(drift.isDrifted).toBe(false);
    expect(drift.objects[0]?.fields).toMatchObject([
      { path: 'data.label', live: 'one', recorded: 'two', explanation: 'left to others (ConfigMap:data.label=leave)' },
    ]);
    expect((await tshelm.fixDrift('own', { dryRun: 'plan' })).plan.steps).toEqual([]);
    await tshelm.upgrade('own', chart, { values: { label: 'three' }, takeFields: [] });
    expect(await label()).toMatchObject({ label: 'three' });
    await box.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'own' });
    expect((await tshelm.drift('own')).isDrifted).toBe(true);
    const { release, plan } = await tshelm.fixDrift('own');
    expect([release.revision, plan.action]).toEqual([3, 'fix']);
    expect(await label()).toMatchObject({ label: 'three' });
    await expect(tshelm.upgrade('own', chart, { takeFields: ['ConfigMap=leave'] })).rejects.toMatchObject({
      code: 'field-rule-invalid',
    });
    await tshelm.uninstall('own');
  });

  test('a diff becomes the text and the comment that the command line makes of it', async () => {
    const { tshelm } = box;
    const chart = tshelm.chart({ 'Chart.yaml': chartFiles['Chart.yaml'], 'templates/a.yaml': configMap });
    const diffs = [];
    for (const name of ['one', 'two']) diffs.push(await tshelm.diff(name, chart, { install: true }));
    const [one] = diffs;
    expect(one && formatDiff(one)).toMatch(/^install one in default: not installed -> revision 1 \(web-1\.2\.3\)\n/);
    expect(formatDiff(diffs)).toContain('\ninstall two in default: not installed');
    expect(formatDiff(diffs, { format: 'markdown' })).toContain('### tshelm: 2 of 2 releases would change');
    expect(formatDiff(diffs, { format: 'markdown', limit: 700 })).toContain('left out: the comment would be too long');
  });

  test('a failure has its code, and facts of their types', async () => {
    const { tshelm } = box;
    const chart = tshelm.chart(chartFiles);
    const failure: unknown = await tshelm
      .install('late', chart, { wait: 'watcher', timeoutMs: 60_000 })
      .then(undefined, (error: unknown) => error);
    if (!isTshelmError(failure, 'wait-timeout')) throw failure;
    expect(failure.details.unready.map(({ id }) => id.name)).toEqual(['late']);
    expect(failure.details.timeoutMs).toBe(60_000);
  });

  test('a signal ends a wait, and the revision is recorded as failed', async () => {
    const controller = new AbortController();
    const { tshelm } = box;
    const operation = tshelm.install('stopped', tshelm.chart(chartFiles), {
      wait: 'watcher',
      signal: controller.signal,
    });
    const seen = (async () => {
      for await (const event of operation) {
        if (event.kind === 'resource' && event.state === 'waiting') controller.abort();
      }
    })();
    await expect(seen).rejects.toMatchObject({ name: 'AbortError' });
    expect((await tshelm.get('stopped')).status).toBe('failed');
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  annotations,
  formatDrift,
  formatPlan,
  type Operation,
  type Plan,
  problemText,
  TshelmError,
} from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'image: nginx\n',
  'templates/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {greeting: hello}\n',
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "{{ .Values.image }}"}]}
`,
};

let box: Sandbox;
beforeAll(async () => {
  box = await sandbox({ time: 'simulated' });
  await box.tshelm.install('web', box.tshelm.chart(files));
});
afterAll(() => box.close());

describe('drift', () => {
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' };

  test('says whether there is any, and can be read', async () => {
    const before = await box.tshelm.drift('web');
    expect(before.isDrifted).toBe(false);
    expect(formatDrift(before)).toBe('web in default, revision 1: no drift in 2 objects\n');
    await using other = await sandbox({ time: 'simulated' });
    await other.tshelm.install('web', other.tshelm.chart(files));
    await other.delete(settings);
    const after = await other.tshelm.drift('web');
    expect(after.isDrifted).toBe(true);
    expect(formatDrift([after, before])).toMatch(/ConfigMap\/settings\s.*missing[\s\S]*no drift in 2 objects/);
  });
});

describe('a plan', () => {
  const plan = (): Promise<Plan> => box.tshelm.plan('shop', box.tshelm.chart(files), { createNamespace: true });

  test('is a list in Markdown, in which names mean nothing', async () => {
    expect(
      formatPlan(await plan(), { format: 'markdown' }),
    ).toBe(`### install shop in namespace default (wait&#58; ordered)

1. create namespace default if it does not exist
1. record revision 1 as pending-install
1. apply web (in waves&#58; ConfigMap &#124; Deployment)
   - web
     - ConfigMap/settings
     - Deployment/web

on failure&#58; stop, then mark the revision failed
`);
    const odd = { ...(await plan()), release: '<img>*x*', warnings: ['a\n# b'] };
    expect(formatPlan(odd, { format: 'markdown' })).toContain('### install &#60;img&#62;&#42;x&#42; in');
    expect(formatPlan(odd, { format: 'markdown' })).toContain('> **Warning:** a &#35; b\n');
  });

  test('is text otherwise, and other forms are refused', async () => {
    expect(formatPlan(await plan(), { format: 'text' })).toBe(formatPlan(await plan()));
    expect(() => formatPlan({} as never, { format: 'html' as never })).toThrow('must be one of text, markdown');
  });

  test('has titles, wherever it comes from', async () => {
    const titles = ['create namespace default', 'record revision 1 as pending-install', 'apply 2 resources'];
    expect((await plan()).steps.map(({ title }) => title)).toEqual(titles);
    const operation: Operation<{ readonly plan: Plan }> = box.tshelm.upgrade('web', box.tshelm.chart(files));
    const told: (string | undefined)[] = [];
    for await (const event of operation) {
      if (event.kind === 'plan-started') told.push(...event.plan.steps.map(({ title }) => title));
    }
    expect(told).toContain('apply 2 resources');
    expect((await operation).plan.steps.map(({ title }) => title)).toEqual(told);
  });
});

test('a problem as text: the cause and its code, where it is written, and what to do by options', async () => {
  await using other = await sandbox({ time: 'simulated', fail: 'web=image-pull' });
  const failure: unknown = await other.tshelm
    .install('web', other.tshelm.chart(files), { wait: 'watcher' })
    .then(() => undefined)
    .catch((error: unknown) => error);
  const [problem] = failure instanceof TshelmError ? (failure.problems ?? []) : [];
  const [head, ...details] = problem === undefined ? [] : problemText(problem).split('\n');
  expect(head).toMatch(/^Deployment\/web: container .* \[image-[a-z-]+\]$/);
  expect(details).toContainEqual(expect.stringMatching(/^ {2}where {2}.*templates\/web\.yaml:\d+: /));
  expect(details.join('\n')).not.toContain('--');
});

describe('annotations of GitHub', () => {
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  test('stand at the template of each object at fault', async () => {
    await using other = await sandbox({ time: 'simulated', fail: 'web=image-pull' });
    const chart = other.tshelm.chart(files);
    const failure = await failureOf(other.tshelm.install('web', chart, { wait: 'watcher' }));
    const [line = '', ...more] = annotations(failure, { chart: 'charts/web', title: 'deploy' });
    expect(more).toEqual([]);
    expect(line).toMatch(
      /^::error file=charts\/web\/(?:templates\/web|values)\.yaml,line=\d+,title=deploy%3A Deployment\/web::/,
    );
    expect(line).toContain('ImagePull');
    expect(annotations(failure)[0]).toMatch(/^::error title=tshelm%3A Deployment\/web::/);
  });

  test('stand at the place in a template that does not render', async () => {
    const broken = box.tshelm.chart({ ...files, 'templates/bad.yaml': 'a: b\nc: {{ .Values.x.y.z }}\n' });
    const failure = await failureOf(box.tshelm.render(broken));
    expect(annotations(failure, { chart: './chart' })).toEqual([
      expect.stringMatching(/^::error file=chart\/templates\/bad\.yaml,line=2.*,title=tshelm::the value x is not set/),
    ]);
  });

  test('are escaped, of what is no failure of tshelm too', () => {
    expect(annotations(new Error('100%\n::set-output name=a::b'), { title: 'a:b,c' })).toEqual([
      '::error title=a%3Ab%2Cc::100%25%0A::set-output name=a::b',
    ]);
    expect(annotations('look', { level: 'warning' })).toEqual(['::warning title=tshelm::look']);
  });
});

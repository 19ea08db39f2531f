import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStackFolder, type StackFolder } from './stack-folder.ts';
import { timedDeployment } from './timed-deployment.ts';

/** `stack rehearse` reads no cluster: these run without one, or with the sandbox where `--live` is given. */
let folder: StackFolder;

const deployment = timedDeployment('{sandbox.tshelm.dev/ready-after: "{{ .Values.takes }}"}');
const job = `apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-migrate"
  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}
spec:
  backoffLimit: 0
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: example.com/main:1}]}
`;
const release = (name: string, takes: string, ...needs: string[]): string =>
  `  - {name: ${name}, namespace: shop, chart: ./timed, wait: true, values: [{takes: ${takes}}], needs: [${needs.join(', ')}]}\n`;

beforeEach(() => {
  folder = openStackFolder();
  folder.write('timed/Chart.yaml', 'apiVersion: v2\nname: timed\nversion: 0.1.0\n');
  folder.write('timed/templates/deployment.yaml', deployment);
  const releases = [release('db', '30s'), release('cache', '5s'), release('api', '1m', 'db', 'cache')];
  folder.write(
    'helmfile.yaml',
    `releases:\n${releases.join('')}${release('web', '2s', 'api')}  - {name: gone, namespace: shop, chart: ./timed, installed: false}\n`,
  );
});
afterEach(() => folder.remove());

interface Told {
  readonly status: string;
  readonly seconds: number;
  readonly releases: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
  readonly criticalPath: readonly { id: string; waited: number; resources: readonly { resource: string }[] }[];
}

async function told(...words: string[]): Promise<Told> {
  const { code, stdout, stderr } = await folder.stack('rehearse', '-o', 'json', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Told;
}

const when = ({ releases }: Told) =>
  Object.fromEntries(
    releases.map(({ id, status, start, end }) => [id, `${String(status)} ${String(start)} ${String(end)}`]),
  );

describe('stack rehearse', () => {
  test('each release begins when what it needs is ready; the critical path adds up', async () => {
    const rehearsed = await told();
    expect(when(rehearsed)).toEqual({
      'shop/db': 'succeeded 0 30',
      'shop/cache': 'succeeded 0 5',
      'shop/api': 'succeeded 30 90',
      'shop/web': 'succeeded 90 92',
    });
    expect(rehearsed).toMatchObject({ status: 'succeeded', seconds: 92 });
    expect(rehearsed.criticalPath.map(({ id, resources }) => [id, resources.map(({ resource }) => resource)])).toEqual([
      ['shop/db', ['Deployment/db']],
      ['shop/api', ['Deployment/api']],
      ['shop/web', ['Deployment/web']],
    ]);
    expect(rehearsed.releases.find(({ id }) => id === 'shop/db')).toMatchObject({ stops: ['shop/api', 'shop/web'] });
  });

  test('given times, and fewer places', async () => {
    const rehearsed = await told('--assume', 'deployment/db=10s', '--concurrency', '1');
    expect(when(rehearsed)).toMatchObject({ 'shop/db': 'succeeded 0 10', 'shop/cache': 'succeeded 10 15' });
    expect(rehearsed.criticalPath[0]).toMatchObject({ id: 'shop/cache', waited: 10 });
    const { stderr } = await folder.stack('rehearse', '--assume', 'deployment/nosuch=1s');
    expect(stderr).toBe('warning: --assume deployment/nosuch: no release has such a workload\n');
  });

  test('a failure leaves out those that need it, and is told with its cause', async () => {
    const rehearsed = await told('--fail', 'shop/api=image-pull');
    expect(when(rehearsed)).toMatchObject({
      'shop/api': expect.stringMatching(/^failed 30 /),
      'shop/web': 'left out undefined undefined',
    });
    const { stdout } = await folder.stack('rehearse', '--fail', 'api');
    expect(stdout).toContain('a run over 4 releases, 8 at a time, would fail in 1 of them');
    expect(stdout).toContain('shop/web: left out (needs shop/api)');
    expect(stdout).toMatch(/shop\/api fails:\n.*CrashLoopBackOff/);
  });

  test('a workload or hook of a release fails', async () => {
    folder.write('timed/templates/job.yaml', job);
    const { stdout } = await folder.stack('rehearse', '--fail', 'shop/db:job/db-migrate');
    expect(stdout).toMatch(/shop\/db fails:\n.*db-migrate/);
    expect((await folder.stack('rehearse', '--fail', 'shop/db:nosuch')).stderr).toMatch(
      /cannot fail nosuch: .*; it has Deployment\/db, Job\/db-migrate/,
    );
    expect((await folder.stack('rehearse', '--fail', 'nosuch')).stderr).toContain('the stack has no such release');
  });

  test('a failure that nobody asked for is one of the command', async () => {
    const { code, stderr } = await folder.stack('rehearse', '--timeout', '20s');
    expect(code).toBe(1);
    expect(stderr).toMatch(/Error: the rehearsal failed:\n {2}shop\/db: .*Deployment\/shop\/db not ready/);
  });

  test('text and page', async () => {
    const { stdout } = await folder.stack('rehearse');
    expect(stdout).toContain(
      'a run over 4 releases, 8 at a time, would take 1m32s if these durations are right (4 assumed by annotation)\n* shop/db ',
    );
    expect(stdout).toContain('critical path (*): 1m32s\n  30s   shop/db: Deployment/db 30s\n');
    expect(stdout).toContain('releases skipped if one fails:\n  shop/db     2: shop/api, shop/web\n');
    const page = (await folder.stack('rehearse', '-o', 'html')).stdout;
    expect(page).toMatch(/<title>a run over 4 releases, 8 at a time, would take 1m32s .*<\/title>/);
    expect(page).toContain('Deployment/api');
  });

  test('--live: what is there is upgraded, and what is not wanted goes', async () => {
    folder.write('quick.yaml', `releases:\n  - {name: gone, namespace: shop, chart: ./timed, values: [{takes: 0s}]}\n`);
    await folder.tshelm('stack', 'sync', '-f', `${folder.path}/quick.yaml`);
    const { releases } = await told('--live');
    const actions = releases.map(({ id, run }) => `${(run as { action: string }).action} ${id}`);
    expect(actions.sort()).toEqual([
      'install shop/api',
      'install shop/cache',
      'install shop/db',
      'install shop/web',
      'uninstall shop/gone',
    ]);
    expect((await told()).releases.map(({ id }) => id)).not.toContain('shop/gone');
  });
});

import { describe, expect, test } from 'vitest';
import { configMap, documents, hook, job, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { helm, ok, tshelm } from './support/programs.ts';

const directory = scratchDirectory();
const admin = adminOf('waiting');
const { namespace } = admin;

const waiting = ['--wait', '--timeout', '20s', '-n', namespace];
const shortly = ['--wait', '--timeout', '3s', '-n', namespace];
const chartOf = (name: string, ...texts: readonly string[]): string =>
  writeChart(directory, name, { 'templates/all.yaml': documents(...texts) });
const statusOf = async (name: string): Promise<unknown> =>
  (JSON.parse(await ok(helm, ['status', name, '-o', 'json', '-n', namespace])) as { info: { status: string } }).info
    .status;

describe('--wait ends when everything is ready', () => {
  const slow = { readyAfter: '1500ms' };

  test.each(['Deployment', 'StatefulSet', 'DaemonSet'] as const)('%s', async (kind) => {
    const name = `ready-${kind.toLowerCase()}`;
    await ok(tshelm, ['install', name, chartOf(name, workload(kind, 'main', slow)), ...waiting]);
    const live = await admin.object('apps/v1', kind, `${name}-main`);
    const status = live?.['status'] as { readyReplicas?: number; numberReady?: number };
    expect(status.readyReplicas ?? status.numberReady).toBe(1);
    expect(await statusOf(name)).toBe('deployed');
  });

  test('Jobs only with --wait-for-jobs', async () => {
    const chart = chartOf('jobs', job('once', slow));
    await ok(tshelm, ['install', 'jobs-not', chart, ...waiting]);
    expect((await admin.object('batch/v1', 'Job', 'jobs-not-once'))?.['status']).not.toHaveProperty('succeeded');
    await ok(tshelm, ['install', 'jobs-too', chart, ...waiting, '--wait-for-jobs']);
    expect((await admin.object('batch/v1', 'Job', 'jobs-too-once'))?.['status']).toHaveProperty('succeeded', 1);
  });

  test.each(['watcher', 'legacy'])('by the strategy %s, after an upgrade too', async (strategy) => {
    const name = `by-${strategy}`;
    const chart = chartOf(name, workload('Deployment', 'main', slow));
    const words = [chart, '-n', namespace, `--wait=${strategy}`, '--timeout', '20s'];
    await ok(tshelm, ['install', name, ...words]);
    await ok(tshelm, ['upgrade', name, ...words, '--set', 'tag=2']);
    const { status } = (await admin.object('apps/v1', 'Deployment', `${name}-main`)) as { status?: object };
    expect(status).toMatchObject({ observedGeneration: 2, updatedReplicas: 1 });
  });

  test('a CRD from crds/ with its custom resource', async () => {
    const group = `${namespace}.example.com`;
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.${group}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;
    const chart = writeChart(directory, 'widgets', {
      'crds/widgets.yaml': crd,
      'templates/widget.yaml': `apiVersion: ${group}/v1\nkind: Widget\nmetadata:\n  name: {{ .Release.Name }}\nsize: 1\n`,
    });
    const skipped = await tshelm.run(['install', 'no-crds', chart, ...waiting, '--skip-crds']);
    expect(skipped.stderr).toContain(`no matches for kind "Widget" in version "${group}/v1"`);
    expect(await admin.records('no-crds')).toEqual([]);
    await ok(tshelm, ['install', 'widget', chart, ...waiting]);
    expect(await admin.object(`${group}/v1`, 'Widget', 'widget')).toMatchObject({ size: 1 });
    await ok(tshelm, ['uninstall', 'widget', ...waiting]);
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', namespace: '' };
    expect(await admin.cluster().delete({ ...definition, name: `widgets.${group}` })).toBe(true);
  });
});

describe('what never becomes ready', () => {
  test.each([
    ['image-pull', 'ImagePullBackOff'],
    ['crash-loop', 'CrashLoopBackOff'],
    ['hang', '[pod-pending]'],
  ])('%s: times out, names the pod and why, and the release is recorded as failed', async (fate, reason) => {
    const name = `never-${fate}`;
    const chart = chartOf(name, workload('Deployment', 'main', { fate }));
    const { code, stderr } = await tshelm.run(['install', name, chart, ...shortly]);
    expect(code).toBe(1);
    expect(stderr).toContain('INSTALLATION FAILED');
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(new RegExp(`(?:kubectl describe pod |Pod/)${name}-main-`));
    expect(await statusOf(name)).toBe('failed');
    expect(await ok(tshelm, ['list', '-q', '--failed', '-n', namespace])).toContain(name);
    await ok(helm, ['uninstall', name, '-n', namespace]);
  });

  test('--rollback-on-failure removes a failed install, and undoes a failed upgrade', async () => {
    const bad = chartOf('bad', workload('Deployment', 'main', { fate: 'image-pull' }));
    const good = writeChart(directory, 'bad-before', { 'templates/all.yaml': configMap('only', 'x') });
    const first = await tshelm.run(['install', 'undone', bad, ...shortly, '--rollback-on-failure']);
    expect(first.code).toBe(1);
    expect(await admin.records('undone')).toEqual([]);
    expect(await admin.object('apps/v1', 'Deployment', 'undone-main')).toBeUndefined();
    await ok(tshelm, ['install', 'undone', good, ...waiting]);
    const second = await tshelm.run(['upgrade', 'undone', bad, ...shortly, '--atomic']);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('UPGRADE FAILED');
    const history = JSON.parse(await ok(helm, ['history', 'undone', '-o', 'json', '-n', namespace])) as {
      status: string;
    }[];
    expect(history.map(({ status }) => status)).toEqual(['superseded', 'failed', 'deployed']);
    expect(await admin.object('v1', 'ConfigMap', 'undone-only')).toBeDefined();
    expect(await admin.object('apps/v1', 'Deployment', 'undone-main')).toBeUndefined();
  });

  test('after a failed first install, upgrade --install works', async () => {
    const bad = chartOf('second-bad', workload('Deployment', 'main', { fate: 'hang' }));
    const good = chartOf('second-good', workload('Deployment', 'main'));
    expect((await tshelm.run(['upgrade', '--install', 'second', bad, ...shortly])).code).toBe(1);
    await ok(tshelm, ['upgrade', '--install', 'second', good, ...waiting]);
    expect(await statusOf('second')).toBe('deployed');
  });
});

describe('hooks', () => {
  const lastRuns = async (name: string): Promise<string[]> => {
    const { hooks } = JSON.parse(await ok(helm, ['status', name, '-o', 'json', '-n', namespace])) as {
      hooks: { name: string; last_run: { started_at?: string; phase: string } }[];
    };
    return (
      hooks
        .filter(({ last_run }) => last_run.started_at)
        // By the clock: as text, 5.1 would stand behind 5.12, for Go leaves out zeros at the end.
        .sort((a, b) => Date.parse(a.last_run.started_at ?? '') - Date.parse(b.last_run.started_at ?? ''))
        .map((one) => `${one.name} ${one.last_run.phase}`)
    );
  };

  test('run by weight and name, are deleted by their policies, and are recorded as Helm records them', async () => {
    const hooks = documents(
      job('late', { annotations: hook('pre-install', { weight: 5 }) }),
      job('early', { annotations: hook('pre-install', { weight: -5, policy: 'hook-succeeded' }) }),
      configMap('middle', 'x', hook('pre-install')),
      configMap('after', 'x', hook('post-install', { policy: 'hook-failed' })),
      configMap('removing', 'x', hook('pre-delete,post-delete', { policy: 'hook-succeeded' })),
    );
    const chart = writeChart(directory, 'hooked', {
      'templates/hooks.yaml': hooks,
      'templates/main.yaml': configMap('main', 'x'),
    });
    const results: string[][] = [];
    for (const program of [tshelm, helm]) {
      const name = 'hooked';
      await ok(program, ['install', name, chart, '-n', namespace, '--timeout', '20s']);
      const jobs = await admin.names('batch/v1', 'Job');
      const maps = await admin.names('v1', 'ConfigMap');
      results.push([...(await lastRuns(name)), ...[...jobs, ...maps].filter((object) => object.startsWith('hooked-'))]);
      await ok(program, ['uninstall', name, '-n', namespace, '--timeout', '20s']);
      expect(await admin.object('v1', 'ConfigMap', 'hooked-removing')).toBeUndefined();
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.slice(0, 4)).toEqual([
      'hooked-early Succeeded',
      'hooked-middle Succeeded',
      'hooked-late Succeeded',
      'hooked-after Succeeded',
    ]);
    expect(results[0]).not.toContain('hooked-early');
  });

  test.each([
    ['pre-install', false],
    ['post-install', true],
  ])('a failed %s Job fails the install at once, and names it', async (event, isMainThere) => {
    const name = `failing-${event}`;
    const chart = chartOf(name, job('broken', { annotations: hook(event), fate: 'fail' }), configMap('main', 'x'));
    const begun = performance.now();
    const { code, stderr } = await tshelm.run(['install', name, chart, '-n', namespace, '--timeout', '60s']);
    expect(performance.now() - begun).toBeLessThan(45_000);
    expect(code).toBe(1);
    expect(stderr).toContain(`INSTALLATION FAILED: failed ${event}`);
    expect(stderr).toContain(`${name}-broken`);
    expect(await statusOf(name)).toBe('failed');
    expect((await admin.object('v1', 'ConfigMap', `${name}-main`)) !== undefined).toBe(isMainThere);
    expect((await tshelm.run(['uninstall', name, '-n', namespace])).code).toBe(0);
  });

  test('a failed pre-delete hook keeps the release; --no-hooks removes it', async () => {
    const chart = chartOf(
      'guarded',
      job('guard', { annotations: hook('pre-delete'), fate: 'fail' }),
      configMap('main', 'x'),
    );
    await ok(tshelm, ['install', 'guarded', chart, '-n', namespace]);
    const { code } = await tshelm.run(['uninstall', 'guarded', '-n', namespace, '--timeout', '20s']);
    expect(code).toBe(1);
    expect(await admin.object('v1', 'ConfigMap', 'guarded-main')).toBeDefined();
    await ok(tshelm, ['uninstall', 'guarded', '-n', namespace, '--no-hooks']);
    expect(await admin.records('guarded')).toEqual([]);
  });

  test('tshelm test runs the tests, all or by name', async () => {
    const chart = chartOf(
      'tested',
      job('good', { annotations: hook('test') }),
      job('bad', { annotations: hook('test'), fate: 'fail' }),
    );
    await ok(tshelm, ['install', 'tested', chart, '-n', namespace]);
    const words = ['test', 'tested', '-n', namespace, '--timeout', '20s'];
    const good = await ok(tshelm, [...words, '--filter', 'name=tested-good']);
    expect(good).toMatch(/TEST SUITE: {5}tested-good\n.*\n.*\nPhase: {10}Succeeded/);
    const bad = await tshelm.run([...words, '--filter', '!name=tested-good']);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/TEST SUITE: {5}tested-bad\n.*\n.*\nPhase: {10}Failed/);
    await ok(tshelm, ['uninstall', 'tested', '-n', namespace]);
  });
});

describe('flags of install', () => {
  const chart = chartOf(
    'flagged',
    configMap('main', 'x'),
    configMap('kept', 'x', { 'helm.sh/resource-policy': 'keep' }),
  );

  test.each(['client', 'server'])('--dry-run=%s prints what Helm prints, and changes nothing', async (mode) => {
    const words = ['install', 'dry', chart, '-n', namespace, `--dry-run=${mode}`];
    const masked = (text: string): string => text.replace(/LAST DEPLOYED: .*/, '');
    expect(masked(await ok(tshelm, words))).toBe(masked(await ok(helm, words)));
    expect(await admin.records('dry')).toEqual([]);
    expect(await admin.object('v1', 'ConfigMap', 'dry-main')).toBeUndefined();
  });

  test('--generate-name and --name-template', async () => {
    expect(await ok(tshelm, ['install', chart, '--generate-name', '-n', namespace])).toMatch(/^NAME: flagged-\d{10}\n/);
    const named = ['install', chart, '--name-template', 'by-{{ "template" | lower }}', '-n', namespace];
    expect(await ok(tshelm, named)).toMatch(/^NAME: by-template\n/);
  });

  test('--create-namespace makes it as Helm does', async () => {
    const made = await Promise.all(
      [tshelm, helm].map(async (program) => {
        const other = `${namespace}-${program.name}`;
        await ok(program, ['install', 'there', chart, '-n', other, '--create-namespace']);
        const id = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: other };
        const live = await admin.cluster().get(id);
        await admin.cluster().delete(id);
        return { ...live?.metadata.labels, 'kubernetes.io/metadata.name': '', name: '' };
      }),
    );
    expect(made[0]).toEqual(made[1]);
  });

  test('keep leaves the object and says so, in the words of Helm', async () => {
    const said = [];
    for (const program of [tshelm, helm]) {
      await ok(tshelm, ['install', 'keeper', chart, '-n', namespace, '--take-ownership']);
      said.push(await ok(program, ['uninstall', 'keeper', '-n', namespace]));
    }
    expect(said[0]).toBe(said[1]);
    expect(said[0]).toContain('[ConfigMap] keeper-kept');
    expect(await admin.object('v1', 'ConfigMap', 'keeper-kept')).toBeDefined();
    expect(await admin.object('v1', 'ConfigMap', 'keeper-main')).toBeUndefined();
  });

  test('--replace takes the name of an uninstalled release', async () => {
    await ok(tshelm, ['install', 'again', chart, '-n', namespace]);
    await ok(tshelm, ['uninstall', 'again', '--keep-history', '-n', namespace]);
    expect((await tshelm.run(['install', 'again', chart, '-n', namespace])).stderr).toContain(
      'cannot reuse a name that is still in use',
    );
    await ok(tshelm, ['install', 'again', chart, '--replace', '-n', namespace]);
    expect(await ok(helm, ['history', 'again', '-n', namespace])).toMatch(/1 .*superseded[^]*2 .*deployed/);
  });
});

describe("other people's objects", () => {
  const chart = chartOf(
    'claims',
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\ndata:\n  value: ours\n`,
  );
  const leave = (name: string, fieldManager: string): Promise<unknown> =>
    admin
      .cluster()
      .apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: 'theirs' } }, { fieldManager });

  test('are refused, with the words of Helm; --take-ownership takes them', async () => {
    await leave('foreign', 'somebody');
    const words = ['install', 'claimer', chart, '-n', namespace, '--set', 'name=foreign'];
    const ours = await tshelm.run(words);
    const theirs = await helm.run(words);
    expect(ours.code).toBe(1);
    const sentence = theirs.stderr
      .replace(/^level=.*\n/gm, '')
      .replace(/^Error: .*with install: /, '')
      .trim();
    expect(ours.stderr).toContain(`\nHelm's error: ${sentence}\n`);
    expect(ours.stderr).toContain('invalid ownership metadata');
    expect(await admin.records('claimer')).toEqual([]);
    await ok(tshelm, [...words, '--take-ownership', '--force-conflicts']);
    expect(await admin.object('v1', 'ConfigMap', 'foreign')).toMatchObject({
      metadata: { annotations: { 'meta.helm.sh/release-name': 'claimer' } },
      data: { value: 'ours' },
    });
  });

  test('a field that another manager took is a conflict with its path and manager; --force-conflicts takes it', async () => {
    await ok(tshelm, ['install', 'contested', chart, '-n', namespace, '--set', 'name=contested']);
    await admin
      .cluster()
      .apply(
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'contested' }, data: { value: 'theirs' } },
        { fieldManager: 'autoscaler', force: true },
      );
    const words = ['upgrade', 'contested', chart, '-n', namespace, '--set', 'name=contested'];
    const ours = await tshelm.run(words);
    expect(ours.code).toBe(1);
    expect(ours.stderr).toContain('conflict with "autoscaler"');
    expect(ours.stderr).toContain('.data.value');
    // The cause stands first, and Helm's words below it.
    expect(ours.stderr).toContain(
      lastLines(await helm.run(words)).replace('Error: UPGRADE FAILED: ', "Helm's error: "),
    );
    await ok(tshelm, [...words, '--force-conflicts']);
    expect(await admin.object('v1', 'ConfigMap', 'contested')).toMatchObject({ data: { value: 'ours' } });
  });
});

/** Helm's error without its log before it. */
const lastLines = ({ stderr }: { stderr: string }): string => stderr.replace(/^level=.*\n/gm, '').trimEnd();

import { describe, expect, test } from 'vitest';
import { install } from '../../src/actions/install.ts';
import type { InstallOptions } from '../../src/actions/options/install.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import type { Release } from '../../src/release/types.ts';
import { refusal } from '../cluster/fake-cluster.ts';
import { chartOf, configMap, job, openWorld, type World } from './harness.ts';

const noValues = new Map();
const installIn = async (
  world: World,
  files: Readonly<Record<string, string>>,
  options: Partial<InstallOptions> = {},
): Promise<Release> =>
  (await install(await chartOf(files), noValues, { name: 'web', ...options }, world.context)).release;

const stored = async ({ context }: World, name = 'web'): Promise<readonly Release[]> =>
  (await context.storage()).revisions(name);

const oneMap = { 'templates/cm.yaml': configMap('settings') };

describe('install', () => {
  test('sends the resources with ownership metadata, and records the release without it', async () => {
    const world = openWorld();
    const release = await installIn(world, oneMap);
    expect(world.cluster.find('settings')?.metadata).toMatchObject({
      namespace: 'default',
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'default' },
    });
    expect(release).toMatchObject({ version: 1, applyMethod: 'ssa', info: { description: 'Install complete' } });
    expect(release.manifest).toBe(`---\n# Source: app/templates/cm.yaml\n${configMap('settings')}\n`);
    expect(await stored(world)).toMatchObject([{ info: { status: 'deployed' } }]);
  });

  test('the record is there, as pending-install, before anything is sent', async () => {
    const world = openWorld();
    await installIn(world, oneMap);
    expect(world.cluster.seen.slice(0, 2)).toEqual(['sh.helm.release.v1.web.v1', 'settings']);
    expect(world.cluster.find('sh.helm.release.v1.web.v1')).toMatchObject({
      type: 'helm.sh/release.v1',
      metadata: { labels: { name: 'web', owner: 'helm', status: 'deployed', version: '1' } },
    });
  });

  test('a failure after the render keeps what was warned of until then', async () => {
    const world = openWorld();
    const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    world.cluster.failOn('apply', 'settings', refusal(500, 'InternalError', settings, 'no'));
    const twice = { 'templates/a.yaml': configMap('settings'), 'templates/b.yaml': configMap('settings') };
    await expect(installIn(world, twice)).rejects.toMatchObject({
      details: { warnings: [expect.stringContaining('an object is rendered more than once')] },
    });
  });

  test('a failed resource fails the release, and the record says why', async () => {
    const world = openWorld();
    const refused = refusal(
      422,
      'Invalid',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
      'is invalid',
    );
    world.cluster.failOn('apply', 'settings', refused);
    const message =
      'server-side apply failed for object default/settings /v1, Kind=ConfigMap: configmaps "settings" is invalid';
    await expect(installIn(world, oneMap)).rejects.toMatchObject({ code: 'apply-failed', message });
    expect(await stored(world)).toMatchObject([
      { info: { status: 'failed', description: `Release "web" failed: ${message}` } },
    ]);
  });

  test.each<[string, Partial<InstallOptions>, string]>([
    ['a name in use', {}, 'release name check failed: cannot reuse a name that is still in use'],
    [
      'an invalid name',
      { name: 'Web_' },
      'release name check failed: release name "Web_": invalid release name, must match regex ' +
        '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$ and the length must not be longer than 53',
    ],
    [
      'a label of Helm',
      { name: 'other', labels: { owner: 'me' } },
      'user supplied labels contains system reserved label name. System labels: [name owner status version createdAt modifiedAt]',
    ],
    [
      "another release's resources",
      { name: 'other' },
      'unable to continue with install: ConfigMap "settings" in namespace "default" exists and cannot be imported into the ' +
        'current release: invalid ownership metadata; annotation validation error: key "meta.helm.sh/release-name" must ' +
        'equal "other": current value is "web"',
    ],
  ])('%s is refused', async (_what, options, message) => {
    const world = openWorld();
    await installIn(world, oneMap);
    await expect(installIn(world, oneMap, options)).rejects.toMatchObject({ message });
    expect(await stored(world, 'other')).toEqual([]);
  });

  test('somebody else’s object is refused with every missing key, unless ownership is taken', async () => {
    const world = openWorld();
    world.cluster.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
    await expect(installIn(world, oneMap)).rejects.toMatchObject({
      message:
        'unable to continue with install: ConfigMap "settings" in namespace "default" exists and cannot be imported into ' +
        'the current release: invalid ownership metadata; label validation error: missing key ' +
        '"app.kubernetes.io/managed-by": must be set to "Helm"; annotation validation error: missing key ' +
        '"meta.helm.sh/release-name": must be set to "web"; annotation validation error: missing key ' +
        '"meta.helm.sh/release-namespace": must be set to "default"',
    });
    await installIn(world, oneMap, { takeOwnership: true });
    expect(world.cluster.find('settings')?.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'Helm' });
  });

  test('kinds that nobody serves are named together, before anything is sent', async () => {
    const world = openWorld();
    const files = {
      'templates/a.yaml':
        'apiVersion: foo.example/v1\nkind: Foo\nmetadata: {name: a}\n---\napiVersion: foo.example/v1\nkind: Bar\nmetadata: {name: a}\n',
    };
    await expect(installIn(world, files)).rejects.toMatchObject({
      code: 'no-matches-for-kind',
      message:
        'unable to build kubernetes objects from release manifest: [resource mapping not found for name: "a" namespace: "" from "": ' +
        'no matches for kind "Bar" in version "foo.example/v1"\nensure CRDs are installed first, ' +
        'resource mapping not found for name: "a" namespace: "" from "": no matches for kind "Foo" in version "foo.example/v1"\n' +
        'ensure CRDs are installed first]',
    });
    expect(world.cluster.seen).toEqual([]);
  });

  test.each(['client', 'server'] as const)('--dry-run=%s changes nothing', async (dryRun) => {
    const world = openWorld();
    const release = await installIn(world, oneMap, { dryRun });
    expect(release.info).toMatchObject({ status: 'pending-install', description: 'Dry run complete' });
    expect(world.cluster.seen).toEqual([]);
  });

  test('an interrupted install is recorded as failed', async () => {
    const interruption = new AbortController();
    const world = openWorld({ signal: interruption.signal });
    const files = { 'templates/job.yaml': job('migrate', 'helm.sh/hook: pre-install') };
    const running = installIn(world, files);
    await world.cluster.sees('migrate');
    interruption.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(await stored(world)).toMatchObject([
      {
        info: {
          status: 'failed',
          description:
            'Release "web" failed: interrupted (context canceled) at "run pre-install hooks" (in Job/migrate)',
        },
      },
    ]);
  });

  test('--rollback-on-failure waits, and takes everything away again', async () => {
    const world = openWorld();
    const files = { ...oneMap, 'templates/job.yaml': job('work', 'a: b') };
    const running = installIn(world, files, { rollbackOnFailure: true, waitForJobs: true });
    await world.cluster.sees('work');
    world.cluster.makeFailed('work');
    await expect(running).rejects.toMatchObject({
      code: 'install-rolled-back',
      message: expect.stringMatching(
        /^release web failed, and has been uninstalled due to rollback-on-failure being set: resource Job\/default\/work not ready/,
      ),
    });
    expect(world.cluster.names()).toEqual([]);
  });

  test('--replace takes the name of an uninstalled release and goes on counting', async () => {
    const world = openWorld();
    await installIn(world, oneMap);
    await uninstall({ name: 'web', keepHistory: true }, world.context);
    await installIn(world, oneMap, { replace: true });
    expect((await stored(world)).map(({ version, info }) => [version, info.status])).toEqual([
      [1, 'superseded'],
      [2, 'deployed'],
    ]);
  });

  test('what the server serves is asked for while the lock is taken', async () => {
    const world = openWorld();
    const { resources } = world.cluster;
    const asked = new Promise<void>((resolve) => {
      world.cluster.resources = () => {
        resolve();
        return resources.call(world.cluster);
      };
    });
    const acquire = async (): Promise<never> => {
      await asked;
      throw new Error('taken');
    };
    const installing = install(
      await chartOf(oneMap),
      new Map(),
      { name: 'web' },
      { ...world.context, locks: { acquire } },
    );
    await expect(installing).rejects.toThrow('taken');
  });

  test('--create-namespace creates it before the record', async () => {
    const world = openWorld({ namespace: 'shop' });
    await installIn(world, oneMap, { createNamespace: true });
    expect(world.cluster.seen.slice(0, 2)).toEqual(['shop', 'sh.helm.release.v1.web.v1']);
    // The empty spec makes Helm, and so tshelm, the owner of that field.
    expect(world.cluster.find('shop', 'Namespace')).toMatchObject({ metadata: { labels: { name: 'shop' } }, spec: {} });
  });

  test('in a namespace that is not there yet nothing is looked for; in one that is, each object', async () => {
    const world = openWorld({ namespace: 'shop' });
    world.cluster.remove('shop', 'Namespace');
    const files = { 'templates/a.yaml': configMap('one'), 'templates/b.yaml': configMap('two') };
    const lookedFor = (): readonly string[] =>
      world.cluster.calls.filter(({ verb }) => verb === 'get').map(({ name }) => name);
    await installIn(world, files, { createNamespace: true });
    expect(lookedFor()).toEqual(['shop']);
    world.cluster.calls.length = 0;
    await installIn(world, { 'templates/c.yaml': configMap('three') }, { createNamespace: true, name: 'other' });
    expect(lookedFor()).toEqual(['shop', 'three']);
  });

  test('objects of a CRD in the same release are sent once the CRD is established', async () => {
    const world = openWorld({ readyAtOnce: true });
    const crd =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.example.com}\n' +
      'spec: {group: example.com, scope: Namespaced, names: {kind: Foo, plural: foos}, versions: [{name: v1, served: true, storage: true}]}\n';
    const foo = 'apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: a}\n';
    await installIn(world, { 'templates/crd.yaml': crd, 'templates/foo.yaml': foo });
    expect(world.cluster.names()).toContain('Foo/a');
    expect(world.cluster.calls).not.toContainEqual(expect.objectContaining({ verb: 'get', kind: 'Foo' }));
  });

  test('CRDs of crds/ come before everything and carry no ownership metadata', async () => {
    const world = openWorld({ readyAtOnce: true });
    const crd =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.example.com}\n' +
      'spec: {group: example.com, scope: Namespaced, names: {kind: Foo, plural: foos}, versions: [{name: v1, served: true, storage: true}]}\n';
    await installIn(world, { 'crds/foo.yaml': crd, ...oneMap });
    expect(world.cluster.seen[0]).toBe('foos.example.com');
    expect(world.cluster.find('foos.example.com')?.metadata.labels).toBeUndefined();
  });

  test('CRDs of a client-side install do not go with --force-conflicts, as in Helm', async () => {
    const files = { 'crds/foo.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', ...oneMap };
    const options = { serverSide: false, forceConflicts: true };
    const world = openWorld({ readyAtOnce: true });
    await expect(installIn(world, files, options)).rejects.toThrow(
      'failed to install CRD crds/foo.yaml: invalid client create option(s): forceConflicts enabled when serverSideApply disabled',
    );
    expect(world.cluster.seen).toEqual([]);
    expect((await installIn(world, files, { ...options, skipCrds: true })).info.status).toBe('deployed');
  });
});

describe('hooks of an install', () => {
  test("Helm 2's crd-install comes first and is waited for; its kinds may be used", async () => {
    const world = openWorld({ readyAtOnce: true });
    const crd =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: foos.example.com\n' +
      '  annotations: {helm.sh/hook: crd-install, helm.sh/hook-delete-policy: before-hook-creation}\n' +
      'spec: {group: example.com, scope: Cluster, names: {kind: Foo, plural: foos}, versions: [{name: v1, served: true, storage: true}]}\n';
    const foo = 'apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: a}\n';
    await installIn(world, { 'templates/crd.yaml': crd, 'templates/foo.yaml': foo });
    const written = world.cluster.seen.filter((name) => !name.startsWith('sh.helm'));
    expect(written).toEqual(['foos.example.com', 'a']);
    expect(world.cluster.calls.some(({ verb }) => verb === 'delete')).toBe(false);
  });

  test('run around the resources, by weight, and their state is recorded', async () => {
    const world = openWorld();
    const files = {
      ...oneMap,
      'templates/a.yaml': job('late', 'helm.sh/hook: pre-install, helm.sh/hook-weight: "5"'),
      'templates/b.yaml': job('early', 'helm.sh/hook: pre-install, helm.sh/hook-weight: "-5"'),
      'templates/c.yaml': job('after', 'helm.sh/hook: post-install, helm.sh/hook-delete-policy: hook-succeeded'),
    };
    const running = installIn(world, files);
    for (const name of ['early', 'late', 'after']) {
      await world.cluster.sees(name);
      world.cluster.makeReady(name);
    }
    const release = await running;
    const written = world.cluster.seen.filter((name) => !name.startsWith('sh.helm'));
    expect(written).toEqual(['early', 'late', 'settings', 'after']);
    expect(release.hooks.map(({ lastRun }) => lastRun.phase)).toEqual(['Succeeded', 'Succeeded', 'Succeeded']);
    expect(release.hooks.find(({ name }) => name === 'late')?.deletePolicies).toEqual(['before-hook-creation']);
    expect(world.cluster.find('after')).toBeUndefined();
    expect(world.cluster.find('late')).toBeDefined();
    // The answer to the deletion has said that it is gone.
    const { calls } = world.cluster;
    const deletedAt = calls.findLastIndex(({ verb, name }) => verb === 'delete' && name === 'after');
    expect(calls.slice(deletedAt).some(({ verb }) => verb === 'watch')).toBe(false);
  });

  test('a failed hook fails the release in Helm’s words, and nothing later runs', async () => {
    const world = openWorld();
    const files = { ...oneMap, 'templates/a.yaml': job('migrate', 'helm.sh/hook: pre-install') };
    const running = installIn(world, files);
    await world.cluster.sees('migrate');
    world.cluster.makeFailed('migrate');
    await expect(running).rejects.toMatchObject({
      message: expect.stringMatching(/^failed pre-install: resource Job\/default\/migrate not ready\. status: Failed/),
    });
    expect(world.cluster.find('settings')).toBeUndefined();
    const [release] = await stored(world);
    expect(release?.hooks[0]?.lastRun.phase).toBe('Failed');
    expect(release?.info.description).toMatch(/^Release "web" failed: failed pre-install: /);
  });

  test('--no-hooks leaves them out', async () => {
    const world = openWorld();
    await installIn(
      world,
      { ...oneMap, 'templates/a.yaml': job('migrate', 'helm.sh/hook: pre-install') },
      { noHooks: true },
    );
    expect(world.cluster.find('migrate')).toBeUndefined();
  });
});

test('a failure that cannot be recorded is still the one that is told', async () => {
  const world = openWorld();
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
  world.cluster.failOn('apply', 'settings', refusal(422, 'Invalid', map, 'is invalid'));
  world.cluster.failOn('replace', 'sh.helm.release.v1.web.v1', new Error('no connection'));
  await expect(installIn(world, oneMap)).rejects.toMatchObject({ code: 'apply-failed' });
  expect(world.events).toContainEqual({
    kind: 'warning',
    text: 'failed to update release web (revision 1): no connection',
  });
});

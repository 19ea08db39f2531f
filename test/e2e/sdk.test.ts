import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTshelmError, type Operation, Tshelm, type TshelmEvent } from '../../src/index.ts';
import { type Registry, startRegistry } from './source/registry.ts';
import { configMap, scratchDirectory, workload, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { tshelm as commandLine, helm, ok } from './support/programs.ts';

// The library on a real control plane and a real registry; what it leaves is read with Helm.
const directory = scratchDirectory();
const admin = adminOf('sdk');
const { namespace } = admin;
const tshelm = new Tshelm({ cluster: { kubeconfig: process.env['KUBECONFIG'] ?? '' }, namespace });
afterAll(() => tshelm.close());

const chart = writeChart(directory, 'web', {
  'values.yaml': 'label: chart\n',
  'templates/all.yaml': `${configMap('main', '{{ .Values.label }}')}---\n${workload('Deployment', 'web', { readyAfter: '1s' })}`,
});
const revisions = async (): Promise<unknown> =>
  JSON.parse(await ok(helm, ['history', 'shop', '-n', namespace, '-o', 'json']));

describe('a release', () => {
  test('goes its way, and Helm reads every step', async () => {
    const operation = tshelm.install('shop', chart, { wait: 'watcher' });
    const events: TshelmEvent[] = [];
    for await (const event of operation) events.push(event);
    expect((await operation).release).toMatchObject({ name: 'shop', revision: 1, status: 'deployed' });
    expect(events.some((event) => event.kind === 'resource' && event.state === 'ready')).toBe(true);

    await tshelm.upgrade('shop', chart, { values: { label: 'second' }, wait: 'watcher' });
    expect(await ok(helm, ['get', 'values', 'shop', '-n', namespace, '-o', 'json'])).toBe('{"label":"second"}\n');
    expect((await admin.object('v1', 'ConfigMap', 'shop-main'))?.['data']).toEqual({ value: 'second' });

    await tshelm.rollback('shop', { wait: 'watcher' });
    expect(await revisions()).toMatchObject([
      { revision: 1, status: 'superseded' },
      { revision: 2, status: 'superseded' },
      { revision: 3, status: 'deployed', description: 'Rollback to 1' },
    ]);
  });

  test('is compared with its chart, and with the cluster', async () => {
    const { objects } = await tshelm.diff('shop', chart, { values: { label: 'third' } });
    expect(objects.map(({ id, change }) => `${id.kind} ${change}`)).toEqual([
      'ConfigMap changed',
      'Deployment unchanged',
    ]);
    expect((await tshelm.drift('shop')).objects).toEqual([]);
    const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'shop-main' };
    await admin.cluster().patch(id, 'merge', { data: { value: 'by hand' } });
    expect((await tshelm.drift('shop')).objects).toMatchObject([{ id: { kind: 'ConfigMap', name: 'shop-main' } }]);
  });

  test('of Helm is read, and removed', async () => {
    await ok(helm, ['install', 'by-helm', chart, '-n', namespace, '--set', 'label=helm']);
    expect(await tshelm.allValues('by-helm')).toEqual({ label: 'helm' });
    expect((await tshelm.list()).map(({ name, status }) => `${name} ${status}`)).toEqual([
      'by-helm deployed',
      'shop deployed',
    ]);
    await tshelm.uninstall('by-helm', { wait: 'watcher' });
    await tshelm.uninstall('shop', { wait: 'watcher' });
    expect(await ok(helm, ['list', '-n', namespace, '-q'])).toBe('');
    expect(await admin.names('apps/v1', 'Deployment')).toEqual([]);
  });

  test('that fails names what is not ready, in types', async () => {
    const broken = writeChart(directory, 'broken', {
      'templates/all.yaml': workload('Deployment', 'web', { fate: 'hang' }),
    });
    const failure: unknown = await tshelm
      .install('broken', broken, { wait: 'watcher', timeoutMs: 3_000 })
      .then(undefined, (error: unknown) => error);
    if (!isTshelmError(failure, 'wait-timeout')) throw failure;
    expect(failure.details.unready.map(({ id }) => `${id.kind}/${id.name}`)).toEqual(['Deployment/broken-web']);
    expect((await tshelm.get('broken')).status).toBe('failed');
    await tshelm.uninstall('broken');
  });
});

test('what a change leaves as it is is unchanged, by server-side and client-side apply', async () => {
  const two = writeChart(directory, 'two', {
    'values.yaml': 'label: one\n',
    'templates/all.yaml': `${configMap('fixed', 'same')}---\n${configMap('changing', '{{ .Values.label }}')}`,
  });
  const ends = async (operation: Operation<unknown>): Promise<readonly string[]> => {
    const told: string[] = [];
    for await (const event of operation) {
      if (event.kind === 'resource' && event.state !== 'applying') told.push(`${event.id.name} ${event.state}`);
    }
    return told.sort();
  };
  for (const serverSide of [true, false]) {
    const name = serverSide ? 'ssa' : 'csa';
    const states = (changing: string, fixed: string) => [`${name}-changing ${changing}`, `${name}-fixed ${fixed}`];
    expect(await ends(tshelm.install(name, two, { serverSide }))).toEqual(states('created', 'created'));
    expect(await ends(tshelm.upgrade(name, two, { serverSide }))).toEqual(states('unchanged', 'unchanged'));
    const changed = tshelm.upgrade(name, two, { serverSide, values: { label: 'two' } });
    expect(await ends(changed)).toEqual(states('configured', 'unchanged'));
    await tshelm.uninstall(name, { wait: 'watcher' });
    // The first time, server-side apply writes who owns the label of a namespace that somebody else made.
    const options = { serverSide, createNamespace: true };
    await tshelm.install(name, two, options);
    expect(await ends(tshelm.install(`${name}-2`, two, options))).toContain(`${namespace} unchanged`);
    for (const each of [name, `${name}-2`]) await tshelm.uninstall(each, { wait: 'watcher' });
  }
});

describe('a stack', () => {
  const context = /^current-context: *(.+)$/m.exec(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8'))?.[1];
  const stack = tshelm.stack({ folder: directory });
  const release = (name: string, more: string): string =>
    `  - {name: ${name}, namespace: ${namespace}, chart: ./web, wait: true, ${more}}\n`;
  const write = (label: string, more = ''): void =>
    writeFileSync(
      join(directory, 'helmfile.yaml'),
      `releases:\n${release('front', `needs: [${namespace}/back], values: [{label: ${label}}]`)}${release('back', '')}${more}`,
    );
  const listed = async (): Promise<unknown> =>
    JSON.parse(await ok(helm, ['list', '-n', namespace, '-o', 'json'])).map(
      ({ name, revision }: { name: string; revision: string }) => `${name} ${revision}`,
    );

  test('goes its way; Helm and the command line find it as it was left', async () => {
    write('first');
    const operation = stack.apply();
    const told: string[] = [];
    for await (const event of operation) {
      if (event.kind === 'resource' && event.state === 'ready') told.push(`${event.release} ${event.id.kind} ready`);
      if (event.kind === 'release-started') told.push(`${event.release} begins`);
    }
    expect(told.filter((line) => !line.includes('ConfigMap'))).toEqual([
      `${namespace}/back begins`,
      `${namespace}/back Deployment ready`,
      `${namespace}/front begins`,
      `${namespace}/front Deployment ready`,
    ]);
    expect((await operation).releases.map(({ name, change }) => `${name} ${change}`)).toEqual([
      'back installed',
      'front installed',
    ]);
    expect(await listed()).toEqual(['back 1', 'front 1']);
    await ok(commandLine, ['stack', 'diff', '-f', join(directory, 'helmfile.yaml'), '--detailed-exitcode']);

    write('second');
    const planned = await stack.plan();
    expect(planned.map(({ name, kind, plan }) => `${name} ${kind} ${plan?.action}`)).toEqual([
      'back unchanged upgrade',
      'front change upgrade',
    ]);
    expect((await stack.apply()).releases.map(({ change }) => change)).toEqual(['unchanged', 'upgraded']);
    expect(await listed()).toEqual(['back 1', 'front 2']);
    expect((await admin.object('v1', 'ConfigMap', 'front-main'))?.['data']).toEqual({ value: 'second' });
  });

  test('is looked at, in the context that a release names too', async () => {
    write('second', release('other', `kubeContext: ${context}, labels: {tier: other}`));
    const other = tshelm.stack({ folder: directory, selectors: ['tier=other'] });
    expect((await other.sync()).releases).toMatchObject([{ id: `${context}/${namespace}/other`, revision: 1 }]);
    const statuses = await stack.status();
    expect(statuses.map((one) => [one.name, one.release?.revision, one.release?.status])).toEqual([
      ['back', 1, 'deployed'],
      ['other', 1, 'deployed'],
      ['front', 2, 'deployed'],
    ]);
    const id = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'back-main' };
    await admin.cluster().patch(id, 'merge', { data: { value: 'by hand' } });
    expect((await stack.drift()).map(({ release: name, objects }) => [name, objects.length])).toEqual([
      ['back', 1],
      ['other', 0],
      ['front', 0],
    ]);
    expect((await stack.destroy()).releases.map(({ change }) => change)).toEqual(Array(3).fill('uninstalled'));
    expect(await listed()).toEqual([]);
  });
});

describe('a registry', () => {
  let registry: Registry;
  beforeAll(async () => {
    registry = await startRegistry(join(directory, 'registry'));
  });
  afterAll(() => registry.stop());

  test('takes what is pushed, and gives it to an install', async () => {
    await ok(commandLine, ['package', chart, '-d', directory]);
    const pushed = await tshelm.push(join(directory, 'web-0.1.0.tgz'), `oci://${registry.host}/charts`, {
      plainHttp: true,
    });
    expect(pushed).toEqual({
      reference: `${registry.host}/charts/web:0.1.0`,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
    });
    const reference = `oci://${registry.host}/charts/web`;
    expect(await ok(helm, ['show', 'chart', reference, '--plain-http', '--version', '0.1.0'])).toContain('name: web');

    await tshelm.install('pulled', `${reference}@${pushed.digest}`, { plainHttp: true });
    expect(await ok(helm, ['get', 'values', 'pulled', '-n', namespace, '-a', '-o', 'json'])).toBe(
      '{"label":"chart"}\n',
    );
    const { path } = await tshelm.pull(reference, {
      plainHttp: true,
      destination: join(directory, 'pulled'),
      untar: true,
    });
    expect(existsSync(join(path, 'Chart.yaml'))).toBe(true);
    await tshelm.uninstall('pulled');
  });
});

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { parseManifest } from '../../src/manifest/parse.ts';
import { auditOf, type Write } from './support/audit.ts';
import { configMap, hook, scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf, type Rule } from './support/namespaces.ts';
import { workload } from './support/order.ts';
import { helm, helm3, ok, tshelm } from './support/programs.ts';

// What objects wait for outside of their release, with the API server's audit log as the witness.
const directory = scratchDirectory();
const admin = adminOf('needs');
const audit = auditOf(admin);
const inNamespace = ['-n', admin.namespace, '--timeout', '60s'];
const set = ['--set', 'global.tag=1,global.ready=1s'];

const chart = writeChart(directory, 'foreign', {
  'templates/first.yaml': workload('first'),
  'templates/web.yaml': workload('web'),
  'templates/before.yaml': configMap('before', '"1"', hook('pre-install')),
});
const orderFile = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};
const webNeeds = (...needs: readonly string[]): string =>
  `resources:\n- select: {kind: Deployment, name: web}\n  needs: ${JSON.stringify(needs)}\n`;

/** What another release would bring. */
const postgres = (ready: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'postgres', namespace: admin.namespace },
  spec: {
    selector: { matchLabels: { app: 'postgres' } },
    template: {
      metadata: { labels: { app: 'postgres' }, annotations: { 'e2e.tshelm.dev/ready-after': ready } },
      spec: { containers: [{ name: 'main', image: 'example.com/postgres' }] },
    },
  },
});
const postgresId = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'postgres', namespace: admin.namespace };

const isSent = ({ userAgent, resource, isNamespaced }: Write): boolean =>
  userAgent === 'tshelm' && isNamespaced && !resource.startsWith('leases') && resource !== 'secrets';
const sent = async (): Promise<readonly string[]> => (await audit.writes(isSent)).map(({ object }) => object);

/** Waits until the log holds this write. */
async function seen(object: string): Promise<void> {
  await expect.poll(sent, { timeout: 20_000, interval: 200 }).toContain(object);
}

const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const rights: readonly Rule[] = [
  { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: all },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: all },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: all },
  { apiGroups: [''], resources: ['pods', 'events'], verbs: ['get', 'list', 'watch'] },
];

afterEach(async () => {
  await tshelm.run(['uninstall', 'rel', '--ignore-not-found', ...inNamespace]);
  await admin.cluster().delete(postgresId, { propagation: 'Foreground' });
});

/** Creates the need while a run waits, and says when it was ready and when web was sent first. */
async function whileWaiting(run: Promise<unknown>, sentBefore: string): Promise<void> {
  await seen(sentBefore);
  await delay(3_000);
  expect(await sent()).not.toContain('deployments.apps/web');
  await admin.cluster().create(postgres('2s'));
  await run;
  const writes = await audit.writes();
  // When the write arrived: watchers see what it says before it is answered.
  const readyAt = writes.find(
    ({ object, conditions }) => object === 'deployments.apps/status/postgres' && conditions.includes('Available'),
  )?.at;
  const web = writes.find((write) => isSent(write) && write.object === 'deployments.apps/web');
  expect(web?.at).toBeGreaterThan(readyAt ?? Number.POSITIVE_INFINITY);
}

test.each([
  ['Helm 4', helm],
  ['Helm 3', helm3],
])(
  'nothing of a resource is sent before its need is ready; a rollback over a revision of %s waits again, without the file',
  async (_name, between) => {
    const file = orderFile('web.yaml', webNeeds('Deployment/postgres'));
    audit.begin();
    await whileWaiting(
      ok(tshelm, ['install', 'rel', chart, '--order', file, ...inNamespace, ...set]),
      'deployments.apps/first',
    );

    // Helm keeps the annotations, and drops what else a record says of an order.
    await ok(between, ['upgrade', 'rel', chart, ...inNamespace, '--reuse-values', '--set', 'global.tag=2']);
    await admin.cluster().delete(postgresId, { propagation: 'Foreground' });
    audit.begin();
    await whileWaiting(ok(tshelm, ['rollback', 'rel', '1', ...inNamespace]), 'deployments.apps/first');
  },
);

test('nothing of a release is sent before its needs are ready, hooks neither', async () => {
  const server = createServer((_request, response) => response.writeHead(200).end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const file = orderFile('all.yaml', `needs: [Deployment/postgres.${admin.namespace}, '${url}']\n`);
  audit.begin();
  const run = ok(tshelm, ['install', 'rel', chart, '--order', file, ...inNamespace, ...set]);
  await delay(5_000);
  expect(await sent()).toEqual([]);
  await admin.cluster().create(postgres('2s'));
  await run;
  server.close();
  const writes = await audit.writes();
  // When the write arrived: watchers see what it says before it is answered.
  const readyAt = writes.find(
    ({ object, conditions }) => object === 'deployments.apps/status/postgres' && conditions.includes('Available'),
  )?.at;
  const [first] = writes.filter((write) => isSent(write) && write.name !== 'postgres');
  expect(first?.object).toBe('configmaps/rel-before');
  expect(first?.at).toBeGreaterThan(readyAt ?? Number.POSITIVE_INFINITY);
});

test('a need that never comes ends at the timeout with the cause, and nothing of the object is sent', async () => {
  const file = orderFile('never.yaml', webNeeds('Deployment/absent', 'release/db@elsewhere', 'Widget.example.com/one'));
  audit.begin();
  const startedAt = Date.now();
  const options = ['-n', admin.namespace, '--timeout', '5s'];
  const { code, stderr } = await tshelm.run(['install', 'rel', chart, '--order', file, ...options, ...set]);
  expect(code).toBe(1);
  expect((Date.now() - startedAt) / 1000).toBeLessThan(20);
  expect(stderr).toContain('Deployment/absent: it was not found');
  expect(stderr).toContain('Release/db: it has no deployed revision');
  expect(stderr).toContain('Widget/one: the cluster does not serve its kind');
  expect(await sent()).not.toContain('deployments.apps/web');
});

test('missing rights end the run before anything is sent', async () => {
  await admin.grant('blind', rights);
  const file = orderFile(
    'blind.yaml',
    webNeeds('StatefulSet/postgres', 'Secret/tls.kube-system', 'release/db@kube-system'),
  );
  audit.begin();
  const { code, stderr } = await tshelm.run([
    'install',
    'rel',
    chart,
    '--order',
    file,
    '--kube-as-user',
    'blind',
    ...inNamespace,
    ...set,
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain('cannot wait for StatefulSet/postgres (');
  expect(stderr).toContain('cannot wait for Secret/tls.kube-system (');
  expect(stderr).toContain('cannot wait for release/db@kube-system (');
  expect(
    await audit.writes(
      // The definitions of other tests are cluster-wide.
      ({ userAgent, resource, isNamespaced }) =>
        userAgent === 'tshelm' && isNamespaced && !resource.startsWith('leases'),
    ),
  ).toEqual([]);
});

test('who may only read what is needed by its name can wait for it', async () => {
  const id = { apiVersion: 'v1', kind: 'Service', name: 'postgres', namespace: admin.namespace };
  await admin.grant('reader', [...rights, { apiGroups: [''], resources: ['services'], verbs: ['get'] }]);
  const file = orderFile('reader.yaml', webNeeds('Service/postgres'));
  audit.begin();
  const run = tshelm.run([
    'install',
    'rel',
    chart,
    '--order',
    file,
    '--kube-as-user',
    'reader',
    ...inNamespace,
    ...set,
  ]);
  await seen('deployments.apps/first');
  expect(await sent()).not.toContain('deployments.apps/web');
  const metadata = { name: id.name, namespace: id.namespace };
  await admin.cluster().create({ ...id, metadata, spec: { clusterIP: 'None', selector: { app: 'postgres' } } });
  expect(await run).toMatchObject({ code: 0 });
  await admin.cluster().delete(id);
});

test('a need of the definition that another release brings is met once its kind is served', async () => {
  const file = orderFile('crd.yaml', webNeeds('crd/widgets.needs.example.com', 'Widget.needs.example.com/one'));
  audit.begin();
  const run = ok(tshelm, ['install', 'rel', chart, '--order', file, ...inNamespace, ...set]);
  await seen('deployments.apps/first');
  const definition = parseManifest(
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.needs.example.com}
spec:
  group: needs.example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`,
    '',
  ).object;
  await admin.cluster().create(definition);
  await delay(3_000);
  expect(await sent()).not.toContain('deployments.apps/web');
  const metadata = { name: 'one', namespace: admin.namespace };
  await admin.cluster().create({
    apiVersion: 'needs.example.com/v1',
    kind: 'Widget',
    metadata,
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  await run;
  expect(await sent()).toContain('deployments.apps/web');
  await admin.cluster().delete({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    namespace: '',
    name: 'widgets.needs.example.com',
  });
});

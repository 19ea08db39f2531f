// The bound of `install --wait` in `npm run bench deploying`: what no install of the chart can do without, by node:https alone.
//   node bare-install.mjs SERVER TOKEN FILE      FILE: the parts of waited-installs.mjs
// The namespace, the CRDs; the hooks before; all objects at once; their readiness; the hooks after. No rendering, no lock,
// nothing is read before it is sent; and no record, unless the parts have one: it is created before the hooks, and written
// once more at the end.
import { readFileSync } from 'node:fs';
import { bareClient } from './bare-client.mjs';

const [server, token, file] = process.argv.slice(2);
const { namespace, crds, before, objects, after, record } = JSON.parse(readFileSync(file, 'utf8'));
const { send, apply, watch, inTurn, close } = bareClient(server, token);
const kindRetryMs = 20;

const isTrue = (type) => (condition) => condition.type === type && condition.status === 'True';
const isSeen = ({ metadata, status }) => status?.observedGeneration >= metadata.generation;
const replicas = ({ spec }) => spec.replicas ?? 1;

/** As kstatus has them; any other kind is ready when it is there. */
const rules = {
  CustomResourceDefinition: ({ status }) => status?.conditions?.some(isTrue('Established')),
  Deployment: (object) =>
    isSeen(object) &&
    (replicas(object) === 0 ||
      (object.status.updatedReplicas >= replicas(object) &&
        object.status.availableReplicas >= replicas(object) &&
        object.status.conditions?.some(isTrue('Available')))),
  StatefulSet: (object) =>
    isSeen(object) && (replicas(object) === 0 || object.status.readyReplicas >= replicas(object)),
  DaemonSet: (object) => isSeen(object) && object.status.numberAvailable >= object.status.desiredNumberScheduled,
  PersistentVolumeClaim: ({ status }) => status?.phase === 'Bound',
  Pod: ({ status }) => status?.conditions?.some(isTrue('Ready')),
};

await apply(`/api/v1/namespaces/${namespace}`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
await inTurn(crds, ({ path, object }) => apply(path, object));
await ready(crds);
if (record !== undefined) await send('POST', collectionOf(record.path), { body: record.object });
await runHooks(before);
await inTurn(objects, ({ path, object }) => applyServed(path, object));
await ready(objects);
await runHooks(after);
if (record !== undefined) await send('PUT', record.path, { body: record.object });
close();

/** Of each weight what Jobs need first, then the Jobs to their end; in the end those of `hook-succeeded` are deleted. */
async function runHooks(batches) {
  const isJob = ({ object }) => object.kind === 'Job';
  for (const hooks of batches) {
    const jobs = hooks.filter(isJob);
    const others = hooks.filter((hook) => !isJob(hook));
    for (const batch of [others, jobs]) await inTurn(batch, ({ path, object }) => applyServed(path, object));
    await ready(jobs, (job) => job.status?.conditions?.some(isTrue('Complete')));
  }
  await inTurn(
    batches.flat().filter(({ isDeleted }) => isDeleted),
    ({ path }) => send('DELETE', path, { body: { propagationPolicy: 'Background' } }).catch(unlessGone),
  );
}

/** A Job may have been deleted by its ttlSecondsAfterFinished. */
function unlessGone(error) {
  if (error.status !== 404) throw error;
}

/** A kind whose CRD was just established is served a moment later. */
async function applyServed(path, object) {
  for (;;) {
    try {
      return await apply(path, object);
    } catch (error) {
      if (error.status !== 404) throw error;
      await new Promise((resolve) => setTimeout(resolve, kindRetryMs));
    }
  }
}

/** Waits for all of these, with one watch for each kind and namespace. */
async function ready(sent, rule) {
  const collections = new Map();
  for (const { path, object } of sent) {
    const isReady = rule ?? rules[object.kind];
    if (isReady === undefined) continue;
    const collection = collectionOf(path);
    const names = collections.get(collection)?.names ?? new Set();
    collections.set(collection, { isReady, names: names.add(object.metadata.name) });
  }
  await Promise.all([...collections].map(([collection, { isReady, names }]) => awaitAll(collection, isReady, names)));
}

function collectionOf(path) {
  return path.slice(0, path.lastIndexOf('/'));
}

async function awaitAll(collection, isReady, names) {
  for await (const { object } of watch(collection)) {
    if (names.has(object.metadata.name) && isReady(object)) names.delete(object.metadata.name);
    if (names.size === 0) return;
  }
}

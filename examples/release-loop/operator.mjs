// An operator-like loop: many releases of one chart, each with its own values, kept as they should be by one process.
import { createHash } from 'node:crypto';
import { Tshelm } from 'tshelm';

/** The label of our releases: others in the namespace are left alone. */
const owner = 'shop-operator';

/** Of values, as a label: integers of 64 bits are `bigint`, which JSON does not know. */
const exact = (_key, value) => (typeof value === 'bigint' ? `${value}n` : value);
const hashOf = (values) => createHash('sha256').update(JSON.stringify(values, exact)).digest('hex').slice(0, 40);

/**
 * Brings every release to what is wanted, a few at a time, and tells what was done. What is right already is left alone.
 * @param {{ cluster: import('tshelm').ClusterChoice, chart: string, concurrency?: number, signal?: AbortSignal,
 *   wanted: ReadonlyMap<string, import('tshelm').Values> }} options
 */
export async function reconcile({ cluster, chart, wanted, concurrency = 4, signal }) {
  const tshelm = new Tshelm({ cluster });
  // Read once: all releases get the same chart, whatever becomes of its files meanwhile.
  const loaded = await tshelm.load(chart);
  const records = await tshelm.list({ labelSelector: `operator=${owner}`, signal });
  const current = new Map(records.map((release) => [release.name, release]));
  const done = { installed: 0, upgraded: 0, unchanged: 0, uninstalled: 0, failed: new Map() };

  const bring = async (name, values) => {
    const release = current.get(name);
    const labels = { operator: owner, values: hashOf(values) };
    const isRight =
      release?.status === 'deployed' &&
      release.chart.version === loaded.metadata.version &&
      release.labels['values'] === labels.values;
    if (isRight) return 'unchanged';
    const options = { install: true, values, labels, wait: 'watcher', signal };
    const { isInstalled } = await tshelm.upgrade(name, loaded, options);
    return isInstalled ? 'installed' : 'upgraded';
  };
  const remove = async (name) => {
    await tshelm.uninstall(name, { signal });
    return 'uninstalled';
  };

  const work = [
    ...[...wanted].map(([name, values]) => [name, () => bring(name, values)]),
    ...[...current.keys()].filter((name) => !wanted.has(name)).map((name) => [name, () => remove(name)]),
  ];
  const worker = async () => {
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      const [name, run] = next;
      try {
        done[await run()] += 1;
      } catch (error) {
        signal?.throwIfAborted();
        done.failed.set(name, error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return done;
}

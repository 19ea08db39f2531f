// An operator-like loop: many releases of one chart, each with its own values, kept as they should be by one process.
import { Tshelm } from 'tshelm';

/**
 * Brings every release to what is wanted, a few at a time, and tells what was done. What is right already is left alone.
 * @param {{ cluster: import('tshelm').ClusterChoice, chart: string, concurrency?: number, signal?: AbortSignal,
 *   wanted: ReadonlyMap<string, import('tshelm').Values> }} options
 */
export async function reconcile({ cluster, chart, wanted, concurrency = 4, signal }) {
  const tshelm = new Tshelm({ cluster });
  // Read once: all releases get the same chart, whatever becomes of its files meanwhile.
  const loaded = await tshelm.load(chart);
  const current = new Map((await tshelm.list({ signal })).map((release) => [release.name, release]));
  const done = { installed: 0, upgraded: 0, unchanged: 0, uninstalled: 0, failed: new Map() };

  const bring = async (name, values) => {
    const release = current.get(name);
    const isRight =
      release?.status === 'deployed' &&
      release.chart.version === loaded.metadata.version &&
      JSON.stringify((await tshelm.get(name, { signal })).values) === JSON.stringify(values);
    if (isRight) return 'unchanged';
    const { isInstalled } = await tshelm.upgrade(name, loaded, { install: true, values, wait: 'watcher', signal });
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

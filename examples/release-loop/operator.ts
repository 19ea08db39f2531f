// An operator-like loop: many releases of one chart, each with its own values, kept as they should be by one process.
import { createHash } from 'node:crypto';
import { type ClusterChoice, Tshelm, type Values } from 'tshelm';

/** The label of our releases: others in the namespace are left alone. */
const owner = 'shop-operator';

/** Of values, as a label: integers of 64 bits are `bigint`, which JSON does not know. */
const exact = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
const hashOf = (values: Values): string =>
  createHash('sha256').update(JSON.stringify(values, exact)).digest('hex').slice(0, 40);

export interface Loop {
  readonly cluster: ClusterChoice;
  readonly chart: string;
  /** Values by the name of the release. */
  readonly wanted: ReadonlyMap<string, Values>;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

type Outcome = 'installed' | 'upgraded' | 'unchanged' | 'uninstalled';

/** Brings every release to what is wanted, a few at a time, and returns what was done. What is right is left alone. */
export async function reconcile({ cluster, chart, wanted, concurrency = 4, signal }: Loop) {
  const tshelm = new Tshelm({ cluster });
  // Read once: all releases get the same chart, whatever becomes of its files meanwhile.
  const loaded = await tshelm.load(chart);
  const records = await tshelm.list({ labelSelector: `operator=${owner}`, signal });
  const current = new Map(records.map((release) => [release.name, release]));
  const done = { installed: 0, upgraded: 0, unchanged: 0, uninstalled: 0, failed: new Map<string, unknown>() };

  const bring = async (name: string, values: Values): Promise<Outcome> => {
    const release = current.get(name);
    const labels = { operator: owner, values: hashOf(values) };
    const isRight =
      release?.status === 'deployed' &&
      release.chart.version === loaded.metadata.version &&
      release.labels['values'] === labels.values;
    if (isRight) return 'unchanged';
    const { isInstalled } = await tshelm.upgrade(name, loaded, {
      install: true,
      values,
      labels,
      wait: 'watcher',
      signal,
    });
    return isInstalled ? 'installed' : 'upgraded';
  };
  const remove = async (name: string): Promise<Outcome> => {
    await tshelm.uninstall(name, { signal });
    return 'uninstalled';
  };

  const work: { readonly name: string; readonly run: () => Promise<Outcome> }[] = [
    ...[...wanted].map(([name, values]) => ({ name, run: () => bring(name, values) })),
    ...[...current.keys()].filter((name) => !wanted.has(name)).map((name) => ({ name, run: () => remove(name) })),
  ];
  const worker = async (): Promise<void> => {
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      try {
        done[await next.run()] += 1;
      } catch (error) {
        signal?.throwIfAborted();
        done.failed.set(next.name, error);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
    return done;
  } finally {
    await tshelm.close();
  }
}

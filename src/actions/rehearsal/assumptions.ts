import { parseDuration } from '../../go/time/duration.ts';
import type { AnnotationRule } from '../../sandbox/index.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';

/** A workload, as the API names it. */
export interface Workload {
  readonly kind: string;
  readonly name: string;
}

/** Where the time that a workload is given comes from. */
export type TimeSource = 'assumed' | 'annotation' | 'history' | 'default';

/** How long a workload takes: the whole of it, or each of its pods. */
export interface ExpectedTime {
  readonly ms: number;
  readonly per: 'workload' | 'pod';
}

export interface Assumptions {
  /** By `kind/name`, `kind`, or `*`, in small letters; milliseconds. */
  readonly assumed: ReadonlyMap<string, number>;
  /** By `kind/name` in small letters: what the cluster and the record tell of an earlier time. */
  readonly history: ReadonlyMap<string, ExpectedTime>;
}

const defaultPodMs = 10_000;

const shortKinds: Readonly<Record<string, string>> = {
  deploy: 'deployment',
  ds: 'daemonset',
  po: 'pod',
  rs: 'replicaset',
  sts: 'statefulset',
};

/** `deployment/web` for `Deployment/web`, `deploy/web`; `deployment` for `Deployment`. */
export function workloadKey(text: string): string {
  const [kind = '', ...name] = text.toLowerCase().split('/');
  return [shortKinds[kind] ?? kind, ...name].join('/');
}

/** Reads the values of `--assume`: `Deployment` or `deployment/web` or `*`, each with a duration. Errors: `bad-options`. */
export function readAssumed(pairs: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  return new Map([...pairs].map(([what, text]) => [workloadKey(what), milliseconds(what, text)]));
}

/** The keys of what is assumed that no workload has. */
export function idleAssumptions(assumed: Assumptions['assumed'], workloads: readonly Workload[]): readonly string[] {
  const known = new Set(workloads.flatMap(({ kind, name }) => [workloadKey(kind), workloadKey(`${kind}/${name}`)]));
  return [...assumed.keys()].filter((key) => key !== '*' && !known.has(key));
}

function milliseconds(what: string, text: string): number {
  try {
    const ms = Number(parseDuration(text)) / 1e6;
    if (ms < 0) throw new Error('a duration cannot be negative');
    return ms;
  } catch (cause) {
    const message = `cannot assume ${what}=${text}: ${messageOf(cause)}; write it like Deployment=30s,job/migrate=2m`;
    throw new TshelmError('bad-options', { message, details: { option: 'assume' }, cause });
  }
}

/**
 * The time of one workload. What is said of it alone goes before what is said of its kind: `--assume kind/name`, the
 * chart's annotation, history, `--assume Kind`, `--assume '*'`, ten seconds for each pod.
 */
export function timeOf(
  { kind, name }: Workload,
  annotatedMs: number | undefined,
  { assumed, history }: Assumptions,
): ExpectedTime & { readonly from: TimeSource } {
  const kindKey = workloadKey(kind);
  const key = `${kindKey}/${name.toLowerCase()}`;
  const named = assumed.get(key);
  if (named !== undefined) return { ms: named, per: 'workload', from: 'assumed' };
  if (annotatedMs !== undefined) return { ms: annotatedMs, per: 'pod', from: 'annotation' };
  const known = history.get(key);
  if (known !== undefined) return { ...known, from: 'history' };
  const general = assumed.get(kindKey) ?? assumed.get('*');
  if (general !== undefined) return { ms: general, per: 'workload', from: 'assumed' };
  return { ms: defaultPodMs, per: 'pod', from: 'default' };
}

type Chain = Parameters<AnnotationRule>[1];

/** The time of each pod, where the whole workload's is given: pods that come one after another share it. */
export const podMs = ({ ms, per }: ExpectedTime, chain: Chain): number => (per === 'pod' ? ms : ms / roundsOf(chain));

/** In how many rounds the pods of a workload come. */
function roundsOf(chain: Chain): number {
  const top = chain.at(-1);
  const spec = (top?.['spec'] ?? {}) as WorkloadSpec;
  const replicas = spec.replicas ?? 1;
  if (top?.kind === 'StatefulSet') return spec.podManagementPolicy === 'Parallel' ? 1 : Math.max(1, replicas);
  if (top?.kind === 'Job') return Math.max(1, Math.ceil((spec.completions ?? 1) / Math.max(1, spec.parallelism ?? 1)));
  if (top?.kind === 'Deployment' && isReplacing(chain)) return rolloutRounds(spec, replicas);
  return 1;
}

interface WorkloadSpec {
  readonly replicas?: number;
  readonly podManagementPolicy?: string;
  readonly completions?: number;
  readonly parallelism?: number;
  readonly strategy?: {
    readonly type?: string;
    readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
  };
}

const isReplacing = (chain: Chain): boolean =>
  Number(chain.at(-2)?.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 1) > 1;

function rolloutRounds({ strategy }: WorkloadSpec, replicas: number): number {
  if (strategy?.type === 'Recreate') return 1;
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  const atOnce = countOf(maxSurge, replicas, Math.ceil) + countOf(maxUnavailable, replicas, Math.floor);
  return Math.max(1, Math.ceil(replicas / Math.max(1, atOnce)));
}

const countOf = (value: number | string, replicas: number, round: (count: number) => number): number =>
  typeof value === 'number' ? value : round((Number.parseInt(value, 10) * replicas) / 100);

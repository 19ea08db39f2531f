import type { Context } from '../change/context.ts';
import type { RenderSettings } from '../change/rendering/render.ts';
import type { UserRules } from '../cluster/readiness.ts';
import type { Cluster } from '../cluster/types.ts';
import type { OnEvent } from '../execute/events.ts';
import { driverNamed } from '../release/drivers.ts';
import { openLocks } from '../release/lock/open-locks.ts';
import type { ReleaseLocks } from '../release/lock/types.ts';
import type { ReleaseStorage } from '../release/types.ts';
import { type Clock, systemClock } from '../support/time.ts';
import { outsideOf } from './outside.ts';

export interface ActionContextOptions {
  /** Default: the cluster's. */
  readonly namespace?: string | undefined;
  /** `secret` (default), `configmap` or `memory`, as $HELM_DRIVER. */
  readonly driver?: string | undefined;
  /** Default: Leases beside the records. `none` where nobody else works on these releases. */
  readonly locks?: ReleaseLocks | 'none' | undefined;
  /** Names the user and the CI job of a lock; default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly rendering?: RenderSettings | undefined;
  readonly clock?: Clock | undefined;
  readonly onEvent?: OnEvent | undefined;
  readonly userRules?: UserRules | undefined;
  readonly signal?: AbortSignal | undefined;
  /** As of DecodeOptions, for the records that are read. */
  readonly keepsIntegers?: boolean | undefined;
}

/** What actions need to work with one cluster. Errors: `unknown-driver`. */
export function actionContext(cluster: Cluster, options: ActionContextOptions = {}): Context {
  const { namespace = cluster.namespace, clock = systemClock, env = process.env, keepsIntegers } = options;
  const driver = driverNamed(options.driver ?? '');
  const storageIn = (of: string): Promise<ReleaseStorage> =>
    driver.open(cluster, { namespace: of, clock, env, keepsIntegers });
  let opened: Promise<ReleaseStorage> | undefined;
  const storage = (): Promise<ReleaseStorage> => {
    opened ??= storageIn(namespace);
    return opened;
  };
  return {
    namespace,
    cluster: async () => cluster,
    faultsOf: async (manifests, where) =>
      (await import('./check/known-faults.ts')).knownFaults(manifests, where, cluster),
    storage,
    locks: locksOf(options, () => openLocks(driver, cluster, { namespace, env })),
    rendering: options.rendering ?? {},
    clock,
    onEvent: options.onEvent,
    userRules: options.userRules,
    outside: outsideOf((of) => (of === namespace ? storage() : storageIn(of)), env),
    signal: options.signal,
  };
}

const locksOf = ({ locks }: ActionContextOptions, open: () => ReleaseLocks | undefined): ReleaseLocks | undefined =>
  locks === 'none' ? undefined : (locks ?? open());

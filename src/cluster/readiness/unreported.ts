import { objectKey } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { systemTimers, type Timers } from '../../support/timers.ts';
import type { Judgement } from '../observe.ts';
import type { CallOptions, Cluster, Readiness } from '../types.ts';
import { isCustom } from './custom.ts';

/**
 * Custom resources on which nothing has reported. Some kinds never get a status, so after a time of grace one of them
 * counts as ready; at once where its kind has none.
 */
export class Unreported {
  readonly #graceMs: number;
  readonly #timers: Timers;
  readonly #withoutStatus: ReadonlySet<string>;
  readonly #sinceMs = new Map<string, number>();

  private constructor(graceMs: number, timers: Timers, withoutStatus: ReadonlySet<string>) {
    this.#graceMs = graceMs;
    this.#timers = timers;
    this.#withoutStatus = withoutStatus;
  }

  static async of(
    ids: readonly ResourceId[],
    cluster: Cluster,
    { statusGraceMs = defaultStatusGraceMs, signal }: CallOptions & { readonly statusGraceMs?: number | undefined },
  ): Promise<Unreported> {
    const kinds = ids.filter(isCustom).map(async ({ apiVersion, kind }) => {
      const mapping = await cluster.mapping(apiVersion, kind, { signal });
      return mapping?.hasStatus === false ? [kindKey({ apiVersion, kind })] : [];
    });
    const withoutStatus = new Set((await Promise.all(kinds)).flat());
    return new Unreported(statusGraceMs, cluster.timers ?? systemTimers, withoutStatus);
  }

  judge(id: ResourceId, state: Readiness): Judgement {
    if (state.state !== 'waiting' || state.facts?.[0]?.code !== 'status-missing') return state;
    if (this.#withoutStatus.has(kindKey(id))) return { state: 'ready' };
    const nowMs = this.#timers.now();
    const sinceMs = this.#sinceMs.get(objectKey(id)) ?? nowMs;
    this.#sinceMs.set(objectKey(id), sinceMs);
    const againInMs = sinceMs + this.#graceMs - nowMs;
    return againInMs > 0 ? { ...state, againInMs } : { state: 'ready', facts: state.facts };
  }
}

const defaultStatusGraceMs = 30_000;

const kindKey = ({ apiVersion, kind }: Pick<ResourceId, 'apiVersion' | 'kind'>): string => `${apiVersion} ${kind}`;

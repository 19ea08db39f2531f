import { kindKey, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { systemTimers, type Timers } from '../../support/timers.ts';
import type { Judgement } from '../observe.ts';
import type { CallOptions, Cluster, Readiness } from '../types.ts';
import { isCustom } from './custom.ts';
import { getsStatus } from './kinds/table.ts';

interface Options extends CallOptions {
  readonly statusGraceMs?: number | undefined;
  /** When the time of grace began; without it, when the object is first seen. */
  readonly since?: string | undefined;
}

/**
 * Custom resources on which nothing has reported. Some kinds never get a status, so after a time of grace one of them
 * counts as ready; at once where its kind has none, or where no controller runs (in a sandbox).
 */
export class Unreported {
  readonly #graceMs: number | undefined;
  readonly #mayReport: NonNullable<Cluster['mayReport']>;
  readonly #timers: Timers;
  readonly #beginMs: number;
  readonly #withoutStatus: ReadonlySet<string>;
  readonly #sinceMs = new Map<string, number>();

  private constructor(
    graceMs: number | undefined,
    cluster: Cluster,
    withoutStatus: ReadonlySet<string>,
    sinceMs: number,
  ) {
    this.#beginMs = sinceMs;
    this.#graceMs = graceMs;
    this.#mayReport = cluster.mayReport ?? (() => true);
    this.#timers = cluster.timers ?? systemTimers;
    this.#withoutStatus = withoutStatus;
  }

  static async of(
    ids: readonly ResourceId[],
    cluster: Cluster,
    { statusGraceMs, since, signal }: Options,
  ): Promise<Unreported> {
    const kinds = ids.filter(isCustom).map(async ({ apiVersion, kind }) => {
      const mapping = await cluster.mapping(apiVersion, kind, { signal });
      return mapping?.hasStatus === false && !getsStatus(mapping.group, kind) ? [kindKey({ apiVersion, kind })] : [];
    });
    const withoutStatus = new Set((await Promise.all(kinds)).flat());
    return new Unreported(statusGraceMs, cluster, withoutStatus, Date.parse(since ?? ''));
  }

  judge(id: ResourceId, object: KubernetesObject, state: Readiness): Judgement {
    if (state.state !== 'waiting' || state.facts?.[0]?.code !== 'status-missing') return state;
    if (this.#withoutStatus.has(kindKey(id))) return { state: 'ready' };
    const nowMs = this.#timers.now();
    const sinceMs = this.#sinceMs.get(objectKey(id)) ?? (this.#beginMs || nowMs);
    this.#sinceMs.set(objectKey(id), sinceMs);
    const graceMs = this.#graceMs ?? (this.#mayReport(object) ? defaultStatusGraceMs : 0);
    const againInMs = sinceMs + graceMs - nowMs;
    return againInMs > 0 ? { ...state, againInMs } : { state: 'ready', facts: state.facts };
  }
}

const defaultStatusGraceMs = 30_000;

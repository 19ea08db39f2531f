import { kindAndName } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { countOf } from '../../support/text.ts';
import type { Item } from '../derived/object-index.ts';
import type { SuggestedEdge } from './suggestion.ts';
import type { Evidence } from './types.ts';

/** When the workloads of a release became ready, and how often they were restarted: of fields of pods and Jobs alone. */
export interface MeasuredRun {
  readonly release: string;
  readonly revision: number;
  readonly workloads: readonly MeasuredWorkload[];
}

export interface MeasuredWorkload {
  readonly id: ResourceId;
  /** Of the first of its pods; of a Job when it was complete. Milliseconds since 1970, as all times here. */
  readonly readyMs: number | undefined;
  /** Of the pod that was restarted most, or the pods of a Job that failed. */
  readonly restarts?: Restarts | undefined;
}

export interface Restarts {
  readonly count: number;
  readonly container: string;
  readonly exitCode: number | undefined;
  /** When the last container began that failed, and when that pod was ready at last. */
  readonly lastBeganMs: number;
  readonly readyMs: number;
}

/** What of a run speaks for edges. */
export class RunEvidence {
  readonly run: MeasuredRun;
  readonly #byId: ReadonlyMap<string, MeasuredWorkload>;

  constructor(run: MeasuredRun) {
    this.run = run;
    this.#byId = new Map(run.workloads.map((one) => [kindAndName(one.id), one]));
  }

  restartsOf = ({ id }: Item): Restarts | undefined => this.#byId.get(kindAndName(id))?.restarts;

  /** When `needed` became ready, where that was between the last failure of `user` and its success. */
  awaitedMs(user: Item, needed: Item): number | undefined {
    const restarts = this.restartsOf(user);
    const readyMs = this.#byId.get(kindAndName(needed.id))?.readyMs;
    const isBetween =
      restarts !== undefined && readyMs !== undefined && restarts.lastBeganMs <= readyMs && readyMs <= restarts.readyMs;
    return isBetween ? readyMs : undefined;
  }

  /** An edge that a run confirms is like one that an init container waits for: it says which of two is first. */
  confirmed = (evidence: Evidence): Evidence =>
    this.awaitedMs(evidence.user, evidence.needed) === undefined ? evidence : { ...evidence, isWaitedFor: true };

  /** For restarts that no chosen edge explains: what became ready meanwhile, those first that were not restarted themselves. */
  proposals(chosen: readonly SuggestedEdge[], workloads: readonly Item[]): readonly Evidence[] {
    return this.unexplained(chosen, workloads).flatMap((user) => {
      const meanwhile = workloads.filter((one) => one !== user && this.awaitedMs(user, one) !== undefined);
      const steady = meanwhile.filter((one) => this.restartsOf(one) === undefined);
      return (steady.length > 0 ? steady : meanwhile).map((needed) => ({
        user,
        needed,
        holder: user,
        path: [],
        word: '',
        text: 'may have waited for this',
        isWaitedFor: false,
      }));
    });
  }

  unexplained(chosen: readonly SuggestedEdge[], workloads: readonly Item[]): readonly Item[] {
    const isExplained = (item: Item): boolean =>
      chosen.some(({ evidence }) =>
        evidence.some(({ user, needed }) => user === item && this.awaitedMs(user, needed) !== undefined),
      );
    return workloads.filter((item) => this.restartsOf(item) !== undefined && !isExplained(item));
  }

  /** `3 restarts of container main (exit code 1), the last failure from 10:00:02Z, ready at 10:00:25Z` */
  restartText(item: Item): string {
    const restarts = this.restartsOf(item);
    if (restarts === undefined) return '';
    const { count, container, exitCode, lastBeganMs, readyMs } = restarts;
    const what = item.id.kind === 'Job' ? countOf(count, 'failed pod') : restartCount(restarts);
    const exit = exitCode === undefined ? '' : ` (exit code ${exitCode})`;
    return `${what} of container ${container}${exit}, the last began at ${clock(lastBeganMs)}, ready at ${clock(readyMs)}`;
  }

  readyText = (item: Item): string => {
    const readyMs = this.#byId.get(kindAndName(item.id))?.readyMs;
    return readyMs === undefined ? 'never ready' : `ready at ${clock(readyMs)}`;
  };
}

const restartCount = ({ count }: Restarts): string => countOf(count, 'restart');

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19).concat('Z');

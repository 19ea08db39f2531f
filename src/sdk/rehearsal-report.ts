import type { Plan, WaitStrategy } from '../plan/types.ts';

/** How a rehearsed run went; times in seconds since its start. */
export interface RehearsedRun {
  readonly action: Plan['action'];
  readonly release: string;
  readonly namespace: string;
  readonly strategy: WaitStrategy;
  readonly eager: boolean;
  readonly status: 'succeeded' | 'failed';
  /** How long all of it took. */
  readonly seconds: number;
  /** Of containers, and the pods of Jobs that failed; of the pods that are there at the end. */
  readonly restarts: number;
  readonly steps: readonly RehearsedStep[];
  /** The objects whose times add up to the whole. */
  readonly criticalPath: readonly RehearsedObject[];
  readonly failure?: RehearsedFailure | undefined;
}

/** The same deploy in one of several orders. */
export interface ComparedRun extends RehearsedRun {
  readonly order: 'none' | 'declared' | 'suggested';
}

/** What failed, and what that leaves behind. */
export interface RehearsedFailure {
  readonly message: string;
  /** Steps, batches and groups that were not begun. */
  readonly neverStarted: readonly string[];
  /** The objects of the plan that are in the cluster at the end. */
  readonly left: readonly { readonly name: string; readonly state: string }[];
  readonly revisions: readonly {
    readonly revision: number;
    readonly status: string;
    readonly description: string | undefined;
  }[];
}

export interface RehearsedStep {
  /** Another than that of the run where a failure is undone. */
  readonly action: Plan['action'];
  readonly step: string;
  readonly start: number;
  readonly end: number;
  readonly resources: readonly (RehearsedObject & {
    /** The last that was told of it: `created`, `ready`, `failed`, `deleted`. */
    readonly state: string;
    /** Where its time is from: `assume`, an annotation, an earlier revision. */
    readonly timeFrom?: string | undefined;
  })[];
}

export interface RehearsedObject {
  /** `Deployment/web` */
  readonly resource: string;
  /** The chart or subchart, the batch, or the event of a hook. */
  readonly place: string;
  readonly start: number;
  readonly end: number;
}

export interface RehearsalReport extends RehearsedRun {
  /** The same with `rollbackOnFailure`, after a failure that it would undo. */
  readonly withRollbackOnFailure?: RehearsedRun | undefined;
  /** Assumptions about workloads that the plan does not have. */
  readonly idleAssumptions: readonly string[];
}

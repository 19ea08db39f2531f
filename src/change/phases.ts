import type { ExecutionContext } from '../execute/context.ts';
import type { ExecutionResult } from '../execute/execute.ts';
import type { Hook, Manifest, ResourceId } from '../manifest/types.ts';
import type { HookModeOf } from '../plan/hooks.ts';
import type { Order } from '../plan/stored-order.ts';
import type { Plan, RecordedStatus } from '../plan/types.ts';
import type { Release } from '../release/types.ts';
import type { ReRenderer } from '../render/re-renderer.ts';
import type { CrdChange } from './deploy/crds.ts';
import type { DeployOptions } from './deploy/deploy-options.ts';
import type { ClusterKnowledge, LastPhase } from './last-phase.ts';
import type { ReleaseRecord } from './record/release-record.ts';

/**
 * Every change of a release goes the same way, and each phase hands on an object that knows more than the one before:
 *
 *     Opened ──► Rendered ──► Decided ──► Assessed ─► Checked ──► Done ──────► finished
 *     lock,      manifests,   the whole   what the    the kinds   or StoppedByFailure:
 *     history    the new      plan as     order       and whose   undone as
 *                revision     data        endangers   they are    the plan says
 *
 * - **Opened**: nobody else changes the release (record/with-lock.ts), and what a run that died has left is taken over
 *   (record/settled-history.ts). A dry run only reads the history.
 * - **Rendered**: what the release is to be. An install and an upgrade render a chart (render-chart.ts); a rollback, an
 *   uninstall and an upgrade that is resumed take a revision that is stored.
 * - **Decided**: the plan, a pure function of what came before (decide.ts): CRDs, namespace, record, hooks, batches, waves
 *   of kinds, deletions, and what a failure leads to. Kinds of the plan's own CRDs count as served from here on, so nothing
 *   is rendered again once they are.
 * - **Assessed**: with its hazards (deploy/plan-hazards.ts). **Checked**: the server knows every kind, nothing belongs to
 *   somebody else (deploy/resource-check.ts), and the record fits. Until here nothing is sent that changes anything.
 * - **Done** or **StoppedByFailure** (carry-out.ts): the plan is executed once and whole. At its step `record` the change is
 *   written down; a failure before that leaves no trace, and one after it is recorded and undone (undo.ts).
 * - **Finished**: each action ends the record in its own way and returns what its caller wants to know.
 *
 * Each phase is a function of the object before and the {@link Context}. Dry runs, `plan`, `diff` and `rehearse` go the
 * same way and stop early ({@link LastPhase}); an action in actions/ says what is its own and hands the rest to run-phases.ts.
 */
export interface Opened {
  /** What was asked for. */
  readonly action: Plan['action'];
  readonly options: ChangeOptions;
  readonly lastPhase: LastPhase;
  readonly sight: ClusterKnowledge;
  /** The release's namespace. */
  readonly namespace: string;
  /** The revisions until now, oldest first. */
  readonly history: readonly Release[];
  /** The revision whose place is taken; undefined for a new release. */
  readonly replaced?: Release | undefined;
}

/** What the phases read of an action's options. */
export interface ChangeOptions extends Omit<DeployOptions, 'dryRun'> {
  readonly name: string;
  readonly createNamespace?: boolean | undefined;
  readonly takeOwnership?: boolean | undefined;
  readonly rollbackOnFailure?: boolean | undefined;
  readonly cleanupOnFail?: boolean | undefined;
  readonly maxHistory?: number | undefined;
  readonly deleteHooks?: boolean | undefined;
  readonly disableOpenapiValidation?: boolean | undefined;
}

export interface Rendered extends Opened {
  /** As which action it is planned: an install that failed is resumed by an upgrade. */
  readonly plannedAs: Plan['action'];
  /** The new revision as it will be recorded at first; of an uninstall and a test, the one that they work on. */
  readonly release: Release;
  /** Its status in the plan's step `record`; undefined where there is none. */
  readonly recordedAs: RecordedStatus | undefined;
  /** Its resources in the order of its manifest. */
  readonly manifests: readonly Manifest[];
  /** What an uninstall is asked to leave in the cluster. */
  readonly kept?: readonly Manifest[] | undefined;
  /** Those that run. */
  readonly hooks: readonly Hook[];
  readonly order: Order;
  readonly hookModeOf?: HookModeOf | undefined;
  readonly crds: CrdChange;
  /** Whether the plan's hazards are reported. */
  readonly isWeighed: boolean;
  readonly warnings: readonly string[];
  /** Renders the chart's templates again; undefined where a stored revision was taken. */
  readonly again?: ReRenderer | undefined;
  /** What an earlier run has finished; undefined where this one keeps no account of it. */
  readonly done?: ReadonlySet<string> | undefined;
  /** What the execution has to know of this action beside its options. */
  readonly execution?: Partial<ExecutionContext> | undefined;
  /** Told once everything is checked and before anything is begun. */
  readonly note?: string | undefined;
}

/** Of a change that is no dry run. */
export interface RenderedForReal extends Rendered {
  readonly lastPhase: 'finished';
}

export interface Decided extends Rendered {
  readonly plan: Plan;
}

/** The plan's warnings hold its hazards too. */
export type Assessed = Decided;

export interface Checked extends Assessed {
  /** With what the execution has to know of the cluster. */
  readonly execution: Partial<ExecutionContext>;
  /** By objectKey: objects of the release that were looked for and are not there. */
  readonly absent: ReadonlySet<string>;
}

/** A change while its plan is carried out, and after that. */
export interface Run extends Checked {
  readonly record: ReleaseRecord;
  /** Told before an object that was not there was sent. */
  readonly created: readonly ResourceId[];
}

/** It went no further than it was asked to. */
export interface StoppedEarly extends Assessed {
  readonly kind: 'shown';
}

export interface Done extends Run {
  readonly kind: 'done';
  readonly result: ExecutionResult;
}

export interface StoppedByFailure extends Run {
  readonly kind: 'stopped';
  readonly error: unknown;
  /** Whether the plan came as far as its step `record`. */
  readonly isRecorded: boolean;
}

export type Outcome = StoppedEarly | Done | StoppedByFailure;

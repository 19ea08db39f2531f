import type { OutsideNeed } from '../chart/need.ts';
import type { ChartSignature } from '../chart/types.ts';
import type { ClusterPlace, Hook, HookEvent, Manifest, ResourceId } from '../manifest/types.ts';
import type { FileLine } from '../support/file-line.ts';

export type { Hook, Manifest };

/**
 * What is done at one point of a plan. Steps run one after another; inside one, batches and waves run one after another,
 * and what is inside a batch and a wave runs together.
 */
export type Step =
  /** Waited for until their kinds are served. */
  | (StepPolicy & {
      readonly kind: 'install-crds';
      readonly manifests: readonly Manifest[];
      /** Keys (group, kind, namespace and name) of those that are there already, and are updated. */
      readonly existing?: ReadonlySet<string> | undefined;
    })
  | (StepPolicy & { readonly kind: 'create-namespace'; readonly name: string })
  /** The release's record is written: before this step nothing is known of the change, after it a failure is recorded. */
  | (StepPolicy & { readonly kind: 'record'; readonly revision: number; readonly status: RecordedStatus })
  /** What the whole release needs outside of it is waited for. */
  | (StepPolicy & { readonly kind: 'await-needs'; readonly needs: readonly PlannedNeed[] })
  /** Hook batches run one after another; the chains of a batch together; the hooks of a chain one after another. */
  | (StepPolicy & {
      readonly kind: 'run-hooks';
      readonly event: HookEvent;
      readonly batches: readonly (readonly (readonly Hook[])[])[];
    })
  | (StepPolicy & { readonly kind: 'apply'; readonly unit: Unit; readonly waves: KindWaves })
  | (StepPolicy & { readonly kind: 'delete'; readonly unit: Unit; readonly waves: KindWaves })
  /** Objects that hooks have left in the cluster, all of them together. */
  | (StepPolicy & {
      readonly kind: 'hook-objects';
      readonly hooks: readonly Hook[];
      /**
       * `delete-overdue`: a run that died would have deleted them. `delete`: all but CRDs and what is protected; what stays
       * is reported, as with `report`.
       */
      readonly task: 'delete-overdue' | 'delete' | 'report';
    });

/** A step of one kind. */
export type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

export type RecordedStatus = 'pending-install' | 'pending-upgrade' | 'pending-rollback' | 'uninstalling';

export interface StepPolicy {
  /** What it does, for people: `apply 3 resources`. Plans that the library gives have it. */
  readonly title?: string | undefined;
  /**
   * What the run does where this step fails: it stops (default), and {@link Plan.ifStopped} follows; or it goes on with
   * the next step, always or where only the wait took too long, and tells the failure at its end. What the user
   * interrupts always stops.
   */
  readonly ifFails?: 'stop' | 'go-on' | 'go-on-after-timeout' | undefined;
}

/**
 * The kinds of a step in the order in which the API server gets them: one wave after another, the kinds of a wave together.
 * It holds for everything that begins together, across groups and subcharts: a Namespace of one is there before another's
 * objects that live in it. CustomResourceDefinitions among them begin first, and objects of their kinds wait for them.
 */
export type KindWaves = readonly (readonly string[])[];

/** What follows where a step has failed and the run has stopped: once the change is recorded, and one after another. */
export type FollowUp =
  /** The revision is marked as failed, with what it failed with. */
  | { readonly kind: 'record-failure' }
  /** The revision that was to be replaced does not count as deployed any more. */
  | { readonly kind: 'supersede'; readonly revision: number }
  /** What a failed run created is deleted: in the reverse of the plan's order, without one all of it together. */
  | { readonly kind: 'delete-created' }
  /** The way back from a failed install: a change of its own, with its own plan. */
  | { readonly kind: 'uninstall' }
  /** The way back from a failed upgrade, likewise; undefined where no revision has ever been deployed. */
  | { readonly kind: 'roll-back'; readonly revision: number | undefined };

/**
 * A unit is applied (or deleted) batch by batch. Plain install is one unit with one batch holding all manifests;
 * An ordered run nests units for subcharts.
 */
export interface Unit {
  /** Chart name or alias. */
  readonly name: string;
  readonly batches: readonly Batch[];
  /** Each node begins as soon as what it waits for is ready: the batches only show how deep it lies. */
  readonly isFree?: boolean | undefined;
}

export interface Batch {
  readonly nodes: readonly BatchNode[];
  /** Wait until every node is ready (or gone) before the next batch starts. */
  readonly wait: boolean;
}

export type BatchNode =
  | (NodeOrder & { readonly kind: 'resources'; readonly name: string; readonly manifests: readonly Manifest[] })
  | (NodeOrder & { readonly kind: 'unit'; readonly unit: Unit });

/** Where a node is among those of its unit, and why. A plan without an order has no ids. */
export interface NodeOrder {
  /** `chart:NAME`, `group:NAME`, `resource:…`, `weight:N` or `rest`; no two of one unit are the same. */
  readonly id?: string | undefined;
  /** The ids of nodes of the same unit that must be ready (when deleted: gone) before this one begins. */
  readonly after?: readonly string[] | undefined;
  /** What it waits for and where that is declared, for people: `bar (Chart.yaml depends-on)`. */
  readonly because: readonly string[];
  /** What must be there outside of the release before this one begins. */
  readonly needs?: readonly PlannedNeed[] | undefined;
}

/** A need with where it is declared, for people; `place` where an order file of this run declares it. */
export type PlannedNeed = OutsideNeed & { readonly why: string; readonly place?: FileLine | undefined };

export type WaitStrategy = 'hookOnly' | 'watcher' | 'legacy' | 'ordered';

/** What a run may be asked for: `auto` is `ordered` with the edges that are certain (docs/ordering.md, 9). */
export type WaitMode = WaitStrategy | 'auto';

/**
 * A change as data: everything that is done, in its order. Whoever shows it, tests it or carries it out (execute/) reads
 * the same; no order is decided anywhere else.
 */
export interface Plan {
  readonly action: 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'fix' | 'test';
  readonly release: string;
  readonly namespace: string;
  readonly strategy: WaitStrategy;
  readonly steps: readonly Step[];
  /** Default: nothing. */
  readonly ifStopped?: readonly FollowUp[] | undefined;
  readonly warnings: readonly string[];
  /** Those of the warnings that speak of the order and of what it endangers: what a strict plan refuses. */
  readonly hazards?: readonly string[] | undefined;
  /** What becomes of each object; absent where the cluster was not asked. */
  readonly changes?: PlannedChanges | undefined;
}

/** What a plan changes in the cluster, by a server-side dry run of each object. */
export interface PlannedChanges {
  /** Where there are several. */
  readonly cluster?: ClusterPlace | undefined;
  /** The revision that is replaced; absent for a release that does not exist yet. */
  readonly from?: RevisionOfChart | undefined;
  /** What is recorded. */
  readonly to: RevisionOfChart;
  /** By namespace, kind and name; hooks are not among them. */
  readonly objects: readonly PlannedObject[];
  /** Names of hooks that each render makes anew. */
  readonly randomNames?: readonly string[] | undefined;
}

export interface RevisionOfChart {
  readonly revision: number;
  /** `shop-1.2.0` */
  readonly chart: string;
  /** Who has signed the chart, where that was checked. */
  readonly signature?: ChartSignature | undefined;
  /** Of a rollback: the revision that it goes back to. */
  readonly backTo?: number | undefined;
}

/**
 * `replace`: deleted and created again. `adopt`: taken over from another release or from none. `keep`: the release lets go
 * of it, and it stays in the cluster. `refused`: `problem` says why, and no earlier step of the plan may end that.
 */
export type PlannedAction = 'create' | 'change' | 'replace' | 'adopt' | 'unchanged' | 'delete' | 'keep' | 'refused';

export interface PlannedObject {
  readonly id: ResourceId;
  readonly action: PlannedAction;
  /** Paths of the fields that change; absent where they are not known, as in a saved plan. */
  readonly fields?: readonly string[] | undefined;
  /** Of what is replaced: the fields that cannot be changed in place; [] where the run names it. */
  readonly forcedBy?: readonly string[] | undefined;
  /** Of what is adopted: the release that it belonged to, `shop in web`; absent where it belonged to none. */
  readonly from?: string | undefined;
  /** Why the API server, or the deploy before it, would refuse. */
  readonly problem?: string | undefined;
  /** An earlier step of the plan may end that. */
  readonly mayComeYet?: true | undefined;
  /** What is not known about it, and why. */
  readonly notes: readonly string[];
}

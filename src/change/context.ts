import type { UserRules } from '../cluster/readiness.ts';
import type { Cluster } from '../cluster/types.ts';
import type { BeforeSend, ExecutionContext, Outside } from '../execute/context.ts';
import type { OnEvent } from '../execute/events.ts';
import type { Manifest, ResourceId } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import type { ObjectProblem } from '../problem/problem.ts';
import type { HeldLock, ReleaseLocks } from '../release/lock/types.ts';
import type { Release, ReleaseStorage } from '../release/types.ts';
import type { ReRenderer } from '../render/re-renderer.ts';
import type { SecretWords } from '../support/secret-words.ts';
import type { Clock } from '../support/time.ts';
import type { RenderSettings } from './rendering/render.ts';

/** What an action works with. The cluster and the storage are opened when they are first asked for. */
export interface Context {
  /** The namespace of the context or of --namespace: where releases are looked for and installed. */
  readonly namespace: string;
  cluster(): Promise<Cluster>;
  storage(): Promise<ReleaseStorage>;
  /** What is wrong with objects in a namespace, as far as that is known without the cluster. */
  readonly faultsOf?:
    | ((manifests: readonly Manifest[], namespace: string) => Promise<readonly ObjectProblem[]>)
    | undefined;
  readonly rendering: RenderSettings;
  readonly clock: Clock;
  readonly onEvent?: OnEvent | undefined;
  /** Whether what pods write while they are waited for is reported too (execute/hooks/log-tails.ts). */
  readonly followLogs?: boolean | undefined;
  /** What needs ask beside the cluster; without it nothing outside of a release is waited for. */
  readonly outside?: Outside | undefined;
  /** The user's own rules for when objects are ready. */
  readonly userRules?: UserRules | undefined;
  /** What the run knows to be secret: kept out of what is shown. */
  readonly secrets?: SecretWords | undefined;
  /** Keep two runs from working on the same release; without them nothing is locked. */
  readonly locks?: ReleaseLocks | undefined;
  /** The lock that an action holds while it runs (with-lock.ts). */
  readonly lock?: HeldLock | undefined;
  /** It puts back what a failed change has done, and that may have deleted objects a moment ago. */
  readonly isUndoing?: boolean | undefined;
  /** Ends waits and requests; what was begun is recorded as failed. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each plan that is decided, before anything of it is checked, recorded or sent; what it fails with ends the change. */
  readonly onDecided?: ((decided: DecidedChange) => Promise<void>) | undefined;
  /** Told when the change is recorded as begun, before any object changes; what it fails with ends the change. */
  readonly onRecorded?: (() => Promise<void>) | undefined;
  /** Asked before each object of a release is applied or deleted; what it fails with is the failure of that object. */
  readonly beforeSend?: BeforeSend | undefined;
  /** Objects whose fields are taken over from other managers, whatever the options say. */
  readonly takesOver?: ((id: ResourceId) => boolean) | undefined;
}

/** What is known of a change when its plan is decided (phases.ts, Decided). */
export interface DecidedChange {
  readonly plan: Plan;
  /** The new revision; of an uninstall the one that is taken away. */
  readonly release: Release;
  readonly replaced?: Release | undefined;
  readonly again?: ReRenderer | undefined;
  /** What the execution is told beside the options of the action. */
  readonly execution?: Partial<ExecutionContext> | undefined;
}

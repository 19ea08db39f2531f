import type { Chart, CrdFile } from '../chart/types.ts';
import type { Cluster } from '../cluster/types.ts';
import type { BeforeSend } from '../execute/context.ts';
import type { OnEvent } from '../execute/events.ts';
import type { GoMap } from '../go/value.ts';
import type { Hook, Manifest, ResourceId } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import type { HeldLock, ReleaseLocks } from '../release/lock/types.ts';
import type { Release, ReleaseStorage } from '../release/types.ts';
import type { Again } from '../render/again.ts';
import type { SecretWords } from '../support/secret-words.ts';
import type { Clock } from '../support/time.ts';

/** What an action works with. The cluster and the storage are opened when they are first asked for. */
export interface Context {
  /** The namespace of the context or of --namespace: where releases are looked for and installed. */
  readonly namespace: string;
  cluster(): Promise<Cluster>;
  storage(): Promise<ReleaseStorage>;
  readonly renderer: Renderer;
  readonly clock: Clock;
  readonly onEvent?: OnEvent | undefined;
  /** Whether what pods write while they are waited for is told too (execute/hooks/log-tails.ts). */
  readonly followLogs?: boolean | undefined;
  /** What the run knows to be secret: kept out of what is shown. */
  readonly secrets?: SecretWords | undefined;
  /** Keep two runs from working on the same release; without them nothing is locked. */
  readonly locks?: ReleaseLocks | undefined;
  /** The lock that an action holds while it runs (with-lock.ts). */
  readonly lock?: HeldLock | undefined;
  /** Ends waits and requests; what was begun is recorded as failed. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each plan that is decided, before anything of it is checked, recorded or sent; what it fails with ends the change. */
  readonly onDecided?: ((decided: DecidedChange) => Promise<void>) | undefined;
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
}

/** Charts and values in, manifests and hooks out. */
export interface Renderer {
  /** Leaves out the subcharts that conditions and tags switch off, and imports values (chartutil.ProcessDependencies). */
  prepare(chart: Chart, values: GoMap): Promise<PreparedChart>;
  render(prepared: PreparedChart, values: GoMap, request: RenderRequest): Promise<Rendered>;
}

export interface PreparedChart {
  /** What is rendered, and what the record keeps. */
  readonly chart: Chart;
  /** The files of `crds/`, subcharts included. */
  readonly crds: readonly CrdFile[];
  /** What Helm logs before the templates run. */
  readonly warnings?: readonly string[] | undefined;
}

export interface RenderRequest {
  readonly release: {
    readonly name: string;
    readonly namespace: string;
    readonly revision: number;
    readonly isUpgrade: boolean;
  };
  /** For `lookup` and the capabilities; undefined means that nothing may be asked (--dry-run=client). */
  readonly cluster?: Cluster | undefined;
  /** CRDs that will be there when the manifests are sent: their kinds count as served. */
  readonly declaredCrds?: readonly Manifest[] | undefined;
  readonly subchartNotes?: boolean | undefined;
  readonly hideSecrets?: boolean | undefined;
  readonly skipSchemaValidation?: boolean | undefined;
  readonly enableDns?: boolean | undefined;
  /** The time that templates see; the present where there is none. */
  readonly now?: Date | undefined;
  /** `lookup` finds nothing, as without a cluster. */
  readonly noLookup?: boolean | undefined;
  /** Learns what `lookup` reads of Secrets. */
  readonly secrets?: SecretWords | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Rendered {
  /** The manifest as Helm stores it. */
  readonly manifest: string;
  /** In Helm's install order. */
  readonly manifests: readonly Manifest[];
  readonly hooks: readonly Hook[];
  readonly notes: string;
  readonly warnings: readonly string[];
  /** Renders its templates again, to tell what made a part of them. */
  readonly again?: Again | undefined;
}

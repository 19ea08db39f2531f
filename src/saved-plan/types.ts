import type { ReleaseReview } from '../actions/comparison/review.ts';
import type { MovePlan } from '../change/moves/moves.ts';
import type { Rendered } from '../change/rendering/render.ts';
import type { ChartSignature } from '../chart/types.ts';
import type { ValueFlags } from '../chart/value-options.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import type { ReleaseId } from '../release/types.ts';
import type { PlanText, WrittenSteps } from './steps.ts';

/** What a file of `tshelm plan --out` holds (docs/saved-plan.schema.json). */
export interface SavedPlan {
  /** The version of tshelm that decided it; no other one carries it out. */
  readonly tshelm: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  /** In the order in which they are applied; `tshelm plan` saves one. */
  readonly releases: readonly SavedRelease[];
  /** Of `tshelm stack plan`: what the state files are read with once more. */
  readonly stack?: SavedStack | undefined;
  /** Of `move`, `rename` and `adopt`; then there are no releases. */
  readonly move?: SavedMove | undefined;
}

/** A move, a rename or an adoption, as it was decided. */
export interface SavedMove {
  readonly kind: MovePlan['kind'];
  /** Of the release that the objects come from, or that adopts them. */
  readonly namespace: string;
  readonly kubeContext?: string | undefined;
  readonly cluster: readonly Witness[];
  /** The options of the action, by their names there. */
  readonly options: Readonly<Record<string, unknown>> & { readonly name: string };
  /** Of an adoption. */
  readonly inputs?: SavedInputs | undefined;
  /** The last revision of each release that takes part. */
  readonly histories: readonly (ReleaseId & { readonly history: readonly SavedRevision[] })[];
  readonly plan: MovePlan;
  /** Of the objects of the plan, in their order; '' for what was not there. */
  readonly uids: readonly string[];
  /** Of the manifests and values that are recorded. */
  readonly recorded: Proof;
  readonly warnings: readonly string[];
}

export interface SavedStack {
  /** Flags of `stack plan` by their names in the program: which files, environment and releases, and what is laid over. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** What `--set` was given with secrets in it. */
  readonly leftOut: readonly LeftOut[];
  /** SHA-256 of each state file and base, by its name from the working directory. */
  readonly files: Readonly<Record<string, string>>;
  /** The ids of all releases that were chosen, those that the plan does not change too. */
  readonly releases: readonly string[];
}

export type SavedAction = Exclude<Plan['action'], 'test'>;

/** The change of one release, as it was decided. */
export interface SavedRelease {
  /** What is carried out; an upgrade may be planned as an install (`--install`). */
  readonly action: SavedAction;
  readonly name: string;
  readonly namespace: string;
  /** In a stack: as the needs of others name it. */
  readonly id?: string | undefined;
  /** The context of the kubeconfig; absent: the one that applies. */
  readonly kubeContext?: string | undefined;
  /** Releases of this file that are to be applied before it. */
  readonly needs: readonly string[];
  readonly cluster: readonly Witness[];
  /** The options of the action, by their names there. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What a chart is rendered from; absent where a stored revision says all. */
  readonly inputs?: SavedInputs | undefined;
  /** The last revisions there were, oldest first. */
  readonly history: readonly SavedRevision[];
  readonly plan: WrittenSteps;
  /** Every text that the plan sends, without what is secret in it; the plan names them by their place here. */
  readonly texts: readonly SavedText[];
  /** The user's values as they will be recorded. */
  readonly values: Proof;
  /** What the plan touches, as it was found. */
  readonly found: readonly FoundObject[];
  readonly review: ReleaseReview;
  /** With a key: what was rendered, secrets and all, as an armored age file. Without it, it is rendered again. */
  readonly sealed?: string | undefined;
}

/** An object that tells clusters apart. */
export interface Witness extends ResourceId {
  readonly uid: string;
}

export interface SavedRevision {
  readonly revision: number;
  readonly status: string;
}

/** An option that holds a secret and is not kept. */
export interface LeftOut {
  readonly option: string;
  /** The keys that are to be given again, as `auth.password`; several are separated by commas. */
  readonly key?: string | undefined;
}

export interface SavedInputs {
  /** As the user named it; of a git repository at its commit. */
  readonly reference: string;
  readonly chart: string;
  readonly version: string;
  /** Who has signed it, where that was checked. */
  readonly signature?: ChartSignature | undefined;
  /** How it was found: options of its access by name, credentials left out. */
  readonly access: Readonly<Record<string, unknown>>;
  /** SHA-256 of each of its files, those of its subcharts too. */
  readonly files: Readonly<Record<string, string>>;
  /** Value options, without those that hold secrets. */
  readonly values: ValueFlags;
  readonly leftOut: readonly LeftOut[];
  readonly postRenderer?: { readonly command: string; readonly args: readonly string[] } | undefined;
}

/**
 * A text without its secrets. With a proof it differs from what is sent, and whoever has that can prove it: the proof is a
 * slow hash, since passwords are guessed from fast ones.
 */
export interface SavedText {
  readonly source: string;
  readonly text: string;
  readonly proof?: Proof | undefined;
}

/** `scrypt:SALT:HASH`, both in base64 (proof.ts). */
export type Proof = string;

/** One object in the cluster, as it was when the plan was made. */
export interface FoundObject {
  readonly id: ResourceId;
  /** What the plan does with it. */
  readonly task: 'apply' | 'delete';
  /** Absent where the object was not there. */
  readonly uid?: string | undefined;
  /** Of the fields that the change touches, what may be shown. */
  readonly fields?: unknown;
  /** Fields that the plan leaves to others, by their paths: they are not sent, and may have changed when it is applied. */
  readonly left?: readonly string[] | undefined;
  /** Over all of these fields, where some are not shown. */
  readonly proof?: Proof | undefined;
  /** Who owns which of them, by manager. */
  readonly owners?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What is rendered, secrets and all, and the values that it was rendered from. */
export interface Sealed {
  readonly values: string;
  readonly manifests: readonly PlanText[];
  readonly hooks: Rendered['hooks'];
  readonly notes: string;
  readonly warnings: readonly string[];
}

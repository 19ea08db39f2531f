import type { ResourceId } from '../manifest/types.ts';
import type { RecordedFailure } from './undo.ts';

/** Why something cannot be moved. */
export type MoveRefusal =
  | 'same-release'
  | 'not-deployed'
  | 'no-such-object'
  | 'ambiguous-object'
  | 'not-in-chart'
  | 'not-in-cluster'
  | 'no-namespace'
  | 'holder-goes'
  | 'namespace-missing';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** The API server would refuse objects of the plan, so nothing was changed. Fix each object that the message names; --preflight=never skips the check. */
    'preflight-refused': {
      readonly release: string;
      readonly refused: readonly (ResourceId & { readonly problem: string | undefined })[];
    };
    /** An option does not exist, has an invalid value, or cannot be combined with another option. Change the option that the message names. */
    'bad-options': { readonly option?: string };
    /** The failed revision was made with different values or a different chart. Run the upgrade without --resume. */
    'cannot-resume': {
      readonly release: string;
      readonly revision: number;
      readonly differ: readonly string[];
      readonly keys: readonly string[];
    };
    /** Objects that a failed upgrade had created could not be deleted. Delete the objects that the message names. */
    'cleanup-failed': { readonly created: readonly string[] };
    /** Upgrading a CRD would lose data or break clients. Migrate the objects first, or leave the CRD as it is with --crds=create. */
    'crd-upgrade-refused': { readonly losses: readonly string[] };
    /** Objects of the release need something that this user has no permission to read, so nothing was changed. Grant the permissions that the message names. */
    'needs-unreadable': { readonly needs: readonly string[] };
    /** Objects or a release cannot be moved as asked, and nothing was changed. Follow the message; `why` names the reason. */
    'move-refused': {
      readonly release: string;
      readonly why: MoveRefusal;
      readonly objects?: readonly string[] | undefined;
    };
    /** A move, rename or adoption of the release was interrupted. Run the command in the `fix` line (`remedies`) to finish the move. */
    'move-unfinished': { readonly release: string; readonly revision: number };
    /** The namespace of the release does not exist. Create it with --create-namespace, or name another one with -n. */
    'namespace-missing': { readonly namespace: string };
    /** The last revision did not fail, or its record does not say how far it got. Run the upgrade without --resume. */
    'nothing-to-resume': { readonly release: string; readonly revision: number; readonly status: string };
    /** The plan has hazards, and --strict-plan refuses them. Fix each hazard that the message lists, or leave out --strict-plan. */
    'plan-hazards': { readonly hazards: readonly string[] };
  }

  interface AddedDetails {
    /** The state in which each object was left. */
    readonly objects: readonly string[];
    /** The same states (`objects`) as one text for a terminal. */
    readonly report: string;
    /** The revision that was recorded as failed; what it applied is left as it is. */
    readonly recorded: RecordedFailure;
  }
}

import type { WorkloadProblem } from '../cluster/diagnosis.ts';
import type { HookEvent, ResourceId } from '../manifest/types.ts';
import type { ForeignObject, Owner } from './apply/ownership.ts';
import type { FailedBatch } from './batch-title.ts';
import type { Refusal } from './refusals.ts';

declare module '../support/errors.ts' {
  interface ErrorDetails {
    /** A part of a rendered object has the wrong type. Fix the template at the place that the message names. */
    'malformed-object': { readonly kinds: readonly string[] };
    /** Fields of an object belong to another field manager. Leave the fields out of the chart, or take over the fields with --force-conflicts. */
    'apply-conflict': ResourceId & { readonly reason: string; readonly status: number };
    /** The API server refused an object of the release. Fix the object as the message says; to change an immutable field, use --replace-immutable. */
    'apply-failed': { readonly reason: string; readonly status: number } & Partial<ResourceId>;
    /** A CRD of the chart could not be created, or was not served in time. Fix the CRD as the message says, or skip CRDs with --skip-crds. */
    'crd-failed': Partial<ResourceId> & { readonly file?: string };
    /** The API server refused to delete an object. Read the server's message: a permission may be missing, or a webhook may refuse the deletion. */
    'delete-failed': ResourceId & { readonly reason: string };
    /** A hook failed. Read the hook's log in the message or with `kubectl logs`, and fix the hook, or skip hooks with --no-hooks. */
    'hook-failed': { readonly hook: string; readonly event: HookEvent };
    /** The API server refused the object of a hook. Fix the template of the hook. */
    'hook-invalid': { readonly hook: string; readonly event: HookEvent };
    /** The cluster does not know a kind of the chart. Install its CRDs first, or correct the apiVersion. */
    'no-matches-for-kind': { readonly kinds: readonly string[] };
    /** An object of the chart exists in the cluster and belongs to another owner. Rename the object in the chart, remove the existing object, or take over the object with --take-ownership. */
    'ownership-conflict': Owner & {
      readonly conflicts: readonly string[];
      readonly foreign?: readonly ForeignObject[] | undefined;
    };
    /** tshelm cannot find out whether an object belongs to the release. Get permission to read the object. */
    'ownership-unknown': ResourceId;
  }

  interface AddedDetails {
    /** The release that the failure is about. */
    readonly release: string;
    /** Where an ordered run failed. */
    readonly batch: FailedBatch;
    /** The event of the hooks that failed. */
    readonly event: HookEvent;
    /** The messages of all failures, where there were several. */
    readonly failures: readonly string[];
    /** The fields that a refusal is about. */
    readonly fields: readonly string[];
    /** How the API server refused objects of the release. */
    readonly refusals: readonly Refusal[];
    /** What is to be said beside the faults: objects that were not judged, what could not be read. */
    readonly notes: readonly string[];
    /** What the cluster says about the cause. */
    readonly causes: readonly WorkloadProblem[];
    /** What could not be looked at. */
    readonly gaps: readonly string[];
  }
}

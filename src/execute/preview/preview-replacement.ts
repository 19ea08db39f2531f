import { isApiError } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { withoutDump } from '../../problem/foreign/api-status.ts';
import { howReplaced, whyReplaced } from '../../words/replacement.ts';
import type { FieldChoices } from '../apply/by-rules.ts';
import { refuseUsedClaim } from '../apply/replace/claim-users.ts';
import type { Replacement } from '../apply/replace/replacement.ts';
import { type ClaimGrowth, claimChanges } from '../apply/replace/stateful-set.ts';
import { trySuccessor } from '../apply/replace/successor.ts';
import type { Target } from '../apply/targets.ts';

/** What would become of an object, or why not. */
interface ReplacementPreview {
  readonly result: KubernetesObject;
  readonly notes: readonly string[];
  readonly problem?: string;
  readonly refusal?: ApiFailure;
  readonly replaced?: Replacement;
  readonly grown?: readonly ClaimGrowth[];
  readonly choices?: FieldChoices;
}

/** What deleting an object and creating it again would make of it: both are tried as dry runs. Errors: `apply-failed`. */
export async function previewReplacement(
  target: Target,
  { live, replaced }: { readonly live: KubernetesObject; readonly replaced: Replacement },
  options: Parameters<typeof trySuccessor>[2],
): Promise<ReplacementPreview> {
  const { id, object } = target;
  const { cluster, signal } = options;
  const way = howReplaced(id.kind, replaced.how);
  try {
    await refuseUsedClaim(id, options);
    const { object: anew, made, left, notes: lost } = await trySuccessor(target, live, options);
    const propagation = replaced.how === 'orphan' ? 'Orphan' : 'Background';
    await cluster.delete(id, { dryRun: true, propagation, uid: live.metadata.uid, signal });
    const { notes, grown } = await claimChanges(target, options);
    const note = `${way}: ${whyReplaced(replaced.forcedBy)}`;
    return {
      result: counted(made ?? anew, live),
      notes: [note, ...lost, ...notes],
      replaced,
      grown,
      ...(left.length > 0 && { choices: { left, taken: [] } }),
    };
  } catch (error) {
    if (!isApiError(error)) throw error;
    const problem = `it cannot be ${way}: ${withoutDump(error.message)}`;
    return { result: object, notes: [], problem, refusal: error.failure };
  }
}

const revision = 'deployment.kubernetes.io/revision';

/** A Deployment gets its count of revisions from its controller, once it is there: that it is not sent is no change. */
export function counted(made: KubernetesObject, { metadata: { annotations } }: KubernetesObject): KubernetesObject {
  const count = annotations?.[revision];
  if (count === undefined) return made;
  return { ...made, metadata: { ...made.metadata, annotations: { ...made.metadata.annotations, [revision]: count } } };
}

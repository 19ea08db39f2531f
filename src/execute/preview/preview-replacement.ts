import { isApiError } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { withoutDump } from '../../problem/foreign/api-status.ts';
import { howReplaced } from '../../words/replacement.ts';
import type { FieldChoices } from '../apply/by-rules.ts';
import { refuseUsedClaim } from '../apply/replace/claim-users.ts';
import type { Replacement } from '../apply/replace/replacement.ts';
import { type ClaimGrowth, choosesOthers, claimChanges, noteOfPods } from '../apply/replace/stateful-set.ts';
import { trySuccessor } from '../apply/replace/successor.ts';
import { noteOfTrial } from '../apply/replace/trial.ts';
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
  const how = choosesOthers(live, object) ? 'delete' : replaced.how;
  const way = howReplaced(id.kind, how);
  try {
    await refuseUsedClaim(id, options);
    const { object: anew, made, left, notes: lost } = await trySuccessor(target, live, options);
    const propagation = replaced.how === 'orphan' ? 'Orphan' : 'Background';
    await cluster.delete(id, { dryRun: true, propagation, uid: live.metadata.uid, signal });
    const { notes, grown } = await claimChanges(target, options);
    const pods = await noteOfPods(live, object, options);
    return {
      result: counted(chosen(made ?? anew, live), live),
      // That it is replaced, and why, is said in its place.
      notes: [...(how === 'delete' ? [] : [way]), ...lost, ...pods, ...notes],
      replaced,
      grown,
      ...(left.length > 0 && { choices: { left, taken: [] } }),
    };
  } catch (error) {
    if (!isApiError(error)) throw error;
    const problem = `it cannot be ${way}: ${withoutDump(error.message)}`;
    const note = noteOfTrial(error, id.name);
    return { result: object, notes: note === undefined ? [] : [note], problem, refusal: error.failure };
  }
}

const revision = 'deployment.kubernetes.io/revision';

/** A Deployment gets its count of revisions from its controller, once it is there: that it is not sent is no change. */
export function counted(made: KubernetesObject, { metadata: { annotations } }: KubernetesObject): KubernetesObject {
  const count = annotations?.[revision];
  if (count === undefined) return made;
  return { ...made, metadata: { ...made.metadata, annotations: { ...made.metadata.annotations, [revision]: count } } };
}

const jobLabels = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'];

/**
 * A Job gets its selector and the labels for that from the server: they name the Job and its uid, and so the trial's, which
 * is no change (pkg/registry/batch/job, generateSelector).
 */
function chosen(made: KubernetesObject, live: KubernetesObject): KubernetesObject {
  const [spec, own] = [made, live].map((one) => one['spec'] as JobSpec | undefined);
  if (made.kind !== 'Job' || spec?.template === undefined || spec.manualSelector || own?.selector === undefined)
    return made;
  const { metadata } = spec.template;
  const template = {
    ...spec.template,
    metadata: { ...metadata, labels: labelsAsLive(metadata?.labels, own.template?.metadata?.labels) },
  };
  return {
    ...made,
    metadata: { ...made.metadata, labels: labelsAsLive(made.metadata.labels, live.metadata.labels) },
    spec: { ...spec, selector: own.selector, template },
  };
}

type Labels = Readonly<Record<string, string>>;

function labelsAsLive(made: Labels | null | undefined, live: Labels | null | undefined): Record<string, string> {
  const isOfServer = ([key]: readonly [string, string]): boolean => jobLabels.includes(key);
  const others = Object.entries(made ?? {}).filter((label) => !isOfServer(label));
  return Object.fromEntries([...others, ...Object.entries(live ?? {}).filter(isOfServer)]);
}

interface JobSpec {
  readonly manualSelector?: boolean;
  readonly selector?: object;
  readonly template?: { readonly metadata?: { readonly labels?: Labels } };
}

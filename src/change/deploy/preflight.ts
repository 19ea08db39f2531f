import { isBeingDeleted } from '../../execute/apply/dying.ts';
import { hasFailedJob, isUnfinishedJob } from '../../execute/apply/failed-jobs.ts';
import { declaredKinds } from '../../execute/apply/targets.ts';
import { type Preview, previewApply } from '../../execute/preview/preview.ts';
import { refusalOf } from '../../execute/refusals.ts';
import { hasObject } from '../../manifest/parse.ts';
import { formatId, objectKey } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import { manifestsOf } from '../../plan/arrange.ts';
import type { Plan, Unit } from '../../plan/types.ts';
import { TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Checked } from '../phases.ts';
import type { Preflight } from './deploy-options.ts';
import { refusedFault } from './refused-fault.ts';

/**
 * Tries objects as server-side dry runs, so that one that the API server refuses is not found with half the release live
 * (docs/ordering.md, 4). What an earlier batch may yet bring (a namespace, a kind, an account) is no refusal.
 * Errors: `preflight-refused`, naming every object, before anything is recorded or sent.
 */
export async function preflight(checked: Checked, context: Context): Promise<void> {
  const { plan, options, release, execution, crds, manifests, hooks } = checked;
  const due = objectsToTry(plan, options.preflight ?? 'auto');
  if (due.length === 0) return;
  const previews = await previewApply(due, {
    cluster: await context.cluster(),
    owner: { release: release.name, namespace: release.namespace },
    applyMethod: execution.applyMethod,
    originals: execution.originals,
    upgradeFieldManager: execution.upgradeFieldManager,
    forceConflicts: options.forceConflicts,
    takesOver: context.takesOver,
    forceReplace: options.forceReplace,
    // Whose they are has been checked.
    takeOwnership: true,
    fieldValidation: options.disableOpenapiValidation ? 'Ignore' : 'Strict',
    declared: declaredKinds([...crds.manifests, ...manifests.filter(hasObject)], hooks),
    concurrency: options.concurrency,
    signal: context.signal,
  });
  const refused = previews.filter((preview) => isRefused(preview) && !beginsAnew(preview, execution.givenUpJobs));
  if (refused.length === 0) return;
  const objectFaults = refused.map((preview) => refusedFault(preview, manifests));
  const refusals = refused.flatMap(({ id, refusal }) => (refusal === undefined ? [] : [refusalOf(id, refusal)]));
  const lines = refused.map(({ id, problem }) => `${formatId(id)}: ${problem}`);
  throw new TshelmError('preflight-refused', {
    message: `the API server would refuse ${refused.length === 1 ? 'an object' : `${refused.length} objects`} of the plan, so nothing was changed (--preflight=never skips this check):\n  ${lines.join('\n  ')}`,
    details: {
      release: release.name,
      objectFaults,
      refusals,
      refused: refused.map(({ id, problem }) => ({ ...id, problem })),
    },
  });
}

/** An object that stands twice is tried once for each. */
function objectsToTry({ steps, strategy }: Plan, mode: Preflight): readonly Manifest[] {
  if (mode === 'never') return [];
  const units = steps.flatMap((step) => (step.kind === 'apply' ? [step.unit] : []));
  if (mode === 'always') return units.flatMap(manifestsOf);
  if (strategy !== 'ordered') return [];
  return units.flatMap(laterManifests);
}

/** What does not begin at once: later batches, and those inside the subcharts of the first one. */
function laterManifests(unit: Unit): readonly Manifest[] {
  const [first, ...later] = unit.batches;
  const inside = (first?.nodes ?? []).flatMap((node) => (node.kind === 'unit' ? laterManifests(node.unit) : []));
  return [...inside, ...manifestsOf({ ...unit, batches: later })];
}

const isRefused = ({ problem }: Preview): boolean => problem !== undefined && !mayComeYet(problem);

/** What cannot be changed in place does not matter to an object that is being deleted, or a Job that is deleted before. */
const beginsAnew = ({ id, live }: Preview, givenUp: ReadonlyMap<string, unknown> = new Map()): boolean =>
  live !== undefined &&
  (isBeingDeleted(live) || hasFailedJob(live) || (givenUp.has(objectKey(id)) && isUnfinishedJob(live)));

/** What a request is refused for that something before it may bring, and what only says that nobody could be asked. */
export const mayComeYet = (problem: string): boolean => comesYet.test(problem);
const comesYet =
  /not found|was found|no matches for kind|does not serve|failed calling webhook|cannot be compared|context deadline/i;

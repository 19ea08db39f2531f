import { isReplacedAnew } from '../../execute/apply/client-side.ts';
import { isBeingDeleted } from '../../execute/apply/dying.ts';
import { hasFailedJob, isUnfinishedJob } from '../../execute/apply/failed-jobs.ts';
import { declaredKinds } from '../../execute/apply/targets.ts';
import { nodeKey } from '../../execute/done.ts';
import { type Preview, previewApply } from '../../execute/preview/preview.ts';
import { refusalOf } from '../../execute/refusals.ts';
import { hasObject } from '../../manifest/parse.ts';
import { formatId, objectKey } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import type { Unit } from '../../plan/types.ts';
import { TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Checked } from '../phases.ts';
import { comingWith, mayComeYet } from './coming.ts';
import { refusedFault } from './refused-fault.ts';

/**
 * Tries objects as server-side dry runs, so that one that the API server refuses is not found with half the release live
 * (docs/ordering.md, 4). What an earlier batch may yet bring (coming.ts) is no refusal.
 * Errors: `preflight-refused`, naming every object, before anything is recorded or sent.
 */
export async function preflight(checked: Checked, context: Context): Promise<void> {
  const { plan, options, release, execution, crds, manifests, hooks } = checked;
  const due = objectsToTry(checked);
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
  const coming = comingWith(plan, previews);
  const refused = previews
    .filter((preview) => isRefused(preview) && !mayComeYet(preview, coming) && !beginsAnew(preview, checked))
    .map((preview) => ({ ...preview, problem: preview.problem ?? preview.refusal?.message }));
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

/** An object that stands twice is tried once for each; what an earlier run has finished is not sent, so it is not tried. */
function objectsToTry({ plan, options, done }: Checked): readonly Manifest[] {
  const { preflight: mode = 'auto' } = options;
  if (mode === 'never' || (mode === 'auto' && plan.strategy !== 'ordered')) return [];
  const units = plan.steps.flatMap((step) => (step.kind === 'apply' ? [step.unit] : []));
  return units.flatMap((unit) => unfinishedManifests(unit, unit.name, done));
}

const unfinishedManifests = (unit: Unit, path: string, done: ReadonlySet<string> = new Set()): readonly Manifest[] =>
  unit.batches.flatMap(({ nodes }) =>
    nodes.flatMap((node) => {
      if (node.kind === 'unit') return unfinishedManifests(node.unit, `${path}/${node.unit.name}`, done);
      return done.has(nodeKey(path, node)) ? [] : node.manifests;
    }),
  );

/** A dry run that is not allowed is one more answer: the deploy would send the same request. */
const isRefused = ({ problem, refusal }: Preview): boolean =>
  refusal !== undefined && (problem !== undefined || refusal.status === 403);

/** What cannot be changed in place does not matter to an object that is deleted before. */
function beginsAnew({ id, live, refusal }: Preview, { execution, options }: Checked): boolean {
  if (live === undefined || refusal === undefined) return false;
  const isReplaced = options.forceReplace === true && execution.applyMethod === 'csa' && isReplacedAnew(id, refusal);
  const isGivenUp = execution.givenUpJobs?.has(objectKey(id)) === true && isUnfinishedJob(live);
  return isReplaced || isGivenUp || hasFailedJob(live) || isBeingDeleted(live);
}

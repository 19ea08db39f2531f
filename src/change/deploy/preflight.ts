import { isFieldConflict } from '../../cluster/api-error.ts';
import { hasFailedJob, isUnfinishedJob } from '../../execute/apply/failed-jobs.ts';
import { mayReplaceAny } from '../../execute/apply/replace/consent.ts';
import { nodeKey } from '../../execute/done.ts';
import { type Preview, previewApply } from '../../execute/preview/preview.ts';
import { refusalOf } from '../../execute/refusals.ts';
import { itemsOf } from '../../manifest/items.ts';
import { formatId, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { manifestsOfSteps } from '../../plan/arrange.ts';
import type { Plan, Unit } from '../../plan/types.ts';
import { lacksRight } from '../../problem/foreign/api-status.ts';
import { TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Assessed, Checked } from '../phases.ts';
import { foreseenProblems, type RefusedPreview } from './foreseen-problem.ts';
import { mayBeAcceptedLater, plannedAdditions } from './planned-additions.ts';
import { previewOptionsOf } from './preview-options.ts';
import { replaceRulesOf } from './replace-options.ts';

/**
 * Tries all objects as server-side dry runs, so that one that the API server refuses is not found with half the release
 * live (docs/ordering.md, 4), nor after others were deleted to be created again: of an ordered run, and of one that may
 * replace objects. What the plan may yet bring (planned-additions.ts) is no refusal.
 * Errors: `preflight-refused`, naming every object, before anything is recorded or sent.
 */
export async function preflight(checked: Checked, context: Context): Promise<void> {
  if (triesAllFirst(checked, context)) refuse(await refusedPreviews(checked, context), checked);
}

/** Whether all objects of a change are tried before its record is written. */
export function triesAllFirst(weighed: Assessed, context: Context): boolean {
  const { plan, options } = weighed;
  if (!isAutomatic(weighed)) return options.preflight === 'always';
  // A hook may delete what cannot be changed in place, so a chart that agrees to replacements is tried after its hooks.
  return plan.strategy === 'ordered' || mayReplace(weighed, hooksComeFirst(plan) ? [] : objectsOf(weighed), context);
}

/**
 * The same for a run without an order whose hooks come first, once its revision is recorded, as Helm records it: no hook
 * runs for what would be refused then. A hook may delete an object that cannot be changed in place, so that is no refusal.
 */
export async function preflightBeforeHooks(checked: Checked, context: Context): Promise<void> {
  if (!isTriedAroundHooks(checked)) return;
  const refused = await refusedPreviews(checked, context);
  refuse(
    refused.filter(({ live, refusal }) => live === undefined || refusal.status === 403 || isFieldConflict(refusal)),
    checked,
    'no hook was run',
  );
}

/** Where a chart agrees to replacements, no object is replaced for a release of which another one would be refused. */
export async function preflightAfterHooks(checked: Checked, context: Context): Promise<void> {
  if (!isTriedAroundHooks(checked) || triesAllFirst(checked, context)) return;
  if (mayReplace(checked, objectsOf(checked), context))
    refuse(await refusedPreviews(checked, context), checked, 'no object was changed');
}

const isAutomatic = ({ options }: Assessed): boolean => (options.preflight ?? 'auto') === 'auto';

const isTriedAroundHooks = (checked: Checked): boolean =>
  isAutomatic(checked) && checked.plan.strategy !== 'ordered' && hooksComeFirst(checked.plan);

/** What a failed change has replaced is replaced again when it is undone, as far as that goes. */
const mayReplace = ({ options }: Assessed, objects: readonly KubernetesObject[], { isUndoing }: Context): boolean =>
  !isUndoing && mayReplaceAny(objects, replaceRulesOf(options, {}));

/** As they are to be, and as they were: a rollback follows the annotation of what is there. */
const objectsOf = ({ plan, execution }: Assessed): readonly KubernetesObject[] => [
  ...manifestsOfSteps(plan, 'apply').flatMap(({ object }) => itemsOf(object)),
  ...(execution?.originals?.values() ?? []),
];

function hooksComeFirst({ steps }: Plan): boolean {
  const [hooks, apply] = (['run-hooks', 'apply'] as const).map((kind) => steps.findIndex((step) => step.kind === kind));
  return hooks !== undefined && apply !== undefined && hooks >= 0 && hooks < apply;
}

async function refusedPreviews(checked: Checked, context: Context): Promise<readonly RefusedPreview[]> {
  const { plan, absent, done } = checked;
  const units = plan.steps.flatMap((step) => (step.kind === 'apply' ? [step.unit] : []));
  const due = units.flatMap((unit) => unfinishedManifests(unit, unit.name, done));
  if (due.length === 0) return [];
  const previews = await previewApply(due, { ...(await previewOptionsOf(checked, context)), absent });
  const coming = plannedAdditions(plan, previews);
  return previews.filter(isRefused).filter((one) => !mayBeAcceptedLater(one, coming) && !isRecreated(one, checked));
}

function refuse(
  refused: readonly RefusedPreview[],
  { release, manifests }: Checked,
  outcome = 'nothing was changed',
): void {
  if (refused.length === 0) return;
  const described = refused.map((preview) => ({ ...preview, problem: preview.problem ?? preview.refusal.message }));
  const notes = refused.flatMap(({ id, problem, notes: known }) =>
    problem === undefined ? [] : known.map((note) => `${id.kind}/${id.name}: ${note}`),
  );
  const lines = described.map(({ id, problem }) => `${formatId(id)}: ${problem}`);
  throw new TshelmError('preflight-refused', {
    message: `the API server would refuse ${described.length === 1 ? 'an object' : `${described.length} objects`} of the plan, so ${outcome}:\n  ${lines.join('\n  ')}`,
    details: {
      release: release.name,
      problems: described.flatMap((preview) => foreseenProblems(preview, manifests)),
      refusals: described.map(({ id, refusal }) => refusalOf(id, refusal)),
      refused: described.map(({ id, problem }) => ({ ...id, problem })),
      ...(notes.length > 0 && { notes }),
    },
  });
}

/** An object that occurs twice is tried once for each; what an earlier run has finished is not sent, so it is not tried. */
const unfinishedManifests = (unit: Unit, path: string, done: ReadonlySet<string> = new Set()): readonly Manifest[] =>
  unit.batches.flatMap(({ nodes }) =>
    nodes.flatMap((node) => {
      if (node.kind === 'unit') return unfinishedManifests(node.unit, `${path}/${node.unit.name}`, done);
      return done.has(nodeKey(path, node)) ? [] : node.manifests;
    }),
  );

/** A dry run that is not allowed is one more answer: the deploy would send the same request. */
const isRefused = (preview: Preview): preview is RefusedPreview =>
  preview.refusal !== undefined && (preview.problem !== undefined || lacksRight(preview.refusal));

/** What cannot be changed in place does not matter to an object that is deleted before. */
function isRecreated({ id, live, refusal }: Preview, { execution }: Checked): boolean {
  if (live === undefined || refusal === undefined) return false;
  const isGivenUp = execution.givenUpJobs?.has(objectKey(id)) === true && isUnfinishedJob(live);
  return isGivenUp || hasFailedJob(live);
}

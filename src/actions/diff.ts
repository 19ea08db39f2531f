import { againOf } from '../change/again-of-release.ts';
import type { Context, DecidedChange } from '../change/context.ts';
import { foreignProblems } from '../change/deploy/foreign-problems.ts';
import { foreseenProblems } from '../change/deploy/foreseen-problem.ts';
import { furtherFaults } from '../change/deploy/other-refusals.ts';
import { mayBeAcceptedLater, type PlannedAdditions, plannedAdditions } from '../change/deploy/planned-additions.ts';
import { replaceRulesOf } from '../change/deploy/replace-options.ts';
import { originsOf } from '../change/explained-failure.ts';
import {
  learnFromObjects,
  learnFromPlan,
  learnFromRecordedTemplates,
  learnFromReleases,
  learnFromTemplates,
} from '../change/learn-secrets.ts';
import { recordedSignature } from '../change/record/chart-source.ts';
import { fieldRulesOf } from '../change/record/remembered-fields.ts';
import type { RenderAgain, RenderSettings } from '../change/rendering/render.ts';
import { problemWithLines } from '../change/template-lines.ts';
import type { Chart } from '../chart/types.ts';
import { choiceNotes } from '../execute/apply/by-rules.ts';
import { namespaceObject } from '../execute/apply/namespace.ts';
import { isOfForeignWebhook } from '../execute/apply/not-served-yet.ts';
import { withOwner } from '../execute/apply/ownership.ts';
import { declaredKinds, resolveServed } from '../execute/apply/targets.ts';
import { type Preview, type PreviewOptions, previewApply, startPreviews } from '../execute/preview/preview.ts';
import { previewRemoval, type RemovalPreview } from '../execute/preview/preview-removal.ts';
import { byPolicy } from '../execute/remove.ts';
import type { GoMap } from '../go/value.ts';
import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { Hook, KubernetesObject, Manifest, ResourceId } from '../manifest/types.ts';
import { withoutServerState } from '../manifest/without-server-state.ts';
import { manifestsOfSteps } from '../plan/arrange.ts';
import { isProtected } from '../plan/keep.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import type { Plan, RevisionOfChart, Step } from '../plan/types.ts';
import { isOfObject, isSameObject, type ObjectProblem } from '../problem/problem.ts';
import type { Remedy } from '../problem/remedy.ts';
import { deployedRevision, lastRevision } from '../release/history.ts';
import type { Release } from '../release/types.ts';
import { hasCode } from '../support/errors.ts';
import { groupBy } from '../support/group-by.ts';
import { equalJson } from '../support/json.ts';
import { SecretWords } from '../support/secret-words.ts';
import { comparedPreviews } from './comparison/compared-previews.ts';
import { diffHooks, type HooksToCompare } from './comparison/diff-hooks.ts';
import {
  type ComparedStates,
  changeOf,
  type ObjectDiff,
  type ReleaseDiff,
  type ShownOptions,
  sortChanges,
} from './comparison/object-diff.ts';
import { nameKey, namesIn, type Succession, successions } from './comparison/successors.ts';
import type { DiffOptions } from './options/readings.ts';
import type { RollbackOptions } from './options/rollback.ts';
import type { UninstallOptions } from './options/uninstall.ts';
import type { UpgradeOptions } from './options/upgrade.ts';
import { rollback } from './rollback.ts';
import { upgrade } from './upgrade.ts';

/**
 * What an upgrade, or with `install` an install, would change in the cluster: each object is sent as a server-side dry
 * run and compared with the live one. What the server would refuse is reported with its object. Errors: those of upgrade.
 */
export async function diffUpgrade(
  chart: Chart,
  values: GoMap,
  options: UpgradeOptions & DiffOptions,
  context: Context,
): Promise<ReleaseDiff> {
  const current = await currentRevision(options.name, context);
  let renderAgain: Planned['renderAgain'];
  let again: Planned['again'];
  const afterRender: RenderSettings['afterRender'] = async (rendered, repeat) => {
    renderAgain = repeat;
    again = rendered.again;
    return rendered;
  };
  let execution: DecidedChange['execution'];
  const onDecided = async (decided: DecidedChange): Promise<void> => {
    execution ??= decided.execution;
  };
  const watched: Context = { ...context, onDecided, rendering: { ...context.rendering, afterRender } };
  const { release, plan } = await withInstallHint(() =>
    upgrade(chart, values, { ...options, dryRun: 'plan' }, watched),
  );
  return diffPlan({ plan, release, current, again, execution, renderAgain }, options, context);
}

async function withInstallHint<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (!hasCode(cause, 'no-deployed-releases')) throw cause;
    const remedies = [{ kind: 'set-option', option: 'install' }] as const;
    throw cause.wrapped({ message: cause.message, details: { remedies } });
  }
}

/** The same for a rollback. Errors: those of rollback. */
export async function diffRollback(options: RollbackOptions & DiffOptions, context: Context): Promise<ReleaseDiff> {
  const history = await (await context.storage()).revisions(options.name);
  const { release, plan } = await rollback({ ...options, dryRun: 'plan' }, context);
  return diffPlan({ plan, release, current: lastRevision(options.name, history) }, options, context);
}

/** The same for a change that is decided already. */
export function diffDecidedChange(
  { decided, renderAgain }: { readonly decided: DecidedChange } & Pick<Planned, 'renderAgain'>,
  options: UpgradeOptions & DiffOptions & Pick<UninstallOptions, 'keepObjects'>,
  context: Context,
): Promise<ReleaseDiff> {
  const { plan, release, replaced, again, execution } = decided;
  const current = plan.action === 'uninstall' ? release : replaced;
  return diffPlan({ plan, release, again, execution, current, renderAgain }, options, context);
}

/** The revision that an upgrade replaces; undefined when there is none. */
async function currentRevision(name: string, context: Context): Promise<Release | undefined> {
  const history = await (await context.storage()).revisions(name);
  if (history.length === 0) return undefined;
  const last = lastRevision(name, history);
  return last.info.status === 'uninstalled' ? undefined : (deployedRevision(history) ?? last);
}

/** A change that is decided. */
interface Planned {
  readonly plan: Plan;
  readonly release: Release;
  /** What it replaces. */
  readonly current: Release | undefined;
  readonly again?: DecidedChange['again'];
  readonly execution?: DecidedChange['execution'];
  /** undefined where no chart is rendered. */
  readonly renderAgain?: RenderAgain | undefined;
}

async function diffPlan(
  planned: Planned,
  options: UpgradeOptions & DiffOptions & Pick<UninstallOptions, 'keepObjects'>,
  context: Context,
): Promise<ReleaseDiff> {
  const { plan, release } = planned;
  const crds = manifestsOfSteps(plan, 'install-crds');
  const applied = manifestsOfSteps(plan, 'apply');
  const removed = manifestsOfSteps(plan, 'delete');
  const previewOptions = await previewOptionsOf(planned, [...crds, ...applied], options, context);
  const removing = previewRemoval(removed, plan, previewOptions);
  const keeping = previewRemoval(keptAtUninstall(planned), plan, previewOptions);
  const applying = startPreviews(applied, previewOptions);
  const reading = Promise.all([applying.then(({ live }) => live), removing, keeping]);
  const learning = reading.then(([live, ...others]): ShownOptions => {
    if (options.showSecrets) return { showSecrets: true };
    return { secrets: knownSecrets(planned, [...live, ...others.flat().map((one) => one.live)], context) };
  });
  const [shown, namespaces, definitions, tried, removals, kept] = await Promise.all([
    learning,
    previewApply(namespaceManifests(plan), { ...previewOptions, isOwned: false }),
    previewApply(crds, { ...previewOptions, isOwned: false }),
    comparedPreviews(applying, learning).then((all) => withWaysOut(all, planned)),
    removing,
    keeping,
  ]);
  const resources = eachOnce(tried.map(({ preview }) => preview));
  const coming = plannedAdditions(plan, [...definitions, ...resources]);
  const previews = [...namespacesToWrite(namespaces, release), ...definitions, ...resources];
  const problems = await problemsOf(previews, planned, context);
  const compared = new Map(tried.map((one) => [one.preview, one.compared]));
  const changed = previews.map((preview) =>
    diffOfPreview(preview, { plan, coming, problems, compared: compared.get(preview) }, shown),
  );
  const deleted = removals.map(({ id, live: before, keptBy }) =>
    changeOf({ id, before, after: undefined, keptBy }, shown),
  );
  const replaced = await replacedObjects({ planned, previews: resources, removals }, previewOptions, shown);
  const grown = resources.flatMap((preview) =>
    (preview.grown ?? []).map(({ id, live: before, result }) => changeOf({ id, before, after: result }, shown)),
  );
  const left = kept.map(({ id, live: before }) =>
    changeOf({ id, before, keptBy: reasonToKeep(before, options) }, shown),
  );
  return {
    ...headOf(planned, previewOptions),
    objects: sortChanges(
      [...changed, ...deleted, ...grown, ...left].map((one) => ({ ...one, ...replaced.get(one.id) })),
    ),
    hooks: options.noHooks ? [] : await diffHooks(hooksOf(planned), shown),
    warnings: plan.warnings,
    reportedWarnings: plan.hazards ?? [],
  };
}

const headOf = (
  { plan, release, current }: Planned,
  { cluster }: Pick<PreviewOptions, 'cluster'>,
): Omit<ReleaseDiff, 'objects' | 'hooks' | 'warnings' | 'reportedWarnings'> => ({
  action: plan.action,
  release: release.name,
  namespace: release.namespace,
  ...(cluster.place && { cluster: cluster.place }),
  from: current && { revision: current.version, ...chartOf(current) },
  to: {
    revision: release.version,
    ...chartOf(release),
    ...(plan.action === 'rollback' && { backTo: release.info.rollbackRevision }),
  },
});

/** Of an object that is rendered several times: the last preview, or the one that is refused. */
const eachOnce = (previews: readonly Preview[]): readonly Preview[] =>
  [...groupBy(previews, (preview) => (preview.id.name === '' ? preview : objectKey(preview.id))).values()].map(
    (same) => {
      const last = same.at(-1) as Preview;
      if (same.length === 1) return last;
      const refused = same.find(({ problem }) => problem !== undefined);
      if (refused !== undefined) return refused;
      const states = same.map(({ result }) => withoutServerState(result));
      const isSame = states.every((state) => equalJson(state, states[0]));
      return isSame ? last : { ...last, rewrittenFor: 'it is rendered several times, and each time written over' };
    },
  );

/** What the API server refuses, with what its action can do about it. */
const withWaysOut = <T extends { readonly preview: Preview }>(
  tried: readonly T[],
  { plan, release }: Planned,
): readonly T[] =>
  plan.action === 'fix' ? tried.map((one) => ({ ...one, preview: withRemediesOfFix(one.preview, release) })) : tried;

/** A fix has no flag that replaces an object: a rollback to the same revision has. */
const withRemediesOfFix = (preview: Preview, { name, namespace, version }: Release): Preview => ({
  ...preview,
  remedies: preview.remedies?.map((remedy) =>
    remedy.kind === 'set-option' && remedy.option === 'replaceObjects'
      ? {
          kind: 'run',
          verb: 'rollback',
          arguments: [name, String(version), `--replace=${remedy.value}`],
          namespace,
        }
      : remedy,
  ),
});

const hooksOf = ({ release, current, renderAgain }: Planned): HooksToCompare => ({
  before: current?.hooks ?? [],
  after: release.hooks,
  namespace: release.namespace,
  renderAgain: renderAgain && (async () => (await renderAgain('next')).hooks),
});

interface Previewed {
  readonly planned: Planned;
  readonly previews: readonly Preview[];
  readonly removals: readonly RemovalPreview[];
}

type Replacement = Pick<ObjectDiff, 'after' | 'insteadOf'> | Pick<ObjectDiff, 'succeededBy'>;

/**
 * By the ids of what is created and deleted: which of them takes the place of which. A new object is shown as it is sent, so
 * it is compared with what was sent before.
 */
async function replacedObjects(
  { planned: { plan, renderAgain }, previews, removals }: Previewed,
  { originals, owner }: PreviewOptions,
  shown: ShownOptions,
): Promise<ReadonlyMap<ResourceId, Replacement>> {
  const created = previewsOfNewObjects(previews).map(({ id, result }) => ({ id, object: result }));
  const deleted = removals.flatMap(({ id, live, keptBy }) => {
    const sent = originals?.get(objectKey(id));
    return keptBy === undefined ? [{ id, object: sent ? withOwner(sent, owner) : live }] : [];
  });
  const manifests = [...manifestsOfSteps(plan, 'apply'), ...manifestsOfSteps(plan, 'delete')];
  const pairs = successions(created, deleted, manifests);
  if (pairs.length === 0) return new Map();
  const changing = await changingNames(pairs, renderAgain);
  return new Map<ResourceId, Replacement>(
    changing.flatMap(({ created: is, deleted: was }) => {
      const { before, after } = changeOf({ id: is.id, before: was.object, after: is.object }, shown);
      if (before === undefined) return [];
      return [
        [is.id, { after, insteadOf: { id: was.id, before } }],
        [was.id, { succeededBy: is.id }],
      ] as const;
    }),
  );
}

/** Those whose template makes another name each time. A rollback renders nothing: names with other numbers in them count. */
async function changingNames<T extends { readonly id: ResourceId }>(
  pairs: readonly Succession<T>[],
  renderAgain: RenderAgain | undefined,
): Promise<readonly Succession<T>[]> {
  const withoutNumbers = ({ id }: T): string => id.name.replaceAll(/\d+/g, '0');
  if (renderAgain === undefined)
    return pairs.filter(({ created, deleted }) => withoutNumbers(created) === withoutNumbers(deleted));
  const again = namesIn((await renderAgain('next')).manifests);
  return pairs.filter(({ created }) => !again.has(nameKey(created.id)));
}

/** What an uninstall leaves in the cluster, as the manifest or the run says. */
function keptAtUninstall({ plan, release }: Planned): readonly Manifest[] {
  // Of a release that is uninstalled already, only the history is left.
  if (plan.action !== 'uninstall' || release.info.status === 'uninstalled') return [];
  const deleted = new Set(manifestsOfSteps(plan, 'delete').map(({ object }) => objectKey(idOf(object))));
  return readStoredManifest(release.manifest).filter(({ object }) => !deleted.has(objectKey(idOf(object))));
}

/** An object that was adopted has the policy of its manifest only after the next upgrade. */
const reasonToKeep = (live: KubernetesObject, { keepObjects }: Pick<UninstallOptions, 'keepObjects'>): string =>
  isProtected(live) || !keepObjects ? byPolicy.reason : 'kept on request';

/** What must not be seen in a diff, wherever an object repeats it. */
function knownSecrets(
  { plan, release, current, again }: Planned,
  live: readonly (KubernetesObject | undefined)[],
  { secrets = new SecretWords() }: Context,
): SecretWords {
  learnFromPlan(plan, secrets);
  for (const one of current === undefined ? [release] : [release, current]) learnFromReleases([one], secrets);
  learnFromObjects(live, secrets);
  if (current !== undefined) learnFromRecordedTemplates(current, secrets);
  learnFromTemplates(again ?? againOf(release), secrets);
  return secrets;
}

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

const stepsOf = <K extends Step['kind']>({ steps }: Plan, kind: K): readonly StepOf<K>[] =>
  steps.filter((step): step is StepOf<K> => step.kind === kind);

function chartOf(release: Release): Omit<RevisionOfChart, 'revision'> {
  const { name, version } = release.chart.metadata;
  const signature = recordedSignature(release);
  return { chart: `${name}-${version}`, ...(signature && { signature }) };
}

const namespaceManifests = (plan: Plan): readonly Manifest[] =>
  stepsOf(plan, 'create-namespace').map(({ name }) => ({ source: '', text: '', object: namespaceObject(name) }));

/**
 * --create-namespace creates a namespace, or with server-side apply gives one that is there its label, as Helm does. One on
 * its way out is left as it is.
 */
const namespacesToWrite = (previews: readonly Preview[], { applyMethod }: Release): readonly Preview[] =>
  previews.filter(
    ({ live, result, isGoing, rewrittenFor }) =>
      !isGoing &&
      (live === undefined || (applyMethod !== 'csa' && (rewrittenFor !== undefined || isOther(live, result)))),
  );

const isOther = (live: KubernetesObject, result: KubernetesObject): boolean =>
  !equalJson(withoutServerState(live), withoutServerState(result));

const previewsOfNewObjects = (previews: readonly Preview[]): readonly Preview[] =>
  previews.filter(({ live, isGoing }) => live === undefined && !isGoing);

/** What the server refuses of objects, and what else is known to be wrong with these. */
async function problemsOf(
  previews: readonly Preview[],
  planned: Planned,
  context: Context,
): Promise<readonly ObjectProblem[]> {
  const { plan, release } = planned;
  const manifests = manifestsOfSteps(plan, 'apply');
  const foreign = previews.flatMap((one) => (one.foreign ? [{ id: one.id, owner: one.foreign.from }] : []));
  const refused = previews.flatMap(({ problem, refusal, ...preview }) =>
    problem === undefined || refusal === undefined ? [] : [{ ...preview, refusal }],
  );
  if (refused.length + foreign.length === 0) return [];
  const owner = { release: release.name, namespace: release.namespace };
  const problems = [
    ...foreignProblems(foreign, owner, manifests),
    ...refused.flatMap((preview) => foreseenProblems(preview, manifests)),
  ];
  const more = await furtherFaults(problems, { manifests, namespace: release.namespace }, context);
  const ofRefused = more.filter(({ subject }) => refused.some(({ id }) => isSameObject(id, subject.id)));
  const origins = originsOf(planned);
  return [...problems, ...ofRefused].map((problem) => problemWithLines(problem, origins)).filter(isOfObject);
}

const takesOwnership: Remedy = { kind: 'set-option', option: 'takeOwnership' };

interface Foreseen {
  readonly plan: Plan;
  readonly coming: PlannedAdditions;
  readonly problems: readonly ObjectProblem[];
  readonly compared: ComparedStates | undefined;
}

function diffOfPreview(
  preview: Preview,
  { plan, coming, problems, compared }: Foreseen,
  options: ShownOptions,
): ObjectDiff {
  const { id, live, result, rewrittenFor, problem, refusal, remedies, adopted, foreign, replaced, choices } = preview;
  const notes = [...preview.notes, ...(choices === undefined ? [] : choiceNotes(choices))];
  const isDown = refusal !== undefined && isOfForeignWebhook(refusal, plan);
  const isOpen = problem !== undefined && !isDown && mayBeAcceptedLater(preview, coming);
  const own = problems.filter(({ subject }) => isSameObject(subject.id, id));
  return changeOf(
    {
      id,
      before: live,
      after: result,
      compared,
      rewrittenFor,
      notes,
      problem,
      problems: own.length === 0 ? undefined : own,
      remedies: foreign === undefined ? remedies : [takesOwnership, ...(remedies ?? [])],
      mayComeYet: isOpen || undefined,
      adopted,
      replaced,
      choices,
    },
    options,
  );
}

async function previewOptionsOf(
  { plan, release, current, execution }: Planned,
  manifests: readonly Manifest[],
  options: UpgradeOptions,
  context: Context,
): Promise<PreviewOptions> {
  const cluster = await context.cluster();
  const where = { cluster, namespace: release.namespace, signal: context.signal };
  const owned = current === undefined ? [] : await resolveServed(readStoredManifest(current.manifest), where);
  return {
    cluster,
    owner: { release: release.name, namespace: release.namespace },
    applyMethod: release.applyMethod,
    forceConflicts: execution?.forceConflicts ?? options.forceConflicts,
    fieldRules: execution?.fieldRules ?? fieldRulesOf(options.takeFields, release),
    replaced: execution?.replaced,
    forceReplace: options.forceReplace,
    replaceRules: replaceRulesOf(options, { isInstall: plan.action === 'install' }),
    // A rollback takes its own resources back whoever has them now.
    takeOwnership: options.takeOwnership || plan.action === 'rollback',
    fieldValidation: options.disableOpenapiValidation ? 'Ignore' : 'Strict',
    originals: new Map(owned.map(({ id, object }) => [objectKey(id), object])),
    upgradeFieldManager: release.applyMethod === 'ssa' && current?.applyMethod !== 'ssa',
    declared: declaredKinds(manifests, release.hooks),
    newNamespaces: new Set([
      ...ownNamespaces(manifests, release.hooks),
      ...stepsOf(plan, 'create-namespace').map(({ name }) => name),
    ]),
    concurrency: options.concurrency,
    signal: context.signal,
  };
}

const ownNamespaces = (manifests: readonly Manifest[], hooks: readonly Hook[]): readonly string[] => [
  ...manifests.filter(({ object }) => object.kind === 'Namespace').map(({ object }) => object.metadata.name),
  ...hooks.filter(({ kind }) => kind === 'Namespace').map(({ name }) => name),
];

import type { Context } from '../change/context.ts';
import { type BegunAdoption, giveUpAdoption } from '../change/moves/go-back.ts';
import type { MoveContext, MoveDecision, MovedObject, MovePlan, MoveResult, Side } from '../change/moves/moves.ts';
import { manifestsNamed, namesOf, refusal } from '../change/moves/named-objects.ts';
import {
  type MarkedObject,
  markedObjects,
  noMarks,
  objectsOf,
  transferOwnership,
  tryGiving,
} from '../change/moves/owners.ts';
import {
  deploy,
  documentsOf,
  nextRevision,
  openSide,
  refuseUnsettled,
  supersedeOlder,
  versionAfter,
} from '../change/moves/records.ts';
import { refuseForeign } from '../change/moves/refusals.ts';
import type { Rendered } from '../change/phases.ts';
import { withLock } from '../change/record/with-lock.ts';
import { type ChartOpened, renderChart } from '../change/render-chart.ts';
import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import { formatId, idAlone, idOf, objectKey } from '../manifest/resource-id.ts';
import type { Manifest } from '../manifest/types.ts';
import { validateReleaseName } from '../release/name.ts';
import type { MoveRecord, Release, ReleaseId } from '../release/types.ts';
import { manifestText } from '../render/manifest-text.ts';
import type { AdoptOptions } from './options/moves.ts';

/**
 * Makes objects that are in the cluster part of a release, as the chart renders them, and changes no field of theirs but
 * Helm's label and annotations: what the chart wants otherwise comes with the next upgrade. A release that does not exist
 * is recorded with these objects alone.
 * Errors: `move-refused`, `ownership-conflict`, `move-unfinished`, `operation-in-progress`, those of rendering.
 */
export async function adopt(
  chart: Chart,
  values: GoMap,
  options: AdoptOptions,
  context: MoveContext,
): Promise<MoveResult> {
  validateReleaseName(options.name);
  checkInstallable(chart);
  checkDependencies(chart);
  const request = { chart, values, options };
  const decided = async (given: Context): Promise<Decided> => {
    const one = await decide(request, given);
    await context.onMoveDecided?.(decisionOf(one));
    return one;
  };
  if (options.dryRun) return (await decided(context)).result;
  return withLock('adopt', options, context, async (locked) => {
    const one = await decided(locked);
    await carryOut(one, options);
    return one.result;
  });
}

interface Request {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly options: AdoptOptions;
}

interface Decided {
  readonly move: MoveRecord;
  readonly to: Side;
  /** The release as it is, or as the chart would make it. */
  readonly base: Release;
  /** The resources of the new revision; undefined where the release has them already. */
  readonly resources: readonly Manifest[] | undefined;
  readonly result: MoveResult;
}

const decisionOf = ({ to, base, resources, result }: Decided): MoveDecision => ({
  plan: result.plan,
  histories: [{ ...to.id, history: to.history }],
  records: resources === undefined ? [] : [{ ...base, manifest: manifestText(resources) }],
});

async function decide(request: Request, context: Context): Promise<Decided> {
  const { options } = request;
  const id = { release: options.name, namespace: context.namespace };
  const move: MoveRecord = { kind: 'adopt', to: id, objects: options.objects };
  const to = await openSide(id, move, options, context);
  refuseUnsettled(to);
  const rendered = await renderChart(await chartOpened(request, to), context);
  const adopted = adoptedManifests(rendered, options, id);
  const found = await objectsOf(adopted, { to: id, namespace: id.namespace }, context);
  refuseAbsent(found, id.release);
  if (!options.takeOwnership) refuseForeign(found, id);
  const objects = found.map((one) => (one.state === 'foreign' ? { ...one, state: 'changes' as const } : one));
  const known = to.current === undefined ? [] : documentsOf(to.current);
  const keys = new Set(known.map((manifest) => keyOf(manifest, id.namespace)));
  const coming = adopted.filter((manifest) => !keys.has(keyOf(manifest, id.namespace)));
  const isComing = to.begun !== undefined || coming.length > 0;
  const revision = to.begun?.version ?? versionAfter(to.history);
  const plan: MovePlan = {
    kind: 'adopt',
    to: id,
    objects,
    records: isComing ? [{ ...id, revision, action: 'create' }] : [],
  };
  return {
    move,
    to,
    base: to.current ?? { ...rendered.release, hooks: [], info: { ...rendered.release.info, notes: undefined } },
    resources: isComing ? [...known, ...coming] : undefined,
    result: {
      plan,
      isUnchanged: !isComing && objects.every(({ state }) => state === 'unchanged'),
      warnings: rendered.warnings,
    },
  };
}

const keyOf = ({ object }: Manifest, namespace: string): string => objectKey(idOf(object, namespace));

async function chartOpened(
  { chart, values, options }: Request,
  { id, context, history, current }: Side,
): Promise<ChartOpened> {
  const version = versionAfter(history);
  return {
    action: current === undefined ? 'install' : 'upgrade',
    options: { ...options, dryRun: 'none' },
    chart,
    values,
    lastPhase: 'decided',
    sight: 'served',
    namespace: id.namespace,
    history,
    replaced: current,
    crdMode: 'skip',
    cluster: await context.cluster(),
    templateRevision: version,
    newRevision: {
      version,
      status: current === undefined ? 'pending-install' : 'pending-upgrade',
      description: '',
      applyMethod: current === undefined ? 'ssa' : current.applyMethod,
      labels: current?.labels ?? {},
    },
    inputs: () => ({ chart: '', values: '' }),
  };
}

function adoptedManifests({ manifests }: Rendered, { objects }: AdoptOptions, id: ReleaseId): readonly Manifest[] {
  const { named, unknown } = manifestsNamed(objects, manifests, id);
  if (unknown.length === 0) return named;
  throw refusal(id.release, 'not-in-chart', {
    message: `the chart renders no ${unknown.join(' and no ')}, so the next upgrade would delete it; it renders ${namesOf(manifests).join(', ') || 'no objects'}`,
    objects: unknown,
  });
}

function refuseAbsent(objects: MovePlan['objects'], release: string): void {
  const absent = objects.filter(({ state }) => state === 'absent').map(formatId);
  if (absent.length === 0) return;
  throw refusal(release, 'not-in-cluster', {
    message: `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not in the cluster; leave out what is not there: the next upgrade creates it`,
    objects: absent,
  });
}

/** The record comes first, pending, so that the next run knows what it was about. */
async function carryOut(decided: Decided, options: AdoptOptions): Promise<void> {
  const { move, to, base, resources, result } = decided;
  const storage = await to.context.storage();
  const { objects } = result.plan;
  const names = move.objects.join(', ');
  if (to.begun === undefined) await tryGiving(move.to, objects, to.context);
  if (resources === undefined) {
    await transferOwnership(base, objects, to.context);
    return supersedeOlder(base.name, storage);
  }
  const description = `Adopting ${names}`;
  const adopting =
    to.begun ?? nextRevision(to, base, { move, description, manifest: manifestText(resources) }, options);
  const former = await formerObjects(decided, options);
  if (to.begun === undefined) {
    await storage.checkSize(adopting);
    await storage.create(adopting);
  }
  await orGiveUp({ adopting, former }, to.context, async () => {
    await transferOwnership(adopting, objects, to.context);
    await deploy(adopting, `Adopted ${names}`, storage);
  });
}

/**
 * The objects that are adopted, as they are before. What an earlier run of the same adoption has marked belonged to nobody,
 * unless ownership is taken: then nobody knows any more.
 */
async function formerObjects(
  { to, base, result }: Decided,
  { takeOwnership }: AdoptOptions,
): Promise<readonly MarkedObject[] | undefined> {
  const { objects } = result.plan;
  if (to.begun === undefined) return markedObjects(objects, to.context);
  if (takeOwnership) return undefined;
  const own = new Set((to.current === undefined ? [] : documentsOf(base)).map((one) => keyOf(one, to.id.namespace)));
  // Manifests of cluster-wide kinds are kept with the namespace of the release.
  const isOwn = (object: MovedObject): boolean =>
    own.has(objectKey(object)) || own.has(objectKey({ ...object, namespace: to.id.namespace }));
  return objects.filter((object) => !isOwn(object)).map((object) => ({ id: idAlone(object), marks: noMarks }));
}

async function orGiveUp(begun: BegunAdoption, context: Context, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    // Where going back is refused too, the next run of the same command goes on.
    await giveUpAdoption(begun, error, context).catch(() => {});
    throw error;
  }
}

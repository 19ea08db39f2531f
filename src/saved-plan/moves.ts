import { adopt } from '../actions/adopt.ts';
import { move } from '../actions/move.ts';
import type { AdoptOptions, MoveOptions, RenameOptions } from '../actions/options/moves.ts';
import { rename } from '../actions/rename.ts';
import { learnFromReleases } from '../change/learn-secrets.ts';
import type { MovePlan, MoveResult, NamespacedContext, OnMoveDecided } from '../change/moves/moves.ts';
import { uidsOf } from '../change/moves/owners.ts';
import { writeJson } from '../go/json/json.ts';
import { formatId, idAlone, objectKey } from '../manifest/resource-id.ts';
import { TshelmError } from '../support/errors.ts';
import { equalJson } from '../support/json.ts';
import { SecretWords } from '../support/secret-words.ts';
import type { LoadedInputs } from './apply.ts';
import { checkCluster, witnessesOf } from './cluster-identity.ts';
import { chartChanges, historyChanges, type OutdatedPart, refuseOutdated } from './outdated.ts';
import { isProved, proofOf } from './proof.ts';
import { type GivenChart, savedInputs, savedRevision } from './save.ts';
import type { SavedMove } from './types.ts';

/** A move that is asked for, with the chart where it brings one. */
export type RequestedMove =
  | { readonly kind: 'move'; readonly options: MoveOptions }
  | { readonly kind: 'rename'; readonly options: RenameOptions }
  | { readonly kind: 'adopt'; readonly options: AdoptOptions; readonly chart: LoadedInputs };

/** Carries a move out, or with `dryRun` only decides and tries it. Errors: those of the move. */
export function runMove(request: RequestedMove, dryRun: boolean, context: NamespacedContext): Promise<MoveResult> {
  switch (request.kind) {
    case 'move':
      return move({ ...request.options, dryRun }, context);
    case 'rename':
      return rename({ ...request.options, dryRun }, context);
    case 'adopt':
      return adopt(request.chart.chart, request.chart.values, { ...request.options, dryRun }, context);
    default:
      return request satisfies never;
  }
}

type Decided = Parameters<OnMoveDecided>[0];

interface Saving {
  readonly kubeContext: string | undefined;
  /** Of an adoption, as the user named it. */
  readonly chart?: GivenChart | undefined;
}

/** Decides a move, and what a file keeps of it. Errors: `plan-of-other-cluster`, those of the move. */
export async function decideSavedMove(
  request: RequestedMove,
  { kubeContext, chart }: Saving,
  context: NamespacedContext,
): Promise<{ readonly saved: SavedMove; readonly result: MoveResult }> {
  let decided: Decided | undefined;
  const onMoveDecided: OnMoveDecided = async (one) => {
    decided = one;
  };
  const result = await runMove(request, true, { ...context, onMoveDecided });
  const { histories = [], records = [] } = decided ?? {};
  const { secrets = new SecretWords() } = context;
  learnFromReleases(records, secrets);
  if (chart !== undefined) secrets.addValues(chart.values);
  const mask = { text: (plain: string): string => secrets.redact(plain) };
  const { name } = request.options;
  const saved: SavedMove = {
    kind: request.kind,
    namespace: context.namespace,
    kubeContext,
    cluster: await witnessesOf(name, context.namespace, await context.cluster()),
    options: JSON.parse(JSON.stringify({ ...request.options, dryRun: undefined })) as SavedMove['options'],
    inputs: chart && savedInputs(chart, mask),
    histories: histories.map(({ history, ...id }) => ({ ...id, history: history.slice(-1).map(savedRevision) })),
    plan: result.plan,
    uids: await uidsOf(result.plan.objects, context),
    recorded: await proofOf(textOf(records)),
    warnings: result.warnings.map(mask.text),
  };
  return { saved, result };
}

/**
 * Carries a saved move out, if everything is as it was when it was decided; that is looked at before and under the locks.
 * Errors: `plan-outdated`, naming all that has changed, `plan-of-other-cluster`, those of the move.
 */
export async function applySavedMove(
  saved: SavedMove,
  chart: LoadedInputs | undefined,
  context: NamespacedContext,
): Promise<MoveResult> {
  const request = requestOf(saved, chart);
  const { name } = request.options;
  await checkCluster(name, saved.cluster, await context.cluster());
  if (chart !== undefined) refuseOutdated({ name }, chartChanges(saved, chart.chart));
  const changesOfHistories = (histories: Decided['histories']): readonly OutdatedPart[] =>
    saved.histories.flatMap((was) => {
      const is = histories.find((one) => one.release === was.release && one.namespace === was.namespace);
      return historyChanges({ name: was.release, history: was.history }, is?.history ?? []);
    });
  let isDecided = false;
  const onMoveDecided: OnMoveDecided = async (decided) => {
    isDecided = true;
    const [uids, isRecorded] = await Promise.all([
      uidsOf(decided.plan.objects, context),
      isProved(textOf(decided.records), saved.recorded),
    ]);
    const objects = objectChanges({ plan: saved.plan, uids: saved.uids }, { plan: decided.plan, uids });
    const changes = [...changesOfHistories(decided.histories), ...objects];
    refuseOutdated({ name }, changes.length > 0 || isRecorded ? changes : [otherRecords(name)]);
    refuseFalsePlan(saved, decided.plan);
  };
  await runMove(request, true, { ...context, onMoveDecided });
  // Where there is nothing to move any more, another run has done that: a plan is carried out once.
  if (!isDecided) refuseOutdated({ name }, changesOfHistories([]));
  return runMove(request, false, { ...context, onMoveDecided });
}

/** That a file shows another move than it asks for: whoever read it has not seen that. Errors: `plan-unusable`. */
function refuseFalsePlan({ plan, options }: SavedMove, decided: MovePlan): void {
  if (equalJson(plan, JSON.parse(JSON.stringify(decided)))) return;
  throw new TshelmError('plan-unusable', {
    message: `the plan of release "${options.name}" cannot be used: it asks for a different move from the one it shows; do not trust its source, and plan again`,
    details: { path: '' },
  });
}

function requestOf({ kind, options }: SavedMove, chart: LoadedInputs | undefined): RequestedMove {
  if (kind !== 'adopt') return { kind, options } as unknown as RequestedMove;
  if (chart === undefined) throw new Error('internal: a saved adoption lost its chart');
  return { kind, options: options as unknown as AdoptOptions, chart };
}

/** What is recorded, and not when and by whom. */
const textOf = (records: Decided['records']): string =>
  JSON.stringify(records.map(({ manifest, config }) => [manifest, writeJson(config)]));

interface MovedThen {
  readonly plan: MovePlan;
  readonly uids: readonly string[];
}

/** Objects that the move has come to do something else with, or that are others by now. */
function objectChanges(was: MovedThen, is: MovedThen): readonly OutdatedPart[] {
  const statesOf = ({ plan, uids }: MovedThen) =>
    new Map(plan.objects.map((one, index) => [objectKey(one), { ...one, uid: uids[index] ?? '' }] as const));
  const [before, now] = [statesOf(was), statesOf(is)];
  return [...new Map([...before, ...now])].flatMap(([key, one]) => {
    const [old, next] = [before.get(key), now.get(key)];
    if (equalJson(old, next)) return [];
    const subject = formatId(idAlone(one));
    const how =
      old === undefined
        ? 'was not part of the plan'
        : next === undefined
          ? 'is no longer moved'
          : old.uid !== next.uid
            ? 'was created, deleted or recreated since the plan was made'
            : 'belongs to another release than when the plan was made';
    return [{ kind: 'object', subject, text: `${subject} ${how}` } as const];
  });
}

const otherRecords = (subject: string): OutdatedPart => ({
  kind: 'rendering',
  subject,
  text: 'other manifests or values would be recorded',
});

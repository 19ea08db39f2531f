import { fixDrift } from '../actions/fix-drift.ts';
import { install } from '../actions/install.ts';
import { rollback } from '../actions/rollback.ts';
import { uninstall } from '../actions/uninstall.ts';
import { upgrade } from '../actions/upgrade.ts';
import type { Context, DecidedChange } from '../change/context.ts';
import type { Chart } from '../chart/types.ts';
import { joinedValues, type ValueFlags } from '../chart/value-options.ts';
import { readValues } from '../chart/values-file.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import type { GoMap } from '../go/value.ts';
import { isNamedAmong } from '../manifest/resource-id.ts';
import type { Release } from '../release/types.ts';
import { unreachable } from '../support/errors.ts';
import { awaitOutsideWork } from '../support/outside-work.ts';
import { checkCluster } from './cluster-identity.ts';
import { liveObjects } from './found.ts';
import { guardOf } from './guard.ts';
import { keptRendering } from './kept-rendering.ts';
import { objectChanges } from './object-changes.ts';
import {
  chartChanges,
  decisionChanges,
  historyChanges,
  hookChanges,
  type OutdatedPart,
  refuseFalseReview,
  refuseOutdated,
} from './outdated.ts';
import { type Opener, unseal } from './seal.ts';
import { maskOf } from './secrets.ts';
import type { SavedAction, SavedInputs, SavedPlan, SavedRelease, Sealed } from './types.ts';

/** The chart and the values as they are today; needed where the saved change brings a chart. */
export interface LoadedInputs {
  readonly chart: Chart;
  /** Of an encrypted plan the file has them. */
  readonly values: GoMap;
}

/**
 * How the chart and the values are loaded again: as the file says, and behind that as is said now. Of an encrypted plan the
 * file has the values.
 */
export const inputsToLoad = (
  { sealed }: Pick<SavedRelease, 'sealed'>,
  { reference, access, version, values }: SavedInputs,
  given: { readonly access: object; readonly values: ValueFlags },
) => ({
  reference,
  access: { ...access, version, ...given.access },
  values: sealed === undefined ? joinedValues(values, given.values) : {},
});

export interface ApplyOptions {
  readonly plan: Pick<SavedPlan, 'createdAt'>;
  readonly inputs?: LoadedInputs | undefined;
  readonly opener: Opener;
  /** Objects that may have changed since: `Deployment/web`. */
  readonly allowed: readonly string[];
}

export interface AppliedRelease {
  readonly release: Release | undefined;
  readonly warnings: readonly string[];
  /** What an uninstall tells of what stays. */
  readonly info: string;
}

/** What a saved change does: of an upgrade that found no release, an install. */
export const plannedAction = ({ action, plan }: Pick<SavedRelease, 'action' | 'plan'>): SavedAction =>
  action === 'upgrade' && plan.action === 'install' ? 'install' : action;

/** A saved change that can be carried out, once it fits. */
export interface PreparedRelease {
  readonly saved: SavedRelease;
  readonly options: ApplyOptions;
  readonly sealed: Sealed | undefined;
}

/** Opens what is encrypted. Errors: `plan-key`. */
export async function prepareRelease(saved: SavedRelease, options: ApplyOptions): Promise<PreparedRelease> {
  const text = saved.sealed === undefined ? undefined : await awaitOutsideWork(unseal(saved.sealed, options.opener));
  return { saved, options, sealed: text === undefined ? undefined : (JSON.parse(text) as Sealed) };
}

/**
 * Whether everything is as it was when the plan was made; only reads. Gives back what is decided now, which is the same.
 * Errors: `plan-unusable`, `plan-of-other-cluster`, `plan-outdated`, naming all that has changed; those of the action's plan.
 */
export async function checkRelease(
  prepared: PreparedRelease,
  context: Context,
): Promise<Pick<DecidedChange, 'plan'> | undefined> {
  const { saved } = prepared;
  refuseFalseReview(saved);
  await checkCluster(saved.name, saved.cluster, await context.cluster());
  const history = await (await context.storage()).revisions(saved.name);
  refuseOutdated(saved, statedChanges(prepared, history));
  let found: readonly OutdatedPart[] = [];
  let now: Pick<DecidedChange, 'plan'> | undefined;
  await run(
    prepared,
    { ...saved.options, dryRun: 'plan' },
    {
      ...context,
      onEvent: undefined,
      onDecided: async (decided) => {
        now = decided;
        found = await changesNow(prepared, decided, context);
      },
    },
  );
  refuseOutdated(saved, found);
  return now;
}

/**
 * Carries a saved change out: the action itself, which decides once more under the release's lock, and goes on only if
 * that is what was saved. Errors: `plan-outdated`, those of the action.
 */
export async function applyRelease(prepared: PreparedRelease, context: Context): Promise<AppliedRelease> {
  const { saved, options } = prepared;
  let condition: ReturnType<typeof guardOf> | undefined;
  let isUndoing = false;
  const guarded: Context = {
    ...context,
    onDecided: async (decided) => {
      // What undoes a failure is a change of its own, which nobody has planned.
      isUndoing = condition !== undefined;
      if (isUndoing) return;
      const history = await (await context.storage()).revisions(saved.name);
      refuseOutdated(saved, statedChanges(prepared, history));
      refuseOutdated(saved, await changesNow(prepared, decided, context));
      condition = guardOf(saved, decided, { ...options, since: options.plan.createdAt }, context);
    },
    onEvent: (event) => {
      condition?.onEvent(event);
      if (!advisesOnWait(event)) context.onEvent?.(event);
    },
    takesOver: (id) => isNamedAmong(id, options.allowed),
    beforeSend: async (id) => (isUndoing ? undefined : condition?.beforeSend(id)),
  };
  return run(prepared, saved.options, guarded);
}

/** What is known without a plan. */
const statedChanges = ({ saved, options }: PreparedRelease, history: readonly Release[]): readonly OutdatedPart[] => [
  ...historyChanges(saved, history),
  ...(options.inputs === undefined ? [] : chartChanges(saved, options.inputs.chart)),
];

async function changesNow(
  { saved, options }: PreparedRelease,
  decided: DecidedChange,
  { cluster, signal, secrets }: Context,
): Promise<readonly OutdatedPart[]> {
  const live = await liveObjects(decided, { cluster: await cluster(), signal });
  const mask = maskOf(decided);
  return [
    ...(await decisionChanges(saved, decided)),
    // The review hides what was decrypted, whatever its key is called.
    ...(await hookChanges(saved, decided, maskOf(decided, { read: secrets?.decrypted, words: secrets }))),
    ...(await objectChanges(saved.found, live, {
      mask,
      since: options.plan.createdAt,
      action: saved.action,
      allowed: options.allowed,
    })),
  ];
}

/** How the change waits was decided when it was saved. */
const advisesOnWait = (event: ExecutionEvent): boolean =>
  event.kind === 'note' && event.parts?.some((part) => typeof part !== 'string' && part.option === 'wait') === true;

async function run(
  { saved, options, sealed }: PreparedRelease,
  saidOptions: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<AppliedRelease> {
  const { name, action, inputs } = saved;
  const given = { ...saidOptions, name };
  if (action === 'uninstall') {
    const dryRun = saidOptions['dryRun'] !== undefined;
    const { release, info } = await uninstall({ ...given, dryRun }, context);
    return { release, warnings: [], info };
  }
  if (action === 'rollback') return { ...(await rollback(given, context)), warnings: [], info: '' };
  if (action === 'fix') {
    const dryRun = saidOptions['dryRun'] === undefined ? 'none' : 'plan';
    return { ...(await fixDrift({ ...given, dryRun }, context)), info: '' };
  }
  const loaded = options.inputs;
  if (inputs === undefined || loaded === undefined) throw new Error('internal: a saved change lost its chart');
  const values = sealed === undefined ? loaded.values : readValues(Buffer.from(sealed.values));
  const afterRender = sealed && keptRendering(saved, sealed);
  const asSaved = { ...context, rendering: { ...context.rendering, ...(afterRender && { afterRender }) } };
  switch (action) {
    case 'install':
      return { ...(await install(loaded.chart, values, given, asSaved)), info: '' };
    case 'upgrade':
      return { ...(await upgrade(loaded.chart, values, given, asSaved)), info: '' };
    default:
      return unreachable(action);
  }
}

import type { Context } from '../change/context.ts';
import type { RenderSettings } from '../change/rendering/render.ts';
import type { Chart } from '../chart/types.ts';
import type { UserRules } from '../cluster/readiness.ts';
import type { GoMap } from '../go/value.ts';
import type { Release } from '../release/types.ts';
import { unreachable } from '../support/errors.ts';
import { install } from './install.ts';
import type { InstallOptions } from './options/install.ts';
import type { RollbackOptions } from './options/rollback.ts';
import type { UninstallOptions } from './options/uninstall.ts';
import type { UpgradeOptions } from './options/upgrade.ts';
import { type Assumptions, idleAssumptions } from './rehearsal/assumptions.ts';
import { candidatesOf } from './rehearsal/candidates.ts';
import { measuredTimes } from './rehearsal/measured-times.ts';
import {
  planOf,
  type Rehearsal,
  type RehearsalOptions,
  type RehearsedAction,
  runRehearsal,
} from './rehearsal/rehearsal.ts';
import { type FateByWorkload, readFailing } from './rehearsal/script.ts';
import { currentOf } from './rehearsal/stage.ts';
import { rollback } from './rollback.ts';
import { uninstall } from './uninstall.ts';
import { upgrade } from './upgrade.ts';

/** What is rehearsed: a change with the options that it would really have. */
export type RehearsedChange =
  | { readonly kind: 'install'; readonly chart: Chart; readonly values: GoMap; readonly options: InstallOptions }
  | { readonly kind: 'upgrade'; readonly chart: Chart; readonly values: GoMap; readonly options: UpgradeOptions }
  | { readonly kind: 'rollback'; readonly options: RollbackOptions }
  | { readonly kind: 'uninstall'; readonly options: UninstallOptions };

export interface RehearseOptions {
  readonly namespace: string;
  readonly rendering: RenderSettings;
  readonly userRules?: UserRules | undefined;
  /** When the simulated time begins. */
  readonly start: Date;
  readonly signal: AbortSignal;
  /** How long workloads take, as the user says. */
  readonly assumed: Assumptions['assumed'];
  /** What fails, as the user says: `web`, `job/migrate`, `web=image-pull`. */
  readonly fail?: string | undefined;
  readonly isEager: boolean;
  readonly rollbackOnFailure: boolean;
}

export interface RehearseResult {
  readonly rehearsal: Rehearsal;
  /** The same with --rollback-on-failure, after a failure that it would undo. */
  readonly rolledBack?: Rehearsal | undefined;
  /** Assumptions about workloads that the plan does not have. */
  readonly idleAssumptions: readonly string[];
}

/**
 * Runs a change in a sandbox of its own on simulated time. `live` is the cluster that holds the release, which is only
 * read; without it the release is taken to be new. Errors: those of the change before it begins, `unknown-workload`.
 */
export async function rehearse(
  change: RehearsedChange,
  options: RehearseOptions,
  live?: Context,
): Promise<RehearseResult> {
  const piece = await rehearsedActionOf(change, live);
  const stageOptions: RehearsalOptions = {
    ...options,
    live: await live?.cluster(),
    assumptions: { assumed: options.assumed, history: await historyOf(piece, live) },
  };
  const failing = await fatesFromFlag(options.fail, piece, stageOptions);
  const rehearsal = await runRehearsal(piece, failing, stageOptions);
  const isUndone = rehearsal.failure !== undefined && canRollBack(change) && !options.rollbackOnFailure;
  return {
    rehearsal,
    rolledBack: isUndone ? await runRehearsal(piece, failing, { ...stageOptions, rollbackOnFailure: true }) : undefined,
    idleAssumptions: idleAssumptions(options.assumed, candidatesOf(rehearsal.plan)),
  };
}

const canRollBack = ({ kind }: RehearsedChange): boolean => kind === 'install' || kind === 'upgrade';

async function rehearsedActionOf(change: RehearsedChange, live: Context | undefined): Promise<RehearsedAction> {
  const { name } = change.options;
  const history = live === undefined || change.kind === 'install' ? [] : await revisionsOf(name, live);
  return { releaseName: name, history, ...partsOf(change) };
}

const revisionsOf = async (name: string, live: Context): Promise<readonly Release[]> =>
  (await live.storage()).revisions(name);

function partsOf(change: RehearsedChange): Pick<RehearsedAction, 'plan' | 'run'> {
  switch (change.kind) {
    case 'install': {
      const { chart, values, options } = change;
      return {
        plan: async (on) => (await install(chart, values, { ...options, dryRun: 'client' }, on)).plan,
        run: async (on, { rollbackOnFailure }) =>
          void (await install(chart, values, { ...options, rollbackOnFailure }, on)),
      };
    }
    case 'upgrade': {
      const { chart, values, options } = change;
      return {
        plan: async (on) =>
          (await upgrade(chart, values, { ...options, dryRun: 'server', preflight: 'never' }, on)).plan,
        run: async (on, { rollbackOnFailure }) =>
          void (await upgrade(chart, values, { ...options, rollbackOnFailure }, on)),
      };
    }
    case 'rollback':
      return {
        plan: async (on) => (await rollback({ ...change.options, dryRun: 'plan' }, on)).plan,
        run: async (on) => void (await rollback(change.options, on)),
      };
    case 'uninstall':
      return {
        plan: async (on) => {
          const { plan } = await uninstall({ ...change.options, dryRun: true }, on);
          return plan as NonNullable<typeof plan>;
        },
        run: async (on) => void (await uninstall(change.options, on)),
      };
    default:
      return unreachable(change);
  }
}

/** What the release's own record and objects tell of how long its workloads took. */
async function historyOf(piece: RehearsedAction, live: Context | undefined): Promise<Assumptions['history']> {
  if (live === undefined || piece.history.length === 0) return new Map();
  return measuredTimes(await live.cluster(), currentOf(piece.releaseName, piece.history), live.signal);
}

const fatesFromFlag = async (
  text: string | undefined,
  piece: RehearsedAction,
  options: RehearsalOptions,
): Promise<FateByWorkload> => (text === undefined ? new Map() : readFailing(text, await planOf(piece, options)));

import type { ChartChange } from '../actions/compare-orders.ts';
import { workloadKey } from '../actions/rehearsal/assumptions.ts';
import { rehearsalData } from '../actions/rehearsal/data.ts';
import { type RehearseOptions as ActionRehearse, rehearse } from '../actions/rehearse.ts';
import type { Context } from '../change/context.ts';
import { healthRulesOf } from './health-rules.ts';
import type { ChartReference, CompareOrdersOptions, RehearseOptions } from './options.ts';
import type { ComparedRun, RehearsalReport } from './rehearsal-report.ts';
import type { Session } from './session.ts';

/** Assumptions by the keys of their workloads. */
export const assumedTimes = (assume: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(assume).map(([what, ms]) => [workloadKey(what), ms]));

export async function rehearsed(
  name: string,
  reference: ChartReference,
  options: RehearseOptions,
  session: Session,
): Promise<RehearsalReport> {
  const { change, request, live } = await requested(name, reference, options, session);
  const result = await session.connection.during(async () => rehearse(change, request, live));
  const { rehearsal, rolledBack, idleAssumptions } = result;
  return {
    ...rehearsalData(rehearsal),
    ...(rolledBack && { withRollbackOnFailure: rehearsalData(rolledBack) }),
    idleAssumptions,
  };
}

export async function comparedOrders(
  name: string,
  reference: ChartReference,
  options: CompareOrdersOptions,
  session: Session,
): Promise<readonly ComparedRun[]> {
  const { change, request, live } = await requested(name, reference, options, session);
  const { compareOrders } = await import('../actions/compare-orders.ts');
  const orders = await session.connection.during(async () => compareOrders(change, request, live));
  return orders.map(({ order, rehearsal }) => ({ order, ...rehearsalData(rehearsal) }));
}

interface Requested {
  readonly change: ChartChange;
  readonly request: ActionRehearse;
  readonly live: Context | undefined;
}

async function requested(
  name: string,
  reference: ChartReference,
  options: RehearseOptions,
  session: Session,
): Promise<Requested> {
  const { action = 'install', assume = {}, fail, health, signal = new AbortController().signal, ...rest } = options;
  const { chart, values } = await session.chartAndValues(reference, options);
  const common = { wait: 'ordered', ...rest, name } as const;
  const { serverSide: _applyMethod, ...forInstall } = common;
  const live = action === 'install' ? undefined : await session.readContext(options);
  return {
    change:
      action === 'install'
        ? { kind: action, chart, values, options: forInstall }
        : { kind: action, chart, values, options: common },
    request: {
      namespace: live?.namespace ?? session.namespace(options),
      rendering: { ...session.rendering(options), seenCluster: await live?.cluster() },
      userRules: healthRulesOf({ health }),
      start: session.clock.now(),
      signal,
      assumed: assumedTimes(assume),
      fail,
      isEager: options.eager === true,
      rollbackOnFailure: options.rollbackOnFailure === true,
    },
    live,
  };
}

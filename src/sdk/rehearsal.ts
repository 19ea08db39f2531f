import { workloadKey } from '../actions/rehearsal/assumptions.ts';
import { rehearsalData } from '../actions/rehearsal/data.ts';
import { type RehearsedChange, rehearse } from '../actions/rehearse.ts';
import { healthRulesOf } from './health-rules.ts';
import type { ChartReference, RehearseOptions } from './options.ts';
import type { RehearsalReport } from './rehearsal-report.ts';
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
  const { action = 'install', assume = {}, fail, health, signal = new AbortController().signal, ...rest } = options;
  const { chart, values } = await session.chartAndValues(reference, options);
  const common = { wait: 'ordered', ...rest, name } as const;
  const { serverSide: _applyMethod, ...forInstall } = common;
  const change: RehearsedChange =
    action === 'install'
      ? { kind: action, chart, values, options: forInstall }
      : { kind: action, chart, values, options: common };
  const live = action === 'install' ? undefined : await session.readContext(options);
  const result = await session.connection.during(async () =>
    rehearse(
      change,
      {
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
    ),
  );
  const { rehearsal, rolledBack, idleAssumptions } = result;
  return {
    ...rehearsalData(rehearsal),
    ...(rolledBack && { withRollbackOnFailure: rehearsalData(rolledBack) }),
    idleAssumptions,
  };
}

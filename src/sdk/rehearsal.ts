import { workloadKey } from '../actions/rehearsal/assumptions.ts';
import { rehearsalData } from '../actions/rehearsal/data.ts';
import { type RehearsedChange, rehearse } from '../actions/rehearse.ts';
import type { ChartReference, RehearseOptions } from './options.ts';
import type { Session } from './session.ts';

/** How a rehearsed run went; times in seconds since its start. */
export type RehearsedRun = ReturnType<typeof rehearsalData>;

export interface RehearsalReport extends RehearsedRun {
  /** The same with `rollbackOnFailure`, after a failure that it would undo. */
  readonly withRollbackOnFailure?: RehearsedRun | undefined;
  /** Assumptions about workloads that the plan does not have. */
  readonly idleAssumptions: readonly string[];
}

export async function rehearsed(
  name: string,
  reference: ChartReference,
  options: RehearseOptions,
  session: Session,
): Promise<RehearsalReport> {
  const { action = 'install', assume = {}, fail, signal = new AbortController().signal, ...rest } = options;
  const { chart, values } = await session.chartAndValues(reference, options);
  const common = { wait: 'ordered', ...rest, name } as const;
  const { serverSide: _applyMethod, ...forInstall } = common;
  const change: RehearsedChange =
    action === 'install'
      ? { kind: action, chart, values, options: forInstall }
      : { kind: action, chart, values, options: common };
  const live = action === 'install' ? undefined : await session.context(options);
  const result = await session.connection.during(() =>
    rehearse(
      change,
      {
        namespace: live?.namespace ?? session.namespace(options),
        renderer: session.renderer(options),
        // Objects note their times in seconds.
        startMs: Math.trunc(session.clock.now().getTime() / 1000) * 1000,
        signal,
        assumed: new Map(Object.entries(assume).map(([what, ms]) => [workloadKey(what), ms])),
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

import type { Plan } from '../plan/types.ts';
import { printableLine } from '../support/printable.ts';
import type { CliContext, CommandSession } from './context.ts';
import type { ReportSubject } from './errors/failure-report.ts';
import type { RunIntroduction } from './progress/reporter.ts';
import type { ProgressRequest } from './progress/request.ts';
import type { GlobalFlags } from './settings.ts';

export interface UpcomingRun {
  readonly command: ReportSubject['command'];
  readonly release: string;
  readonly chart?: string | undefined;
  readonly progress: ProgressRequest;
}

/**
 * Does what comes before a run: reading the chart, finding the cluster. Its failure is reported as that of the run, in the
 * files of --report and --junit, in events and in a build's annotations.
 */
export async function beforeRun<T>(
  { command, release, chart, progress }: UpcomingRun,
  flags: GlobalFlags & { readonly report?: string },
  context: CliContext,
  task: () => Promise<T>,
): Promise<T> {
  if (chart !== undefined) context.useChart(chart);
  try {
    return await task();
  } catch (failure) {
    const namespace = await context.namespace(flags);
    await context.begin(flags, progress, { action: command, release, namespace, chart });
    const { withReport } = await import('./errors/failure-report.ts');
    const subject = { command, release, namespace };
    return withReport({ file: flags.report, subject }, context, () => Promise.reject(failure as Error));
  }
}

interface CarriedOut extends Omit<UpcomingRun, 'progress'>, Partial<Pick<UpcomingRun, 'progress'>> {
  readonly command: RunIntroduction['action'];
}

interface RunResult {
  readonly release?: unknown;
  readonly plan?: Plan | undefined;
  readonly warnings?: readonly string[];
}

/**
 * Carries out the change of a release in its session: shown, reported in the file of --report, and ended. Its warnings are
 * told at the end, and in the sandbox what a wait there cannot judge.
 */
export async function carryOut<Result extends RunResult>(
  { command, release, chart, progress }: CarriedOut,
  flags: GlobalFlags & { readonly report?: string | undefined },
  { session, context }: { readonly session: CommandSession; readonly context: CliContext },
  change: () => Promise<Result>,
): Promise<Result> {
  const { reporter, namespace } = session;
  reporter.begin({ action: command, release, namespace, chart });
  const { withReport } = await import('./errors/failure-report.ts');
  const result = await withReport({ file: flags.report, subject: { command, release, namespace } }, context, change);
  for (const warning of result.warnings ?? []) reporter.tell(`${warning}\n`);
  const isShown = progress?.isShown === true && progress.mode !== 'none' && !progress.isQuiet;
  const isInSandbox = context.settings(flags).sandboxDirectory !== undefined;
  if (isInSandbox && isShown && hasWaited(result.plan)) await tellWhatIsNotKnown(result.plan, session);
  reporter.finish();
  return result;
}

async function tellWhatIsNotKnown(plan: Plan, { cluster, reporter }: CommandSession): Promise<void> {
  const { missingPullSecrets } = await import('./missing-pull-secrets.ts');
  for (const text of await missingPullSecrets(plan, await cluster()))
    reporter.tell(`warning: ${printableLine(text)}\n`);
  reporter.tell(notRunInSandbox);
}

/** Whether pods were waited for. */
export const hasWaited = (plan: Plan | undefined): plan is Plan =>
  plan !== undefined && plan.action !== 'uninstall' && plan.strategy !== 'hookOnly';

export const notRunInSandbox = 'sandbox: images, commands and probes were not run\n';

/**
 * What is loaded once a session is open and has asked ahead: the server answers meanwhile. What is wrong with what is
 * loaded is told first, as by Helm; whether the session could be opened is seen when `opening` is awaited.
 */
export async function loadMeanwhile<T>(opening: Promise<unknown>, load: () => Promise<T>): Promise<T> {
  await opening.catch(() => {});
  return load();
}

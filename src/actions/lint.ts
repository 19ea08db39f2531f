import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { chartFromFiles } from '../chart/assemble.ts';
import { readDirectory } from '../chart/directory.ts';
import { type ChartNotice, ignoreNotices, type Notify } from '../chart/notice.ts';
import type { Chart } from '../chart/types.ts';
import { goPathError } from '../go/path-error.ts';
import { GoError } from '../go/value.ts';
import { unpackChart } from '../source/expand-chart.ts';
import { withTemporaryFolder } from '../support/directories.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { comesFromStackOverflow } from '../support/stack-overflow.ts';
import { chartFileRule } from './lint/chart-file.ts';
import { crdsRule } from './lint/crds.ts';
import { dependenciesRule } from './lint/dependencies.ts';
import type { LintMessage } from './lint/message.ts';
import { orderRule } from './lint/order.ts';
import type { LintProblems } from './lint/problems.ts';
import type { LintRule, LintSubject } from './lint/subject.ts';
import { templatesRule } from './lint/templates.ts';
import { valuesRule } from './lint/values.ts';

export interface LintOptions extends Omit<LintSubject, 'directory' | 'chart' | 'notify'> {
  /** Whether a warning of Helm's rules fails the chart too. Default false. */
  readonly strict?: boolean | undefined;
  /** Whether what is known beyond Helm's lines is looked for: `problems` of the result. Default false. */
  readonly findProblems?: boolean | undefined;
  /** Gets what Helm logs: what `required` and `fail` say, links that were followed. */
  readonly onNotice?: Notify | undefined;
}

export interface LintResult {
  readonly messages: readonly LintMessage[];
  /** Why there is no chart to look at, in Helm's words; then there are no messages. */
  readonly problem?: string | undefined;
  readonly isFailed: boolean;
  readonly problems?: LintProblems | undefined;
}

/**
 * What is wrong with the chart in a folder or an archive. Go: action.Lint.Run with one path.
 * Errors: `chart-invalid` for values or templates that are nested deeper than JavaScript's stack holds.
 */
export async function lintChart(path: string, options: LintOptions): Promise<LintResult> {
  try {
    const { messages, problems } = await withChartFolder(path, (directory) => lintFolder(directory, options));
    return { messages, isFailed: messages.some((message) => isFailure(message, options)), problems };
  } catch (cause) {
    if (comesFromStackOverflow(cause))
      throw new TshelmError('chart-invalid', { message: messageOf(cause), details: { path }, cause });
    if (!(cause instanceof GoError)) throw cause;
    return { messages: [], problem: cause.message, isFailed: true };
  }
}

const isFailure = ({ severity, isOwn }: LintMessage, { strict = false }: LintOptions): boolean =>
  severity === 'error' || (strict && severity === 'warning' && isOwn !== true);

async function lintFolder(directory: string, options: LintOptions): Promise<Pick<LintResult, 'messages' | 'problems'>> {
  const chartFile = join(directory, 'Chart.yaml');
  await stat(chartFile).catch((cause: unknown) => {
    const { message } = goPathError('stat', chartFile, cause);
    throw new GoError(`unable to check Chart.yaml file in chart: ${message}`, { cause });
  });
  const notify = options.onNotice ?? ignoreNotices;
  const absolute = resolve(directory);
  const subject = { ...options, directory: absolute, chart: loadedOnce(absolute, notify), notify };
  const messages: LintMessage[] = [];
  for (const rule of lintRules) messages.push(...(await rule(subject)));
  if (options.findProblems !== true) return { messages };
  const { lintProblems } = await import('./lint/problems.ts');
  return { messages, problems: await lintProblems(subject) };
}

/** Loads a chart when it is first asked for; whoever asks again hears the loader's notices again, as in Helm. */
function loadedOnce(directory: string, notify: Notify): LintSubject['chart'] {
  const notices: ChartNotice[] = [];
  let loading: Promise<Chart> | undefined;
  const load = async (): Promise<Chart> => {
    const keep = (notice: ChartNotice): void => void notices.push(notice);
    return chartFromFiles(readDirectory(directory, keep), { origin: directory, notify: keep });
  };
  return async ({ isQuiet = false } = {}) => {
    loading ??= load();
    try {
      return await loading;
    } finally {
      if (!isQuiet) notices.forEach(notify);
    }
  };
}

const isArchive = (path: string): boolean => path.endsWith('.tgz') || path.endsWith('.tar.gz');

/** Runs `work` on the chart's folder; an archive is unpacked for it. */
async function withChartFolder<T>(path: string, work: (directory: string) => Promise<T>): Promise<T> {
  if (!isArchive(path)) return work(path);
  return withTemporaryFolder('helm-lint', async (temporary) => work(await unpack(path, temporary)));
}

async function unpack(path: string, temporary: string): Promise<string> {
  const packed = await readFile(path).catch((cause: unknown) => {
    throw new GoError(`unable to open tarball: ${goPathError('open', path, cause).message}`, { cause });
  });
  try {
    return unpackChart(temporary, packed);
  } catch (cause) {
    throw new GoError(`unable to extract tarball: ${messageOf(cause)}`, { cause });
  }
}

/** The charts below the charts/ folder of a chart, folders and archives at any depth. Links are not followed. */
export async function subchartPaths(path: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (file: string, name: string): Promise<void> => {
    // What cannot be read is no chart, as for filepath.Walk of Helm's.
    const stats = await lstat(file).catch(() => undefined);
    if (stats === undefined) return;
    if (name === 'Chart.yaml') found.push(dirname(file));
    else if (isArchive(file)) found.push(file);
    if (!stats.isDirectory()) return;
    const names = await readdir(file).catch((): string[] => []);
    for (const inner of names.sort(compareText)) await walk(join(file, inner), inner);
  };
  await walk(join(path, 'charts'), 'charts');
  return found;
}

/** Every rule, in the order of its findings: first Helm's own (lint.RunAll), then what only tshelm checks. */
const lintRules: readonly LintRule[] = [
  chartFileRule,
  valuesRule,
  templatesRule,
  dependenciesRule,
  crdsRule,
  orderRule,
];

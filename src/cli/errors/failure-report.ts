import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Explanation } from '../../execute/explain.ts';
import type { Problem } from '../../problem/problem.ts';
import { addedDetail, messageOf, problemsOf, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { Io } from '../terminal/io.ts';

type ReportContext = Pick<CliContext, 'io' | 'secrets'>;

/** What a report is about. */
export interface ReportSubject {
  readonly command: 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'fix' | 'test';
  readonly release: string;
  readonly namespace: string;
}

/** The file of `--report`; its fields are described in docs/report.md. */
interface Report extends ReportSubject {
  readonly schema: 'tshelm.dev/report/v1';
  readonly outcome: 'running' | 'succeeded' | 'failed';
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly batch?: unknown;
  /** What is wrong, the likely cause first: docs/problem.schema.json. */
  readonly problems: readonly Problem[];
  readonly causes: Explanation['causes'];
  readonly gaps: readonly string[];
}

/**
 * Runs a task, and keeps in `file` how it went: as `running` at first, so that a file that cannot be written is known
 * before anything is changed. `failureOf` finds the failure in a result that is returned all the same.
 */
export async function withReport<T>(
  { file, subject }: { readonly file: string | undefined; readonly subject: ReportSubject },
  context: ReportContext,
  task: () => Promise<T>,
  failureOf: (result: T) => unknown = () => undefined,
): Promise<T> {
  if (!file) return task();
  const { io } = context;
  const path = resolve(io.cwd, file);
  const started = startedReport(subject, io);
  await writeReport(path, started, context);
  const end = (failure: unknown): Promise<void> => writeLastReport(path, endedReport(started, failure, io), context);
  try {
    const result = await task();
    await end(failureOf(result));
    return result;
  } catch (error) {
    await end(error);
    throw error;
  }
}

const startedReport = (subject: ReportSubject, io: Io): Report => ({
  schema: 'tshelm.dev/report/v1',
  ...subject,
  outcome: 'running',
  startedAt: io.now().toISOString(),
  problems: [],
  causes: [],
  gaps: [],
});

function endedReport(started: Report, failure: unknown, io: Io): Report {
  const endedAt = io.now().toISOString();
  if (failure === undefined) return { ...started, outcome: 'succeeded', endedAt };
  const code = failure instanceof TshelmError ? failure.code : 'failed';
  return {
    ...started,
    outcome: 'failed',
    endedAt,
    error: { code, message: messageOf(failure) },
    batch: addedDetail(failure, 'batch'),
    problems: problemsOf(failure),
    causes: addedDetail(failure, 'causes') ?? [],
    gaps: addedDetail(failure, 'gaps') ?? [],
  };
}

/** For its owner alone, whole at any moment, and without secrets. */
async function writeReport(path: string, report: Report, { secrets }: ReportContext): Promise<void> {
  const shown = (_key: string, value: unknown): unknown => (typeof value === 'string' ? secrets.redact(value) : value);
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, `${JSON.stringify(report, shown, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    const message = `the report cannot be written to ${path}: ${messageOf(cause)}; name another file with --report`;
    throw new TshelmError('report-not-written', { message, details: { path }, cause });
  }
}

/** What was done stays done, and how it failed has to be reported. */
async function writeLastReport(path: string, report: Report, context: ReportContext): Promise<void> {
  try {
    await writeReport(path, report, context);
  } catch (error) {
    context.io.stderr.write(`warning: ${messageOf(error)}\n`, 'folded');
  }
}

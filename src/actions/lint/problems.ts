import { ignoreNotices } from '../../chart/notice.ts';
import type { Chart } from '../../chart/types.ts';
import type { Problem } from '../../problem/problem.ts';
import { prepareChart, renderRelease } from '../../render/release.ts';
import { unreadValues } from '../../render/unread-values.ts';
import { problemsOf } from '../../support/errors.ts';
import { check } from '../check.ts';
import type { LintSubject } from './subject.ts';
import { lintRendering } from './templates.ts';

/** What is wrong with a chart, as an install tells it. */
export interface LintProblems {
  /** Why its templates do not render, or what they render is no YAML. */
  readonly errors: readonly Problem[];
  /** Values of the user that nothing reads, and what an API server would refuse. */
  readonly warnings: readonly Problem[];
}

/** What is known of a chart beyond Helm's lines: the template's own line, the value, and what to do. */
export async function lintProblems(subject: LintSubject): Promise<LintProblems> {
  // A chart that cannot be loaded has been reported by Helm's rules.
  const chart = await subject.chart({ isQuiet: true }).catch(() => undefined);
  if (chart === undefined) return { errors: [], warnings: [] };
  const { values, skipSchemaValidation, downloadSchema } = subject;
  const warnings = unreadValues(chart, values);
  try {
    const rendering = { ...lintRendering({ ...subject, notify: ignoreNotices }), skipSchemaValidation, downloadSchema };
    await renderRelease(prepareChart(chart, values), values, rendering);
    return { errors: [], warnings: [...warnings, ...(await refusedOf(chart, subject))] };
  } catch (failure) {
    return { errors: problemsOf(failure), warnings };
  }
}

/** What `check` calls an error; nothing of a chart that only lint renders, without values that it requires. */
async function refusedOf(
  chart: Chart,
  { namespace, values, kubeVersion, skipSchemaValidation, downloadSchema }: LintSubject,
): Promise<readonly Problem[]> {
  const options = { namespace, kubeVersion: kubeVersion?.version, skipSchemaValidation, downloadSchema };
  const { isRendered, findings } = await check(chart, values, { ...options, name: 'test-release' });
  return isRendered ? findings.flatMap(({ level, problem }) => (level === 'error' ? [problem] : [])) : [];
}

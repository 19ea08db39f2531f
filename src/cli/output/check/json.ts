import type { Finding } from '../../../actions/check.ts';
import { formatted } from '../../terminal/format.ts';
import { type CheckedChart, titleOf } from './checked.ts';

/** All that is known, for programs: docs/check.md. */
export const checkJson = (charts: readonly CheckedChart[]): string =>
  formatted({ schema: 'tshelm.dev/check/v1', charts: charts.map(chartData) }, 'json');

const chartData = ({ reference, result, release }: CheckedChart) => ({
  chart: reference,
  release,
  isRendered: result.isRendered,
  objects: result.objects.length,
  findings: result.findings.map(findingData),
  ignored: result.ignored.map(({ problem, reason }) => ({ reason, code: problem.code, subject: problem.subject })),
});

const findingData = (finding: Finding) => ({
  level: finding.level,
  message: titleOf(finding),
  versions: finding.versions,
  ...finding.problem,
});

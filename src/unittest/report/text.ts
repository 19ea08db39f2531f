import { posix } from 'node:path';
import { formatDuration } from '../../go/time/duration.ts';
import type { AssertionResult, SuiteResult, TestResult } from '../results.ts';
import type { Counts, Totals } from './counts.ts';
import type { ReportPaint } from './paint.ts';

/** The line before the suites of a chart. */
export const chartHeader = (name: string, path: string, paint: ReportPaint): string =>
  `\n### Chart [ ${paint.strong(name)} ] ${paint.dim(path)}\n\n`;

/** What keeps the suites of a chart from running. */
export const chartError = (message: string, paint: ReportPaint): string =>
  `\n### ${paint.bad('Error: ')} ${message}\n\n`;

/** A suite, and of its tests those that failed or were skipped, as helm-unittest lays it out. */
export function suiteText(result: SuiteResult, paint: ReportPaint): string {
  const title = suiteTitle(result, paint);
  if (result.error !== undefined) return `${title}\t${paint.strong('- Execution Error: ')}\n\t\t${result.error}\n\n`;
  return [title, ...result.tests.map((test) => testText(test, paint))].join('');
}

function suiteTitle({ name, file, isPassed, isSkipped }: SuiteResult, paint: ReportPaint): string {
  const label = isSkipped
    ? paint.skipLabel(' SKIP ')
    : isPassed
      ? paint.passLabel(' PASS ')
      : paint.failLabel(' FAIL ');
  const path = file === '' ? '' : `${paint.dim(`${posix.dirname(file)}/`)}${posix.basename(file)}`;
  return `${label} ${paint.strong(name)}\t${path}\n`;
}

function testText(test: TestResult, paint: ReportPaint): string {
  const { name, isPassed, isSkipped, error, assertions } = test;
  if (isPassed) return '';
  if (isSkipped) return `\t${paint.strong('- ')}${paint.skipLabel('SKIPPED')}${paint.warning(` '${name}'`)}\n`;
  if (error !== undefined) return `\t${paint.strong(`- ${name}`)}\n\t\t${paint.strong(`Error: ${error}\n`)}\n`;
  const failures = assertions.map((assertion) => assertionText(assertion, paint));
  return [`\t${paint.bad(`- ${name}\n`)}\n`, ...failures].join('');
}

function assertionText(assertion: AssertionResult, paint: ReportPaint): string {
  if (assertion.isPassed) return '';
  const places = new Set(assertion.places.map(({ file, line }) => `${file}:${line}`));
  const lines = [...assertion.lines, ...[...places].map((place) => `Made at:\t${place}`)].map(
    (line) => `\t\t\t${line}\n`,
  );
  return [`\t\t${paint.bad(assertionTitle(assertion))}\n`, ...lines, '\n'].join('');
}

export const assertionTitle = ({ index, not, type }: AssertionResult): string =>
  `- asserts[${index}]${not ? ' NOT' : ''} \`${type}\` fail`;

/** What is at the end: how many charts, suites, tests and snapshots passed. */
export function summaryText(totals: Totals, milliseconds: number, paint: ReportPaint): string {
  const { charts, suites, tests, snapshots, suitesWithFailedSnapshots } = totals;
  const warning =
    snapshots.failed === 0
      ? ''
      : `\nSnapshot Summary: ${paint.bad(`${snapshots.failed} snapshot failed`)} in ${suitesWithFailedSnapshots} test suite.${paint.dim(' Check changes and use `-u` to update snapshot.')}\n`;
  const lines = [
    `Charts:      ${countText(charts, paint)}`,
    `Test Suites: ${countText(suites, paint)}`,
    `Tests:       ${countText(tests, paint)}`,
    `Snapshot:    ${countText(snapshots, paint)}`,
    `Time:        ${formatDuration(BigInt(Math.round(milliseconds * 1e6)))}`,
  ];
  return `${warning}\n${lines.join('\n')}\n\n`;
}

function countText({ passed, failed, errored, skipped }: Counts, paint: ReportPaint): string {
  const bad = failed > 0 ? paint.bad(`${failed} failed, `) : '';
  const broken = errored > 0 ? `${errored} errored, ` : '';
  const left = skipped > 0 ? `${skipped} skipped, ` : '';
  return `${bad}${broken}${passed} passed, ${left}${passed + failed + skipped} total`;
}

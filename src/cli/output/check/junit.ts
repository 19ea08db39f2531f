import type { Level } from '../../../problem/level.ts';
import { isOfObject, isSameObject } from '../../../problem/problem.ts';
import type { SecretWords } from '../../../support/secret-words.ts';
import { type Case, junitOf, junitSuite, type Result } from '../junit-xml.ts';
import { type CheckedChart, detailsOf, isAtLeast, nameOf, titleOf } from './checked.ts';

interface Judged {
  /** The lightest finding that fails a case. */
  readonly failOn: Level | 'never';
  readonly now: Date;
  readonly secrets: SecretWords;
}

/** A suite for each chart: a case for each object, and one for the chart with what is about no object of it. */
export const checkJunit = (charts: readonly CheckedChart[], judged: Judged): string =>
  junitOf(
    charts.map((chart) =>
      junitSuite({ name: `check ${nameOf(chart)}`, cases: casesOf(chart, judged), startedMs: judged.now.getTime() }),
    ),
  );

function casesOf(chart: CheckedChart, judged: Judged): readonly Case[] {
  const { objects, findings } = chart.result;
  const rest = new Set(findings);
  const cases = objects.map(({ id, source = '' }): Case => {
    const own = findings.filter(({ problem }) => isOfObject(problem) && isSameObject(problem.subject.id, id));
    for (const finding of own) rest.delete(finding);
    const result = resultOf(own, chart, judged);
    return { name: `${id.kind}/${id.name}`, className: chart.reference, file: source && chart.onDisk(source), result };
  });
  const whole: Case = {
    name: 'chart',
    className: chart.reference,
    file: '',
    result: resultOf([...rest], chart, judged),
  };
  return [whole, ...cases];
}

/** The heaviest finding comes first and gives the message; the text has all of them. */
function resultOf(
  findings: CheckedChart['result']['findings'],
  { onDisk }: CheckedChart,
  { failOn, secrets }: Judged,
): Result {
  const [heaviest] = findings;
  if (heaviest === undefined) return { kind: 'passed' };
  const text = findings
    .map((finding) => {
      const { level, problem } = finding;
      return [`${level}: ${titleOf(finding)} [${problem.code}]`, ...detailsOf(problem, onDisk)].join('\n  ');
    })
    .join('\n');
  const shown = secrets.redact(text);
  if (!isAtLeast(heaviest.level, failOn)) return { kind: 'passed', text: shown };
  return { kind: 'failure', type: heaviest.problem.code, message: secrets.redact(titleOf(heaviest)), text: shown };
}

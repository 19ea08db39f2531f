import { posix } from 'node:path';
import type { ChartCoverage, Decision, FileCoverage } from '../coverage.ts';
import type { ReportPaint } from './paint.ts';

/** A chart with what its tests cover; `path` as the command names it. */
export interface CoveredChart {
  readonly path: string;
  readonly coverage: ChartCoverage;
}

interface Share {
  readonly covered: number;
  readonly total: number;
}

const mostValuesShown = 20;

/** How much of the charts' templates the tests render: what is left out line by line, at the end the totals. */
export function coverageText(charts: readonly CoveredChart[], paint: ReportPaint): string {
  const parts = charts.map(({ path, coverage }) => {
    const unchanged = [...coverage.values].filter(([, isChanged]) => !isChanged).map(([value]) => value);
    return [
      `### Coverage [ ${paint.strong(path)} ]\n\n`,
      ...coverage.files.map((file) => fileText(file, paint)),
      unchanged.length === 0 ? '' : `\tno test changes ${listText(unchanged)}\n`,
    ].join('');
  });
  const files = charts.flatMap(({ coverage }) => coverage.files);
  const values = charts.flatMap(({ coverage }) => [...coverage.values.values()]);
  const changed: Share = { covered: values.filter(Boolean).length, total: values.length };
  return `${parts.join('\n')}\nBranches:    ${shareText(sum(files.map(shareOf)))}\nValues:      ${shareText(changed)} changed\n\n`;
}

function fileText(file: FileCoverage, paint: ReportPaint): string {
  const share = shareOf(file);
  if (share.covered === share.total) return '';
  const wasRendered = file.definitions.every(({ name, hasRun }) => name !== undefined || hasRun);
  const lines = wasRendered ? missingLines(file) : ['no test renders it'];
  const title = `\t${paint.warning(file.path)}  ${share.covered} of ${share.total}\n`;
  return [title, ...lines.map((line) => `\t\t${line}\n`)].join('');
}

/** What of a file no test renders, in the order of its lines. */
function missingLines({ definitions, decisions }: FileCoverage): string[] {
  const unused = definitions.filter(({ hasRun }) => !hasRun);
  const texts = [
    ...unused.map(({ line, name }) => ({ line, text: `define ${JSON.stringify(name)} is never used` })),
    ...decisions.flatMap((decision) =>
      missingWays(decision).map((way) => ({
        line: decision.line,
        text: `${decision.kind} ${decision.asked} ${way}`,
      })),
    ),
  ];
  return texts.sort((a, b) => a.line - b.line).map(({ line, text }) => `line ${line}: ${text}`);
}

function missingWays({ kind, isTaken, isPassed }: Decision): string[] {
  if (!isTaken && isPassed === false) return ['is never reached'];
  const [taken, passed] = kind === 'range' ? ['never has an item', 'is never empty'] : ['never holds', 'always holds'];
  return [...(isTaken ? [] : [taken]), ...(isPassed === false ? [passed] : [])];
}

const waysOf = ({ isTaken, isPassed }: Decision): boolean[] =>
  isPassed === undefined ? [isTaken] : [isTaken, isPassed];

function shareOf({ definitions, decisions }: FileCoverage): Share {
  const points = [...definitions.map(({ hasRun }) => hasRun), ...decisions.flatMap(waysOf)];
  return { covered: points.filter(Boolean).length, total: points.length };
}

const sum = (shares: readonly Share[]): Share => ({
  covered: shares.reduce((total, { covered }) => total + covered, 0),
  total: shares.reduce((all, { total }) => all + total, 0),
});

const shareText = ({ covered, total }: Share): string =>
  total === 0 ? '0 of 0' : `${covered} of ${total} (${((100 * covered) / total).toFixed(1)} %)`;

function listText(paths: readonly string[]): string {
  const more = paths.length - mostValuesShown;
  return `${paths.slice(0, mostValuesShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The coverage in the format of lcov's geninfo(1): `define`s are functions, the ways of conditions branches. */
export const coverageFile = (charts: readonly CoveredChart[]): string =>
  charts.flatMap(({ path, coverage }) => coverage.files.map((file) => lcovRecord(path, file))).join('');

function lcovRecord(chart: string, { path, definitions, decisions }: FileCoverage): string {
  const named = definitions.map((definition) => ({ ...definition, name: definition.name ?? path }));
  const branches = decisions.flatMap((decision, block) =>
    waysOf(decision).map((way, index) => `BRDA:${decision.line},${block},${index},${way ? 1 : 0}`),
  );
  const covered = decisions.flatMap(waysOf).filter(Boolean).length;
  const lines = [
    'TN:',
    `SF:${posix.join(chart, path)}`,
    ...named.map(({ line, name }) => `FN:${line},${name}`),
    ...named.map(({ name, hasRun }) => `FNDA:${hasRun ? 1 : 0},${name}`),
    `FNF:${named.length}`,
    `FNH:${named.filter(({ hasRun }) => hasRun).length}`,
    ...branches,
    `BRF:${branches.length}`,
    `BRH:${covered}`,
    'end_of_record',
  ];
  return `${lines.map((line) => line.replaceAll(/[\r\n]+/g, ' ')).join('\n')}\n`;
}

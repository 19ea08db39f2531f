import type { UnitState } from '../../execute/events.ts';
import { trimSpace } from '../../go/runes.ts';
import type { GoMap, Value } from '../../go/value.ts';
import type { Hook } from '../../manifest/types.ts';
import { isSequencing } from '../../plan/sequencing.ts';
import type { Release } from '../../release/types.ts';
import { writeYaml } from '../../yaml/index.ts';
import { foldedFor } from '../terminal/fit.ts';
import { type Cell, fittedTable } from '../terminal/fitted-table.ts';
import type { Io } from '../terminal/io.ts';
import { type HelmColors, noColors } from './helm-colors.ts';
import { ansicTime, timeCell } from './time.ts';

export interface ReleaseTextOptions {
  /** CHART, VERSION and APP_VERSION lines, as `get all` has them. */
  readonly showMetadata?: boolean | undefined;
  readonly hideNotes?: boolean | undefined;
  /** User-supplied and computed values, hooks and manifest, as `get all` and `--debug` have them. */
  readonly everything?: Everything | undefined;
  /** Objects of the release, a table for each kind (status). */
  readonly resources?: string | undefined;
  /** Default: none. */
  readonly colors?: HelmColors | undefined;
  /** The terminal, if it is one, whose width is kept. */
  readonly io: Pick<Io, 'stdout' | 'env'>;
}

interface Everything {
  readonly suppliedValues: Value;
  readonly computedValues: GoMap;
  /** Takes out of the values what is not asked for. */
  readonly mask?: ((text: string) => string) | undefined;
}

/** A release as `helm status`, `install` and `get all` print it. Follows Helm's statusPrinter. */
export function releaseText(release: Release, options: ReleaseTextOptions): string {
  return [
    headText(release, options),
    options.resources === undefined || options.resources === '' ? '' : `RESOURCES:\n${options.resources}\n`,
    testSuiteText(release.hooks),
    unitTableText(release, options.io),
    options.everything === undefined ? '' : valuesText(options.everything),
    isDryRun(release) || options.everything !== undefined ? manifestText(release) : '',
    options.hideNotes || !release.info.notes ? '' : `NOTES:\n${trimSpace(release.info.notes)}\n`,
  ].join('');
}

function headText(release: Release, options: ReleaseTextOptions): string {
  const { info, chart } = release;
  const { colors = noColors } = options;
  const lines = [
    `NAME: ${release.name}`,
    ...(info.lastDeployed === undefined ? [] : [`LAST DEPLOYED: ${ansicTime(info.lastDeployed)}`]),
    `NAMESPACE: ${colors.namespace(release.namespace)}`,
    `STATUS: ${colors.status(info.status)}`,
    `REVISION: ${release.version}`,
    ...(options.showMetadata
      ? [
          `CHART: ${chart.metadata.name}`,
          `VERSION: ${chart.metadata.version}`,
          `APP_VERSION: ${chart.metadata.appVersion ?? ''}`,
        ]
      : []),
    foldedFor(options.io.stdout, `DESCRIPTION: ${info.description ?? ''}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Helm 2's tests that are to fail are tests too; they succeeded when their pod failed. */
function testSuiteText(hooks: readonly Hook[]): string {
  const tests = hooks.filter(({ events }) => events.includes('test') || events.includes('test-failure'));
  if (tests.length === 0) return 'TEST SUITE: None\n';
  return tests
    .filter((hook) => hook.lastRun.startedAt !== undefined)
    .map(({ name, lastRun }) => {
      const completed = ansicTime(lastRun.completedAt ?? zeroTime);
      return `TEST SUITE:     ${name}\nLast Started:   ${ansicTime(lastRun.startedAt ?? zeroTime)}\nLast Completed: ${completed}\nPhase:          ${lastRun.phase}\n`;
    })
    .join('');
}

// Go's zero time, which Helm prints for a test that has not ended.
const zeroTime = '0001-01-01T00:00:00Z';

const valuesText = ({ suppliedValues, computedValues, mask = (text) => text }: Everything): string =>
  `USER-SUPPLIED VALUES:\n${mask(writeYaml(suppliedValues))}\nCOMPUTED VALUES:\n${mask(writeYaml(computedValues))}\n`;

/** The values that the user gave, as a stored release has them: Helm reads none as null. */
export const storedValues = (config: GoMap): Value => (config.size === 0 ? null : config);

const manifestText = (release: Release): string => `HOOKS:\n${hooksText(release)}MANIFEST:\n${release.manifest}\n`;

/** Hooks as `helm get hooks` prints them. */
export const hooksText = (release: Release): string =>
  release.hooks.map((hook) => `---\n# Source: ${hook.path}\n${hook.manifest}\n`).join('');

export const isDryRun = (release: Release): boolean => release.info.description?.toLowerCase() === 'dry run complete';

/** `podinfo-6.14.1`, as lists show a chart. */
export const chartLabel = (release: Release): string =>
  `${release.chart.metadata.name}-${release.chart.metadata.version}`;

/** How far each unit and group of a release came that was deployed in an order; '' for any other. */
function unitTableText({ sequencing }: Release, io: ReleaseTextOptions['io']): string {
  const states = isSequencing(sequencing) ? ((sequencing.states ?? []) as readonly UnitState[]) : [];
  if (states.length === 0) return '';
  return `UNITS:\n${fittedTable([['NAME', 'STATE', 'STARTED', 'ENDED', 'REASON'], ...states.map(rowOf)], io)}`;
}

const rowOf = ({ unit, node, state, startedAt, endedAt, reason = '' }: UnitState): readonly Cell[] => [
  node === undefined ? unit : `${unit} ${node}`,
  state,
  startedAt === undefined ? '' : timeCell(startedAt, ansicTime(startedAt)),
  endedAt === undefined ? '' : timeCell(endedAt, ansicTime(endedAt)),
  reason.split('\n')[0] as string,
];

import { readFileSync } from 'node:fs';
import { readArchive } from '../../../../src/chart/archive.ts';
import { chartFromFiles } from '../../../../src/chart/assemble.ts';
import { processDependencies } from '../../../../src/chart/dependencies.ts';
import { parseIgnoreRules } from '../../../../src/chart/ignore.ts';
import { loadChart } from '../../../../src/chart/load.ts';
import { readRawMetadata, validateMetadata } from '../../../../src/chart/metadata.ts';
import { ignoreNotices } from '../../../../src/chart/notice.ts';
import { crdFiles } from '../../../../src/chart/paths.ts';
import type { ChartMetadata } from '../../../../src/chart/types.ts';
import { goPathError } from '../../../../src/go/path-error.ts';
import {
  compareVersions,
  isCompatibleRange,
  parseConstraint,
  parseVersion,
  satisfies,
} from '../../../../src/go/semver.ts';
import { isValidReleaseName } from '../../../../src/release/name.ts';
import { parseKubeVersion } from '../../../../src/render/kube-version.ts';
import { chartOf, chartOfFiles, comparableChart, comparableMetadata, rawMetadataOf } from '../go-charts.ts';
import { goMap, NoCounterpart } from '../go-values.ts';
import {
  bytesOf,
  errorOf,
  fieldsOf,
  isTagged,
  itemsOf,
  pathOf,
  plain,
  type Recorded,
  type RecordedCall,
  textOf,
} from '../records.ts';
import { outcome, outcomeOf, type Twin, type Twins } from '../twin.ts';

const loadFiles: Twin = async ({ args, results }) => ({
  go: outcome(results[1] === null && comparableChart(chartOf(results[0])), errorOf(results[1])),
  ours: await outcomeOf(() => comparableChart(chartOfFiles(itemsOf(args[0])))),
});

const load: Twin = async ({ args, results }) => {
  const path = pathOf(args[0]);
  const error = errorOf(results[1])?.replaceAll(textOf(args[0]), path);
  return {
    go: outcome(results[1] === null && comparableChart(chartOf(results[0])), error),
    ours: await outcomeOf(async () => comparableChart(await loadChart(path, { ofAnyVersion: true }))),
  };
};

/** The chart as the call leaves it. */
const dependencies: Twin = async ({ args, results, after }) => ({
  go: outcome(comparableChart(chartOf(after?.[0])), errorOf(results[0])),
  ours: await outcomeOf(() => comparableChart(processDependencies(chartOf(args[0]), goMap(args[1])))),
});

const archive: Twin = async ({ args, results }) => ({
  go: outcome(results[1] === null && comparableChart(chartOf(results[0])), errorOf(results[1])),
  ours: await outcomeOf(() =>
    comparableChart(chartFromFiles(readArchive(bytesOf(args[0])), { origin: '', notify: ignoreNotices })),
  ),
});

/** Chart.yaml as it stands, with or without fields that nobody knows. */
const metadata =
  (strict: boolean): Twin =>
  async ({ args, results }) => ({
    go: outcome(
      comparableMetadata(rawMetadataOf(results[0])),
      errorOf(results[1])?.replaceAll(textOf(args[0]), pathOf(args[0])),
    ),
    ours: await outcomeOf(() =>
      comparableMetadata(readRawMetadata(readHere(pathOf(args[0])), { strict }) as Partial<ChartMetadata>),
    ),
  });

function readHere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw goPathError('open', path, cause);
  }
}

const validate: Twin = async ({ args, results }) => ({
  go: errorOf(results[0]),
  ours: (await outcomeOf(() => validateMetadata(rawMetadataOf(args[0])))).error,
});

const crds: Twin = ({ args, results }) => ({
  go: itemsOf(results[0])
    .map((crd) => textOf(fieldsOf(crd)?.['Filename']))
    .sort(),
  ours: crdFiles(chartOf(args[0]))
    .map(({ filename }) => filename)
    .sort(),
});

/** The text of what an argument was made of. */
function originOf(value: Recorded | undefined): Uint8Array {
  if (!isTagged(value) || value.$ !== 'origin') throw new NoCounterpart('not made of a text');
  return bytesOf((value.v as unknown as RecordedCall).args[0]);
}
const originText = (value: Recorded | undefined): string => Buffer.from(originOf(value)).toString();

/** The rules of one's own; those that are always there come of AddDefaults. */
const ignores: Twin = async ({ args, results }) => {
  const { isDir } = (isTagged(args[2]) ? args[2].v : {}) as { isDir: boolean };
  return {
    go: { value: results[0] },
    ours: await outcomeOf(() => parseIgnoreRules(originText(args[0]))(textOf(args[1]), isDir)),
  };
};

const kubeVersion: Twin = async ({ args, results }) => {
  const { Version: version, Major: major, Minor: minor } = fieldsOf(results[0]) ?? {};
  return {
    go: outcome({ version, major, minor }, errorOf(results[1])),
    ours: await outcomeOf(() => {
      const read = parseKubeVersion(textOf(args[0]));
      return { version: read.version, major: read.major, minor: read.minor };
    }),
  };
};

const version: Twin = async ({ args, results }) => ({
  go: errorOf(results[1]),
  ours: (await outcomeOf(() => parseVersion(textOf(args[0])))).error,
});

const constraint: Twin = async ({ args, results }) => ({
  go: errorOf(results[1]),
  ours: (await outcomeOf(() => parseConstraint(textOf(args[0])))).error,
});

const check: Twin = async ({ args, results }) => ({
  go: { value: results[0] },
  ours: await outcomeOf(() => satisfies(parseConstraint(originText(args[0])), parseVersion(originText(args[1])))),
});

const compare: Twin = async ({ args, results }) => ({
  go: { value: plain(results[0]) },
  ours: await outcomeOf(() =>
    Math.sign(compareVersions(parseVersion(originText(args[0])), parseVersion(originText(args[1])))),
  ),
});

export const chartTwins: Twins = {
  'loader.LoadFiles': loadFiles,
  'loader.Load': load,
  'loader.LoadArchive': archive,
  'util.LoadChartfile': metadata(false),
  'util.StrictLoadChartfile': metadata(true),
  'util.ProcessDependencies': dependencies,
  'v2.Metadata.Validate': validate,
  'v2.Chart.CRDObjects': crds,
  'ignore.Rules.Ignore': ignores,
  'common.ParseKubeVersion': kubeVersion,
  'util.IsCompatibleRange': ({ args, results }) => ({
    go: results[0],
    ours: isCompatibleRange(textOf(args[0]), textOf(args[1])),
  }),
  'util.ValidateReleaseName': ({ args, results }) => ({
    go: results[0] === null,
    ours: isValidReleaseName(textOf(args[0])),
  }),
  'semver.NewVersion': version,
  'semver.NewConstraint': constraint,
  'semver.Constraints.Check': check,
  'semver.Constraints.Validate': check,
  'semver.Version.Compare': compare,
};

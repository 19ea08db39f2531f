import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { FlagsOf } from '../../change/option-rows.ts';
import { selectedForShow } from '../../stack/choose.ts';
import { type FetchPlace, fetchedChartPath } from '../../stack/fetched-chart.ts';
import { runHooks } from '../../stack/hooks.ts';
import { located, withLocation } from '../../stack/location.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import { isWanted } from '../../stack/releases.ts';
import type { ReleaseSpec } from '../../stack/schema.ts';
import { buildText } from '../../stack/texts.ts';
import { refuseUnsupported } from '../../stack/unsupported.ts';
import { StackCharts } from '../../stack/work/charts.ts';
import { noneFound, type OpenStack } from '../../stack/work/open-stack.ts';
import { createLimiter, settleAll } from '../../support/concurrency.ts';
import { temporaryFolder, withTemporaryFolder } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { chartTools } from './charts.ts';
import type { StackFlags } from './flags.ts';
import { openStack } from './open-stack.ts';
import { hookLines } from './read-only-run.ts';
import type { stackFetchFlags } from './supply-flags.ts';

type FetchFlags = StackFlags & FlagsOf<typeof stackFetchFlags>;

/** Brings the charts of the releases to folders, and may print the state file that has them there. */
export async function runFetch(flags: FetchFlags, context: CliContext): Promise<void> {
  const { outputDir, writeOutput } = flags;
  if (writeOutput && outputDir === undefined)
    throw new TshelmError('bad-flag', { message: '--output-dir is required when --write-output is set' });
  const opened = await openStack(flags, context);
  const { files, reading } = opened;
  if (files.every((file) => selectedForShow(file).length === 0)) throw noneFound(reading);
  if (writeOutput && files.length > 1)
    throw new TshelmError('bad-flag', {
      message: `--write-output requires a single state file, and there are ${files.length}: name one with -f that names no others under helmfiles`,
    });
  const temporary = outputDir === undefined ? temporaryFolder('tshelm-') : undefined;
  try {
    const place = { outputDirectory: outputDir ?? (temporary?.path as string), template: flags.outputDirTemplate };
    for (const file of files) {
      const fetched = await fetchCharts({ file, opened, place }, flags, context);
      if (writeOutput) context.io.stdout.write(buildText(fetched, reading), 'data');
    }
  } finally {
    temporary?.remove();
  }
}

interface Fetching {
  readonly file: StackFile;
  readonly opened: OpenStack;
  readonly place: FetchPlace;
}

/** The file with the folders as charts. */
async function fetchCharts(fetching: Fetching, flags: FetchFlags, context: CliContext): Promise<StackFile> {
  const { file, opened, place } = fetching;
  const { reading } = opened;
  const chosen = selectedForShow(file);
  const releases = chosen.filter(isWanted);
  for (const release of releases) refuseUnsupported({ release, file, purpose: 'render' });
  const hooks = (event: 'prepare' | 'cleanup', release?: ReleaseSpec, error?: unknown): Promise<void> =>
    runHooks({ event, command: 'pull', release, error }, file, reading, hookLines(flags, context));
  await hooks('prepare');
  for (const release of releases) await hooks('prepare', release);
  const charts = new StackCharts(reading, chartTools(flags, context));
  const known = new Map<string, Promise<string>>();
  const limit = createLimiter(flags.concurrency);
  const { values, errors } = await settleAll(
    releases.map(
      (release) => () =>
        limit(async () => {
          context.interruption().throwIfAborted();
          const locate = (): string => file.locate({ field: 'chart', release: release.name });
          const key = located(locate, () => JSON.stringify(charts.namedOf(release, file)));
          const path = known.get(key) ?? fetchChart(release, { file, charts, place }, flags, context);
          known.set(key, path);
          return [release, await path] as const;
        }),
    ),
  );
  for (const release of releases) await hooks('cleanup', release, errors[0]);
  await hooks('cleanup', undefined, errors[0]);
  if (errors.length > 0) throw errors[0];
  const paths = new Map(values);
  const withPaths = chosen.map((release) => ({ ...release, chart: paths.get(release) ?? release.chart }));
  return { ...file, selectors: [], releases: withPaths };
}

/** The folder of the chart, as the template names it. */
async function fetchChart(
  release: ReleaseSpec,
  { file, charts, place }: Omit<Fetching, 'opened'> & { readonly charts: StackCharts },
  flags: FetchFlags,
  context: CliContext,
): Promise<string> {
  try {
    const path = fetchedChartPath(release, file, place);
    const target = resolve(file.place.cwd, path);
    const folder = charts.folderOf(release, file);
    if (folder !== undefined) {
      // What charts/ lacks is brought there first.
      await charts.of(release, file);
      replaceFolder(resolve(file.place.cwd, folder), target);
      return reportedPath(path, release, flags, context);
    }
    const { reference, access } = charts.namedOf(release, file);
    const { sourcesOf } = await import('../sources/sources.ts');
    const { expandChart } = await import('../../source/expand-chart.ts');
    const { defaultKeyring } = await import('../../source/provenance/keyring.ts');
    const keyring = access.keyring ?? defaultKeyring(context.io.env);
    const found = await sourcesOf(flags, context).locate(reference, { ...access, keyring });
    const name = await withTemporaryFolder('tshelm-', async (temporary) => {
      const unpacked = expandChart(temporary, found.path);
      replaceFolder(unpacked, join(target, basename(unpacked)));
      return basename(unpacked);
    });
    return reportedPath(join(path, name), release, flags, context);
  } catch (error) {
    throw withLocation(error, () => file.locate({ field: 'chart', release: release.name }));
  }
}

function replaceFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

function reportedPath(
  path: string,
  release: ReleaseSpec,
  { quiet, outputDir }: FetchFlags,
  { io }: CliContext,
): string {
  const where = outputDir === undefined ? '' : ` to ${path}`;
  if (!quiet) io.stderr.write(`${release.name ?? ''}: fetched ${release.chart ?? ''}${where}\n`);
  return path;
}

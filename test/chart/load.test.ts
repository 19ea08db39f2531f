import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterAll, describe, expect, test } from 'vitest';
import cases from '../../fixtures/load/cases.json' with { type: 'json' };
import expected from '../../fixtures/load/expected.json' with { type: 'json' };
import { loadChart } from '../../src/chart/load.ts';
import type { ChartNotice } from '../../src/chart/notice.ts';
import { crdFiles } from '../../src/chart/paths.ts';
import type { Chart, ChartFile } from '../../src/chart/types.ts';
import { slogLine } from '../../src/go/slog.ts';
import type { Value } from '../../src/go/value.ts';
import { messageOf } from '../../src/support/errors.ts';
import { typedJson } from './values.ts';

interface Entry {
  readonly name: string;
  readonly text?: string;
  readonly base64?: string;
  readonly link?: string;
  readonly archive?: readonly Entry[];
}

interface LoadCase {
  readonly files?: readonly Entry[];
  readonly archive?: readonly Entry[];
  readonly raw?: string;
  readonly rawName?: string;
}

interface LoadResult {
  /** The archive that Helm read, in base64; absent for the large ones. */
  readonly archive?: string;
  readonly inner?: Readonly<Record<string, string>>;
  readonly chart?: Record<string, unknown>;
  readonly error?: string;
  readonly logs: readonly string[];
}

const root = mkdtempSync(join(tmpdir(), 'load-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Puts the case on disk, in a folder of its own; the path of the chart. */
function lay(index: number, each: LoadCase, result: LoadResult): string {
  const directory = join(root, String(index));
  mkdirSync(directory);
  if (each.rawName !== undefined) return write(join(directory, each.rawName), each.raw ?? '');
  if (each.archive !== undefined) return write(join(directory, 'chart.tgz'), result.archive ?? '');
  const chart = join(directory, 'chart');
  mkdirSync(chart);
  for (const entry of each.files ?? []) layEntry(join(chart, entry.name), entry, result);
  return chart;
}

function layEntry(path: string, entry: Entry, result: LoadResult): void {
  mkdirSync(dirname(path), { recursive: true });
  if (entry.link !== undefined) symlinkSync(entry.link, path);
  else write(path, result.inner?.[entry.name] ?? entry.base64 ?? Buffer.from(entry.text ?? '').toString('base64'));
}

function write(path: string, base64: string): string {
  writeFileSync(path, Buffer.from(base64, 'base64'));
  return path;
}

const base64 = ({ data }: ChartFile): string => Buffer.from(data).toString('base64');

/** The chart as the oracle prints it. */
function dump(chart: Chart, isRoot = true): Record<string, unknown> {
  const charts = chart.dependencies.map((child) => dump(child, false));
  const crds = isRoot ? crdFiles(chart).map(({ filename }) => filename) : [];
  return defined({
    metadata: metadataOf(chart),
    lock: chart.lock && { ...chart.lock, dependencies: nonEmpty(chart.lock.dependencies) ?? null },
    values: typedJson(chart.values),
    schema: chart.schema && Buffer.from(chart.schema).toString('base64'),
    templates: Object.fromEntries(chart.templates.map((file) => [file.name, base64(file)])),
    files: chart.files.map(({ name }) => name),
    raw: chart.raw.map(({ name }) => name),
    charts: nonEmpty(charts),
    crds: nonEmpty(crds.sort()),
  });
}

function metadataOf({ metadata }: Chart): unknown {
  const dependencies = metadata.dependencies?.map(({ importValues, repository = '', ...rest }) =>
    defined({
      ...rest,
      repository,
      tags: rest.tags && nonEmpty(rest.tags),
      'import-values': nonEmpty((importValues ?? []).map((item) => typedJson(item as Value))),
    }),
  );
  return withoutZero({ ...metadata, dependencies: nonEmpty(dependencies ?? []) });
}

const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

const defined = (struct: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(struct).filter(([, value]) => value !== undefined));

/** Go leaves out what is empty. */
const withoutZero = (struct: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(struct).filter(
      ([, value]) =>
        value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );

async function outcome(path: string): Promise<unknown> {
  const logs: string[] = [];
  const onNotice = ({ level, message, attributes }: ChartNotice): void => {
    logs.push(shorten(slogLine(level, message, attributes), path));
  };
  try {
    const chart = await loadChart(path, { onNotice });
    return { chart: dump(chart), logs: logs.sort() };
  } catch (error) {
    return { error: shorten(messageOf(error), path), logs };
  }
}

const shorten = (text: string, path: string): string => text.replaceAll(dirname(path), 'DIR');

/** Where our words say more than Helm's, or other ones: the tar and gzip libraries' own. */
function comparable(error: string | undefined): string | undefined {
  return error
    ?.replace(/^unsupported chart version: .*/, 'unsupported chart version')
    .replace(
      /(unable to load chart archive: |: )(?:unexpected EOF|gzip: (?!invalid header).*|flate: .*)$/,
      '$1broken gzip',
    );
}

const titled = (cases.cases as LoadCase[]).map((each, index) => {
  const result = expected.results[index] as LoadResult;
  return [JSON.stringify(each).slice(0, 300), index, each, result] as const;
});

describe('charts are loaded as by Helm', () => {
  test.each(titled.filter(([, , each, result]) => each.archive === undefined || result.archive !== undefined))(
    '%s',
    async (_title, index, each, { chart, error, logs }) => {
      const got = (await outcome(lay(index, each, expected.results[index] as LoadResult))) as LoadResult;
      expect({ ...got, error: comparable(got.error) }).toEqual({ chart, error: comparable(error), logs });
    },
  );
});

test('a path that is not there', async () => {
  await expect(loadChart('./no-such-chart')).rejects.toMatchObject({
    code: 'chart-not-found',
    message: 'path "./no-such-chart" not found',
  });
});

// As of `install web "$CHART"` where CHART is not set: the working directory may well be a chart.
test.each(['', '  '])('the empty path %j is not the working directory', async (path) => {
  await expect(loadChart(path)).rejects.toMatchObject({ code: 'chart-not-found' });
});

const manifest = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';

// Helm's answers: it reads to the end of the tar file, and never sees what follows.
test.each([
  ['junk', 'junkjunk'],
  ['one byte', 'x'],
  ['zeros', '\0'.repeat(600)],
  ['a broken member', '\x1f\x8b\x08nonsense'],
])('an archive with %s behind it', async (_what, junk) => {
  const tar = await packTar([{ header: { name: 'web/Chart.yaml', size: manifest.length }, body: manifest }]);
  const path = join(root, 'junk.tgz');
  writeFileSync(path, Buffer.concat([gzipSync(tar), Buffer.from(junk, 'latin1')]));
  expect((await loadChart(path)).metadata.name).toBe('web');
  const damaged = gzipSync(tar);
  damaged[damaged.length - 8] = (damaged[damaged.length - 8] as number) ^ 1;
  writeFileSync(path, Buffer.concat([damaged, Buffer.from(junk, 'latin1')]));
  await expect(loadChart(path)).rejects.toThrow('gzip: ');
});

describe('hostile charts end in a clear error', () => {
  test('an archive that unpacks into far more than a chart may be', async () => {
    const bomb = join(root, 'bomb.tgz');
    writeFileSync(bomb, gzipSync(Buffer.alloc(250 * 1024 * 1024)));
    await expect(loadChart(bomb)).rejects.toThrow('decompressed chart is larger than the maximum size 104857600');
  });

  test('a link to the folder around it', async () => {
    const chart = join(root, 'loop');
    mkdirSync(join(chart, 'a'), { recursive: true });
    writeFileSync(join(chart, 'Chart.yaml'), 'name: loop\nversion: 1.0.0\n');
    symlinkSync('..', join(chart, 'a', 'up'));
    await expect(loadChart(chart)).rejects.toThrow(
      `symbolic link ${chart}/a/up points to one of its parent folders: ${chart}`,
    );
  });

  test('a file that is larger than all of a chart may be', async () => {
    const chart = join(root, 'large');
    mkdirSync(chart);
    writeFileSync(join(chart, 'Chart.yaml'), 'name: large\nversion: 1.0.0\n');
    writeFileSync(join(chart, 'blob'), Buffer.alloc(101 * 1024 * 1024));
    await expect(loadChart(chart)).rejects.toThrow('error reading blob: chart exceeds maximum decompressed size');
  });

  test('an archive cut off in the middle', async () => {
    const whole = Buffer.from(
      (expected.results.find((each) => 'archive' in each) as LoadResult).archive ?? '',
      'base64',
    );
    const cut = join(root, 'cut.tgz');
    writeFileSync(cut, whole.subarray(0, whole.length / 2));
    await expect(loadChart(cut)).rejects.toThrow('unable to load chart archive: ');
  });
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageChart } from '../../../src/actions/package.ts';
import { readArchive } from '../../../src/chart/archive.ts';
import { createChart } from '../../../src/source/package/create.ts';
import { sourceDateEpoch } from '../../../src/source/package/stamp.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const now = new Date('2024-01-01T00:00:00Z');
const pack = (options = {}): Promise<string> =>
  packageChart(join(folder, 'web'), { destination: join(folder, 'out'), now, ...options });
const fileIn = async (archive: string, name: string): Promise<string> => {
  const file = readArchive(readFileSync(archive)).find((one) => one.name === name);
  return Buffer.from(file?.data ?? []).toString();
};

describe('an archive', () => {
  test('has the same bytes for the same chart', async () => {
    createChart('web', folder, () => undefined);
    const epoch = new Date('2020-01-01T00:00:00Z');
    const first = readFileSync(await pack({ epoch }));
    const second = readFileSync(await pack({ epoch, now: new Date() }));
    expect(second.equals(first)).toBe(true);
    // Helm's gzip header: an extra field, the comment, no time.
    expect(first.subarray(0, 10).toString('hex')).toBe('1f8b08140000000000ff');
    expect(first.subarray(56, 61).toString('latin1')).toBe('Helm\0');
  });

  test.each([
    ['a list of subcharts becomes the map, which says that there are no other edges', '["db"]', `'{".":["db"]}'`],
    ['a map stays as it is', '{".": ["db"]}', `'{".": ["db"]}'`],
  ])('%s', async (_what, annotation, packed) => {
    const annotations = `annotations: {helm.sh/depends-on/subcharts: '${annotation}'}`;
    write('web/Chart.yaml', `apiVersion: v2\nname: web\nversion: 1.0.0\n${annotations}\n`);
    for (const name of ['db', 'app'])
      write(`web/charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
    expect(await fileIn(await pack(), 'Chart.yaml')).toContain(`helm.sh/depends-on/subcharts: ${packed}\n`);
  });

  test('keeps what Helm does not know, and has the order as annotations', async () => {
    write(
      'web/Chart.yaml',
      `apiVersion: v2
name: web
version: 1.0.0
x-owner: {team: a}
runHooksInParallel: true
dependencies:
- {name: db, version: 1.x.x, x-note: keep}
- {name: app, version: 1.x.x, depends-on: [db]}
`,
    );
    for (const name of ['db', 'app'])
      write(`web/charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
    expect(await fileIn(await pack(), 'Chart.yaml')).toBe(`annotations:
  helm.sh/depends-on/subcharts: '{"app":["db"]}'
  helm.sh/run-hooks-in-parallel: "true"
apiVersion: v2
dependencies:
- name: db
  repository: ""
  version: 1.x.x
  x-note: keep
- depends-on:
  - db
  name: app
  repository: ""
  version: 1.x.x
name: web
runHooksInParallel: "true"
version: 1.0.0
x-owner:
  team: a
`);
  });

  test('has another version where one is asked for', async () => {
    createChart('web', folder, () => undefined);
    const archive = await pack({ version: '2.0.0+x', appVersion: 'beta' });
    expect(archive).toBe(join(folder, 'out/web-2.0.0+x.tgz'));
    expect(await fileIn(archive, 'Chart.yaml')).toMatch(/appVersion: beta\n[^]*version: 2\.0\.0\+x\n/);
  });

  test.each([
    ['a version that is none', '', { version: 'one' }, 'invalid semantic version'],
    [
      'a dependency that is missing',
      'dependencies: [{name: db, version: "1"}]\n',
      {},
      'found in Chart.yaml, but missing in charts/ directory: db',
    ],
  ])('is not made with %s', async (_what, more, options, message) => {
    write('web/Chart.yaml', `apiVersion: v2\nname: web\nversion: 1.0.0\n${more}`);
    await expect(pack(options)).rejects.toThrow(message);
  });

  test('is not made of a schema that is no JSON', async () => {
    write('web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    write('web/values.schema.json', '{');
    await expect(pack()).rejects.toThrow('failed to save: invalid JSON in values.schema.json');
  });
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['1700000000', '2023-11-14T22:13:20.000Z'],
])('SOURCE_DATE_EPOCH %s is %s', (text, time) =>
  expect(sourceDateEpoch({ SOURCE_DATE_EPOCH: text })?.toISOString()).toBe(time),
);
test.each([
  ['x', 'invalid SOURCE_DATE_EPOCH: strconv.ParseInt: parsing "x": invalid syntax'],
  ['-1', 'invalid SOURCE_DATE_EPOCH: must not be negative'],
])('SOURCE_DATE_EPOCH %s is refused', (text, message) =>
  expect(() => sourceDateEpoch({ SOURCE_DATE_EPOCH: text })).toThrow(message),
);

test('a new chart says which files it overwrites, and refuses names that are none', () => {
  createChart('web', folder, () => undefined);
  const told: string[] = [];
  createChart('web', folder, (path) => told.push(path));
  expect(told).toContain(join(folder, 'web/values.yaml'));
  expect(told).toHaveLength(12);
  expect(() => createChart('a b', folder, () => undefined)).toThrow('chart name must match the regular expression');
  expect(() => createChart('x', join(folder, 'none'), () => undefined)).toThrow('no such file or directory');
});

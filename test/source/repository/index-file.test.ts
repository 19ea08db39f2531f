import { describe, expect, test } from 'vitest';
import type { ChartNotice } from '../../../src/chart/notice.ts';
import { info } from '../../../src/chart/notice.ts';
import { chooseVersion } from '../../../src/source/repository/choose-version.ts';
import { type RepositoryIndex, readIndex } from '../../../src/source/repository/index-file.ts';
import { layoutOf } from '../../../src/source/repository/index-layout.ts';

const read = (text: string, onNotice?: (notice: ChartNotice) => void): RepositoryIndex =>
  readIndex(Buffer.from(text), { source: 'index.yaml', onNotice });

const everythingIn = (index: RepositoryIndex) =>
  index.names.map((name) => [
    name,
    index.versions(name)?.map(({ version, appVersion, description, keywords, entry }) => ({
      version,
      appVersion,
      description,
      keywords,
      entry,
    })),
  ]);

/** As Helm writes it, with what makes reading hard: folded lines, quotes, numbers, blocks. */
const written = `apiVersion: v1
entries:
  blue:
  - annotations:
      category: Web
      images: |
        - image: a:1

        - image: b:2
    apiVersion: v2
    appVersion: "1.10"
    created: "2024-01-01T12:43:17.123456789Z"
    dependencies:
    - alias: sky
      condition: sky.on
      name: red
      repository: https://host/charts
      tags:
      - x
      version: 1.x.x
    description: 'It''s blue: a description that is long enough to go on
      in a second line'
    digest: abc
    keywords:
    - blue
    - "1"
    name: blue
    type: application
    urls:
    - charts/blue-1.0.0.tgz
    version: 1.0.0
  - apiVersion: v2
    appVersion: 1.10
    description: plain and folded over
      two lines
    name: blue
    urls:
    - charts/blue-1.10.0.tgz
    version: 1.10.0
  - apiVersion: v2
    name: blue
    urls:
    - charts/blue-1.9.0.tgz
    version: 1.9.0
    kubeVersion: '>=1.20'
  red:
  - name: red
    description: "with \\u00e9scapes"
    version: 0.1.0
    urls: []
generated: "2024-01-01T00:00:00Z"
`;

describe('an index as Helm writes it', () => {
  test('is read version by version, and gives what reading it whole gives', () => {
    const whole = `%YAML 1.1\n---\n${written}`;
    expect(layoutOf(written)).toBeDefined();
    expect(layoutOf(whole)).toBeUndefined();
    expect(everythingIn(read(written))).toEqual(everythingIn(read(whole)));
  });

  test('has the newest version first', () => {
    expect(
      read(written)
        .versions('blue')
        ?.map(({ version }) => version),
    ).toEqual(['1.10.0', '1.9.0', '1.0.0']);
  });

  test('has texts as Go reads them', () => {
    const [newest, , oldest] = read(written).versions('blue') ?? [];
    expect(newest).toMatchObject({ appVersion: '1.1', description: 'plain and folded over two lines' });
    expect(oldest).toMatchObject({
      appVersion: '1.10',
      description: "It's blue: a description that is long enough to go on in a second line",
      keywords: ['blue', '1'],
    });
  });

  test('tells which charts mention a file', () => {
    expect(read(written).namesMentioning('blue-1.9.0.tgz')).toEqual(['blue']);
    expect(read(written).namesMentioning('green.tgz')).toEqual([]);
  });
});

const twice = (key: string): string => written.replace(`    ${key}`, `    ${key}\n    ${key}`);

test.each([
  ['nothing', '', 'empty index.yaml file'],
  ['no API version', 'entries: {}\n', 'no API version specified'],
  [
    'an unknown field',
    'apiVersion: v1\nunknown: 1\n',
    'error unmarshaling JSON: while decoding JSON: json: unknown field "unknown"',
  ],
  [
    'an unknown field of a version',
    written.replace('    digest: abc', '    digset: abc'),
    'json: unknown field "digset"',
  ],
  ['a key that stands twice', twice('digest: abc'), 'key "digest" already set in map'],
  ['a list in place of a map', 'apiVersion: v1\nentries: [a]\n', 'cannot unmarshal'],
  ['a page', '<html></html>', 'cannot unmarshal string into Go value of type v1.IndexFile'],
])('%s is no index', (_what, text, message) => {
  const readAll = (): unknown => everythingIn(read(text));
  expect(readAll).toThrow(message);
});

test.each([
  ['without a name', '  - name: red', '  - name: ""', 'validation: chart.metadata.name is required'],
  ['whose version is none', 'version: 0.1.0', 'version: one', 'validation: chart.metadata.version "one" is invalid'],
  [
    'of a wrong type',
    'urls: []',
    'urls: []\n    type: no',
    'validation: chart.metadata.type must be application or library',
  ],
])('a version %s is passed over, and told of', (_what, from, to, error) => {
  const notices: ChartNotice[] = [];
  const index = read(written.replace(from, to), (notice) => notices.push(notice));
  expect(index.versions('red')).toEqual([]);
  expect(notices).toMatchObject([{ message: 'skipping loading invalid entry for chart', attributes: { error } }]);
});

test('JSON is an index too, and unknown fields are no mistake there', () => {
  const index = read('{"apiVersion":"v1","more":1,"entries":{"red":[{"name":"red","version":"1.0.0","urls":["u"]}]}}');
  expect(index.versions('red')?.map(({ entry }) => entry.urls)).toEqual([['u']]);
});

describe('a constraint chooses', () => {
  const chosen = (version: string): string => {
    const notices: ChartNotice[] = [info('')];
    const found = chooseVersion(read(written), 'blue', { version, onNotice: (notice) => notices.unshift(notice) });
    return notices[0]?.level === 'WARN' ? `${found.version}, with a warning` : found.version;
  };
  test.each([
    ['', '1.10.0'],
    ['1.9.0', '1.9.0'],
    ['~1.9', '1.9.0'],
    ['<1.5', '1.0.0'],
    ['1.9', '1.9.0, with a warning'],
  ])('%j: %s', (version, answer) => expect(chosen(version)).toBe(answer));

  test.each([
    ['green', '', 'no chart name found'],
    ['blue', '9', 'no chart version found for blue-9'],
  ])('%s %s: %s', (name, version, message) =>
    expect(() => chooseVersion(read(written), name, { version })).toThrow(message),
  );
});

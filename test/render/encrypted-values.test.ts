import { expect, test } from 'vitest';
import { prepareChart, type RenderReleaseOptions, renderRelease } from '../../src/render/release.ts';
import { addedDetail, TshelmError } from '../../src/support/errors.ts';
import { readYamlMap } from '../../src/yaml/index.ts';
import { chartOf } from './chart-text.ts';

const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };
const encrypted =
  'ENC[AES256_GCM,data:p673w7U=,iv:YY2dU8H3zJX1nPFo9Sz1kWcEz8dP6Y3lVx7nVf5mJ2I=,tag:0Vb1s9oUO0zq9LZcQ7mO5g==,type:str]';
const secretOf = (data: string, head = ''): string =>
  `apiVersion: v1\nkind: Secret\n${head}metadata:\n  name: db\nstringData:\n  password: ${data}\n`;

async function problemsOf(
  files: Record<string, string>,
  values = '',
  options: Partial<RenderReleaseOptions> = {},
): Promise<unknown> {
  const userValues = readYamlMap(values);
  const prepared = prepareChart(await chartOf(files), userValues);
  try {
    await renderRelease(prepared, userValues, { release, ...options });
    return [];
  } catch (error) {
    if (!(error instanceof TshelmError) || error.code !== 'encrypted-value') throw error;
    return addedDetail(error, 'problems')?.map(({ cause, places }) => ({
      path: 'path' in cause && cause.path?.join('.'),
      at: places.map((place) =>
        place.kind === 'value' && place.isGiven
          ? place.keys.join('.')
          : 'file' in place && `${place.file}:${place.line}`,
      ),
    }));
  }
}

const subchart = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries([
    ['charts/db/Chart.yaml', 'apiVersion: v2\nname: db\nversion: 0.1.0\n'],
    ...Object.entries(files).map(([name, text]): [string, string] => [`charts/db/${name}`, text]),
  ]);
const file = `# of the team\npassword: ${encrypted}\nsops:\n    mac: ${encrypted}\n`;
const asSecrets =
  'apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n{{ (.Files.Glob "conf/*").AsSecrets | indent 2 }}\n';
const read = secretOf('{{ .Values.db.password }}');

test.each<[string, Record<string, string>, string, string, readonly string[]]>([
  [
    'values of the user',
    { 'templates/a.yaml': read },
    `db: {password: "${encrypted}"}`,
    'stringData.password',
    ['db.password'],
  ],
  [
    'values.yaml',
    { 'templates/a.yaml': read, 'values.yaml': `# a\ndb:\n  password: ${encrypted}\n` },
    '',
    'stringData.password',
    ['web/values.yaml:3'],
  ],
  [
    'values.yaml of a subchart, in a list',
    subchart({ 'templates/a.yaml': secretOf('{{ first .Values.all }}'), 'values.yaml': `all:\n- ${encrypted}\n` }),
    '',
    'stringData.password',
    ['web/charts/db/values.yaml:2'],
  ],
  ['a template', { 'templates/a.yaml': secretOf(encrypted) }, '', 'stringData.password', ['web/templates/a.yaml:6']],
  [
    '.Files.Get',
    { 'templates/a.yaml': secretOf('|\n{{ .Files.Get "conf/all.yaml" | indent 4 }}'), 'conf/all.yaml': file },
    '',
    'stringData.password',
    ['web/conf/all.yaml:2'],
  ],
  [
    '.Files.AsSecrets',
    { 'templates/a.yaml': asSecrets, 'conf/all.yaml': file },
    '',
    'data.all.yaml',
    ['web/conf/all.yaml:2'],
  ],
  [
    '.Files.AsSecrets, a byte further',
    { 'templates/a.yaml': asSecrets, 'conf/all.yaml': `#${file}` },
    '',
    'data.all.yaml',
    ['web/conf/all.yaml:2'],
  ],
  [
    '.Files.AsSecrets, two bytes further',
    { 'templates/a.yaml': asSecrets, 'conf/all.yaml': `##${file}` },
    '',
    'data.all.yaml',
    ['web/conf/all.yaml:2'],
  ],
  [
    'base64 by a template',
    { 'templates/a.yaml': 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata: {a: {{ b64enc .Values.a }}}\n' },
    `a: "${encrypted}"`,
    'data.a',
    ['a'],
  ],
  [
    'a hook',
    { 'templates/a.yaml': read.replace('metadata:\n', 'metadata:\n  annotations: {helm.sh/hook: pre-install}\n') },
    `db: {password: "${encrypted}"}`,
    'stringData.password',
    ['db.password'],
  ],
  [
    'a List',
    { 'templates/a.yaml': `kind: List\napiVersion: v1\nitems:\n- ${read.trimEnd().replaceAll('\n', '\n  ')}\n` },
    `db: {password: "${encrypted}"}`,
    'stringData.password',
    ['db.password'],
  ],
])('an encrypted value is refused wherever it comes from: %s', async (_from, files, values, path, at) => {
  expect(await problemsOf(files, values)).toEqual([{ path, at }]);
});

test('every object that has one is told', async () => {
  const files = { 'templates/a.yaml': read, 'templates/b.yaml': read.replace('name: db', 'name: web') };
  expect(await problemsOf(files, `db: {password: "${encrypted}"}`)).toHaveLength(2);
});

test.each([
  ['what no template reads', { 'templates/a.yaml': secretOf('hunter2') }],
  ['an object that sops encrypted as a whole', { 'templates/a.yaml': `${read}sops:\n  mac: ${encrypted}\n` }],
  [
    'an object whose annotation says so',
    {
      'templates/a.yaml': read.replace(
        'metadata:\n',
        'metadata:\n  annotations: {tshelm.dev/encrypted-values: keep}\n',
      ),
    },
  ],
  ['a comment', { 'templates/a.yaml': `${secretOf('hunter2')}# {{ .Values.db.password }}\n` }],
  ['a text about such values', { 'templates/a.yaml': secretOf('"see ENC[AES256_GCM,data:…]"') }],
])('%s is no mistake', async (_rule, files) => {
  expect(await problemsOf(files, `db: {password: "${encrypted}"}`)).toEqual([]);
});

test('a post-renderer may decrypt them, or say that they are meant', async () => {
  const postRenderer = async (text: string) => text.replace(encrypted, 'hunter2');
  const values = `db: {password: "${encrypted}"}`;
  expect(await problemsOf({ 'templates/a.yaml': read }, values, { postRenderer })).toEqual([]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

const directory = mkdtempSync(join(tmpdir(), 'tshelm-warnings-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const chartYaml = (rest: string): string => `apiVersion: v2\nname: shop\nversion: 0.1.0\n${rest}`;
const map = (name: string, namespace = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${namespace === '' ? '' : `  namespace: ${namespace}\n`}`;
let count = 0;

/** The warnings of `template`, which succeeds. */
async function warningsOf(files: Readonly<Record<string, string>>, words: readonly string[] = []): Promise<string> {
  const chart = join(directory, String(count++));
  const db = { 'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n' };
  for (const [name, text] of Object.entries({ ...db, ...files })) {
    mkdirSync(dirname(join(chart, name)), { recursive: true });
    writeFileSync(join(chart, name), text);
  }
  const { code, stderr } = await tshelm(['template', chart, ...words]);
  expect(code).toBe(0);
  return stderr;
}

describe('dependencies in Chart.yaml', () => {
  test.each([
    ['conditon', 'db.on', 'condition'],
    ['tag', '[a]', 'tags'],
    ['ailas', 'x', 'alias'],
    ['importValues', '[a]', 'import-values'],
    ['repositroy', 'https://x', 'repository'],
  ])('a misspelt %s is told with its line', async (key, value, meant) => {
    const entry = `dependencies:\n  - name: db\n    version: 0.1.0\n    ${key}: ${value}\n`;
    expect(await warningsOf({ 'Chart.yaml': chartYaml(entry) })).toBe(
      `level=WARN msg="unknown key of a dependency is ignored; did you mean \\"${meant}\\"?" key=${key} at=shop/Chart.yaml:7\n`,
    );
  });

  const withCondition = {
    'Chart.yaml': chartYaml('dependencies:\n  - {name: db, version: 0.1.0, condition: db.enabeld}\n'),
  };

  test('a condition that no value has is told with the value of nearly its name', async () => {
    expect(await warningsOf({ ...withCondition, 'values.yaml': 'db: {enabled: true}\n' })).toMatch(
      /^level=WARN msg=".*\\"db\.enabled\\".*" path=db\.enabeld chart=db\n$/,
    );
  });

  test.each([
    ['nothing has nearly its name', {}, []],
    ['the user sets it', { 'values.yaml': 'db: {enabled: true}\n' }, ['--set', 'db.enabeld=true']],
  ])('it is no mistake where %s', async (_what, files, words) => {
    expect(await warningsOf({ ...withCondition, ...files }, words)).toBe('');
  });
});

describe('objects of one kind and name', () => {
  test('are told with all their templates, a subchart’s too', async () => {
    const files = {
      'Chart.yaml': chartYaml(''),
      'templates/a.yaml': `${map('x')}---\n${map('y')}`,
      'charts/db/templates/b.yaml': `# one\n${map('x')}`,
    };
    expect(await warningsOf(files)).toBe(
      'level=WARN msg="an object is rendered more than once; the last one wins" object=ConfigMap/x in="shop/charts/db/templates/b.yaml:2, shop/templates/a.yaml:1"\n',
    );
  });

  test('of other namespaces are others', async () => {
    const files = { 'Chart.yaml': chartYaml(''), 'templates/a.yaml': `${map('x', 'a')}---\n${map('x', 'b')}` };
    expect(await warningsOf(files)).toBe('');
  });
});

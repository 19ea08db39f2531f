import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packTar } from '../../src/chart/tar.ts';
import { expandChart } from '../../src/source/expand-chart.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-expand-'));
  mkdirSync(join(folder, 'out'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function archiveOf(files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, 'x.tgz');
  const entries = Object.entries(files).map(([name, text]) => ({
    name,
    data: Buffer.from(text),
    modifiedAt: new Date(0),
  }));
  writeFileSync(path, gzipSync(await packTar(entries)));
  return path;
}

const chartYaml = (name: string): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`;

test('a chart comes into a folder of its name, whatever the archive calls it', async () => {
  const archive = await archiveOf({ 'other/Chart.yaml': chartYaml('red'), 'other/templates/a.yaml': 'a' });
  expandChart(join(folder, 'out'), archive);
  expect(readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' }).sort()).toEqual([
    'red',
    'red/Chart.yaml',
    'red/templates',
    'red/templates/a.yaml',
  ]);
});

test.each([
  ['without a name', { 'x/Chart.yaml': 'apiVersion: v2\n' }, 'chart name not specified'],
  ['without Chart.yaml', { 'x/a': '' }, 'chart name not specified'],
  ['of the name ..', { 'x/Chart.yaml': chartYaml('..') }, 'chart name ".." is not allowed'],
  ['of a name with a path', { 'x/Chart.yaml': chartYaml('../x') }, 'must not contain path separators'],
  ['of a name with a path of Windows', { 'x/Chart.yaml': chartYaml("'..\\x'") }, 'must not contain path separators'],
  ['with files above it', { 'x/Chart.yaml': chartYaml('red'), 'x/../../evil': '' }, 'references parent directory'],
  ['whose Chart.yaml is no YAML', { 'x/Chart.yaml': 'a: [' }, 'cannot load Chart.yaml: '],
])('a chart %s writes nothing', async (_what, files, reason) => {
  const archive = await archiveOf(files);
  expect(() => expandChart(join(folder, 'out'), archive)).toThrow(reason);
  expect(readdirSync(join(folder, 'out'))).toEqual([]);
});

test('a link that is there already leads nothing out of the folder', async () => {
  mkdirSync(join(folder, 'elsewhere'));
  mkdirSync(join(folder, 'out/red'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/red/templates'));
  const archive = await archiveOf({ 'red/Chart.yaml': chartYaml('red'), 'red/templates/a.yaml': 'a' });
  expect(() => expandChart(join(folder, 'out'), archive)).toThrow('is outside of');
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
});

test('nothing is written through a file that is a link', async () => {
  writeFileSync(join(folder, 'mine'), 'mine');
  mkdirSync(join(folder, 'out/red'));
  symlinkSync(join(folder, 'mine'), join(folder, 'out/red/values.yaml'));
  const archive = await archiveOf({ 'red/Chart.yaml': chartYaml('red'), 'red/values.yaml': 'theirs' });
  expect(() => expandChart(join(folder, 'out'), archive)).toThrow('values.yaml is a link');
  expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine');
});

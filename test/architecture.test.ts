import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Which folder of src/ may import from which; a folder may always import from itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  support: [],
  template: ['support'],
  chart: ['support'],
  render: ['chart', 'template', 'support', 'manifest'],
  manifest: ['support'],
  plan: ['chart', 'manifest', 'support'],
  cluster: ['manifest', 'support'],
  release: ['chart', 'manifest', 'cluster', 'support'],
  execute: ['plan', 'manifest', 'cluster', 'support'],
  actions: ['support', 'template', 'chart', 'render', 'manifest', 'plan', 'cluster', 'release', 'execute'],
  sandbox: ['support'],
  cli: [
    'support',
    'template',
    'chart',
    'render',
    'manifest',
    'plan',
    'cluster',
    'release',
    'execute',
    'actions',
    'sandbox',
  ],
};

/** The one module that imports a package. Type imports count too: a type is a dependency as well. */
const doorless = new Set(['commander']); // the command line is made of it: every module of cli/ may use it

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort();
const importsOf = new Map(files.map((file) => [file, importsIn(file)]));

function importsIn(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
  return found.map((name) => (name.startsWith('.') ? relative(source, resolve(source, dirname(file), name)) : name));
}

const folderOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] as string) : '');
const isOurs = (name: string): boolean => name.endsWith('.ts');

test('folders import only what design.md allows', () => {
  const wrong = files.flatMap((file) =>
    (importsOf.get(file) ?? [])
      .filter(isOurs)
      .filter((target) => folderOf(file) !== '' && folderOf(target) !== folderOf(file))
      .filter((target) => !mayImport[folderOf(file)]?.includes(folderOf(target)))
      .map((target) => `${file} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('every folder of src/ is in the table', () => {
  expect([...new Set(files.map(folderOf))].filter((folder) => folder !== '' && !(folder in mayImport))).toEqual([]);
});

test('no module imports itself through others', () => {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const target of (importsOf.get(file) ?? []).filter(isOurs)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

test('each package has one door', () => {
  const doors = new Map<string, Set<string>>();
  for (const [file, names] of importsOf) {
    for (const name of names.filter((one) => !isOurs(one) && !one.startsWith('node:'))) {
      const packageName = name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
      doors.set(packageName, (doors.get(packageName) ?? new Set()).add(file));
    }
  }
  const several = [...doors].filter(([name, users]) => users.size > 1 && !doorless.has(name));
  expect(several.map(([name, users]) => `${name}: ${[...users].join(', ')}`)).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Which folder of src/ may import from which; a folder may always import from itself. */
const everythingAbove = (...below: readonly string[]): readonly string[] =>
  rooms.filter((room) => !below.includes(room));
const rooms = [
  'support',
  'go',
  'yaml',
  'template',
  'sops',
  'sigstore',
  'chart',
  'source',
  'plugin',
  'render',
  'secrets',
  'go-template',
  'manifest',
  'problem',
  'words',
  'kinds',
  'cel',
  'plan',
  'cluster',
  'release',
  'execute',
  'change',
  'actions',
  'unittest',
  'saved-plan',
  'stack',
  'show',
  'playground',
  'sandbox',
  'lsp',
  'session',
  'sdk',
  'mcp',
  'cli',
];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  support: [],
  go: ['support'],
  yaml: ['go', 'support'],
  template: ['go', 'support'],
  // Files that sops encrypted; what reads values is given what opens them.
  sops: ['yaml', 'go', 'support'],
  chart: ['problem', 'yaml', 'go', 'support'],
  // Signatures of cosign, checked and made; it asks no server.
  sigstore: ['go', 'support'],
  source: ['chart', 'sigstore', 'yaml', 'go', 'support'],
  // Plugins of Helm: found, installed and run; the command line and the fetching of charts call them.
  plugin: ['source', 'yaml', 'go', 'support'],
  render: ['chart', 'template', 'problem', 'manifest', 'kinds', 'yaml', 'go', 'support'],
  // References to secrets in values, and what follows them.
  secrets: ['render', 'go', 'support'],
  // Plain values in, text out: templates for programs that know no chart.
  'go-template': ['render', 'template', 'go', 'support'],
  manifest: ['yaml', 'go', 'support'],
  // What is wrong, as data; the only readers of other programs' words.
  problem: ['kinds', 'manifest', 'yaml', 'go', 'support'],
  // A problem as text: for terminals, for Helm's first line, for what is kept in a record.
  words: ['problem', 'manifest', 'support'],
  // The fields of Kubernetes' own kinds, and how patches merge them.
  kinds: ['support'],
  // CEL: one compiler for health checks and for the policies of the sandbox.
  cel: ['kinds', 'go', 'support'],
  plan: ['chart', 'problem', 'words', 'manifest', 'support'],
  // An error and the state of an object have a text from the beginning: words makes it of their facts.
  cluster: ['problem', 'words', 'cel', 'manifest', 'yaml', 'go', 'support'],
  release: ['chart', 'manifest', 'cluster', 'yaml', 'go', 'support'],
  execute: ['plan', 'manifest', 'kinds', 'problem', 'words', 'cluster', 'go', 'support'],
  // Suites of helm-unittest: a chart is rendered, and what it prints is looked at; or the whole chart is checked or rehearsed.
  unittest: [
    'actions',
    'problem',
    'words',
    'release',
    'render',
    'chart',
    'template',
    'manifest',
    'yaml',
    'go',
    'support',
  ],
  change: everythingAbove(
    'change',
    'actions',
    'unittest',
    'saved-plan',
    'stack',
    'show',
    'playground',
    'sandbox',
    'lsp',
    'session',
    'sdk',
    'mcp',
    'cli',
  ),
  // A rehearsal runs a change in a sandbox.
  actions: everythingAbove(
    'actions',
    'unittest',
    'saved-plan',
    'stack',
    'show',
    'playground',
    'lsp',
    'session',
    'sdk',
    'mcp',
    'cli',
  ),
  'saved-plan': everythingAbove(
    'unittest',
    'saved-plan',
    'stack',
    'show',
    'playground',
    'sandbox',
    'lsp',
    'session',
    'sdk',
    'mcp',
    'cli',
  ),
  stack: everythingAbove('unittest', 'stack', 'show', 'playground', 'sandbox', 'lsp', 'session', 'sdk', 'mcp', 'cli'),
  // What is shown of a change is the comparison that an action made.
  show: ['actions', 'plan', 'manifest', 'words', 'yaml', 'support'],
  // The engine in a page: a chart as text in, text out.
  playground: everythingAbove(
    'playground',
    'unittest',
    'saved-plan',
    'stack',
    'sandbox',
    'lsp',
    'session',
    'sdk',
    'mcp',
    'cli',
  ),
  sandbox: ['cel', 'kinds', 'go', 'yaml', 'support'],
  // The engine in an editor: texts in, places and edits out; and the protocol that it speaks.
  lsp: everythingAbove(
    'playground',
    'unittest',
    'saved-plan',
    'show',
    'sandbox',
    'lsp',
    'session',
    'sdk',
    'mcp',
    'cli',
  ),
  // What both doors open: neither knows anything of the other, and this room knows neither.
  session: everythingAbove('playground', 'unittest', 'lsp', 'session', 'sdk', 'mcp', 'cli'),
  // For programs what cli is for people; neither knows the other.
  sdk: everythingAbove('playground', 'unittest', 'lsp', 'sdk', 'mcp', 'cli'),
  // A model's door: the library behind the messages of a protocol.
  mcp: everythingAbove('playground', 'unittest', 'lsp', 'mcp', 'cli'),
  cli: everythingAbove('playground', 'cli', 'sdk'),
};

/** Folders that others enter by some of their files alone; what is in their own folders is theirs. */
const doors: Readonly<Record<string, readonly string[]>> = {
  cluster: [
    'types.ts',
    'fence.ts',
    'connect.ts',
    'kubeconfig.ts',
    'wait.ts',
    'observe.ts',
    'timed-out.ts',
    'readiness.ts',
    'health.ts',
    'diagnosis.ts',
    'error-codes.ts',
    'fields.ts',
    'api-error.ts',
    'network-error.ts',
    'expired-credential.ts',
  ],
  sandbox: ['index.ts', 'error-codes.ts'],
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

test('folders with doors are entered by these alone', () => {
  const wrong = files.flatMap((file) =>
    (importsOf.get(file) ?? [])
      .filter((target) => folderOf(target) !== folderOf(file) && doors[folderOf(target)] !== undefined)
      .filter((target) => !doors[folderOf(target)]?.includes(target.slice(folderOf(target).length + 1)))
      .map((target) => `${file} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('every door is there and is used', () => {
  const used = new Set(
    files.flatMap((file) => (importsOf.get(file) ?? []).filter((one) => folderOf(one) !== folderOf(file))),
  );
  const all = Object.entries(doors).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}`));
  expect(all.filter((door) => !used.has(door))).toEqual([]);
});

test('no two folders beside each other import each other both ways', () => {
  const found = new Map<string, string>();
  for (const file of files) {
    for (const target of (importsOf.get(file) ?? []).filter(isOurs)) {
      const [from, to] = siblings(file, target) ?? [];
      if (from !== undefined && to !== undefined) found.set(`${from} -> ${to}`, `${file} -> ${target}`);
    }
  }
  const both = [...found.keys()].filter((pair) => found.has(pair.split(' -> ').reverse().join(' -> ')));
  expect(both.map((pair) => found.get(pair))).toEqual([]);
});

/** The folders side by side below which two files are; undefined where one file is above the other, or beside its folder. */
function siblings(file: string, target: string): readonly [string, string] | undefined {
  const [one, other] = [file.split('/'), target.split('/')];
  const depth = one.findIndex((name, index) => name !== other[index]);
  if (depth === one.length - 1 || depth === other.length - 1) return undefined;
  return [one.slice(0, depth + 1).join('/'), other.slice(0, depth + 1).join('/')];
}

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

test('each package has one door, and one in each room for its types', () => {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    for (const { name, isType } of packagesIn(file)) {
      // A file for browsers stands in for the one beside it.
      const place = file.endsWith('.browser.ts') ? `${name} in browsers` : name;
      const door = isType ? `types of ${name} in ${folderOf(file)}` : place;
      found.set(door, (found.get(door) ?? new Set()).add(file));
    }
  }
  const several = [...found].filter(([door, users]) => users.size > 1 && !doorless.has(door.split(' ')[2] ?? door));
  expect(several.map(([door, users]) => `${door}: ${[...users].join(', ')}`)).toEqual([]);
});

function packagesIn(file: string): { readonly name: string; readonly isType: boolean }[] {
  const text = readFileSync(join(source, file), 'utf8');
  const imports = text.matchAll(/(?:(import type[^;']*)|from|import)\s*\(?\s*'([^'.][^']*)'/g);
  return [...imports]
    .filter(([, , name = '']) => !name.startsWith('node:'))
    .map(([, type, name = '']) => ({ name: packageOf(name), isType: type !== undefined }));
}

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

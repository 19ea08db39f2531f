import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyCheckout } from './checkout.ts';
import { linesOf, packagesLines, writePackagesChart } from './packages-chart.ts';

/** The package as `npm publish` would send it, installed into an empty project and run under every Node it is for. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules/tshelm');
let archive = '';
let checkout = '';
const chart = resolve('fixtures/charts/shop');
/** Downloaded once, beside the programs of the end-to-end tests. */
const nodes = ['20.19.6', '22', '24', '26'];
const nodesFolder = join(process.env['TSHELM_E2E_BIN'] ?? '', '../nodes');

const run = (program: string, words: readonly string[], cwd: string, env = process.env): string =>
  execFileSync(program, words, { cwd, env, encoding: 'utf8', stdio: 'pipe' });

function nodeOf(version: string): string {
  const home = join(nodesFolder, version);
  const program = join(home, 'node_modules/node/bin/node');
  if (existsSync(program)) return program;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"private":true}');
  run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], home);
  return program;
}

beforeAll(() => {
  checkout = copyCheckout(join(folder, 'checkout'));
  run('npm', ['pack', '--pack-destination', folder], checkout);
  archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
  run('npm', ['install', '--no-audit', '--no-fund', archive], project);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('holds what is needed to run it, its types and its notices', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  for (const name of ['bin/tshelm', 'dist/launch.js', 'dist/main.js', 'dist/index.mjs', 'dist/types/index.d.ts'])
    expect(files).toContain(name);
  for (const name of ['LICENSE', 'README.md', 'dist/THIRD-PARTY-NOTICES', 'dist/requires.js'])
    expect(files).toContain(name);
  const isSource = (name: string): boolean =>
    /\.cache$|(^|\/)(src|test|scripts)\/|\.ts$/.test(name) && !name.endsWith('.d.ts') && !name.startsWith('examples/');
  expect(files.filter(isSource)).toEqual([]);
  // Of files alone: what a folder itself takes is the file system's affair, 4 KiB here and 80 bytes there.
  const kept = files.map((name) => statSync(join(installed, name))).filter((entry) => entry.isFile());
  const bytes = kept.reduce((sum, { size }) => sum + size, 0);
  // The code that most commands never load (an editor, agents, unit tests, signatures) and the manual are 1.5 MiB of it.
  expect(bytes / 2 ** 20).toBeLessThan(9);
});

test('brings a man page for each command, which npm links when it is installed globally from a registry', () => {
  const { directories } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    directories: { man: string };
  };
  const pages = readdirSync(join(installed, directories.man));
  expect(pages).toContain('tshelm.1.gz');
  expect(pages).toContain('tshelm-get-values.1.gz');
  const page = gunzipSync(readFileSync(join(installed, directories.man, 'tshelm-install.1.gz')));
  expect(page.toString()).toContain(String.raw`\-\-wait`);
});

test('is a package as the tools that judge packages want it', () => {
  const tools = join(checkout, 'scripts/release');
  run('npm', ['ci', '--no-audit', '--no-fund'], tools);
  run(join(tools, 'node_modules/.bin/publint'), ['run', '--strict', installed], folder);
  // The package is for ES modules alone: CommonJS gets it by `import()`.
  run(join(tools, 'node_modules/.bin/attw'), ['--profile', 'esm-only', archive], folder);
});

test('runs nothing when it is installed, and needs no other package', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  const needless = ['scripts', 'dependencies', 'devDependencies', 'overrides'];
  expect(Object.keys(manifest).filter((key) => needless.includes(key))).toEqual([]);
  const before = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['scripts', 'devDependencies']));
});

test('has the packages that few charts need, on the command line and in the library', () => {
  const chart = writePackagesChart(folder);
  expect(linesOf(run(join(project, 'node_modules/.bin/tshelm'), ['template', 'x', chart], folder))).toEqual(
    packagesLines,
  );
  const program = `import { Tshelm } from 'tshelm';
const tshelm = new Tshelm();
console.log((await tshelm.template(process.argv[1], { name: 'x' })).output);
await tshelm.close();`;
  const words = ['--input-type=module', '--eval', program, chart];
  expect(linesOf(run(process.execPath, words, project))).toEqual(packagesLines);
});

/** A program in TypeScript: what it prints shows that types and code of the package go together. */
const program = `
import { isTshelmError, Tshelm, type ListedRelease, type StackEvent } from 'tshelm';
import { sandbox } from 'tshelm/testing';

const [folder] = process.argv.slice(2);
const tshelm = new Tshelm();
const releases: readonly ListedRelease[] = await tshelm.stack({ folder, stateValues: { big: 9007199254740993n } }).list();
console.log(releases.map(({ id, labels }) => [id, labels['big']].join(' ')).join());
await tshelm.close();

const box = await sandbox({ time: 'simulated' });
const told = new Set<StackEvent['kind']>();
const operation = box.tshelm.stack({ folder }).apply({ rollbackOnFailure: 'stack' });
for await (const event of operation) told.add(event.kind);
console.log([...told].filter((kind) => /^(stack|release)-/.test(kind)).join());
console.log((await operation).releases.map(({ id, change }) => [id, change].join(' ')).join());
try {
  await box.tshelm.stack({ folder, selectors: ['big=none'] }).status();
} catch (error) {
  // @ts-expect-error: no failure has this code
  if (isTshelmError(error, 'no-such-code')) throw error;
  if (isTshelmError(error, 'stack-empty')) console.log(error.code);
}
await box.close();
`;
const stackFile = `values: [{big: 1}]
---
releases:
  - {name: shop, namespace: shop, chart: ${chart}, labels: {big: '{{ .Values.big }}'}}
`;

test('has types by which a program compiles', () => {
  writeFileSync(join(project, 'program.ts'), program);
  writeFileSync(join(project, 'helmfile.yaml.gotmpl'), stackFile);
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    exactOptionalPropertyTypes: true,
    typeRoots: [join(checkout, 'node_modules/@types')],
    types: ['node'],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  expect(run(join(checkout, 'node_modules/.bin/tsc'), ['-p', '.'], project)).toBe('');
});

describe.each(nodes)('Node %s', (version) => {
  test('runs the compiled program', () => {
    expect(run(nodeOf(version), ['program.js', project], project)).toBe(
      'shop/shop 9007199254740993\nstack-started,release-started,release-ended\nshop/shop installed\nstack-empty\n',
    );
  });

  test("renders a chart; Node's compile cache is in a folder for temporary files, and nowhere else", () => {
    const [temporary, home] = [mkdtempSync(join(folder, 'tmp-')), mkdtempSync(join(folder, 'home-'))];
    const env = { ...process.env, TMPDIR: temporary, HOME: home, XDG_CACHE_HOME: join(home, '.cache') };
    const start = () => run(nodeOf(version), [join(installed, 'bin/tshelm'), 'template', 'shop', chart], folder, env);
    const before = readdirSync(join(installed, 'dist'));
    const first = start();
    expect(first).toContain('kind: Deployment');
    const cached = readdirSync(temporary, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(cached.length > 0).toBe(!version.startsWith('20'));
    expect(start()).toBe(first);
    expect(readdirSync(home)).toEqual([]);
    expect(readdirSync(join(installed, 'dist'))).toEqual(before);
  });

  test('says nothing of a folder that cannot be written to, and runs', () => {
    const env = { ...process.env, TMPDIR: '/dev/null' };
    const { status, stderr } = spawnSync(nodeOf(version), [join(installed, 'bin/tshelm'), 'version'], {
      encoding: 'utf8',
      env,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

test('an older Node is told which one is needed, by the command and by the library', () => {
  const message = /tshelm needs Node 20\.19 or later; this is Node 18\./;
  const said = (...words: readonly string[]) =>
    spawnSync(nodeOf('18'), words, { cwd: project, encoding: 'utf8' }).stderr;
  expect(said(join(installed, 'bin/tshelm'), 'version')).toMatch(message);
  for (const face of ['tshelm', 'tshelm/testing', 'tshelm/engine'])
    expect(said('--input-type=module', '--eval', `import '${face}'`)).toMatch(message);
});

test('the examples run in another project, where they are copied to', () => {
  cpSync(join(installed, 'examples'), join(folder, 'other/examples'), { recursive: true });
  writeFileSync(join(folder, 'other/package.json'), '{"private":true,"type":"commonjs"}');
  run('npm', ['install', '--no-audit', '--no-fund', archive], join(folder, 'other'));
  expect(run(nodeOf('24'), ['try.ts'], join(folder, 'other/examples/release-loop'))).toContain('installed: 10');
});

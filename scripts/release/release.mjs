// npm run release [TARGET…]: executables of the bundled command line, compiled by Bun, in archives as Helm's are laid
// out (`linux-amd64/tshelm`), each with its checksum and a list of what it contains (SPDX). The same commit gives the
// same bytes. `npm run release -- linux-amd64` makes one; `--no-archive` leaves it at the executable. `--as-helm` makes
// archives that take the place of Helm's for what downloads those, such as azure/setup-helm: archive and program are
// called helm.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { lazyFileOf, lazyPackages } from '../lazy-packages.mjs';
import { archiveTexts } from './archive-texts.mjs';
import { billOfMaterials } from './bill-of-materials.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const dist = join(root, 'dist');
const release = join(root, 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Bun's name of each target, by Go's. */
const targets = {
  'linux-amd64': 'bun-linux-x64',
  'linux-arm64': 'bun-linux-arm64',
  'linux-amd64-musl': 'bun-linux-x64-musl',
  'linux-arm64-musl': 'bun-linux-arm64-musl',
  'darwin-amd64': 'bun-darwin-x64',
  'darwin-arm64': 'bun-darwin-arm64',
  'windows-amd64': 'bun-windows-x64',
};

const words = process.argv.slice(2);
/** What archives and the program in them are called. */
const called = words.includes('--as-helm') ? 'helm' : 'tshelm';
const wanted = words.filter((word) => !word.startsWith('-'));
const unknown = wanted.filter((name) => !(name in targets));
if (unknown.length > 0) {
  console.error(`no such target: ${unknown.join(', ')}; there are ${Object.keys(targets).join(', ')}`);
  process.exit(1);
}

run('npm', ['ci', '--no-audit', '--no-fund'], here);
run('npm', ['run', '--silent', 'build'], root);
const staged = stage();
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(targets)) {
    const executable = compile(name, targets[name]);
    const archive = words.includes('--no-archive') ? undefined : await pack(name, executable);
    console.log([executable, archive].filter(Boolean).map(sizeOf).join('   '));
  }
} finally {
  rmSync(staged, { recursive: true, force: true });
}

function run(command, args, cwd) {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** What is compiled, in one folder. The files of the command line become functions, which get their modules from the launcher. */
function stage() {
  // One and the same for every checkout: its name gets into what is compiled.
  const folder = join(tmpdir(), 'tshelm-release');
  if (existsSync(folder))
    throw new Error(`${folder} is there: another release is being made, or one was killed; then remove it`);
  mkdirSync(folder);
  for (const name of ['main', 'rest']) {
    const text = readFileSync(join(dist, `${name}.js`), 'latin1');
    const asFunction = `module.exports = function (exports, require, module, __filename, __dirname) {${text}\n};\n`;
    writeFileSync(join(folder, `${name}.cjs`), asFunction);
  }
  const parts = lazyPackages.map((name) => lazyFileOf(name));
  for (const part of parts) cpSync(join(dist, part), join(folder, part));
  // Written out, since the compiler looks for them.
  const entries = [...parts, 'openpgp'].map((name) => `'${name}': () => require('${name}'),`);
  writeFileSync(join(folder, 'packages.cjs'), `module.exports = {\n${entries.join('\n')}\n};\n`);
  cpSync(join(root, 'scripts/requires.cjs'), join(folder, 'requires.cjs'));
  cpSync(join(here, 'executable.cjs'), join(folder, 'executable.cjs'));
  cpSync(join(root, 'node_modules/openpgp'), join(folder, 'node_modules/openpgp'), { recursive: true });
  return folder;
}

function compile(name, target) {
  const folder = join(release, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name.startsWith('windows') ? 'tshelm.exe' : 'tshelm');
  const options = ['--compile', '--bytecode', '--minify-syntax', `--target=${target}`, `--outfile=${file}`];
  run(join(here, 'node_modules/.bin/bun'), ['build', ...options, 'executable.cjs'], staged);
  return file;
}

async function pack(name, executable) {
  const folder = name.replace('-musl', '');
  const file = (path, content, mode) => ({ path: `${folder}/${path}`, content, mode });
  const texts = [
    ...archiveTexts(root).map(({ path, text }) => file(path, Buffer.from(text), 0o644)),
    file('sbom.spdx.json', Buffer.from(billOfMaterials(root, name, madeAt())), 0o644),
  ];
  const isZip = name.startsWith('windows');
  const program = file(isZip ? `${called}.exe` : called, readFileSync(executable), 0o755);
  const base = `${called}-v${version}-${name}.${isZip ? 'zip' : 'tar.gz'}`;
  const data = await (isZip ? zipped : tarred)([...texts, program]);
  const digest = createHash('sha256').update(data).digest('hex');
  writeFileSync(join(release, base), data);
  writeFileSync(join(release, `${base}.sha256sum`), `${digest}  ${base}\n`);
  writeFileSync(join(release, `${base}.sha256`), `${digest}\n`);
  return join(release, base);
}

async function tarred(files) {
  const entries = files.map(({ path, content, mode }) => ({
    header: { name: path, size: content.length, mode, mtime: madeAt(), type: 'file', uname: 'root', gname: 'root' },
    body: content,
  }));
  return gzipSync(await packTar(entries), { level: 9 });
}

async function zipped(files) {
  const { zipSync } = await import('fflate');
  const entries = files.map(({ path, content }) => [path, [content, { mtime: madeAt(), level: 9 }]]);
  return zipSync(Object.fromEntries(entries));
}

/** $SOURCE_DATE_EPOCH, or the time of the commit. */
function madeAt() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined) return new Date(Number(given) * 1000);
  const { stdout } = spawnSync('git', ['-C', root, 'log', '-1', '--format=%ct'], { encoding: 'utf8' });
  return new Date(Number(stdout.trim() || 315532800) * 1000);
}

function sizeOf(file) {
  return `${file.slice(root.length + 1)} ${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`;
}

// npm run release [TARGET…]: executables of the bundled command line, compiled by Bun, in archives as Helm's are laid
// out (`linux-amd64/tshelm`), each with its checksum and a list of what it contains (SPDX). The same commit gives the
// same bytes. `npm run release -- linux-amd64` makes one; `--no-archive` leaves it at the executable. `--as-helm` makes
// archives that take the place of Helm's for what downloads those, such as azure/setup-helm: archive and program are
// called helm. Of the archives for Linux come packages for Debian; of all of them, with the address of the repository
// (`--home URL`, in GitHub's workflows its own), what Homebrew, Scoop and Nix take, and an install script.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazyEntries, lazyFileOf } from '../lazy-packages.mjs';
import { parts } from '../parts.mjs';
import { archiveTexts } from './archive-texts.mjs';
import { billOfMaterials } from './bill-of-materials.mjs';
import { debianPackage, installers } from './packages.mjs';
import { fileEntry, tarGz } from './tar.mjs';

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
const home = words.includes('--home') ? words.splice(words.indexOf('--home'), 2)[1] : homeOfWorkflow();
const wanted = words.filter((word) => !word.startsWith('-'));
const unknown = wanted.filter((name) => !(name in targets));
if (unknown.length > 0) {
  console.error(`no such target: ${unknown.join(', ')}; there are ${Object.keys(targets).join(', ')}`);
  process.exit(1);
}

run('npm', ['ci', '--no-audit', '--no-fund'], here);
run('npm', ['run', '--silent', 'build'], root);
run(process.execPath, [join(root, 'scripts/man-pages.mjs')], root, {
  SOURCE_DATE_EPOCH: String(madeAt().getTime() / 1000),
});
const staged = stage();
/** SHA-256 of what was packed, in hexadecimal. */
const checksums = {};
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(targets)) {
    const executable = compile(name, targets[name]);
    const archive = words.includes('--no-archive') ? undefined : await pack(name, executable);
    console.log([executable, ...(archive ?? [])].map(sizeOf).join('   '));
  }
  if (called === 'tshelm' && !words.includes('--no-archive')) await writeInstallers();
} finally {
  rmSync(staged, { recursive: true, force: true });
}

function run(command, args, cwd, variables = {}) {
  const env = { ...process.env, ...variables };
  const { status, error, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

/** What is compiled, in one folder. The files of the command line become functions, which get their modules from the launcher. */
function stage() {
  // One and the same for every checkout: its name gets into what is compiled.
  const folder = join(tmpdir(), 'tshelm-release');
  if (existsSync(folder))
    throw new Error(`${folder} is there: another release is being made, or one was killed; then remove it`);
  mkdirSync(folder);
  for (const name of parts) {
    const text = readFileSync(join(dist, `${name}.js`), 'latin1');
    const asFunction = `module.exports = function (exports, require, module, __filename, __dirname) {${text}\n};\n`;
    writeFileSync(join(folder, `${name}.cjs`), asFunction);
  }
  const lazyFiles = lazyEntries.map((name) => lazyFileOf(name));
  for (const file of lazyFiles) cpSync(join(dist, file), join(folder, file));
  // Written out, since the compiler looks for them.
  const table = (rows) =>
    `module.exports = {\n${rows.map(([name, file]) => `'${name}': () => require('${file}'),`).join('\n')}\n};\n`;
  writeFileSync(join(folder, 'packages.cjs'), table([...lazyFiles, 'openpgp'].map((name) => [name, name])));
  writeFileSync(join(folder, 'parts.cjs'), table(parts.map((part) => [`./${part}.js`, `./${part}.cjs`])));
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

/** Returns the files that it writes. */
async function pack(name, executable) {
  const folder = name.replace('-musl', '');
  const file = (path, content, mode = 0o644) => ({ path, content, mode });
  const texts = [
    ...archiveTexts(root).map(({ path, text }) => file(path, Buffer.from(text))),
    ...manPages().map((page) => file(`man/man1/${page}`, readFileSync(join(dist, 'man', page)))),
    ...completions().map(([path, text]) => file(`completions/${path}`, Buffer.from(text))),
    file('sbom.spdx.json', Buffer.from(billOfMaterials(root, name, madeAt()))),
  ];
  const isZip = name.startsWith('windows');
  const files = [...texts, file(isZip ? `${called}.exe` : called, readFileSync(executable), 0o755)];
  const base = `${called}-v${version}-${name}.${isZip ? 'zip' : 'tar.gz'}`;
  const inFolder = files.map((one) => ({ ...one, path: `${folder}/${one.path}` }));
  checksums[name] = write(base, await (isZip ? zipped : tarred)(inFolder));
  const processor = { 'linux-amd64': 'amd64', 'linux-arm64': 'arm64' }[name];
  if (processor === undefined || called === 'helm') return [join(release, base)];
  const debian = `tshelm_${version}_${processor}.deb`;
  write(debian, await debianPackage({ version, processor, maintainer: maintainer(), files, madeAt: madeAt() }));
  return [join(release, base), join(release, debian)];
}

/** Writes a file and its checksum, as Helm's releases have them; returns the checksum. */
function write(base, data) {
  const digest = createHash('sha256').update(data).digest('hex');
  writeFileSync(join(release, base), data);
  writeFileSync(join(release, `${base}.sha256sum`), `${digest}  ${base}\n`);
  writeFileSync(join(release, `${base}.sha256`), `${digest}\n`);
  return digest;
}

function manPages() {
  return readdirSync(join(dist, 'man')).sort();
}

function completions() {
  const names = { bash: 'tshelm.bash', zsh: '_tshelm', fish: 'tshelm.fish', powershell: 'tshelm.ps1' };
  return Object.entries(names).map(([shell, name]) => [
    name,
    run(process.execPath, [join(root, 'bin/tshelm'), 'completion', shell], root),
  ]);
}

/** What downloads the archives, and the npm package, which one of them takes. */
async function writeInstallers() {
  const missing = Object.keys(targets).filter((name) => !(name in checksums));
  if (home === undefined || missing.length > 0) {
    const why = home === undefined ? '--home URL, the address of the repository' : `archives for ${missing.join(', ')}`;
    console.log(`not made: formula, manifests and install script need ${why}`);
    return;
  }
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', release], root));
  checksums.npm = write(filename, readFileSync(join(release, filename)));
  const goTemplate = basename(run(process.execPath, [join(root, 'scripts/go-template.mjs')], root).trim());
  write(goTemplate, readFileSync(join(release, goTemplate)));
  for (const { name, text } of installers({ version, home, checksums })) {
    writeFileSync(join(release, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
    console.log(sizeOf(join(release, name)));
  }
}

function homeOfWorkflow() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  return repository && `${server ?? 'https://github.com'}/${repository}`;
}

/** Who made the commit. */
function maintainer() {
  return run('git', ['-C', root, 'log', '-1', '--format=%an <%ae>'], root).trim();
}

function tarred(files) {
  return tarGz(files.map((file) => fileEntry(file.path, file, madeAt())));
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

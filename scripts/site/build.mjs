// npm run docs: the pages of docs/ and a reference of every command as static files in site/. `-- --serve` serves them.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildEngine } from './engine.mjs';
import { referencePage } from './reference.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const pages = join(here, 'pages');
const run = (program, words, cwd) => execFileSync(program, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });

run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], here);
run('npm', ['run', '--silent', 'build'], root);
rmSync(pages, { recursive: true, force: true });
cpSync(join(root, 'docs'), pages, { recursive: true });
for (const name of readdirSync(pages, { recursive: true, encoding: 'utf8' })) takeFromDocs(name);
for (const name of ['index.md', 'playground.md']) cpSync(join(here, name), join(pages, name));
await buildEngine(join(pages, 'public/playground-engine.js'));
takeFromRoot('README', 'start', '---\ntitle: What it is, install\n---\n');
for (const name of ['CONTRIBUTING', 'CHANGELOG']) takeFromRoot(name, name.toLowerCase());
await writeReference();
run(join(here, 'node_modules/.bin/vitepress'), ['build', here], here);
console.log('the site is in site/: `npm run docs -- --serve` shows it');
if (process.argv.includes('--serve')) run(join(here, 'node_modules/.bin/vitepress'), ['preview', here], here);

/** Schemas are served as they are. */
function takeFromDocs(name) {
  const path = join(pages, name);
  if (name.endsWith('.json')) cpSync(path, join(pages, 'public', name));
  if (name.endsWith('.md')) writeFileSync(path, forSite(readFileSync(path, 'utf8')));
}

/** What a page names of the repository's other files is no page: the name stays, without a link. */
function forSite(text) {
  const link = /\[([^\]]+)\]\((?:\.\.\/)*(?:(?:src|test|scripts|fixtures|examples)\/|Dockerfile)[^)]*\)/g;
  return text.replaceAll(link, '$1');
}

/** Pages of the top folder become pages of the site: their links lose `docs/`, as those to them lose `../`. */
function takeFromRoot(name, page, header = '') {
  const text = forSite(readFileSync(join(root, `${name}.md`), 'utf8'));
  writeFileSync(
    join(pages, `${page}.md`),
    header +
      text
        .replaceAll('](docs/decisions/README.md', '](./decisions/')
        .replaceAll('](docs/', '](./')
        .replaceAll('](README.md', '](./start.md')
        .replaceAll(/\]\((CONTRIBUTING|CHANGELOG)\.md/g, (link) => link.toLowerCase()),
  );
}

/** One page for each command, made of its help. */
async function writeReference() {
  const folder = join(pages, 'reference');
  mkdirSync(folder);
  run(process.execPath, [join(root, 'bin/tshelm'), 'docs', '--type', 'markdown', '--dir', folder], root);
  const names = readdirSync(folder).map((file) => file.replace(/\.md$/, '').replaceAll('_', ' '));
  const commands = names.filter((name) => name !== 'tshelm');
  const writeNext = async (waiting) => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const page = referencePage(name, await helpOf(name), commands);
      writeFileSync(join(folder, `${name.replaceAll(' ', '_')}.md`), page);
    }
  };
  const waiting = [...commands];
  await Promise.all(Array.from({ length: availableParallelism() }, () => writeNext(waiting)));
  rmSync(join(folder, 'tshelm.md'));
  const all = referencePage('tshelm', await helpOf('tshelm'), commands);
  writeFileSync(
    join(folder, 'index.md'),
    all.replace('# tshelm', '# Commands').replace('\n[All commands](index.md)\n', ''),
  );
}

/** Its `--help`; the options of every command are what a command of their own prints. */
async function helpOf(name) {
  const words = name.split(' ').slice(1);
  const asked = words[0] === 'options' ? words : [...words, '--help'];
  return (await promisify(execFile)(process.execPath, [join(root, 'bin/tshelm'), ...asked], { cwd: root })).stdout;
}

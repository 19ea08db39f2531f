// npm run docs: the pages of docs/ and a reference of every command as static files in site/. `-- --serve` serves them.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const pages = join(here, 'pages');
const run = (program, words, cwd) => execFileSync(program, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });

run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], here);
run('npm', ['run', '--silent', 'build'], root);
rmSync(pages, { recursive: true, force: true });
cpSync(join(root, 'docs'), pages, { recursive: true });
for (const name of readdirSync(pages, { recursive: true, encoding: 'utf8' })) takeFromDocs(name);
cpSync(join(here, 'index.md'), join(pages, 'index.md'));
takeFromRoot('README', 'start');
for (const name of ['CONTRIBUTING', 'CHANGELOG']) takeFromRoot(name, name.toLowerCase());
writeReference();
run(join(here, 'node_modules/.bin/vitepress'), ['build', here], here);
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
function takeFromRoot(name, page) {
  const text = forSite(readFileSync(join(root, `${name}.md`), 'utf8'));
  writeFileSync(
    join(pages, `${page}.md`),
    text
      .replaceAll('](docs/decisions/README.md', '](./decisions/')
      .replaceAll('](docs/', '](./')
      .replaceAll('](README.md', '](./start.md')
      .replaceAll(/\]\((CONTRIBUTING|CHANGELOG)\.md/g, (link) => link.toLowerCase()),
  );
}

/** One page for each command, made from its table of flags. */
function writeReference() {
  const folder = join(pages, 'reference');
  mkdirSync(folder);
  run(process.execPath, [join(root, 'bin/tshelm'), 'docs', '--type', 'markdown', '--dir', folder], root);
  const names = readdirSync(folder).sort();
  const entries = names.map((name) => `- [${name.replace(/\.md$/, '').replaceAll('_', ' ')}](${name})`);
  writeFileSync(
    join(folder, 'index.md'),
    `# Commands\nMade from the tables of flags; \`tshelm COMMAND --help\` prints the same.\n\n${entries.join('\n')}\n`,
  );
}

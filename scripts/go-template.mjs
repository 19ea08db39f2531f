// dist/go-template/: Go's templates and YAML as a package of their own, which tshelm exports too (`tshelm/go-template`,
// `tshelm/go-yaml`). It runs wherever JavaScript runs. `npm run pack:go-template` packs it into release/.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { browserFiles } from './browser-files.mjs';
import { noticesText, packagesIn } from './notices.mjs';
import { withoutDeadLinks } from './release/archive-texts.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const faces = { index: 'src/go-template.ts', functions: 'src/go-template-functions.ts', yaml: 'src/go-yaml.ts' };

/** Their declarations, by the faces' names in the package. */
export const declarations = {
  index: 'go-template.d.ts',
  functions: 'go-template-functions.d.ts',
  yaml: 'go-yaml.d.ts',
};

/** Writes the package, all but its declarations (types.mjs), into a folder. */
export async function buildGoTemplate(common, folder) {
  const { metafile } = await build({
    ...common,
    plugins: [browserFiles, ...common.plugins],
    entryPoints: faces,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'browser',
    target: 'es2022',
    minify: true,
    // Node prints the whole line where an error is not caught.
    lineLimit: 160,
    splitting: true,
    chunkNames: 'shared-[hash]',
  });
  refuseNode(metafile);
  const notices = noticesText(root, packagesIn([metafile]));
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), notices);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), readme());
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

function refuseNode({ inputs, outputs }) {
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  if (outside.length === 0) return;
  const [{ path }] = outside;
  const [importer] = Object.entries(inputs).find(([, { imports }]) => imports.some((one) => one.path === path));
  throw new Error(`${importer} imports ${path}, which browsers do not have (see scripts/browser-files.mjs)`);
}

function manifest() {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const face = (name) => ({ types: `./types/${declarations[name]}`, default: `./${name}.mjs` });
  return {
    name: 'go-template',
    version,
    description: "Go's text/template for JavaScript, byte for byte; with sprig's and Helm's functions and Go's YAML.",
    license,
    keywords: ['go', 'golang', 'template', 'text-template', 'sprig', 'helm', 'yaml'],
    type: 'module',
    sideEffects: false,
    exports: { '.': face('index'), './functions': face('functions'), './yaml': face('yaml') },
  };
}

/** docs/go-template.md by the names of this package. */
function readme() {
  const page = readFileSync(join(root, 'docs/go-template.md'), 'utf8')
    .replaceAll('tshelm/go-template', 'go-template')
    .replaceAll('tshelm/go-yaml', 'go-template/yaml')
    .replaceAll('npm install tshelm', 'npm install go-template')
    .replaceAll('```sh no-run', '```sh');
  return withoutDeadLinks('README.md', page, new Set(['README.md', 'LICENSE', 'THIRD-PARTY-NOTICES']));
}

function pack() {
  const release = join(root, 'release');
  mkdirSync(release, { recursive: true });
  const words = ['pack', '--silent', './dist/go-template', '--pack-destination', release];
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${words.join(' ')}: ${stderr}`);
  console.log(`release/${stdout.trim()}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) pack();

// Writes Helm's answers into fixtures/command-line/*.json anew: what the binary HELM prints for each case's arguments.
// `$CHARTS` stands for a folder that holds the file's charts, `$OUT` for an empty one, `$POST/NAME` for the post-renderer
// plugin in its plugins/NAME: tshelm takes the plugin's executable instead.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const helm = process.env.HELM ?? join(homedir(), '.cache/tshelm-e2e/bin/helm');
const folder = fileURLToPath(new URL('../../../fixtures/command-line', import.meta.url));
const wanted = process.argv.slice(2);

for (const name of readdirSync(folder).filter((file) => wanted.length === 0 || wanted.includes(file))) {
  const file = join(folder, name);
  const { charts, cases } = JSON.parse(readFileSync(file, 'utf8'));
  const root = mkdtempSync(join(tmpdir(), 'helm-answers-'));
  try {
    writeFiles(join(root, 'charts'), charts);
    const answered = cases.map((one) => ({ ...one, ...answer(one, root) }));
    const helmVersion = spawnSync(helm, ['version', '--template', '{{.Version}}'], { encoding: 'utf8' }).stdout;
    writeFileSync(file, `${JSON.stringify({ helm: helmVersion, charts, cases: answered }, undefined, 1)}\n`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function writeFiles(directory, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
    if (text.startsWith('#!')) chmodSync(join(directory, path), 0o755);
  }
}

function answer({ args, stdin }, root) {
  const out = join(root, 'out');
  rmSync(out, { recursive: true, force: true });
  const charts = join(root, 'charts');
  const words = args.map((word) => word.replace('$CHARTS', charts).replace('$OUT', out).replace('$POST/', ''));
  const env = { PATH: process.env.PATH, HOME: root, KUBECONFIG: '/dev/null', HELM_PLUGINS: join(charts, 'plugins') };
  const { status, stdout, stderr } = spawnSync(helm, words, { encoding: 'utf8', env, input: stdin ?? '' });
  const written = filesIn(out);
  return {
    code: status,
    stdout: masked(stdout, root),
    stderr: masked(stderr, root),
    ...(written.length > 0 && { files: Object.fromEntries(written) }),
  };
}

function masked(text, root) {
  return text.replaceAll(join(root, 'charts'), '$CHARTS').replaceAll(join(root, 'out'), '$OUT');
}

function filesIn(directory) {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
    return paths.map((path) => [path.slice(directory.length + 1), readFileSync(path, 'utf8')]);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

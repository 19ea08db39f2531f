// Lets helmfile write what it says of the stacks in fixtures/stack: node test/e2e/stack/refresh.mjs BIN
import { spawnSync } from 'node:child_process';
import {
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

const bin = resolve(process.argv[2] ?? `${process.env.HOME}/.cache/tshelm-e2e/bin`);
const root = resolve('fixtures/stack');
const expected = join(root, 'expected');

/** How files of values are named, so that they can be compared. */
export const valuesName = '{{ .State.BaseName }}.{{ .Release.Namespace }}.{{ .Release.Name }}.yaml';

/** All files of a folder, one after another, which is removed. Below it a whole path is one without its first slash. */
export function filesIn(path) {
  const names = existsSync(path) ? readdirSync(path, { recursive: true }).sort((a, b) => (a < b ? -1 : 1)) : [];
  const files = names.filter((name) => statSync(join(path, name)).isFile());
  const text = files
    .map((name) => `==> ${name.replace(root.slice(1), 'ROOT')}\n${readFileSync(join(path, name), 'utf8')}`)
    .join('');
  rmSync(path, { recursive: true, force: true });
  return text;
}

/** What helmfile prints for a command of a case, with the folder of the fixtures as ROOT. */
export function helmfile({ folder, args, template = [] }, command) {
  const folderOfValues = mkdtempSync(join(tmpdir(), 'tshelm-values-'));
  const more = {
    template: ['--skip-deps', ...template],
    lint: ['--skip-deps', ...template],
    'write-values': ['--skip-deps', '--output-file-template', `${folderOfValues}/${valuesName}`],
  }[command];
  const { status, stdout, stderr } = spawnSync(join(bin, 'helmfile'), ['-q', ...args, command, ...(more ?? [])], {
    cwd: join(root, folder),
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, STACK_TEST: 'set for tests' },
    encoding: 'utf8',
  });
  // What it says of a mistake, without warnings and the file that it names first.
  const mistake = stderr.replace(/^WARNING: .*\n/gm, '').trim();
  if (status !== 0) return `Error: ${mistake.replace(/^in \S+: /, '')}\n`.replaceAll(root, 'ROOT');
  if (command === 'write-values') return filesIn(folderOfValues).replaceAll(root, 'ROOT');
  // Of several files it puts the working directory before a path that is whole.
  return stdout.replaceAll(root, 'ROOT').replace(/^(#  Source: ).*ROOT/gm, '$1ROOT');
}

export const cases = JSON.parse(readFileSync(join(root, 'cases.json'), 'utf8'));
export const commands = {
  build: 'build',
  list: 'list',
  'show-dag': 'dag',
  template: 'template',
  lint: 'lint',
  'write-values': 'values',
};

if (process.argv[1] === import.meta.filename) {
  rmSync(expected, { recursive: true, force: true });
  mkdirSync(expected, { recursive: true });
  for (const one of cases) {
    for (const [command, ours] of Object.entries(commands)) {
      writeFileSync(join(expected, `${one.name}.${ours}.txt`), helmfile(one, command));
    }
  }
}

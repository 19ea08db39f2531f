// Lets helmfile write what it says of the stacks in fixtures/stack: node test/e2e/stack/refresh.mjs BIN
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const bin = resolve(process.argv[2] ?? `${process.env.HOME}/.cache/tshelm-e2e/bin`);
const root = resolve('fixtures/stack');
const expected = join(root, 'expected');

/** What helmfile prints for a command of a case, with the folder of the fixtures as ROOT. */
export function helmfile({ folder, args, template = [] }, command) {
  const more = command === 'template' ? ['--skip-deps', ...template] : [];
  const { status, stdout, stderr } = spawnSync(join(bin, 'helmfile'), ['-q', ...args, command, ...more], {
    cwd: join(root, folder),
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, STACK_TEST: 'set for tests' },
    encoding: 'utf8',
  });
  // What it says of a mistake, without warnings and the file that it names first.
  const mistake = stderr.replace(/^WARNING: .*\n/gm, '').trim();
  if (status !== 0) return `Error: ${mistake.replace(/^in \S+: /, '')}\n`.replaceAll(root, 'ROOT');
  // Of several files it puts the working directory before a path that is whole.
  return stdout.replaceAll(root, 'ROOT').replace(/^(#  Source: ).*ROOT/gm, '$1ROOT');
}

export const cases = JSON.parse(readFileSync(join(root, 'cases.json'), 'utf8'));
export const commands = { build: 'build', list: 'list', 'show-dag': 'dag', template: 'template' };

if (process.argv[1] === import.meta.filename) {
  rmSync(expected, { recursive: true, force: true });
  mkdirSync(expected, { recursive: true });
  for (const one of cases) {
    for (const [command, ours] of Object.entries(commands)) {
      writeFileSync(join(expected, `${one.name}.${ours}.txt`), helmfile(one, command));
    }
  }
}

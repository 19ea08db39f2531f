import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { processIo } from '../../src/cli/terminal/io.ts';
import type { Ran } from './harness.ts';

const chart = join(process.cwd(), 'fixtures/charts/blog');
let folder = '';
let home = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tshelm-defaults-')));
  mkdirSync(join(folder, '.git'));
  home = join(folder, 'home');
  mkdirSync(join(home, '.config/tshelm'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const project = (text: string): void => writeFileSync(join(folder, 'tshelm.yaml'), text);
const own = (text: string): void => writeFileSync(join(home, '.config/tshelm/tshelm.yaml'), text);

interface Where {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string;
}

async function run(words: readonly string[], { cwd = folder, env = {}, program = 'tshelm' }: Where = {}): Promise<Ran> {
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    isTerminal: false,
    columns: undefined,
    rows: undefined,
    write: (piece: string) => void (text[name] += piece),
  });
  const io = {
    ...processIo(),
    env: { HOME: home, ...env },
    cwd,
    program,
    stdout: output('stdout'),
    stderr: output('stderr'),
  };
  return { code: await main(words, io), ...text };
}

/** What `env` says of the namespace and of --debug: both are options of every command. */
async function seen(words: readonly string[] = [], where: Where = {}): Promise<string> {
  const { stdout } = await run(['env', ...words], where);
  return ['HELM_NAMESPACE', 'HELM_DEBUG'].map((name) => new RegExp(`${name}="(.*)"`).exec(stdout)?.[1]).join(' ');
}

describe('what counts', () => {
  test('the line, then the environment, then the project, then the user', async () => {
    own('namespace: of-user\ndebug: true\n');
    expect(await seen()).toBe('of-user true');
    project('namespace: of-project\n');
    expect(await seen()).toBe('of-project true');
    expect(await seen([], { env: { HELM_NAMESPACE: 'of-env' } })).toBe('of-env true');
    expect(await seen(['-n', 'of-line', '--debug=false'], { env: { HELM_NAMESPACE: 'of-env' } })).toBe('of-line false');
  });

  test('the key of a command before one for all, and only for that command', async () => {
    project('namespace: all\nenv:\n  namespace: own\nrepo add:\n  namespace: other\n');
    expect(await seen()).toBe('own false');
  });

  test('a flag that the command does not have is for others', async () => {
    project('wait: ordered\nnamespace: web\n');
    expect(await seen()).toBe('web false');
  });

  test('lists give a flag several times', async () => {
    project('template:\n  set: [title=one, "author=two"]\n  show-only: [templates/nope.yaml]\n');
    expect((await run(['template', chart])).stderr).toContain('could not find template templates/nope.yaml in chart');
  });

  test('a program that calls helm gets none', async () => {
    project('namespace: web\n');
    expect(await seen([], { program: '/bin/helm' })).toBe('default false');
  });
});

describe('which files', () => {
  test('a folder above, up to that of the repository', async () => {
    const inner = join(folder, 'a/b');
    mkdirSync(inner, { recursive: true });
    project('namespace: above\n');
    expect(await seen([], { cwd: inner })).toBe('above false');
    mkdirSync(join(folder, 'a/.git'));
    expect(await seen([], { cwd: inner })).toBe('default false');
  });

  test('config shows each with its line', async () => {
    expect((await run(['config'])).stdout).toMatch(/^no defaults: there is neither a tshelm\.yaml /);
    project('wait: ordered\nupgrade:\n  install: true\n');
    own('debug: true\n');
    expect((await run(['config'])).stdout).toBe(
      [
        `all commands: --wait=ordered  (${folder}/tshelm.yaml:1)`,
        `tshelm upgrade: --install=true  (${folder}/tshelm.yaml:3)`,
        `all commands: --debug=true  (${home}/.config/tshelm/tshelm.yaml:1)`,
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await run(['config', '-o', 'json'])).stdout)).toHaveLength(3);
  });
});

describe('mistakes', () => {
  test.each([
    ['- a', 'write flags and commands as keys, such as `wait: ordered`'],
    ['a: [', 'did not find expected node content'],
    ['env:\n  namespase: x\n', 'tshelm.yaml:2: tshelm env has no flag --namespase; did you mean namespace?'],
    ['env:\n  namespace: {a: b}\n', 'tshelm.yaml:2: write the value of a flag as a text'],
    ['debug: true\nwiat: ordered\n', 'tshelm.yaml:2: no command has a flag --wiat; did you mean wait?'],
    ['xyzzy: 1\n', 'tshelm.yaml:1: no command has a flag --xyzzy\n'],
    ['upgrad:\n  install: true\n', 'tshelm.yaml:2: there is no command upgrad; did you mean upgrade?'],
    ['ls:\n  all: true\n', 'tshelm.yaml:2: write list instead of ls'],
    ['stack:\n  diff:\n    context: 3\n', 'tshelm.yaml:2: write a command of two words as one key: "stack diff:"'],
    ['upgrade: true\n', 'tshelm.yaml:1: upgrade is a command: write its flags below it'],
    ['sandbox: perhaps\n', 'tshelm.yaml:1: invalid argument "perhaps" for "--sandbox" flag'],
    ['wait:\n', 'tshelm.yaml:1: write the value of a flag as a text'],
    ['timeout: 5\n', 'tshelm.yaml:1: invalid argument "5" for "--timeout" flag: time: missing unit'],
    ['install: maybe\n', 'tshelm.yaml:1: invalid argument "maybe" for "-i, --install" flag'],
    ['wait: [ordered, legacy]\n', 'tshelm.yaml:1: --wait takes one value, not a list'],
    ['upgrade:\n  history-max: many\n', 'tshelm.yaml:2: invalid argument "many" for "--history-max" flag'],
  ])('%j', async (text, message) => {
    project(text);
    for (const command of ['env', 'config']) {
      const { code, stderr } = await run([command]);
      expect(stderr).toContain(message);
      expect(code).toBe(1);
    }
  });

  test('all are reported together, whatever command runs; a command without flags is none', async () => {
    project('upgrade:\nnamespase: x\nlist:\n  max: abc\n');
    const { stderr } = await run(['version']);
    expect([...stderr.matchAll(/tshelm\.yaml:(\d)/g)].map(([, line]) => line)).toEqual(['2', '4']);
    expect((await run(['explain', 'defaults-invalid'])).code).toBe(0);
  });

  test.each(['kubeconfig: x', 'kube-context: prod', 'kube-insecure-skip-tls-verify: true', 'registry-config: x'])(
    'the file of a project cannot say %s; that of the user can',
    async (line) => {
      project(`namespace: web\n${line}\n`);
      const { code, stderr } = await run(['env']);
      expect(stderr).toContain(`tshelm.yaml:2: the file of a project cannot set --${line.split(':')[0]}`);
      expect(code).toBe(1);
      rmSync(join(folder, 'tshelm.yaml'));
      own(`${line}\n`);
      expect((await run(['env'])).code).toBe(0);
    },
  );

  test.each([
    'post-renderer: ./evil',
    'force-conflicts: true',
    'take-ownership: true',
    'allow-data-loss: true',
    'replace: a/b',
  ])('the file of a project cannot say %s to an upgrade', async (line) => {
    project(`upgrade: {${line}}\n`);
    const { stderr } = await run(['upgrade', 'a', chart, '--sandbox-dir', join(folder, 'sandbox')]);
    expect(stderr).toContain('the file of a project cannot set --');
  });

  test('a value that the flag refuses, and a flag that the command refuses, are told with their line', async () => {
    project('color: purple\n');
    const { stderr } = await run(['env']);
    expect(stderr).toContain('invalid argument "purple" for "--color" flag');
    expect(stderr).toContain(`  where  --color=purple comes from ${folder}/tshelm.yaml:1\n`);
  });
});

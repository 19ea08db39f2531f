import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { openContext } from '../../src/cli/context.ts';
import { flagTable, normalizeArguments, positionalIndexes } from '../../src/cli/flags/argv.ts';
import { commandTexts } from '../../src/cli/help/texts.ts';
import { main } from '../../src/cli/main.ts';
import { commands, commandTree } from '../../src/cli/program.ts';
import { processIo } from '../../src/cli/terminal/io.ts';
import { tshelm } from './harness.ts';

const tree = commandTree(openContext(processIo()));

/** `repo add`: all commands that help lists, and the program's plan of each. */
async function pathsOf(): Promise<string[]> {
  const paths: string[] = [];
  for (const { name } of commands.filter(({ hidden }) => !hidden)) {
    const found = await tree.find([name]);
    paths.push(name, ...(found?.command.commands ?? []).map((one: Command) => `${name} ${one.name()}`));
  }
  return paths;
}

test('each command has a paragraph, examples and a page, and nothing else has', async () => {
  const paths = ['', ...(await pathsOf())].filter((path) => path !== 'options');
  expect(Object.keys(commandTexts).sort()).toEqual(paths.sort());
});

test.each(Object.entries(commandTexts))('the page of %s exists', (_path, { more }) => {
  const [file = '', heading] = more.split('#');
  expect(existsSync(file)).toBe(true);
  if (heading === undefined) return;
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  expect(headings).toContain(heading);
});

/** The command line of tshelm in an example: without its comment, and what other programs do around it. */
const ownLine = (example: string): string[] =>
  (/(?:^|[(| ])tshelm ([^|>)]*)/.exec(example.replace(/ +# .*/, '').replace(/ < .*/, ''))?.[1] ?? '')
    .trim()
    .split(' ')
    .map((word) => word.replace(/^'(.*)'$/, '$1'));

describe.each(Object.entries(commandTexts))('%s', (_path, { examples }) => {
  test.each(examples.map((example) => [example]))('%s', async (example) => {
    const words = ownLine(example);
    if (words[0] === '--version') return;
    const found = await tree.find(words);
    if (found === undefined) throw new Error('no command');
    const { command } = found;
    const top = await tree.find([words[0] ?? '']);
    const named = new Set(positionalIndexes(top?.command as Command, words).slice(0, found.depth));
    const rest = words.filter((_word, index) => !named.has(index));
    const normalized = normalizeArguments(command, rest);
    // What stands behind it are arguments: `explain --timeout` has one.
    const { unknown } = command.parseOptions(normalized.slice(0, normalized.indexOf('--')));
    const known = flagTable(command);
    expect(unknown.filter((word) => word.startsWith('-') && !known.has(word.split('=')[0] ?? ''))).toEqual([]);
  });
});

/** Help as a terminal of some width shows it. */
async function helpAt(columns: number, words: readonly string[]): Promise<string> {
  let stdout = '';
  const output = { isTerminal: true, columns, rows: 24, write: (text: string) => void (stdout += text) };
  const io = {
    ...processIo(),
    env: { HOME: '/nonexistent', TERM: 'dumb' },
    program: 'tshelm',
    stdout: output,
    stderr: output,
  };
  expect(await main([...words, '--help'], io)).toBe(0);
  return stdout;
}

describe.each([40, 80, 100])('at %i columns', (columns) => {
  test('no description is cut, and no word is broken', async () => {
    for (const path of ['', ...(await pathsOf())]) {
      const words = path === '' ? [] : path.split(' ');
      const [narrow, wide] = [await helpAt(columns, words), await helpAt(120, words)];
      const wordsOf = (text: string): string[] => text.split(/\s+/).sort();
      const long = narrow.split('\n').filter((line) => line.length > columns && / # /.test(line));
      expect(long, path).toEqual([]);
      expect(wordsOf(narrow), path).toEqual(wordsOf(wide));
      const prose = narrow.slice(0, narrow.lastIndexOf('\nExamples:')).split('\n');
      // A flag alone in its line is as long as it is, with the mark of those that Helm lacks.
      const tooLong = prose.filter((line) => line.length > columns && line.slice(1).trim().includes('  '));
      expect(tooLong, path).toEqual([]);
    }
  });
});

test('examples name the program by which it was called', async () => {
  let stdout = '';
  const output = {
    isTerminal: false,
    columns: undefined,
    rows: undefined,
    write: (text: string) => void (stdout += text),
  };
  const io = { ...processIo(), program: '/usr/local/bin/helm', stdout: output, stderr: output };
  expect(await main(['install', '--help'], io)).toBe(0);
  expect(stdout).toContain('  helm install shop ./shop -f prod.yaml --wait=ordered\n');
});

test('other names of a command are shown, and the variables of all commands', async () => {
  expect((await tshelm(['list', '--help'])).stdout).toContain('\nUsage: tshelm list [flags]\n\nAliases: ls\n');
  const { stdout } = await tshelm(['options']);
  const [, variables = ''] = stdout.split('\nEnvironment:\n');
  const listed = [...variables.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => `${name}`);
  // Each is read somewhere, and each of Helm's that is read here is listed.
  const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('kinds/') && file !== 'cli/help/environment.ts')
    .map((file) => readFileSync(`src/${file}`, 'utf8'))
    .join('\n');
  expect(listed.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
  const { stdout: env } = await tshelm(['env']);
  const ofHelm = [...env.matchAll(/^(\w+)=/gm)].map(([, name]) => `${name}`);
  expect(ofHelm.filter((name) => !listed.includes(name) && name !== 'HELM_BIN')).toEqual([]);
});

test('options are listed by what they are for; those of every command on a page of their own', async () => {
  const { stdout } = await tshelm(['install', '--help']);
  const headings = [...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    'Options',
    'Values',
    'Order and waiting',
    'Safety',
    'Chart',
    'Rendering',
    'Record',
    'Output',
    'Signatures',
    'Registries and TLS',
    'In the sandbox',
    'Examples',
  ]);
  expect(stdout).not.toContain('--kube-context string');
  expect(stdout).toContain('+     --eager');
  expect(stdout).toContain('\n+ marks the options that Helm does not have.\n');
  expect((await tshelm(['options'])).stdout).toContain('--kube-context string');
  expect((await tshelm(['plan', '--help'])).stdout).not.toContain('\n+ ');
});

test('on a terminal, a long list names what most runs do not need, and says where it is described', async () => {
  const long = await helpAt(80, ['install']);
  expect(long).toContain(
    '\nRegistries and TLS:\n  --ca-file, --cert-file, --insecure-skip-tls-verify, --key-file,\n  --pass',
  );
  expect(long).toContain('\nEvery option described: tshelm install --help | less\n');
  expect(long).toContain('--timeout duration            time to wait');
  const short = await helpAt(80, ['pull']);
  expect(short).toContain('--ca-file string');
  expect(short).not.toContain('| less');
  const { stdout: piped } = await tshelm(['install', '--help']);
  expect(piped).toContain('--ca-file string');
  expect(piped).not.toContain('| less');
});

test.each([
  [['get', 'value', 'shop'], 'tshelm get', 'values'],
  [['repo', 'ad', 'acme', 'https://charts.acme.test'], 'tshelm repo', 'add'],
  [['stack', 'aply'], 'tshelm stack', 'apply'],
  [['plan', 'instal', 'shop', './shop'], 'tshelm plan', 'install'],
  [['plan', 'rolback', 'shop'], 'tshelm plan', 'rollback'],
  [['search', 'repos', 'shop'], 'tshelm search', 'repo'],
  [['completion', 'bsh'], 'tshelm completion', 'bash'],
])('%j: did you mean', async (words, group, meant) => {
  const { code, stderr } = await tshelm(words);
  expect(stderr).toContain(`Error: unknown command "${words[1]}" for "${group}"\n\nDid you mean this?\n\t${meant}\n`);
  expect(code).toBe(1);
});

test.each([
  [['upgrade', 'shop', './shop', '--wait', 'ordered'], '--wait=ordered'],
  [['uninstall', '--wait', 'legacy', '--dry-run', 'server'], undefined],
  [['status', 'shop', '--wait', 'ordered'], undefined],
])('%j: a value of --wait stands behind =', async (words, meant) => {
  const { stderr } = await tshelm([...words, '--kube-apiserver', 'http://127.0.0.1:1']);
  if (meant === undefined) expect(stderr).not.toContain('Did you mean');
  else expect(stderr).toContain(`\n\nDid you mean ${meant}?\n\nUsage:  tshelm ${words[0]} `);
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Io } from '../../src/cli/terminal/io.ts';

/** What a chart, a repository or a user may write to draw over a terminal, or to be taken for a workflow command. */
const evil = 'a\u001b]0;PWNED\u0007\u001b[8mhidden\u009b2J\u202e\n::warning file=pwned::x\n ##[error]pwned';
/** As YAML and a template write it: neither takes the characters themselves. */
const escaped = (text: string): string =>
  JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const yaml = escaped(evil);

const folder = mkdtempSync(join(tmpdir(), 'tshelm-foreign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: readonly string[]): string => join(folder, ...names);

const files: Readonly<Record<string, string>> = {
  'chart/Chart.yaml': `apiVersion: v2\nname: chart\nversion: 1.0.0\nappVersion: ${yaml}\ndescription: ${yaml}\nicon: ${yaml}\nannotations: {helm.sh/layer: ${yaml}}\ndependencies: [{name: sub, version: 1.0.0, repository: ${yaml}, condition: ${yaml}}]\n`,
  'chart/charts/sub/Chart.yaml': `apiVersion: v2\nname: sub\nversion: 1.0.0\nannotations: {helm.sh/layer: ${yaml}}\n`,
  'chart/README.md': evil,
  // Values with C1 characters cannot be printed as YAML, as in Helm.
  'chart/values.yaml': `text: ${yaml.replace('\\u009b', '')}\n`,
  'chart/templates/NOTES.txt': `notes {{ ${yaml} }}`,
  'chart/templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {note: ${yaml}, helm.sh/weight: "1"}}\ndata: {text: ${yaml}}\n`,
  'chart/templates/hook.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hook, annotations: {helm.sh/hook: "pre-install,test", helm.sh/hook-weight: ${yaml}}}\n`,
  'chart/templates/pod.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {helm.sh/weight: "2"}}\nspec: {containers: [{name: c, image: ${yaml}}]}\n`,
  'fails/Chart.yaml': 'apiVersion: v2\nname: fails\nversion: 1.0.0\n',
  'fails/templates/a.yaml': `{{ fail ${yaml} }}`,
  'wrong/Chart.yaml': 'apiVersion: v2\nname: wrong\nversion: 1.0.0\n',
  'wrong/templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${yaml}, annotations: {helm.sh/weight: ${yaml}}}\n`,
  'broken/Chart.yaml': `apiVersion: v2\nname: ${yaml}\nversion: ${yaml}\n`,
  'config/repositories.yaml': `apiVersion: ""\ngenerated: "2024-01-01T00:00:00Z"\nrepositories: [{name: evil, url: ${escaped(`http://127.0.0.1:1/${evil}`)}}]\n`,
  'cache/repository/evil-index.yaml': `apiVersion: v1\nentries: {chart: [{name: chart, version: 1.0.0, apiVersion: v2, description: ${yaml}, appVersion: ${yaml}, urls: [a]}]}\n`,
  'stack/helmfile.yaml': `releases: [{name: one, namespace: default, chart: ../chart, labels: {a: ${yaml}}}]\n`,
  'data/plugins/evil/plugin.yaml': `name: evil\nversion: 1.0.0\nusage: ${yaml}\ndescription: ${yaml}\ncommand: "true"\n`,
};

interface Shown {
  readonly stdout: string;
  readonly stderr: string;
}

const home = { HOME: folder, HELM_CACHE_HOME: at('cache'), HELM_CONFIG_HOME: at('config'), HELM_DATA_HOME: at('data') };

async function run(words: readonly string[], where: 'terminal' | 'github'): Promise<Shown> {
  const text = { stdout: '', stderr: '' };
  const output = (name: keyof typeof text) => ({
    write: (piece: string) => {
      text[name] += piece;
    },
    isTerminal: where === 'terminal',
    columns: 200,
    rows: 50,
  });
  const env = where === 'github' ? { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_WORKSPACE: folder } : {};
  const io: Io = {
    env: { ...home, ...env },
    program: 'tshelm',
    cwd: folder,
    stdout: output('stdout'),
    stderr: output('stderr'),
    readStdin: async () => new Uint8Array(),
    async *stdin() {},
    now: () => new Date(),
  };
  await main(words, io);
  return text;
}

const sandbox = ['--sandbox-dir', at('sandbox')];
const named = (...words: readonly string[]): readonly string[] => [...words, ...sandbox];
const bad = `x${evil}`;

/** Every command that prints what others wrote, in an order in which each has something to print. */
const people: readonly (readonly string[])[] = [
  named('install', 'one', at('chart'), '--description', evil, '--wait=ordered', '--timeout', '20s'),
  named('install', 'two', at('chart'), '--dry-run=client'),
  named('install', 'three', at('fails')),
  named('install', 'four', at('wrong'), '--wait=ordered'),
  named('install', 'five', at('broken')),
  named('install', bad, at('chart')),
  named('upgrade', 'one', at('chart'), '--set', `extra=${evil}`, '--description', evil, '--debug'),
  named('diff', 'upgrade', 'one', at('chart'), '--set', 'text=b'),
  named('diff', 'upgrade', 'one', at('chart'), '--set', 'text=b', '--color=always'),
  named('diff', 'revision', 'one', '1', '2'),
  named('drift', 'one'),
  named('list'),
  named('history', 'one'),
  named('status', 'one'),
  named('status', bad),
  named('get', 'all', 'one'),
  named('get', 'notes', 'one'),
  named('get', 'metadata', 'one'),
  named('test', 'one', '--logs'),
  named('rollback', 'one', '1'),
  named('rollback', 'one', '9'),
  named('move', 'one', bad, '--to', 'two'),
  named('move', 'one', `ConfigMap/${evil}`, '--to', 'two'),
  named('rename', 'one', bad),
  named('rename', 'one', 'other', '--dry-run'),
  named('adopt', 'new', at('chart'), `ConfigMap/${evil}`),
  ['plan', at('chart')],
  ['plan', at('wrong')],
  ['rehearse', at('chart')],
  ['dag', at('chart')],
  ['lint', at('chart')],
  ['lint', at('wrong'), '--wait=ordered'],
  ['lint', at('broken')],
  ['images', at('chart')],
  ['unittest', at('chart'), at('broken')],
  ['dependency', 'list', at('chart')],
  ['dependency', 'build', at('chart')],
  ['search', 'repo', 'chart'],
  ['repo', 'list'],
  ['repo', 'update'],
  ['repo', 'remove', bad],
  ['pull', bad],
  ['show', 'all', bad],
  ['plugin', 'list'],
  ['plugin', 'uninstall', bad],
  ['verify', bad],
  ['package', at('broken')],
  ['env', bad],
  ['template', at('fails')],
  ['template', at('chart'), '--set', bad],
  [bad],
  ['list', `--${bad}`],
  ...['list', 'dag', 'status', 'lint', 'plan', 'diff', 'sync', 'drift', 'test', 'destroy'].map((verb) =>
    named('stack', verb, '--file', at('stack', 'helmfile.yaml')),
  ),
  named('uninstall', 'one'),
];

/** What a program gets: a pipe has it byte for byte, a terminal does not. */
const data: readonly (readonly string[])[] = [
  named('install', 'one', at('chart')),
  ['template', at('chart')],
  ['show', 'values', at('chart')],
  ['show', 'readme', at('chart')],
  named('get', 'manifest', 'one'),
  named('get', 'hooks', 'one'),
  named('get', 'values', 'one', '--all'),
  named('get', 'all', 'one', '--template', '{{ .Release.Manifest }}'),
  named('list', '-o', 'yaml'),
  named('status', 'one', '-o', 'yaml'),
  named('uninstall', 'one'),
];

/** Only our own colours and cursor movements. */
const ownSequences = /\u001b\[(?:\?25[lh]|\?2026[lh]|[012]?[KJ]|\d*[AG]|0|1|2|22|3[1-6]|39)m?|\u001b\[0;\d+m/g;
const isHostile = (text: string): boolean =>
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/.test(text.replace(ownSequences, ''));
/** Without what stands between `::stop-commands::TOKEN` and its end. */
const live = (text: string): string =>
  text.replaceAll(/^::stop-commands::(\w+)\n[\s\S]*?(?:^::\1::\n|$(?![\s\S]))/gm, '');
const commands = (text: string): readonly string[] =>
  live(text)
    .split('\n')
    .filter((line) => /^\s*::warning file=pwned/.test(line) || line.includes('##[') || isHostile(line));

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
});

const title = (words: readonly string[]): string => words.join(' ').replaceAll(evil, 'EVIL').replaceAll(folder, '');

describe('on a terminal nothing foreign is a control sequence', () => {
  test.each([...people, ...data].map((words) => ({ title: title(words), words })))('$title', async ({ words }) => {
    const { stdout, stderr } = await run(words, 'terminal');
    expect([stdout, stderr].filter(isHostile)).toEqual([]);
  });
});

describe('in a log of GitHub Actions nothing foreign is a command', () => {
  test.each(people.map((words) => ({ title: title(words), words })))('$title', async ({ words }) => {
    const { stdout, stderr } = await run(words, 'github');
    expect({ stdout: commands(stdout), stderr: commands(stderr) }).toEqual({ stdout: [], stderr: [] });
  });
});

test('a pipe gets data as it is', async () => {
  const { stdout } = await run(['show', 'readme', at('chart')], 'github');
  expect(stdout).toContain(evil);
});

/** What others wrote goes through the door; these modules write sequences or commands of our own around it. */
const writers = [
  'cli/output/check/output.ts',
  'cli/print-problems.ts',
  'cli/progress/plain.ts',
  'cli/progress/screen.ts',
  'cli/sources/download-progress.ts',
  'cli/terminal/io.ts',
  'cli/terminal/sanitized-output.ts',
];

test('only a few modules write past the door', () => {
  const source = join(import.meta.dirname, '../../src');
  const found = (readdirSync(source, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && name.startsWith('cli/'))
    .filter((name) => readFileSync(join(source, name), 'utf8').includes("'control'"));
  expect(found.sort()).toEqual(writers);
});

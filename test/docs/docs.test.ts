import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTestSandbox, tshelm } from '../cli/harness.ts';
import { writePlanKeys } from '../support/plan-keys.ts';
import { blocksOf, commandLines, deadLinks, mentionedFlags, pages, pipelineCommands } from './pages.ts';

/** Flags of other programs that the pages speak of. */
const foreignFlags = new Set([
  'bundle',
  'as-helm',
  'home',
  'charts',
  'exclude',
  'helm',
  'helm-unittest',
  'no-archive',
  'runtime-config',
  'stacks',
  'tag',
  'update',
]);

/** Flags of earlier Helms, which are taken and which `--help` does not list (test/cli/every-flag.test.ts). */
const hiddenFlags = [
  'atomic',
  'client',
  'colour',
  'fail-on-repo-update-fail',
  'force',
  'no-update',
  'recreate-pods',
  'show-desc',
  'validate',
];

/** Commands that know no cluster, and so no sandbox. */
const withoutCluster = new Set(['template', 'lint', 'show', 'dag', 'version', 'order']);

test.each(pages())('$name has no dead link', (page) => {
  expect(deadLinks(page)).toEqual([]);
});

describe('commands on the pages', () => {
  const withCommands = pages().filter((page) => commandLines(page).some(isOurs));

  // Pages side by side: most of their time is waited for pods.
  test.concurrent.for(withCommands)(
    '$name: each can be run, one after another',
    async (page, { expect, onTestFinished }) => {
      const sandbox = openTestSandbox();
      onTestFinished(() => sandbox.remove());
      for (const line of commandLines(page).filter(isOurs)) {
        const { code, stderr } = await run(wordsOf(line), sandbox);
        expect(`${line}: exit code ${code}\n${code === 0 ? '' : stderr}`).toBe(`${line}: exit code 0\n`);
      }
    },
  );

  const withPipelines = pages().filter((page) => pipelineCommands(page).length > 0);

  test.concurrent.for(withPipelines)(
    'pipelines of $name: each command can be run, one after another',
    async (page, { expect, onTestFinished }) => {
      const sandbox = openTestSandbox();
      onTestFinished(() => sandbox.remove());
      writePlanKeys(sandbox.directory);
      const inFolder = (word: string) =>
        /\.(?:xml|plan|key|pub)$/.test(word) ? join(sandbox.directory, basename(word)) : word;
      for (const line of pipelineCommands(page)) {
        const { code, stderr } = await run(wordsOf(line).map(inFolder), sandbox);
        expect(`${line}: exit code ${code}\n${code === 0 ? '' : stderr}`).toBe(`${line}: exit code 0\n`);
      }
    },
  );

  test('a block is of a language that some test looks at, and one without a language shows no command', () => {
    const known = ['', 'sh', 'sh no-run', 'yaml', 'groovy', 'json', 'mermaid', 'html', 'js', 'ts'];
    const languages = pages().flatMap(({ text }) =>
      [...text.matchAll(/^```([^\n]*)\n[\s\S]*?^```$/gm)].map(([, info]) => info as string),
    );
    expect([...new Set(languages)].filter((language) => !known.includes(language))).toEqual([]);
    const shown = pages().flatMap((page) =>
      blocksOf(page, '').flatMap((block) => block.match(/^(?:\$ )?tshelm .*/gm) ?? []),
    );
    expect(shown).toEqual([]);
  });

  test('a test that a page shows is one of the examples, which run', () => {
    const examples = ['shop', 'failing'].map((name) => readFileSync(`examples/vitest-chart/${name}.test.ts`, 'utf8'));
    const shown = pages().flatMap((page) => blocksOf(page, 'ts').filter((block) => block.includes("from 'vitest'")));
    expect(shown.filter((block) => !examples.includes(block))).toEqual([]);
    expect(shown).not.toEqual([]);
  });

  test('a block of shell holds commands of tshelm or npm and nothing else', () => {
    const others = pages().flatMap((page) =>
      commandLines(page).filter((line) => !isOurs(line) && !/^npm (?:ci|test|run)\b/.test(line)),
    );
    expect(others).toEqual([]);
  });
});

test('the reference of the library spells types out, and has no words for those who work on tshelm', () => {
  const api = readFileSync('docs/api.md', 'utf8');
  expect(api.match(/.*(?:typeof |\bseed \d|objectKey|step-title|`cli\/`|(?<!as of `)--[a-z]).*/g) ?? []).toEqual([]);
  expect(api).toContain("| 'pending-install'");
  expect(api).toContain("| 'pre-upgrade'");
});

test('each flag that a page mentions is one of some command', async () => {
  const known = await knownFlags();
  const unknown = pages().flatMap((page) =>
    mentionedFlags(page)
      .filter(({ flag }) => !known.has(flag) && !foreignFlags.has(flag))
      .map(({ flag, code }) => `${page.name}: --${flag} in \`${code}\``),
  );
  expect(unknown).toEqual([]);
});

const ours = /(?:^|&& )(?:bin\/)?tshelm (.*)$/;
const isOurs = (line: string): boolean => ours.test(line);

const wordsOf = (line: string): readonly string[] =>
  [...(ours.exec(line)?.[1] ?? '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );

/** In the page's own sandbox and folder; `./shop` is the example chart, unless the page has made one of that name. */
async function run(words: readonly string[], sandbox: ReturnType<typeof openTestSandbox>) {
  const inFolder = (word: string): string => join(sandbox.directory, word);
  const own = words
    .filter((word) => word !== '--sandbox')
    .map((word) => (/^(?:\.\/|order\.yaml$)/.test(word) && existsSync(inFolder(word)) ? inFolder(word) : word))
    .map((word) => word.replace(/^\.\/shop$/, 'fixtures/charts/shop'));
  const [command = '', name = ''] = own;
  if (command === 'create') return tshelm(['create', inFolder(name), ...own.slice(2)]);
  const redirection = own.indexOf('>');
  const asked = redirection < 0 ? own : own.slice(0, redirection);
  const result = withoutCluster.has(command) ? await tshelm(asked) : await sandbox.run(...asked);
  if (redirection >= 0) writeFileSync(inFolder(own[redirection + 1] ?? ''), result.stdout);
  return result;
}

/** What `--help` lists, of every command and subcommand. */
async function knownFlags(): Promise<ReadonlySet<string>> {
  const flags = new Set<string>(hiddenFlags);
  const visit = async (path: readonly string[]): Promise<void> => {
    const { stdout } = await tshelm([...path, '--help']);
    addFlags(stdout);
    for (const match of stdout.matchAll(/^ {2}([a-z][a-z-]*)(?: {2}|$)/gm)) await visit([...path, match[1] as string]);
  };
  const addFlags = (help: string): void => {
    for (const match of help.matchAll(/^[+ ] {1,5}(?:-\w, )?--([a-z][a-z0-9-]*)/gm)) flags.add(match[1] as string);
  };
  await visit([]);
  addFlags((await tshelm(['options'])).stdout);
  return flags;
}

import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'vitest';
import { openTestSandbox, tshelm } from '../cli/harness.ts';
import { commandLines, isOurs, ours, pages, pipelineCommands } from '../docs/pages.ts';
import { writePlanKeys } from '../support/plan-keys.ts';

// What the pages tell people and pipelines to run, in the sandbox.

/** Commands that know no cluster, and so no sandbox. */
const withoutCluster = new Set(['template', 'lint', 'show', 'dag', 'version', 'order']);

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

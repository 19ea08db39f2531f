import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStackFolder, releaseText } from '../stack/stack-folder.ts';
import { writePlanKeys } from '../support/plan-keys.ts';
import { blocksOf, pages } from './pages.ts';

/** The commands of docs/stack.md, without comments and redirections: they need a stack, so the other test leaves them out. */
const commands = pages()
  .filter(({ name }) => name === 'docs/stack.md')
  .flatMap((page) => blocksOf(page, 'sh no-run'))
  .flatMap((block) => block.match(/^tshelm [^#>\n]*/gm) ?? [])
  .map((line) => line.trim().split(/\s+/).slice(1));

test('each command of the page about stacks can be run, one after another', async () => {
  const folder = openStackFolder();
  onTestFinished(() => folder.remove());
  writePlanKeys(folder.path);
  const front = '    labels: {tier: front}\n';
  const releases = `releases:\n${releaseText('web', front)}${releaseText('api', '    needs: [web]\n')}`;
  folder.write('helmfile.yaml', `environments:\n  production: {}\n---\n${releases}`);
  expect(commands.length).toBeGreaterThan(10);
  for (const words of commands) {
    const [first = '', verb = '', ...rest] = words.map((word) =>
      /\.(?:plan|key|pub)$/.test(word) ? join(folder.path, word) : word,
    );
    const { code, stderr } = await (first === 'stack'
      ? folder.stack(verb, ...rest)
      : folder.tshelm(first, verb, ...rest));
    expect(`${words.join(' ')}: exit code ${code}\n${code === 0 ? '' : stderr}`).toBe(
      `${words.join(' ')}: exit code 0\n`,
    );
  }
});

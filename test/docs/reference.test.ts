import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referencePage } from '../../scripts/site/reference.mjs';
import { tshelm } from '../cli/harness.ts';

const helpOf = async (...words: string[]): Promise<string> => (await tshelm([...words, '--help'])).stdout;
const pages = ['tshelm get', 'tshelm get all', 'tshelm options', 'tshelm upgrade'];

test('a page has a title, every option of the help in a row of a table, and examples', async () => {
  const help = await helpOf('upgrade');
  const page = referencePage('tshelm upgrade', help, pages);
  const flags = [...help.matchAll(/^[+ ] {1,5}(?:-\w, )?--([\w-]+)/gm)].map(([, flag]) => flag);
  const rows = [...page.matchAll(/^\| `(?:-\w, )?--([\w-]+)(?:\[\S+\])?(?: \S+)?`(?: \+)? \| (\S.*) \|$/gm)].map(
    ([, flag]) => flag,
  );
  expect(flags.length).toBeGreaterThan(40);
  expect(rows).toEqual(flags);
  expect(page).toMatch(/^# tshelm upgrade\n\nUpgrades a release /);
  expect(page).toContain('\n## Order and waiting\n| option | what it does |\n|---|---|\n');
  expect(page).toContain('\n## Examples\n```sh\ntshelm upgrade shop ./shop ');
  expect(page).toContain('(-n, --sandbox …): [tshelm options](tshelm_options.md)\n\nMore: [use](../use.md)');
});

test('commands are links to their pages, and descriptions are whole', async () => {
  const page = referencePage('tshelm get', await helpOf('get'), pages);
  expect(page).toContain('| [all](tshelm_get_all.md) | download all information for a named release |');
  const program = referencePage('tshelm', await helpOf(), pages);
  expect(program).toContain('| `apply` | apply a plan saved with tshelm plan --out |');
  expect(program).toContain('| `drift` | show where the cluster no longer matches a release, and who changed it |');
});

test('Markdown and Vue read a description as text', () => {
  const page = referencePage(
    'tshelm x',
    'About\n\nUsage: tshelm x\n\nOptions:\n      --a a|b  {{ .A }} <b> *c*\n               and d',
    [],
  );
  expect(page).toContain('| `--a a\\|b` | &#123;&#123; .A }} &lt;b> \\*c\\* and d |');
});

test('docs/use.md names every command', async () => {
  const use = readFileSync('docs/use.md', 'utf8');
  const commands = [...(await helpOf()).matchAll(/^ {2}([a-z][a-z-]*)(?: {2}|$)/gm)].map(([, name]) => `${name}`);
  expect(commands.length).toBeGreaterThan(40);
  const named = new Set((use.match(/`[^`\n]+`/g) ?? []).flatMap((code) => code.match(/[a-z][a-z-]*/g) ?? []));
  expect(commands.filter((name) => !named.has(name))).toEqual([]);
});

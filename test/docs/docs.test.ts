import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tshelm } from '../cli/harness.ts';
import { blocksOf, commandLines, deadLinks, isOurs, mentionedFlags, pages } from './pages.ts';

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

test.each(pages())('$name has no dead link', (page) => {
  expect(deadLinks(page)).toEqual([]);
});

describe('commands on the pages', () => {
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

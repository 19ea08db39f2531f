import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-docs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const env = { SOURCE_DATE_EPOCH: '242085845' };
const docs = (...words: string[]) => tshelm(['docs', '--dir', folder, ...words], { env });
const page = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('a page of Markdown for each command, without those that are hidden', async () => {
  expect(await docs()).toEqual({ code: 0, stdout: '', stderr: '' });
  const files = readdirSync(folder);
  expect(files).toEqual(expect.arrayContaining(['tshelm.md', 'tshelm_get_all.md', 'tshelm_plugin_verify.md']));
  expect(files).not.toContain('tshelm_docs.md');
  // As Helm's page has it, its synopsis left out.
  expect(page('tshelm_repo_remove.md')).toMatch(
    /^## tshelm repo remove\n\nremove one or more chart repositories\n\n```\ntshelm repo remove .*\[flags\]\n```\n\n### Options\n\n```\n {2}-h, --help {3}help for remove\n```\n\n### Options inherited from parent commands\n/,
  );
  expect(page('tshelm_repo_remove.md')).toContain(
    '* [tshelm repo](tshelm_repo.md)\t - add, list, remove, update, and index chart repositories\n',
  );
  expect(page('tshelm_install.md')).toContain('      --dry-run string[="unset"] ');
  expect(page('tshelm_install.md')).toContain('2-Sep-1977');
});

test('--generate-headers puts a title before each page', async () => {
  await docs('--generate-headers', '--type', 'md');
  expect(page('tshelm_get_all.md')).toMatch(/^---\ntitle: "Tshelm Get All"\n---\n\n## tshelm get all\n/);
});

test('man pages, and the script for bash', async () => {
  await docs('--type', 'man');
  const text = page('tshelm-get-all.1');
  expect(text).toContain('.TH "TSHELM" "1" "Sep 1977"');
  expect(text).toContain('.SH SYNOPSIS\n\\fBtshelm get all RELEASE_NAME [flags]\\fP');
  expect(text).toContain('\\fB\\-\\-revision\\fP');
  await docs('--type', 'bash');
  expect(page('completions.bash')).toContain('complete -o default -F ');
});

test.each([
  [['--type', 'pdf'], `Error: unknown doc type "pdf". Try 'markdown' or 'man'\n`],
  [['--dir', '/nowhere'], 'Error: open /nowhere/'],
])('%j', async (words, message) => {
  const { code, stderr } = await docs(...words);
  expect([code, stderr.startsWith(message)]).toEqual([1, true]);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headingId } from '../../src/cli/manual/heading-id.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A page of the documentation, named from the repository's root. */
export interface Page {
  readonly name: string;
  readonly text: string;
}

/** Every page that people read: those at the top, and docs/ with its folders. */
export function pages(): readonly Page[] {
  const top = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  const inside = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return [...top, ...inside.sort()].map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

/** The links of a page that lead nowhere: to no file, or to no heading of it. */
export function deadLinks(page: Page): readonly string[] {
  const prose = page.text.replace(/^```[\s\S]*?^```$/gm, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string);
  return targets.filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(target, page));
}

function leadsSomewhere(target: string, page: Page): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(root, page.name) : join(root, dirname(page.name), path);
  if (!existsSync(file) || relative(root, file).startsWith('..')) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map((match) => headingId(match[1] as string));

/** The lines of a page's ```sh blocks, in order; blocks marked `no-run` need what a test has not. */
export function commandLines(page: Page): readonly string[] {
  return [...page.text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap((match) =>
    (match[1] as string)
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

/**
 * The command lines of tshelm in the pipelines of a page (```yaml and ```groovy blocks), in order, without redirections.
 * The rest of a Jenkinsfile is checked in test/e2e/pages/jenkinsfile.test.ts.
 */
export function pipelineCommands(page: Page): readonly string[] {
  const blocks = [...page.text.matchAll(/^```(?:yaml|groovy)\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
  const calls = /^\s*(?:- (?:run: )?|run: |sh ')(tshelm [^'>\n]*)/gm;
  return blocks.flatMap((block) => [...block.matchAll(calls)].map((match) => (match[1] as string).trim()));
}

/** What stands in a page's blocks of one language; '' for blocks without one. */
export const blocksOf = (page: Page, language: string): readonly string[] =>
  [...page.text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
    .filter(([, info]) => info === language)
    .map(([, , text]) => text as string);

/** Every flag that a page mentions in code, with the code in which it stands: inline, and in blocks that no test runs. */
export function mentionedFlags(page: Page): readonly { readonly flag: string; readonly code: string }[] {
  const inline = [...page.text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] as string);
  const notRun = blocksOf(page, 'sh no-run').flatMap((block) => block.match(/\btshelm [^|#\n]*/g) ?? []);
  return [...inline, ...notRun].flatMap((code) =>
    [...code.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map((match) => ({ flag: match[1] as string, code })),
  );
}

/** Of a line of shell, what follows `tshelm`. */
export const ours = /(?:^|&& )(?:bin\/)?tshelm (.*)$/;
export const isOurs = (line: string): boolean => ours.test(line);

import type { Command } from 'commander';
import { TshelmError } from '../../support/errors.ts';
import { nearest } from '../../support/near.ts';
import type { CommandTree } from '../command-tree.ts';
import type { CliContext } from '../context.ts';
import { takeFlagsAsWords } from '../flags/argv.ts';
import { flagCommand } from '../flags/flag-command.ts';
import type { Section } from '../manual/sections.ts';
import type { GlobalFlags } from '../settings.ts';
import { wrapped } from '../terminal/fit.ts';
import type { Output } from '../terminal/io.ts';
import { paintFor } from '../terminal/paint.ts';

const mostListed = 20;

/**
 * `explain`: the pages; `explain PAGE|PAGE#SECTION|CODE|--OPTION`: that text; `explain WORD…`: where the words stand. `tree`
 * has the commands whose options are explained.
 */
export const command = (context: CliContext, tree: CommandTree): Command =>
  takeFlagsAsWords(
    flagCommand('explain', {}, { usage: '[CODE | PAGE[#SECTION] | --OPTION | WORD...]', words: {} }, (words, flags) =>
      runExplain({ words, flags, tree }, context),
    ),
  ).description('explain a code or an option, or show a page of the documentation');

interface ExplainRequest {
  readonly words: readonly string[];
  readonly flags: GlobalFlags;
  readonly tree: CommandTree;
}

async function runExplain({ words, flags, tree }: ExplainRequest, context: CliContext): Promise<void> {
  const { io } = context;
  const { manualPages } = await import('../manual/pages.ts');
  const { lookUp, meantName } = await import('../manual/lookup.ts');
  const { sectionsOf } = await import('../manual/sections.ts');
  const pages = manualPages();
  if (words.length === 0) {
    io.stdout.write(
      listed(
        [...pages].flatMap(([page, text]) => sectionsOf(page, text).slice(0, 1)),
        io.stdout,
      ),
    );
    return;
  }
  const [word = ''] = words;
  if (words.length === 1 && word.startsWith('--')) return explainOption(word, { words, flags, tree }, context);
  const { sections, isExact } = lookUp(words, pages);
  if (sections.length === 0) throw nothingFound(words, meantName(words.join(' '), pages));
  if (isExact) await writeMarkdown(wholeText(sections), flags, context);
  else io.stdout.write(listed(sections.slice(0, mostListed), io.stdout));
  if (!isExact && sections.length > mostListed)
    io.stderr.write(
      `${sections.length - mostListed} more sections have these words; add a word to find fewer\n`,
      'folded',
    );
}

/** A code may be that of a problem and of an error: each part is then named. */
function wholeText(sections: readonly Section[]): string {
  const [first, another] = sections;
  if (another === undefined) return first?.text ?? '';
  const names = sections.map(({ page, id }) => `${page}#${id}`);
  return [`${names.join(' and ')} have this code.\n`, ...sections.map(({ text }) => text)].join('\n');
}

/** So many sections that mention an option are named. */
const mostMentioned = 6;

/** What help says of the option, and the sections that say more. Errors: `no-results`. */
async function explainOption(word: string, { flags, tree }: ExplainRequest, context: CliContext): Promise<void> {
  const { optionPage } = await import('../manual/option.ts');
  const { manualPages } = await import('../manual/pages.ts');
  const { sectionsWith } = await import('../manual/lookup.ts');
  const name = word.slice(2);
  const { markdown, names } = await optionPage(name, tree);
  if (markdown === '') {
    const meant = nearest(name, names);
    throw nothingFound([word], meant === undefined ? undefined : `--${meant}`);
  }
  const more = sectionsWith([word], manualPages()).slice(0, mostMentioned);
  await writeMarkdown(markdown, flags, context);
  if (more.length > 0)
    context.io.stdout.write(`\nMore about it, with tshelm explain:\n\n${listed(more, context.io.stdout)}`);
}

/** Pipes get the Markdown. */
async function writeMarkdown(markdown: string, flags: GlobalFlags, { io, settings }: CliContext): Promise<void> {
  if (!io.stdout.isTerminal) return io.stdout.write(markdown);
  const { terminalText } = await import('../manual/terminal-text.ts');
  io.stdout.write(terminalText(markdown, io, await paintFor(settings(flags), io.stdout)), 'painted');
}

/** So many columns a title has at least beside its name. */
const leastTitle = 24;

/**
 * What `explain` takes, and the title; on a narrow terminal the title is below. A name stays whole, to be pasted: what is
 * wider than the terminal the terminal breaks.
 */
function listed(sections: readonly Section[], { isTerminal, columns }: Output): string {
  const rows = sections.map(
    ({ page, id, title }) => [id === '' ? page : `${page}#${id}`, title.replaceAll('`', '')] as const,
  );
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const room = isTerminal && columns ? columns - 1 : Number.POSITIVE_INFINITY;
  const isBelow = room - width < Math.min(leastTitle, Math.max(...rows.map(([, title]) => title.length)));
  const indent = ' '.repeat(isBelow ? 2 : width);
  const text = rows.map(([name, title]) => {
    const lines = wrapped(title, room - indent.length).join(`\n${indent}`);
    return isBelow ? `${name}\n${indent}${lines}\n` : `${name.padEnd(width)}${lines}\n`;
  });
  return text.join('');
}

function nothingFound(words: readonly string[], meant: string | undefined): TshelmError {
  const hint = meant === undefined ? 'run it without words to list the pages' : `did you mean ${meant}?`;
  return new TshelmError('no-results', { message: `nothing explains ${JSON.stringify(words.join(' '))}; ${hint}` });
}

import type { Command } from 'commander';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import { flagCommand } from '../flags/flag-command.ts';
import type { Section } from '../manual/sections.ts';
import type { GlobalFlags } from '../settings.ts';
import { paintFor } from '../terminal/paint.ts';

const mostListed = 20;

/** `explain`: the pages; `explain PAGE|PAGE#SECTION|CODE`: that text; `explain WORD…`: where the words stand. */
export const command = (context: CliContext): Command =>
  flagCommand('explain', {}, { usage: '[CODE | PAGE[#SECTION] | WORD...]', words: {} }, (words, flags) =>
    runExplain(words, flags, context),
  ).description('explain a code in brackets, or show a page of the documentation');

async function runExplain(words: readonly string[], flags: GlobalFlags, context: CliContext): Promise<void> {
  const { io } = context;
  const { manualPages } = await import('../manual/pages.ts');
  const { lookUp, meantName } = await import('../manual/lookup.ts');
  const { sectionsOf } = await import('../manual/sections.ts');
  const pages = manualPages();
  if (words.length === 0) {
    io.stdout.write(listed([...pages].flatMap(([page, text]) => sectionsOf(page, text).slice(0, 1))));
    return;
  }
  const { sections, isExact } = lookUp(words, pages);
  if (sections.length === 0) throw nothingFound(words, meantName(words.join(' '), pages));
  if (isExact) await writeSections(sections, flags, context);
  else io.stdout.write(listed(sections.slice(0, mostListed)));
  if (!isExact && sections.length > mostListed)
    io.stderr.write(`${sections.length - mostListed} more sections have these words; add a word to find fewer\n`);
}

/** Pipes get the Markdown. */
async function writeSections(
  sections: readonly Section[],
  flags: GlobalFlags,
  { io, settings }: CliContext,
): Promise<void> {
  const markdown = sections.map(({ text }) => text).join('\n');
  if (!io.stdout.isTerminal) return io.stdout.write(markdown);
  const { terminalText } = await import('../manual/terminal-text.ts');
  io.stdout.write(terminalText(markdown, io, await paintFor(settings(flags), io.stdout)), 'painted');
}

/** What `explain` takes, and the title. */
function listed(sections: readonly Section[]): string {
  const rows = sections.map(({ page, id, title }) => [id === '' ? page : `${page}#${id}`, title] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, title]) => `${name.padEnd(width)}  ${title.replaceAll('`', '')}\n`).join('');
}

function nothingFound(words: readonly string[], meant: string | undefined): TshelmError {
  const hint = meant === undefined ? 'run it without words to list the pages' : `did you mean ${meant}?`;
  return new TshelmError('no-results', { message: `nothing explains ${JSON.stringify(words.join(' '))}; ${hint}` });
}

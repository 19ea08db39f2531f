import { headingId } from './heading-id.ts';

/** A heading of a page and what is below it, deeper headings included. */
export interface Section {
  readonly page: string;
  /** As links name it; '' for the heading of the page. */
  readonly id: string;
  readonly title: string;
  /** Markdown, from the heading on. */
  readonly text: string;
  /** What is below this heading and above the next, whatever that is. */
  readonly own: string;
}

/** The sections of a page in their order; the first is the page itself. */
export function sectionsOf(page: string, markdown: string): readonly Section[] {
  const lines = markdown.split('\n');
  const headings = headingsIn(lines);
  return headings.map(({ at, level, title }, index) => {
    const next = headings[index + 1]?.at;
    const end = headings.slice(index + 1).find((other) => other.level <= level)?.at;
    const text = `${lines.slice(at, end).join('\n').trimEnd()}\n`;
    return { page, id: level === 1 ? '' : headingId(title), title, text, own: lines.slice(at, next).join('\n') };
  });
}

interface Heading {
  readonly at: number;
  readonly level: number;
  readonly title: string;
}

/** A line of an example may begin with `#` too. */
function headingsIn(lines: readonly string[]): readonly Heading[] {
  const found: Heading[] = [];
  let inExample = false;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('```')) inExample = !inExample;
    const heading = inExample ? null : /^(#{1,6}) (.*)$/.exec(line);
    if (heading !== null) found.push({ at, level: heading[1]?.length ?? 1, title: heading[2] ?? '' });
  }
  return found;
}

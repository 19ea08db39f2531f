import { groupUsage } from '../flags/flag-command.ts';
import { termOfFlag } from '../flags/flag-option.ts';
import type { Page, PageFlag, PageLink } from './pages.ts';

/** A page as cobra writes it in Markdown. Go: doc.GenMarkdownCustom. */
export function markdownPage(page: Page, day: string): string {
  return [
    `## ${page.name}\n`,
    `${page.summary}\n`,
    // What has commands of its own is not run itself.
    ...(page.usage.endsWith(groupUsage) ? [] : [`\`\`\`\n${page.usage}\n\`\`\`\n`]),
    `### Options\n\n\`\`\`\n${flagLines(page.flags)}\`\`\`\n`,
    ...(page.inherited.length === 0
      ? []
      : [`### Options inherited from parent commands\n\n\`\`\`\n${flagLines(page.inherited)}\`\`\`\n`]),
    `### SEE ALSO\n\n${[...(page.parent === undefined ? [] : [page.parent]), ...page.children].map(linkLine).join('')}`,
    `###### Auto generated on ${day}\n`,
  ].join('\n');
}

/** What comes before a page that goes into a site. Go: docsOptions.run. */
export const markdownHeader = (name: string): string =>
  `---\ntitle: ${JSON.stringify(name.replace(/(^| )([a-z])/g, (_all, space: string, letter: string) => `${space}${letter.toUpperCase()}`))}\n---\n\n`;

const linkLine = ({ name, summary }: PageLink): string =>
  `* [${name}](${name.replaceAll(' ', '_')}.md)\t - ${summary}\n`;

/** The flags in columns. Go: pflag's FlagUsages. */
function flagLines(flags: readonly PageFlag[]): string {
  const terms = flags.map(termOf);
  const width = Math.max(...terms.map((term) => term.length)) + 3;
  return flags.map((flag, at) => `${(terms[at] as string).padEnd(width)}${descriptionOf(flag)}\n`).join('');
}

const termOf = ({ name, short, placeholder }: PageFlag): string =>
  `  ${short === undefined ? '    ' : `-${short}, `}${termOfFlag(`--${name}`, placeholder)}`;

function descriptionOf({ description, defaultText, placeholder }: PageFlag): string {
  if (/\(default [^)]+\)$/.test(description) || isZero(defaultText)) return description;
  return `${description} (default ${/^string(\[|$)/.test(placeholder) ? JSON.stringify(defaultText) : defaultText})`;
}

const isZero = (text: string): boolean => text === '' || text === '0' || text === 'false';

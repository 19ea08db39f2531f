import type { Page, PageFlag } from './pages.ts';

/** A page for `man`. Go: doc.GenMan. */
export function manPage(page: Page, { month, title }: { readonly month: string; readonly title: string }): string {
  const links = [page.parent, ...page.children].filter((link) => link !== undefined);
  return [
    '.nh',
    `.TH "${title}" "1" "${month}" "" ""`,
    section('NAME', `${escaped(dashed(page.name))} \\- ${escaped(page.summary)}`),
    section('SYNOPSIS', bold(page.usage)),
    section('DESCRIPTION', escaped(page.summary)),
    section('OPTIONS', page.flags.map(flagText).join('\n')),
    ...(page.inherited.length === 0
      ? []
      : [section('OPTIONS INHERITED FROM PARENT COMMANDS', page.inherited.map(flagText).join('\n'))]),
    ...(links.length === 0
      ? []
      : [section('SEE ALSO', links.map(({ name }) => bold(`${dashed(name)}(1)`)).join(', '))]),
    '',
  ].join('\n');
}

export const dashed = (name: string): string => name.replaceAll(' ', '-');

const section = (title: string, text: string): string => `\n.SH ${title}\n${text}`;

function flagText({ name, short, type, alone, defaultText, description }: PageFlag): string {
  const names = [...(short === undefined ? [] : [bold(`-${short}`)]), bold(`--${name}`)].join(', ');
  const shown = type === 'bool' ? defaultText || 'false' : defaultText;
  const value = `=${type === 'string' ? JSON.stringify(shown) : shown}`;
  return `.PP\n${names}${escaped(alone === undefined ? value : `[${value}]`)}\n\t${escaped(description)}\n`;
}

const bold = (text: string): string => `\\fB${escaped(text)}\\fP`;

/** What roff would read as its own: the backslash, a dash, and a dot or quote that begins a line. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

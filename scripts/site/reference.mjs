// A page of the reference, made of what `tshelm COMMAND --help` prints: headings, tables of options, links.

/** `help` is the whole text, `name` the command with its program: `tshelm get all`; `pages` are the names of all pages. */
export function referencePage(name, help, pages) {
  const [about = '', ...rest] = help.trim().split('\n\n');
  const parts = rest.flatMap((part) => partOf(part, name, pages));
  const parent = name.split(' ').slice(0, -1).join(' ');
  const above = pages.includes(parent) ? [`Part of [${parent}](${fileOf(parent)}).`] : ['[All commands](index.md)'];
  return `${[`# ${name}`, markdown(about.replaceAll('\n', ' ')), ...parts, ...above].join('\n\n')}\n`;
}

const fileOf = (name) => `${name.replaceAll(' ', '_')}.md`;

function partOf(part, name, pages) {
  const [first, ...lines] = part.split('\n');
  const usage = /^Usage: (.*)$/.exec(first)?.[1];
  if (usage !== undefined) return [`\`\`\`\n${[usage, ...lines.map((line) => line.trim())].join(' ')}\n\`\`\``];
  const heading = /^(\S.*):$/.exec(first)?.[1];
  if (heading === undefined) return closingOf([first, ...lines].join('\n'), pages);
  if (heading === 'Examples')
    return [`## Examples\n\`\`\`sh\n${lines.map((line) => line.slice(2)).join('\n')}\n\`\`\``];
  const items = itemsOf(lines);
  const terms = items.map(({ term }) => termOf(term, name, pages));
  const rows = items.map(({ text }, at) => `| ${terms[at]} | ${markdown(text)} |`);
  const kind = heading === 'Environment' ? 'variable' : items[0]?.term.includes('--') ? 'option' : 'command';
  return [`## ${heading}\n| ${kind} | what it does |\n|---|---|\n${rows.join('\n')}`];
}

/** An option begins two to six columns from the left, a command two, and a line that goes on with a description further right. */
function itemsOf(lines) {
  const items = [];
  for (const line of lines) {
    const [, mark, option, text = ''] = optionLine.exec(line) ?? [];
    const [, command, summary = ''] = commandLine.exec(line) ?? [];
    if (option !== undefined) items.push({ term: `${mark} ${option}`.trim(), text });
    else if (command !== undefined) items.push({ term: command, text: summary });
    else items.at(-1).text = `${items.at(-1).text} ${line.trim()}`.trim();
  }
  return items;
}

const optionLine = /^([+ ]) +((?:-\w, )?--\S+(?: \S+)?)(?: {2,}(\S.*))?$/;
const commandLine = /^ {2}([\w-]+)(?: {2,}(\S.*))?$/;

/** `+ -i, --install` with its mark behind it, or a link to the page of a command. */
function termOf(term, name, pages) {
  const command = `${name} ${term}`;
  if (pages.includes(command)) return `[${term}](${fileOf(command)})`;
  // In a table, | ends a cell even in code.
  const code = `\`${term.replace(/^\+ /, '').replaceAll('|', '\\|')}\``;
  return term.startsWith('+') ? `${code} +` : code;
}

/** What the help ends with, each sentence on a line of its own; a page of docs/ becomes a link. */
function closingOf(text, pages) {
  const sentences = text.replaceAll(/\n(?!\+|Help for|Options and|More:)/g, ' ').split('\n');
  return sentences.map((sentence) =>
    markdown(sentence)
      .replace(
        /^More: tshelm explain ([\w-]+)(\S*)$/,
        (_all, page, section) => `More: [${page}](../${page}.md${section})`,
      )
      .replace(/tshelm options$/, (all) => (pages.includes(all) ? `[${all}](${fileOf(all)})` : all)),
  );
}

/** Text that says the same in Markdown, and to Vue. */
const markdown = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll(/[|*_\\`[\]]/g, '\\$&')
    .replace(/^\+/, '\\+');

const names = '(?:message|reason|hint|verdict|problem|said|sentence)';
const made =
  '(?:messageOf|factText|remedyText|quoted|textOf|problemText|causesText|plainWords)\\([^()]*(?:\\([^()]*\\))?[^()]*\\)';
const readBy = '(?:match|matchAll|replace|replaceAll|startsWith|endsWith|includes|split|search|indexOf|lastIndexOf)';

const isRead = new RegExp(
  [
    // `/x/.test(message)`, `pattern.exec(error.message)`
    `\\.(?:test|exec)\\(\\s*(?:(?:[\\w.?]+\\.)?${names}\\b(?!\\()|${made})`,
    // `message.startsWith('x')`, `factText(cause).includes('x')`
    `(?:\\b${names}|${made})\\s*\\??\\s*\\.${readBy}\\(`,
  ].join('|'),
  'g',
);

/** The places of a source text that read a message, a reason or a hint by a pattern or a comparison. */
export const patternsOnWords = (source: string): readonly string[] =>
  [...source.replace(/\/\*\*.*?\*\/|\/\/[^\n]*/gs, '').matchAll(isRead)].map(([found]) => found);

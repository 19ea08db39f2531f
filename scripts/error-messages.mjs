// What failures print: the messages that the sources give each code, for docs/errors.md (scripts/error-codes.mjs).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const mostShown = 3;

/** The first lines of the messages of each code, `…` for what is filled in, those of most words first. */
export function messagesByCode(source) {
  const found = new Map();
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || name.startsWith('kinds')) continue;
    const text = readFileSync(join(source, name), 'utf8');
    for (const { code, message } of messagesIn(text)) found.set(code, [...(found.get(code) ?? []), message]);
  }
  return new Map([...found].map(([code, messages]) => [code, shown(messages)]));
}

const shown = (messages) =>
  [...new Set(messages)]
    .filter((message) => wordsIn(message) > 1)
    .sort((a, b) => wordsIn(b) - wordsIn(a))
    .slice(0, mostShown);

const wordsIn = (message) => (message.match(/[A-Za-z]{2,}/g) ?? []).length;

/** `'code', { message: '…'` */
function messagesIn(text) {
  return [...text.matchAll(/'([a-z]+(?:-[a-z]+)*)',\s*\{\s*(?:cause,\s*)?message:\s*(?=[`'"])/g)].map((match) => ({
    code: match[1],
    message: literalAt(text, match.index + match[0].length)
      .split('\n')[0]
      .trim(),
  }));
}

/** The text of the literal that begins here; a template's expressions become `…`. */
function literalAt(text, start) {
  const quote = text[start];
  let written = '';
  for (let at = start + 1; text[at] !== quote; at++) {
    if (text[at] === '\\') written += text[++at] === 'n' ? '\n' : text[at];
    else if (quote === '`' && text.startsWith('${', at)) {
      at = endOfExpression(text, at + 2);
      written += '…';
    } else written += text[at];
  }
  return written;
}

/** Where the brace stands that closes the expression of a template. */
function endOfExpression(text, start) {
  let depth = 1;
  for (let at = start; ; at++) {
    if (text[at] === '`' || text[at] === "'") at = endOfLiteral(text, at);
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
}

function endOfLiteral(text, start) {
  let at = start + 1;
  for (; text[at] !== text[start]; at++) {
    if (text[at] === '\\') at++;
    else if (text[start] === '`' && text.startsWith('${', at)) at = endOfExpression(text, at + 2);
  }
  return at;
}

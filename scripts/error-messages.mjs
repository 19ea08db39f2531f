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

/** `'code', { message: '…'`; or `{ message }`, where the message is a constant shortly before, or what the function is given. */
function messagesIn(text) {
  return [...text.matchAll(/'([a-z]+(?:-[a-z]+)*)',\s*\{\s*(?:cause,\s*)?message(?::\s*(?=[`'"])|(?=[,\s]))/g)].flatMap(
    ({ 0: whole, 1: code, index }) => {
      const after = index + whole.length;
      const places = whole.endsWith('message') ? placesOfMessage(text, index) : [after];
      return places.map((at) => ({ code, message: literalAt(text, at).split('\n')[0].trim() }));
    },
  );
}

const nearChars = 600;

/** Where the literals of a message begin that has its name alone at this place. */
function placesOfMessage(text, index) {
  const before = text.slice(Math.max(0, index - nearChars), index);
  const constant = [...before.matchAll(/const message =\s*(?=[`'"])/g)].at(-1);
  if (constant !== undefined) return [index - before.length + constant.index + constant[0].length];
  const [, name] = [...before.matchAll(/^(?:export )?(?:const|function) (\w+)/gm)].at(-1) ?? [];
  if (name === undefined) return [];
  return [...text.matchAll(new RegExp(`\\b${name}\\(\\s*(?=[\`'"])`, 'g'))].map((call) => call.index + call[0].length);
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

import { GoError } from '../../go/value.ts';

const string = /"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const word = /true|false|null/y;
const brokenNumber = /[.eE]/y;

/**
 * Where the JSON value that a text begins with ends, as Go's json.Decoder finds it: what follows is not looked at.
 * What is inside the brackets of a list or an object is only checked for balance. Throws GoError.
 */
export function jsonValueEnd(text: string): number {
  const start = text.length - text.trimStart().length;
  const first = text[start];
  if (first === '{' || first === '[') return bracketEnd(text, start);
  if (first === '"') return matchEnd(string, text, start);
  if (first !== '-' && (first === undefined || first < '0' || first > '9')) return matchEnd(word, text, start);
  const end = matchEnd(number, text, start);
  if (matches(brokenNumber, text, end)) throw notJson(text);
  return end;
}

function bracketEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = matchEnd(string, text, at) - 1;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  throw notJson(text);
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  if (matches(pattern, text, at)) return pattern.lastIndex;
  throw notJson(text);
}

const notJson = (text: string): GoError => new GoError(`no JSON value at the beginning of ${JSON.stringify(text)}`);

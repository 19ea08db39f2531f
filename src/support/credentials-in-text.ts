import { hidden } from './known-words.ts';
import { isSecretName } from './secret-names.ts';

/**
 * The text without the password of any URL, the content of an Authorization header, and what is assigned to a name such
 * as `password` (`PASSWORD=x`, `"token": "x"`). Each is looked for from a mark that is seldom, such as `://` and `=`:
 * logs may be long.
 */
export const withoutCredentials = (text: string): string =>
  withoutAssigned(
    withoutUrlPasswords(text).replace(
      /\b(authorization["']?\s*[:=]\s*["']?(?:bearer|basic)\s+)[^\s"',;]+/gi,
      `$1${hidden}`,
    ),
  );

/** `://user:password@` */
function withoutUrlPasswords(text: string): string {
  const password = /([^\s/:@"']*):[^\s/@"']+@/y;
  const pieces: string[] = [];
  let last = 0;
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at)) {
    password.lastIndex = at + 3;
    const match = password.exec(text);
    at += 3;
    if (match === null) continue;
    pieces.push(text.slice(last, at), `${match[1]}:${hidden}@`);
    last = at + match[0].length;
    at = last;
  }
  return last === 0 ? text : pieces.join('') + text.slice(last);
}

/** `name=value` and `"name": "value"`. The value of another name is passed over as a whole, whatever stands in it. */
function withoutAssigned(text: string): string {
  const isSecret = remembered(isSecretName);
  const pieces: string[] = [];
  let last = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== equalsSign && code !== colon) continue;
    const nameEnd = code === equalsSign ? at : quoteBefore(text, at, end);
    if (nameEnd === undefined) continue;
    const nameStart = nameStartOf(text, nameEnd, end);
    const valueStart = code === equalsSign ? at + 1 : pastSpaces(text, at + 1);
    const valueEnd = nameStart === nameEnd ? undefined : valueEndOf(text, valueStart);
    if (valueEnd === undefined) continue;
    end = valueEnd;
    at = end - 1;
    if (!(code === equalsSign || text.charAt(valueStart) === '"') || !isSecret(text.slice(nameStart, nameEnd)))
      continue;
    const mark = /["']/.test(text.charAt(valueStart)) ? text.charAt(valueStart) : '';
    pieces.push(text.slice(last, valueStart), `${mark}${hidden}${mark}`);
    last = end;
  }
  return last === 0 ? text : pieces.join('') + text.slice(last);
}

const equalsSign = 0x3d;
const colon = 0x3a;
const quote = 0x22;

/** Where the quote stands that ends a name before a colon; undefined where none does. */
function quoteBefore(text: string, at: number, least: number): number | undefined {
  let before = at - 1;
  while (before >= least && isSpace(text.charCodeAt(before))) before -= 1;
  return before >= least && text.charCodeAt(before) === quote ? before : undefined;
}

function pastSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function nameStartOf(text: string, nameEnd: number, least: number): number {
  let at = nameEnd;
  while (at > least && isNameCode(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

const quotedValue = /"(?:[^"\\]|\\.)+"|'[^']+'/y;

function valueEndOf(text: string, start: number): number | undefined {
  const first = text.charAt(start);
  if (first === '"' || first === "'") {
    quotedValue.lastIndex = start;
    return quotedValue.test(text) ? quotedValue.lastIndex : undefined;
  }
  let at = start;
  while (at < text.length && !endsValue(text.charCodeAt(at))) at += 1;
  return at === start ? undefined : at;
}

/** `\s` of regular expressions. */
const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 9 && code <= 13) || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)));

const nameCodes = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-');
const isNameCode = (code: number): boolean => code < 128 && nameCodes[code] === 1;

const endCodes = codesOf('"\'{}[],;&)');
const endsValue = (code: number): boolean => (code < 128 && endCodes[code] === 1) || isSpace(code);

function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return codes;
}

/** Names repeat themselves in a log. */
function remembered(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = ask(name);
    if (answers.size < 10_000) answers.set(name, answer);
    return answer;
  };
}

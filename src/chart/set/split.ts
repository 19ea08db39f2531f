import { isSpace } from '../../go/runes.ts';
import { jsonValueEnd } from './json-prefix.ts';
import { RuneReader } from './rune-reader.ts';

/**
 * The assignments in one text of `--set`, `--set-string` or (`json`) `--set-json`, each as it is written: `a=1,b={x,y}` is
 * `a=1` and `b={x,y}`. Throws for values that are no JSON; other mistakes are for the parser.
 */
export function splitAssignments(text: string, values: 'text' | 'json'): readonly string[] {
  const input = new RuneReader(text, { escapes: true });
  const parts: string[] = [];
  const place = (): number => text.length - input.rest().length;
  while (input.peek() !== undefined) {
    const start = place();
    input.until('=');
    if (values === 'json') skipJson(input);
    else skipText(input);
    parts.push(text.slice(start, place()));
    skipComma(input);
  }
  return parts;
}

function skipText(input: RuneReader): void {
  if (input.peek() === '{') input.until('}');
  else input.skip(textEnd(input.rest()));
}

/** Where the first comma is that no backslash makes an ordinary character. */
const textEnd = (rest: string): number => /^(?:[^\\,]|\\.|\\$)*/su.exec(rest)?.[0].length ?? 0;

function skipJson(input: RuneReader): void {
  skipBlanks(input);
  if (input.peek() !== undefined && input.peek() !== ',') input.skip(jsonValueEnd(input.rest()));
  skipBlanks(input);
}

function skipBlanks(input: RuneReader): void {
  for (let rune = input.peek(); rune !== undefined && isSpace(rune); rune = input.peek()) input.next();
}

function skipComma(input: RuneReader): void {
  if (input.peek() === ',') input.next();
}

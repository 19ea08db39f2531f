/** The words of a simple command. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** Whether its last word begins in a quote that nothing closes. */
  readonly isOpen: boolean;
}

export interface UnclosedQuote {
  readonly quote: string;
  /** Where it is in the text. */
  readonly at: number;
}

/** What is between lines that are one: a blank that no script has. */
export const lineJoint = '\v';

/** A command that a substitution interrupts; what is only in parentheses interrupts none. */
interface Interrupted {
  readonly words: string[];
  readonly word: string;
  readonly from: number;
}

/**
 * The words of each simple command of a line: POSIX shell's quotes, operators and comments. Parts of `$(…)`, `<(…)` and
 * backticks are commands too, and a word of the one around them, which goes on behind.
 */
export function simpleCommands(text: string): readonly SimpleCommand[] {
  let words: string[] = [];
  const commands = [words];
  let isOpen = false;
  const open: (Interrupted | undefined)[] = [];
  let word: string | undefined;
  const endCommand = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
    commands.push((words = []));
  };
  const close = (at: number): void => {
    const outer = open.pop();
    endCommand();
    if (outer === undefined) return;
    words = outer.words;
    word = outer.word + (open.length === 0 ? text.slice(outer.from, at + 1) : '$(…)');
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    const quoted = quotedAt(text, at);
    if (char === '#' && word === undefined) break;
    if (char === '\\') {
      word = (word ?? '') + (text[at + 1] ?? '');
      at += 1;
    } else if (quoted !== undefined) {
      word = (word ?? '') + quoted.word;
      at = quoted.end;
      isOpen = at === text.length && isQuote(char);
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === ')' || (char === '`' && text[open.at(-1)?.from ?? -1] === '`')) close(at);
    else if (char === '`' || /^[$<>]\(/.test(text.slice(at, at + 2))) {
      open.push({ words, word: word ?? '', from: at });
      word = undefined;
      commands.push((words = []));
      if (char !== '`') at += 1;
    } else if (';&|('.includes(char)) {
      if (char === '(') open.push(undefined);
      endCommand();
    } else word = (word ?? '') + char;
  }
  if (word !== undefined) words.push(word);
  return commands.filter(({ length }) => length > 0).map((one) => ({ words: one, isOpen: isOpen && one === words }));
}

/** The first quote that nothing closes. */
export function unclosedIn(text: string): UnclosedQuote | undefined {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '#' && /^$|\s/.test(text[at - 1] ?? '')) return undefined;
    else {
      const end = quotedAt(text, at)?.end ?? at;
      if (end === text.length && isQuote(text[at])) return { quote: text[at] as string, at };
      at = end;
    }
  }
  return undefined;
}

const isQuote = (char: string | undefined): boolean => char === "'" || char === '"';

/** What is in quotes or braces there, and where it ends. */
export function quotedAt(text: string, at: number): { readonly word: string; readonly end: number } | undefined {
  if (isQuote(text[at])) {
    const end = quoteEnd(text, at);
    return { word: text.slice(at + 1, end).replaceAll(lineJoint, ' '), end };
  }
  if (!text.startsWith('${', at)) return undefined;
  // GitHub's `${{ … }}` has blanks inside.
  const close = text.startsWith('${{', at) ? '}}' : '}';
  const found = text.indexOf(close, at);
  const end = found < 0 ? text.length : found + close.length;
  return { word: text.slice(at, end), end: end - 1 };
}

/** The end of what is quoted from there on; the end of the text where nothing closes it. */
function quoteEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

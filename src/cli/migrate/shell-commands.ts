import { linesOf } from '../../support/text.ts';

/** A simple command of a script, with its words as the shell would split them; variables stay as they are written. */
export interface ShellCommand {
  /** Where it begins in its file; the first line is 1. */
  readonly line: number;
  readonly program: 'helm' | 'helmfile';
  /** Behind the program. */
  readonly words: readonly string[];
}

/**
 * The commands of helm and helmfile in a shell script, a Makefile, a Dockerfile, or the YAML of a CI system, found line by
 * line: what stands before a command there (`- run:`, `RUN`, `@`, `sudo`, assignments) is passed over. What is computed, a
 * name in a variable other than $HELM, is not found.
 */
export function helmCommandsIn(text: string): readonly ShellCommand[] {
  return logicalLines(text).flatMap(({ line, text: one }) => commandsOf(one, line));
}

/** Lines that a backslash joins, and lines of flags in a folded block of YAML, with the one before. */
function logicalLines(text: string): readonly { readonly line: number; readonly text: string }[] {
  const found: { line: number; parts: string[] }[] = [];
  let isOpen = false;
  for (const [index, raw] of linesOf(text).entries()) {
    const isJoined = raw.endsWith('\\');
    const part = isJoined ? raw.slice(0, -1) : raw;
    const last = found.at(-1);
    if (last !== undefined && (isOpen || /^\s+-(?!@?helm)-?[a-zA-Z]/.test(raw))) last.parts.push(part);
    else found.push({ line: index + 1, parts: [part] });
    isOpen = isJoined;
  }
  return found.map(({ line, parts }) => ({ line, text: parts.join(' ') }));
}

function commandsOf(text: string, line: number): readonly ShellCommand[] {
  if (!text.toLowerCase().includes('helm')) return [];
  return simpleCommands(execForm(text)).flatMap((words) => commandOf(words, { line, length: text.length }));
}

/** `["helm", "upgrade"]` of a Dockerfile or a Job as a line of the shell; `$(HELM)` of a Makefile as a variable. */
const execForm = (text: string): string =>
  (/\[\s*["'](?:\/[\w/.-]*\/)?helm/.test(text) ? text.replace(/[[\],]/g, ' ') : text).replace(
    /\$\((HELM\w*)\)/g,
    '$$$1',
  );

const before: ReadonlySet<string> = new Set(
  '- ! @ if then else elif do while until time exec command sudo env nohup eval xargs RUN CMD ENTRYPOINT'.split(' '),
);
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', '/bin/sh', '/bin/bash', 'eval', 'sh(']);

/** `length`: of the text that the words are from; a word is looked into only where it is shorter. */
function commandOf(
  all: readonly string[],
  { line, length }: { readonly line: number; readonly length: number },
): readonly ShellCommand[] {
  const at = all.findIndex((word) => !isBefore(word));
  const name = all[at]?.replace(/^[@-]+/, '');
  if (name === undefined) return [];
  const words = all.slice(at + 1);
  const program = programOf(name);
  if (program !== undefined) return [{ line, program, words }];
  // `sh -c "helm …"`, and Jenkins' `sh "helm …"`; a quoted line of YAML is one word.
  const scripts = shells.has(name) ? words : [name];
  return scripts.filter((word) => /\s/.test(word) && word.length < length).flatMap((word) => commandsOf(word, line));
}

/** A key of YAML, an assignment, or a word that another command follows. */
const isBefore = (word: string): boolean =>
  before.has(word) || /^[\w.-]+:$/.test(word) || /^\w+=/.test(word) || word === '|' || word === '>';

function programOf(word: string): ShellCommand['program'] | undefined {
  const name = word.slice(word.lastIndexOf('/') + 1);
  if (/^helm[34]?$/.test(name) || /^\$\{?HELM(?:_BIN|_CMD|3)?\}?$/.test(word)) return 'helm';
  return name === 'helmfile' || /^\$\{?HELMFILE\}?$/.test(word) ? 'helmfile' : undefined;
}

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
function simpleCommands(text: string): readonly (readonly string[])[] {
  let words: string[] = [];
  const commands = [words];
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
    if (quoted !== undefined) {
      word = (word ?? '') + quoted.word;
      at = quoted.end;
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
  endCommand();
  return commands.filter(({ length }) => length > 0);
}

/** What is in quotes or braces there, and where it ends. */
function quotedAt(text: string, at: number): { readonly word: string; readonly end: number } | undefined {
  if (text[at] === "'" || text[at] === '"') {
    const end = quoteEnd(text, at);
    return { word: text.slice(at + 1, end), end };
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

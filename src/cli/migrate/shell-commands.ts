import { linesOf } from '../../support/text.ts';
import { behindRunner, inContainer, remoteScript } from './runners.ts';

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
 * line: what stands before a command there (`- run:`, `RUN`, `@`, `sudo -E`, assignments) is passed over, and scripts in words are
 * read (`sh -c`, `ssh`, `docker run`). What is computed, a name in a variable other than $HELM, is not found.
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
  return simpleCommands(plainForm(text)).flatMap((words) => commandOf(words, { line, length: text.length }));
}

/** `["helm", "upgrade"]` of a Dockerfile or a Job. */
const execForm = /\[\s*["'](?:\/[\w/.-]*\/)?helm(?:file|[34])?["']/;
/** `run: {command: …}`, `script: […]`, `- […]` */
const flowForm = /^\s*(?:-\s+|(?:-\s+)?[\w.-]+:\s+)[[{]/;
/** `sh(script: "…")` of Jenkins. */
const groovyForm = /\bsh\s*\(/;

/** What is no language of the shell as a line of it: operators where a list goes on, a variable for a Makefile's `$(HELM)`, no head of a function. */
function plainForm(text: string): string {
  const plain = text
    .replace(/\$\((HELM\w*)\)/g, '$$$1')
    .replace(/^(\s*)(?:function\s+)?[\w-]+\s{0,9}\(\)\s{0,9}\{?/, '$1');
  if (execForm.test(plain)) return plain.replace(/[[\],]/g, ' ');
  if (flowForm.test(plain)) return withoutMarks(plain, '[]{},', ' ; ');
  return groovyForm.test(plain) ? withoutMarks(plain.replace(/\bsh\s*\(/g, '; sh '), '(),', ' ') : plain;
}

/** What is in quotes stays. */
function withoutMarks(text: string, marks: string, by: string): string {
  let plain = '';
  for (let at = 0; at < text.length; at++) {
    const end = quotedAt(text, at)?.end;
    plain += end === undefined && marks.includes(text[at] as string) ? by : text.slice(at, (end ?? at) + 1);
    at = end ?? at;
  }
  return plain;
}

const before: ReadonlySet<string> = new Set('- ! @ { if then else elif do while until RUN CMD ENTRYPOINT'.split(' '));
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', '/bin/sh', '/bin/bash', 'eval']);

/** `length`: of the text that the words are from; a word is looked into only where it is shorter. */
function commandOf(
  all: readonly string[],
  { line, length }: { readonly line: number; readonly length: number },
): readonly ShellCommand[] {
  const [first = '', ...words] = all.slice(commandStart(all));
  const name = first.replace(/^[@-]+/, '');
  const program = programOf(name);
  if (program !== undefined) return isPassedOn(words) ? [] : [{ line, program, words }];
  const contained = inContainer([name, ...words], (word) => programOf(word) !== undefined || shells.has(word));
  if (contained.length > 0) return commandOf(contained, { line, length });
  const remote = remoteScript([name, ...words]);
  // `sh -c "helm …"`, and Jenkins' `sh "helm …"`; a quoted line of YAML is one word.
  const scripts = remote !== undefined ? [remote] : shells.has(name) ? words : [name];
  return scripts.filter((word) => /\s/.test(word) && word.length < length).flatMap((word) => commandsOf(word, line));
}

/** Behind keys of YAML, assignments, and words that another command follows. */
function commandStart(words: readonly string[]): number {
  let at = 0;
  while (at < words.length) {
    const behind = isBefore(words[at] as string) ? at + 1 : behindRunner(words, at);
    if (behind === undefined) break;
    at = behind;
  }
  return at;
}

const isBefore = (word: string): boolean =>
  before.has(word) || /^[\w.-]+:$/.test(word) || /^\w+=/.test(word) || word === '|' || word === '>';

/** `helm3 "$@"` in a function: what is called is judged where the function is. */
const isPassedOn = (words: readonly string[]): boolean =>
  words.length === 1 && /^\$(?:[@*]|\{[@*]\})$/.test(words[0] as string);

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

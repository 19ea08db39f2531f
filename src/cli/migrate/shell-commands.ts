import { linesOf } from '../../support/text.ts';
import { commandAfterRunner, inContainer, remoteScript } from './runners.ts';
import { lineJoint, quotedAt, simpleCommands, type UnclosedQuote, unclosedIn } from './shell-words.ts';

/** A simple command of a script, with its words as the shell would split them; variables stay as they are written. */
export interface ShellCommand {
  /** Where it begins in its file; the first line is 1. */
  readonly line: number;
  readonly program: 'helm' | 'helmfile';
  /** Behind the program. */
  readonly words: readonly string[];
  /** A quote in it that nothing closes, and where. */
  readonly unclosed?: { readonly quote: string; readonly line: number } | undefined;
}

/**
 * The commands of helm and helmfile in a shell script, a Makefile, a Dockerfile, or the YAML of a CI system, found line by
 * line: what comes before a command there (`- run:`, `RUN`, `@`, `sudo -E`, assignments) is passed over, and scripts in words are
 * read (`sh -c`, `ssh`, `docker run`). What is computed, a name in a variable other than $HELM, is not found.
 */
export function helmCommandsIn(text: string): readonly ShellCommand[] {
  const lines = logicalLines(text);
  const found: ShellCommand[] = [];
  let open: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const { line, text: one } = lines[at] as LogicalLine;
    const unclosed = unclosedIn(one);
    const isEnd = unclosed !== undefined && unclosed.quote === open;
    const last = unclosed === undefined || isEnd ? undefined : closingLine(lines, at, unclosed);
    const commands = commandsOf(isEnd ? without(one, unclosed) : one, line);
    if (unclosed !== undefined || one.trim() === '') open = last === undefined ? undefined : unclosed?.quote;
    if (last !== undefined && commands.some((command) => command.unclosed !== undefined)) {
      found.push(...commandsOf(joined(lines.slice(at, last + 1)), line));
      at = last;
      open = undefined;
    } else if (unclosed !== undefined && last === undefined && commands.length === 0) {
      found.push(...commandsOf(without(one, unclosed), line).map((command) => withQuote(command, unclosed, one)));
    } else found.push(...commands);
  }
  return found;
}

interface LogicalLine {
  readonly line: number;
  readonly text: string;
}

/** Lines that a backslash joins, and lines of flags in a folded block of YAML, with the one before. */
function logicalLines(text: string): readonly LogicalLine[] {
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
  return found.map(({ line, parts }) => ({ line, text: parts.join(lineJoint) }));
}

/** The line that closes a quote; undefined where a key of YAML further left comes first, or nothing closes it. */
function closingLine(lines: readonly LogicalLine[], at: number, { quote }: UnclosedQuote): number | undefined {
  const indent = indentOf((lines[at] as LogicalLine).text);
  for (let next = at + 1; next < Math.min(lines.length, at + mostLinesOfText); next++) {
    const { text } = lines[next] as LogicalLine;
    if (/^\s*(?:- |-?[\w.-]+:(?:\s|$))/.test(text) && indentOf(text) < indent) return undefined;
    if (text.includes(quote)) return unclosedIn(joined(lines.slice(at, next + 1))) === undefined ? next : undefined;
  }
  return undefined;
}

const mostLinesOfText = 100;
const indentOf = (text: string): number => text.search(/\S|$/);
const joined = (lines: readonly LogicalLine[]): string => lines.map(({ text }) => text).join('\n');
const without = (text: string, { at }: UnclosedQuote): string => `${text.slice(0, at)} ${text.slice(at + 1)}`;

const withQuote = (command: ShellCommand, { quote, at }: UnclosedQuote, text: string): ShellCommand => {
  const line = command.line + (text.slice(0, at).match(/[\n\v]/g)?.length ?? 0);
  return { ...command, unclosed: { quote, line } };
};

/** Behind a quote of helm's words that nothing closes, everything is read as if it were not there. */
function commandsOf(text: string, line: number): readonly ShellCommand[] {
  if (!text.toLowerCase().includes('helm')) return [];
  const commands = simpleCommands(plainForm(text));
  const found = commands.flatMap(({ words }) => commandOf(words, { line, length: text.length }));
  const last = commands.at(-1);
  const isOpen = last?.isOpen === true && commandOf(last.words, { line, length: 0 }).length > 0;
  const unclosed = isOpen ? unclosedIn(text) : undefined;
  if (unclosed === undefined) return found;
  return commandsOf(without(text, unclosed), line).map((command, index) =>
    index < found.length - 1 ? command : withQuote(command, unclosed, text),
  );
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

/** Keys of YAML whose values people read: `- name: helm test`. */
const titles = /^(?:name|displayName|description|title|label):$/;

/** `length`: of the text that the words are from; a word is looked into only where it is shorter. */
function commandOf(
  all: readonly string[],
  { line, length }: { readonly line: number; readonly length: number },
): readonly ShellCommand[] {
  const start = commandStart(all);
  if (all.slice(0, start).some((word) => titles.test(word))) return [];
  const [first = '', ...words] = all.slice(start);
  const name = first.replace(/^[@-]+/, '');
  const program = programOf(name);
  if (program !== undefined) return words.length === 0 || isPassedOn(words) ? [] : [{ line, program, words }];
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
    const behind = isBefore(words[at] as string) ? at + 1 : commandAfterRunner(words, at);
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

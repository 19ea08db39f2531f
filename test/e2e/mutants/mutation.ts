import { drawn } from '../../support/mutations.ts';

/** What a mistake of this kind does to a line. */
export type Mistake = 'name' | 'type' | 'range' | 'reference' | 'indent';
export const mistakes: readonly Mistake[] = ['name', 'type', 'range', 'reference', 'indent'];

/** A file of a chart with one wrong line. */
export interface Mutation {
  readonly mistake: Mistake;
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** A text file of a chart, named below its folder. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** A mistake in one line of these files; the same one for the same seed. Undefined where the drawn line has no place for it. */
export function mutationOf(sources: readonly Source[], seed: number): Mutation | undefined {
  // Seeds side by side would otherwise begin alike.
  const below = drawn(Math.imul(seed, 2_654_435_761));
  const mistake = mistakes[below(mistakes.length)] as Mistake;
  const { name: file, text } = sources[below(sources.length)] as Source;
  const lines = text.split('\n');
  const index = below(lines.length);
  const before = lines[index] ?? '';
  if (before.trim() === '' || before.trimStart().startsWith('#')) return undefined;
  const after = wrongLine[mistake](before, below);
  return after === undefined || after === before ? undefined : { mistake, file, line: index + 1, before, after };
}

/** The text of the file with the mistake. */
export function withMutation(text: string, { line, after }: Mutation): string {
  const lines = text.split('\n');
  lines[line - 1] = after;
  return lines.join('\n');
}

type Below = (limit: number) => number;
const oneOf = <T>(below: Below, choices: readonly T[]): T => choices[below(choices.length)] as T;

interface Entry {
  /** Spaces, and the dash of an item of a list. */
  readonly start: string;
  readonly key: string;
  readonly value: string;
}

/** `key: value` of a line; the value is '' where lists and maps begin. */
function entryOf(line: string): Entry | undefined {
  const [, start, key, value] = /^(\s*(?:- )?)([A-Za-z][\w./-]*):(?:\s+(.*?))?\s*$/.exec(line) ?? [];
  return start === undefined || key === undefined ? undefined : { start, key, value: value ?? '' };
}

const withValue = ({ start, key }: Entry, value: string): string => `${start}${key}: ${value}`;

const wrongLine: Readonly<Record<Mistake, (line: string, below: Below) => string | undefined>> = {
  name(line, below) {
    const entry = entryOf(line);
    if (entry === undefined) return undefined;
    const key = misspelt(entry.key, below);
    return `${entry.start}${key}${line.slice(entry.start.length + entry.key.length)}`;
  },
  type(line, below) {
    const entry = entryOf(line);
    if (entry === undefined || isText(entry.value)) return undefined;
    return withValue(entry, oneOf(below, typesBut(entry.value)));
  },
  range(line, below) {
    const entry = entryOf(line);
    if (entry === undefined || isText(entry.value)) return undefined;
    return withValue(entry, oneOf(below, /^-?\d+$/.test(entry.value) ? numbers : texts));
  },
  reference(line) {
    const entry = entryOf(line);
    if (entry === undefined || isText(entry.value) || !/name$|^port$|^targetPort$|^key$/i.test(entry.key))
      return undefined;
    return withValue(entry, `${entry.value.replace(/^(["'])(.*)\1$/, '$2')}-gone`);
  },
  indent(line, below) {
    const call = /\b(n?indent) (\d+)/.exec(line);
    const by = oneOf(below, [-2, -1, 1, 2]);
    if (call !== null) return line.replace(call[0], `${call[1]} ${Math.max(0, Number(call[2]) + by)}`);
    if (by > 0) return ' '.repeat(by) + line;
    return line.startsWith(' '.repeat(-by)) ? line.slice(-by) : undefined;
  },
};

function misspelt(key: string, below: Below): string {
  const at = 1 + below(key.length - 1);
  return oneOf(below, [
    key.slice(0, at) + key.slice(at + 1),
    key.slice(0, at) + key.charAt(at) + key.slice(at),
    `${key}s`,
    key.charAt(0).toUpperCase() + key.slice(1),
  ]);
}

/** A place where a list, a map or a text of many lines begins, or a condition stands: no value of its own. */
const isText = (value: string): boolean =>
  value === '' || /^[|>&*]/.test(value) || /^\{\{-? *(if|with|range|end)/.test(value);

function typesBut(value: string): readonly string[] {
  const all = ['5', 'true', '"two"', '[x]', '{a: b}', '"5"'];
  if (/^-?\d+$/.test(value)) return all.filter((one) => one !== '5');
  if (value === 'true' || value === 'false') return all.filter((one) => one !== 'true');
  return all.filter((one) => one !== '"two"' && one !== '"5"');
}

const numbers = ['-1', '0', '70000', '3000000000', '1.5'];
const texts = ['Not_Valid!', 'x'.repeat(70), '""', 'Sometimes', '1.2.3.4.5', '10mm', '"-"', '-5'];

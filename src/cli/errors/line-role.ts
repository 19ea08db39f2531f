import { labelled } from '../../words/problem.ts';
import type { Paint } from '../terminal/paint.ts';

/** What a line of an error is; a terminal with colours shows it. */
export type LineRole = 'headline' | 'cause' | 'file' | 'place' | 'step' | 'command' | 'detail' | 'aside';

/** Marks a line with its role, or the command at its end, or leaves them as they are. */
export type Mark = (role: LineRole | 'pasted', text: string) => string;

export const unmarked: Mark = (_role, line) => line;

// Unicode keeps these characters for use inside of a program. In a text of somebody else they would change a colour.
const signs: Readonly<Record<LineRole | 'pasted', string>> = {
  headline: '\ufdd0',
  cause: '\ufdd1',
  file: '\ufdd2',
  place: '\ufdd3',
  step: '\ufdd4',
  detail: '\ufdd5',
  aside: '\ufdd6',
  command: '\ufdd7',
  pasted: '\ufdd8',
};

/** A sign precedes the line until secrets are masked and the line is folded (`lineAndRole`). */
export const marked: Mark = (role, line) => signs[role] + line;

const roleOfLabel: Readonly<Record<string, LineRole>> = {
  where: 'place',
  object: 'place',
  value: 'place',
  fix: 'step',
  next: 'step',
};

/** `where  web.yaml:3`; a line without a label goes on with the one before. */
export const markedDetail = (mark: Mark, label: string, text: string): string =>
  label === '' ? labelled(label, text) : mark(roleOfLabel[label] ?? 'detail', labelled(label, text));

/** The same with a command at its end, which a terminal with little room shows below, whole: a shell would take a line of a folded one for all of it. */
export const markedCommand = (mark: Mark, label: string, text: string, command: string): string =>
  mark('command', `${labelled(label, text)} ${mark('pasted', command)}`);

export interface MarkedLine {
  readonly line: string;
  readonly role: LineRole | undefined;
  /** Where a command begins that somebody may paste. */
  readonly pastedAt?: number | undefined;
}

/** The line without its signs; the one of its role may appear after the indentation. */
export function lineAndRole(text: string): MarkedLine {
  const [sign] = anySign.exec(text) ?? [];
  if (sign === undefined) return { line: text, role: undefined };
  const role = (Object.keys(signs) as LineRole[]).find((name) => signs[name] === sign);
  const [before = '', command] = text.split(signs.pasted);
  return { line: withoutSigns(text), role, pastedAt: command === undefined ? undefined : withoutSigns(before).length };
}

const anySign = /[\ufdd0-\ufdd8]/;
const withoutSigns = (text: string): string => text.replaceAll(/[\ufdd0-\ufdd8]/g, '');

/** A line in the colours of its role: the headline and its first word, causes, labels, and dimmed what only repeats. */
export function paintedLine(line: string, role: LineRole | undefined, paint: Paint): string {
  switch (role) {
    case 'headline':
      return firstWord(line, (word) => paint.strong(paint.bad(word)), paint.strong);
    case 'cause':
      return paint.strong(line);
    case 'file':
      return paint.busy(line);
    case 'place':
      return firstWord(line, paint.busy);
    case 'step':
    case 'command':
      return firstWord(line, paint.good);
    case 'detail':
      return firstWord(line, paint.dim);
    case 'aside':
      return paint.dim(line);
    case undefined:
      return line;
    default:
      return role satisfies never;
  }
}

type Change = (text: string) => string;
const asItIs: Change = (text) => text;

function firstWord(line: string, change: Change, changeRest: Change = asItIs): string {
  const [, indent = '', word = '', rest = ''] = /^( *)(\S*)([^]*)$/.exec(line) ?? [];
  return indent + change(word) + (rest === '' ? '' : changeRest(rest));
}

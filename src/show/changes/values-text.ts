import type { ValueChange, ValuesDiff } from '../../actions/diff-values.ts';
import { code } from './markdown.ts';

/** Whose values are compared with those of the new chart; absent where two charts are compared. */
export interface ComparedRelease {
  readonly release: string;
  readonly namespace: string;
}

interface Section {
  readonly title: string;
  readonly changes: readonly ValueChange[];
}

/** The changes that need attention first: what the user sets, then what changes without him. */
function sectionsOf(changes: readonly ValueChange[]): readonly Section[] {
  const of = (title: string, isOne: (change: ValueChange) => boolean): Section => ({
    title,
    changes: changes.filter(isOne),
  });
  return [
    of('Renamed, and set by you: set the new key instead', (one) => one.kind === 'renamed' && one.isSet),
    of('Gone, and set by you: nothing reads it any more', (one) => one.kind === 'removed' && one.isWithoutEffect),
    of(
      'Gone, and set by you: templates still read it',
      (one) => one.kind === 'removed' && one.isSet && !one.isWithoutEffect,
    ),
    of('Changed defaults', (one) => one.kind === 'changed' && !one.isSet),
    of('Changed defaults that you set', (one) => one.kind === 'changed' && one.isSet),
    of('Renamed', (one) => one.kind === 'renamed' && !one.isSet),
    of('New', (one) => one.kind === 'added'),
    of('Gone', (one) => one.kind === 'removed' && !one.isSet),
  ].filter(({ changes: found }) => found.length > 0);
}

/** For a terminal: a section for each kind of change, with the line of values.yaml and its comment. */
export function valuesText(diff: ValuesDiff, release?: ComparedRelease): string {
  const title = `${titleOf(diff, release)}\n`;
  if (diff.changes.length === 0) return `${title}\nno changes\n`;
  const parts = sectionsOf(diff.changes).map(
    ({ title: heading, changes }) => `\n${heading} (${changes.length}):\n${changes.map(changeText).join('')}`,
  );
  return [title, ...parts].join('');
}

const titleOf = ({ from, to }: ValuesDiff, release: ComparedRelease | undefined): string =>
  `values of ${release === undefined ? '' : `${release.release} in ${release.namespace}: `}${from.name}-${from.version} -> ${to.name}-${to.version}`;

function changeText(change: ValueChange): string {
  const facts = [placeText(change), evidenceText(change), givenText(change)].filter((text) => text !== '');
  const comment = change.comment === undefined ? '' : `      # ${shortened(change.comment, longestComment)}\n`;
  return `  ${changeLine(change)}${facts.length === 0 ? '' : `  (${facts.join('; ')})`}\n${comment}`;
}

/** `image.tag: "1.0" -> "2.0"` */
function changeLine(change: ValueChange): string {
  const { name } = change;
  switch (change.kind) {
    case 'added':
      return `${name}: ${valueText(change.after)}`;
    case 'removed':
      return `${name}: ${valueText(change.before)}`;
    case 'changed':
      return `${name}: ${valueText(change.before)} -> ${valueText(change.after)}`;
    case 'renamed':
      return `${name} -> ${change.newName}: ${renamedValue(change)}`;
  }
}

function renamedValue({ before, after }: Extract<ValueChange, { kind: 'renamed' }>): string {
  const [old, next] = [valueText(before), valueText(after)];
  return old === next ? next : `${old} -> ${next}`;
}

const longestValue = 80;
const longestComment = 160;

const valueText = (value: unknown): string => shortened(JSON.stringify(value), longestValue);

const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text;

function placeText({ oldPlace, newPlace }: ValueChange): string {
  const place = newPlace ?? oldPlace;
  return place === undefined ? '' : `${fileIn(place)}:${place.line}`;
}

/** Without the outermost chart, whose name is in the title. */
const fileIn = ({ file }: { readonly file: string }): string => file.slice(file.indexOf('/') + 1);

function evidenceText(change: ValueChange): string {
  if (change.kind !== 'renamed') return '';
  const { isSameText, reading } = change;
  return [
    ...(isSameText ? ['same default and comment'] : []),
    ...(reading === undefined ? [] : [`${reading.file}:${reading.line} reads it instead`]),
  ].join(', ');
}

function givenText({ isSet, given }: ValueChange): string {
  if (!isSet) return '';
  return given === undefined ? 'you set it' : `you set it to ${given}`;
}

/** For a pull request: a table for each kind of change. */
export function valuesMarkdown(diff: ValuesDiff, release?: ComparedRelease): string {
  const title = `### tshelm: ${code(titleOf(diff, release))}\n`;
  if (diff.changes.length === 0) return `${title}\nno changes\n`;
  const tables = sectionsOf(diff.changes).map(({ title: heading, changes }) =>
    [
      `\n**${heading}**\n`,
      '| Value | Place | |',
      '|---|---|---|',
      ...changes.map((change) => {
        const facts = [evidenceText(change), givenText(change), change.comment ?? ''].filter((text) => text !== '');
        const place = placeText(change);
        return `| ${code(changeLine(change))} | ${place === '' ? '' : code(place)} | ${facts.map(code).join('<br>')} |`;
      }),
      '',
    ].join('\n'),
  );
  return [title, ...tables].join('');
}

/** For programs. What the user sets is not repeated. */
export const valuesData = (diff: ValuesDiff, release?: ComparedRelease) => ({
  release: release?.release,
  namespace: release?.namespace,
  from: diff.from,
  to: diff.to,
  changes: diff.changes.map((change) => ({
    path: change.name,
    keys: change.keys,
    change: change.kind,
    renamedTo: change.kind === 'renamed' ? change.to : undefined,
    before: change.kind === 'added' ? undefined : change.before,
    after: change.kind === 'removed' ? undefined : change.after,
    isSet: change.isSet,
    isWithoutEffect: change.kind === 'removed' ? change.isWithoutEffect : undefined,
    file: (change.newPlace ?? change.oldPlace)?.file,
    line: (change.newPlace ?? change.oldPlace)?.line,
    comment: change.comment,
    isSameText: change.kind === 'renamed' ? change.isSameText : undefined,
    reading: change.kind === 'renamed' ? change.reading : undefined,
  })),
});

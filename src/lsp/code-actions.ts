import { valueIn } from '../chart/tables.ts';
import type { Remedy } from '../problem/remedy.ts';
import { Lines } from '../support/lines.ts';
import { remedyText } from '../words/remedy.ts';
import type { ChartView } from './chart-view.ts';
import type { Mark } from './diagnostics/marks.ts';
import { extentOf } from './diagnostics/marks.ts';
import { definitionsOf, type Edit } from './places.ts';
import { keysIn } from './value-keys.ts';

/** A change that mends a mark. */
export interface CodeAction {
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** What remedies of a mark are changes of a text. */
export function codeActionsFor(view: ChartView, mark: Mark): readonly CodeAction[] {
  const { problem, replacement } = mark;
  const own = replacement === undefined ? [] : replacedIn(view, mark, replacement.from, replacement.to);
  const first =
    own.length === 0 ? [] : [{ title: `write ${replacement?.to} instead of ${replacement?.from}`, edits: own }];
  const others = (problem?.remedies ?? []).flatMap((remedy) => {
    const edits = editsOf(view, mark, remedy);
    return edits.length === 0 ? [] : [{ title: remedyText(remedy), edits }];
  });
  return [...first, ...others];
}

function editsOf(view: ChartView, mark: Mark, remedy: Remedy): readonly Edit[] {
  switch (remedy.kind) {
    case 'use-name':
      return replacedIn(view, mark, lastName(remedy.instead), lastName(remedy.name));
    case 'change-text':
      return replacedIn(view, { file: remedy.file, line: remedy.line }, remedy.from, remedy.to);
    case 'change-field':
      return remedy.value === undefined || remedy.instead === undefined
        ? []
        : replacedIn(view, mark, remedy.instead, remedy.value);
    case 'indent':
      return remedy.from === undefined || remedy.to === undefined ? [] : replacedIn(view, mark, remedy.from, remedy.to);
    case 'set-value':
      return remedy.value === undefined ? [] : setValue(view, remedy.keys, remedy.value);
    case 'change-type':
      return retyped(view, remedy);
    default:
      return [];
  }
}

/** Of `image.tagg` what is written in its line: `tagg`. */
const lastName = (name: string): string =>
  /^[\w-]+(?:\.[\w-]+)+$/.test(name) ? (name.split('.').at(-1) as string) : name;

/** A word of a line by another one, where the line has it. */
function replacedIn(
  view: ChartView,
  { file, line }: Pick<Mark, 'file' | 'line'>,
  from: string,
  to: string,
): readonly Edit[] {
  const text = view.text(file);
  if (text === undefined || from === '') return [];
  const lines = new Lines(text);
  const extent = extentOf({ line, words: [from] }, lines);
  return text.slice(extent.from, extent.until) === from ? [{ file, ...extent, text: to }] : [];
}

/** A value that a values.yaml sets, as it should be. */
function setValue(view: ChartView, keys: readonly string[], value: string): readonly Edit[] {
  const [place] = definitionsOf(view, { kind: 'value', keys: [keys] });
  const lines = place && new Lines(view.text(place.file) ?? '');
  const key = lines && keysIn(lines).find(({ from }) => from === place.from);
  if (place === undefined || lines === undefined || key?.holds !== 'scalar') return [];
  const written = /^["']?:[ \t]*(\S.*?)?(?=[ \t]+#|[ \t]*\r?$)/m.exec(
    lines.text.slice(place.until).split('\n', 1)[0] ?? '',
  );
  if (written === null || written.index !== 0 || written[1] === undefined || /^[|>&*]/.test(written[1])) return [];
  const until = place.until + written[0].length;
  const plain = /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) ? value : JSON.stringify(value);
  return [{ file: place.file, from: until - written[1].length, until, text: plain }];
}

/** A number or a switch as the field's type asks for it, where its value is a word of a values.yaml. */
function retyped(view: ChartView, remedy: Extract<Remedy, { kind: 'change-type' }>): readonly Edit[] {
  const { keys, type, value } = remedy;
  if (value === undefined || keys === undefined) return [];
  const isPlain = type === 'string' || (type !== 'list' && type !== 'map' && /^(?:true|false|-?\d+)$/.test(value));
  const given = ifPossible(() => valueIn(view.values(), keys));
  if (!isPlain || given === undefined) return [];
  const [edit] = setValue(view, keys, value);
  return edit === undefined ? [] : [{ ...edit, text: type === 'string' ? JSON.stringify(value) : value }];
}

function ifPossible<R>(find: () => R): R | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

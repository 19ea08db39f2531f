import { valueIn } from '../chart/tables.ts';
import { annotations } from '../manifest/annotations.ts';
import { type Extent, Lines } from '../support/lines.ts';
import { builtInsBelow } from './built-ins.ts';
import { type ChartView, language } from './chart-view.ts';
import { functionTexts } from './function-texts.ts';
import { fieldsAt, placeInObject, typeText } from './kubernetes-fields.ts';
import { valuesFiles } from './places.ts';
import { actionsIn, mended } from './template/mended.ts';
import { helperPlaces } from './template-symbol.ts';
import { keyBefore, keysAround } from './value-keys.ts';

/** Something that may be written at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: 'value' | 'helper' | 'function' | 'keyword' | 'variable' | 'built-in' | 'field' | 'annotation';
  /** A few words beside it: a type, a signature. */
  readonly detail?: string | undefined;
  /** A sentence, as Markdown. */
  readonly text?: string | undefined;
  /** Default: the label. */
  readonly insert?: string | undefined;
}

/** What may be written in place of a part of a text. */
export interface Completions extends Extent {
  readonly items: readonly Completion[];
}

/** What may be written at a place of a template or of a file of values. */
export function completionsAt(view: ChartView, file: string, offset: number): Completions {
  const text = view.text(file) ?? '';
  const values = valuesFiles(view).find((one) => one.file === file);
  if (values !== undefined) return valueKeyCompletions(view, values, offset);
  const action = actionsIn(text).findLast(
    ({ from, until, isWhole }) => from + 2 <= offset && (isWhole ? offset <= until - 2 : offset <= until),
  );
  return action === undefined
    ? fieldCompletions(view, file, offset)
    : actionCompletions(view, file, { text, offset, from: action.from });
}

interface InAction {
  readonly text: string;
  readonly offset: number;
  /** Where the action begins. */
  readonly from: number;
}

/** So many characters before the cursor say what is being written. */
const mostLooked = 1000;

function actionCompletions(view: ChartView, file: string, place: InAction): Completions {
  const { text, offset, from } = place;
  const before = text.slice(Math.max(from, offset - mostLooked), offset);
  const [, name] = /\b(?:include|template)\s+["`]([^"`]*)$/.exec(before) ?? [];
  if (name !== undefined) return helperCompletions(view, offset - name.length, endOfWord(text, offset, /[^"`\s}]/));
  if (/"[^"]*$/.test(before.replace(/"(?:[^"\\\n]|\\.)*"/g, ''))) return { items: [], from: offset, until: offset };
  const [, owner, field = ''] = /((?:\$\w*|\))?(?:\.\w*)*)\.(\w*)$/.exec(before) ?? [];
  const until = endOfWord(text, offset, /\w/);
  if (owner !== undefined)
    return { items: memberCompletions(view, file, { place, field, owner }), from: offset - field.length, until };
  const [word = ''] = /\$?\w*$/.exec(before) ?? [];
  const items = word.startsWith('$') ? variablesBefore(text.slice(0, from), before) : functionCompletions();
  return { items, from: offset - word.length, until };
}

function endOfWord(text: string, offset: number, letter: RegExp): number {
  let at = offset;
  while (at < text.length && letter.test(text[at] as string)) at += 1;
  return at;
}

function helperCompletions(view: ChartView, from: number, until: number): Completions {
  const names = new Set(helperPlaces(view).flatMap(({ name, isDefinition }) => (isDefinition ? [name] : [])));
  return { items: [...names].sort().map((label) => ({ label, kind: 'helper' })), from, until };
}

const keywords = ['if', 'else', 'end', 'with', 'range', 'define', 'template', 'block', 'break', 'continue'];

const functionCompletions = (): readonly Completion[] => [
  ...[...functionTexts().values()].map(
    ({ name, signature, text }): Completion => ({
      label: name,
      kind: 'function',
      detail: signature.slice(name.length + 1),
      text,
    }),
  ),
  ...keywords.map((label): Completion => ({ label, kind: 'keyword' })),
];

function variablesBefore(text: string, action: string): readonly Completion[] {
  const define = text.lastIndexOf('define');
  const declared = `${text.slice(Math.max(0, define))}${action}`.matchAll(/(\$\w+)\s*(?::=|,)/g);
  return [...new Set(['$', ...[...declared].map(([, name = '']) => name)])].map((label) => ({
    label,
    kind: 'variable',
  }));
}

interface Member {
  readonly place: InAction;
  /** What is written of its name. */
  readonly field: string;
  /** What it is read of, as it is written. */
  readonly owner: string;
}

/** A name that no chart has. */
const placeholder = 'tshelmPlaceholder';

function memberCompletions(view: ChartView, file: string, { place, field, owner }: Member): readonly Completion[] {
  const { text, offset, from } = place;
  const head = `${text.slice(from, offset - field.length)}${placeholder}`;
  const { text: whole } = mended(text, language, { at: offset, as: closed(head) });
  const { reads, root } = view.readsWith(file, whole);
  const read = reads.find(({ name }) => name === placeholder);
  const builtIn = owner.replace(/^\$?\.?/, '');
  if (read === undefined || (read.owners.length === 0 && !read.isOfScope))
    return builtInsBelow(builtIn === '' ? 'none' : builtIn).map(asCompletion);
  const roots = read.isOfScope ? builtInsBelow('').map(asCompletion) : [];
  return distinct([...roots, ...read.owners.flatMap((keys) => valueCompletions(view, keys, root))]);
}

const asCompletion = ({ path, text }: { readonly path: string; readonly text: string }): Completion => ({
  label: path,
  kind: 'built-in',
  text,
});

/** An action that ends here, with its parentheses closed. */
function closed(head: string): string {
  const plain = head.replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, '');
  const open = plain.split('(').length - plain.split(')').length;
  return `${head}${')'.repeat(Math.max(0, open))} }}`;
}

/** The keys of a value: those that it has, and those that templates read of it. */
function valueCompletions(
  view: ChartView,
  keys: readonly string[],
  root: Parameters<typeof readBelow>[0],
): readonly Completion[] {
  const value = ifPossible(() =>
    valueIn(
      view.values(),
      keys.filter((key) => key !== '*'),
    ),
  );
  const own =
    value instanceof Map
      ? [...value].map(([label, item]): Completion => ({ label: String(label), kind: 'value', detail: typeName(item) }))
      : [];
  const read = readBelow(root, keys).map(
    (label): Completion => ({ label, kind: 'value', detail: 'read by the templates' }),
  );
  return [...own, ...read];
}

/** The keys of a value that templates name. */
function readBelow(root: ReturnType<ChartView['reads']>['root'], keys: readonly string[]): readonly string[] {
  let parts = [root];
  for (const key of keys) parts = parts.flatMap(({ members }) => members.get(key) ?? []);
  return parts.flatMap(({ members }) => [...members.keys()]).filter((name) => name !== '*' && name !== placeholder);
}

function typeName(value: unknown): string {
  if (value instanceof Map) return 'map';
  if (Array.isArray(value)) return 'list';
  return value === null || value === undefined ? 'null' : typeof value === 'object' ? 'number' : typeof value;
}

function ifPossible<R>(find: () => R): R | undefined {
  try {
    return find();
  } catch {
    // Values that do not fit together are told by diagnostics.
    return undefined;
  }
}

const distinct = (items: readonly Completion[]): readonly Completion[] =>
  [...new Map(items.toReversed().map((item) => [item.label, item])).values()].toReversed();

/** Keys of values.yaml: what templates read there and the file does not set. */
function valueKeyCompletions(
  view: ChartView,
  { above, lines }: ReturnType<typeof valuesFiles>[number],
  offset: number,
): Completions {
  const { from, until, indent, line, isKey } = keyBefore(lines, offset);
  if (!isKey) return { items: [], from, until };
  const keys = [...above, ...keysAround(lines, line, indent)];
  return { items: distinct(valueCompletions(view, keys, view.reads().root)).map(withColon), from, until };
}

const withColon = (item: Completion): Completion => ({ ...item, insert: `${item.label}: ` });

/** Fields of the object that a line of a template belongs to, and of its annotations. */
function fieldCompletions(view: ChartView, file: string, offset: number): Completions {
  const lines = new Lines(view.text(file) ?? '');
  const { from, until, indent, line, isKey } = keyBefore(lines, offset);
  const place = isKey ? placeInObject(view, file, line, indent) : undefined;
  if (place === undefined) return { items: [], from, until };
  if (place.path.at(-1) === 'annotations')
    return { items: annotationKeys.map((label) => withColon({ label, kind: 'annotation' })), from, until };
  const items = fieldsAt(place).map(({ name, type }) =>
    withColon({ label: name, kind: 'field', detail: typeText(type) }),
  );
  return { items, from, until };
}

const annotationKeys = Object.values(annotations).sort();

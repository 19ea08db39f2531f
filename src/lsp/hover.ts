import { shownValue } from '../chart/shown-value.ts';
import { nameOfKeys, valueIn } from '../chart/tables.ts';
import { valueComments } from '../chart/value-comments.ts';
import { builtInText } from './built-ins.ts';
import type { ChartView } from './chart-view.ts';
import { functionText } from './function-texts.ts';
import type { Hover } from './hover-type.ts';
import { kubernetesField } from './kubernetes-fields.ts';
import { definitionsOf, type Location, referencesTo, subjectAt, valuesFiles } from './places.ts';
import { symbolAt } from './template-symbol.ts';

/** What a place in a template or in a file of values is about. */
export function hoverAt(view: ChartView, file: string, offset: number): Hover | undefined {
  const subject = subjectAt(view, file, offset);
  if (subject !== undefined) {
    const { from, until } = subject;
    const markdown = subject.kind === 'helper' ? helperText(view, subject.name) : valueText(view, subject.keys);
    return { markdown, from, until };
  }
  const symbol = symbolAt(view, file, offset);
  const text =
    symbol?.kind === 'function'
      ? functionText(symbol.name)
      : symbol?.kind === 'built-in'
        ? builtInText(symbol.path)
        : undefined;
  if (symbol !== undefined)
    return text === undefined ? undefined : { markdown: text, from: symbol.from, until: symbol.until };
  return kubernetesField(view, file, offset);
}

const code = (text: string, language: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const inline = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

function helperText(view: ChartView, name: string): string {
  const places = referencesTo(view, { kind: 'helper', name });
  const defined = definitionsOf(view, { kind: 'helper', name });
  const at = defined.map(({ file, from }) => inline(`${file}:${lineOf(view, file, from)}`)).join(', ');
  const uses = places.length - defined.length;
  const shown = defined[0] && bodyOf(view, defined[0]);
  return [
    at === ''
      ? `${inline(name)} is not defined`
      : `${inline(name)}, defined at ${at}, used ${uses < 1 ? 'nowhere else' : uses === 1 ? 'once' : `${uses} times`}`,
    ...(shown === undefined ? [] : [code(shown, 'yaml')]),
  ].join('\n\n');
}

const longestBody = 12;

/** The lines of a definition, as many as can be looked at. */
function bodyOf(view: ChartView, { file, from }: Location): string {
  const text = view.text(file) ?? '';
  const start = text.indexOf('}}', from) + 2;
  const end = text.slice(start).search(/\{\{-?\s*(?:define\b|\/\*)/);
  const lines = text
    .slice(start, end < 0 ? undefined : start + end)
    .trim()
    .split('\n');
  return [...lines.slice(0, longestBody), ...(lines.length > longestBody ? ['…'] : [])].join('\n');
}

function valueText(view: ChartView, all: readonly (readonly string[])[]): string {
  return all
    .slice(0, 3)
    .map((keys) => oneValueText(view, keys))
    .join('\n\n---\n\n');
}

function oneValueText(view: ChartView, keys: readonly string[]): string {
  const name = nameOfKeys(keys);
  const places = definitionsOf(view, { kind: 'value', keys: [keys] });
  const [first] = places;
  const value = shownIn(view, keys);
  const told = `${inline(name)}${value === undefined ? '' : ` is ${inline(value)}`}`;
  const set = places.map(({ file, from }, index) => {
    const says = lineText(view, { file, from, until: from });
    return `- ${inline(`${file}:${lineOf(view, file, from)}`)}${index === 0 ? '' : ' (not used here)'}: ${inline(says)}`;
  });
  const comment = first && commentOf(view, first, keys);
  return [told, ...(comment ? [comment] : []), set.length === 0 ? 'No values.yaml sets it.' : set.join('\n')].join(
    '\n\n',
  );
}

/** The value that the templates see; of maps and lists how many members they have. */
function shownIn(view: ChartView, keys: readonly string[]): string | undefined {
  try {
    const values = view.values();
    const value = valueIn(values, keys);
    if (value instanceof Map) return `a map with ${value.size} keys`;
    if (Array.isArray(value)) return `a list with ${value.length} items`;
    return value === null ? 'null' : shownValue(values, keys);
  } catch {
    return undefined;
  }
}

function commentOf(view: ChartView, { file }: Location, keys: readonly string[]): string | undefined {
  const found = valuesFiles(view).find((one) => one.file === file);
  const own = found && keys.slice(keys[0] === 'global' ? 0 : found.above.length);
  try {
    return found && own && valueComments(found.lines.text).get(own.join('.'))?.description;
  } catch {
    return undefined;
  }
}

const lineOf = (view: ChartView, file: string, from: number): number =>
  (view.text(file) ?? '').slice(0, from).split('\n').length;

function lineText(view: ChartView, { file, from }: Location): string {
  const text = view.text(file) ?? '';
  const end = text.indexOf('\n', from);
  return text.slice(text.lastIndexOf('\n', from - 1) + 1, end < 0 ? undefined : end).trim();
}

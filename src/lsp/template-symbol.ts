import type { Extent } from '../support/lines.ts';
import type { ChartView, Read } from './chart-view.ts';
import { type Word, wordsIn } from './template/words.ts';

/** What an index of a template names. */
export type TemplateSymbol = Extent &
  (
    | { readonly kind: 'value'; readonly keys: readonly (readonly string[])[] }
    | { readonly kind: 'helper'; readonly name: string }
    | { readonly kind: 'function'; readonly name: string }
    /** `Release.Name` */
    | { readonly kind: 'built-in'; readonly path: string }
  );

export function symbolAt(view: ChartView, file: string, offset: number): TemplateSymbol | undefined {
  const word = templateWords(view, file).find(({ from, until }) => from <= offset && offset <= until);
  if (word === undefined) return valueRead(view, file, offset);
  const { from, until, name } = word;
  switch (word.kind) {
    case 'function':
      return { kind: 'function', name, from, until };
    case 'helper':
    case 'definition':
      return { kind: 'helper', name, from, until };
    case 'variable':
      return undefined;
    case 'field':
      return valueRead(view, file, offset) ?? builtIn(word);
  }
}

/** The words of a template, where they are in its text. */
export function templateWords(view: ChartView, file: string): readonly Word[] {
  const known = wordsOf.get(view)?.get(file);
  if (known !== undefined) return known;
  const { text, given } = view.mended(file);
  const words = wordsIn(text).map((word) => ({ ...word, from: given(word.from), until: given(word.until) }));
  const own = wordsOf.get(view) ?? new Map<string, readonly Word[]>();
  wordsOf.set(view, own.set(file, words));
  return words;
}

const wordsOf = new WeakMap<ChartView, Map<string, readonly Word[]>>();

/** The field of a value that is read there, or the text that names one. */
function valueRead(view: ChartView, file: string, offset: number): TemplateSymbol | undefined {
  const read = view.reads().reads.find((one) => one.file === file && one.from <= offset && offset <= one.until);
  return read === undefined || read.keys.length === 0 ? undefined : symbolOf(read);
}

const symbolOf = ({ keys, from, until }: Read): TemplateSymbol => ({ kind: 'value', keys, from, until });

function builtIn({ owner, name, from, until }: Word): TemplateSymbol | undefined {
  const path = `${owner}.${name}`.replace(/^\$?\./, '');
  return builtInRoots.has(path.split('.')[0] ?? '') ? { kind: 'built-in', path, from, until } : undefined;
}

const builtInRoots: ReadonlySet<string> = new Set([
  'Values',
  'Release',
  'Chart',
  'Capabilities',
  'Files',
  'Template',
  'Subcharts',
]);

/** Where the templates name a helper. */
export interface HelperPlace extends Extent {
  readonly file: string;
  readonly isDefinition: boolean;
}

export function helperPlaces(view: ChartView, name?: string): readonly (HelperPlace & { readonly name: string })[] {
  return view
    .templates()
    .flatMap((file) =>
      templateWords(view, file).flatMap((word) =>
        (word.kind === 'helper' || word.kind === 'definition') && (name === undefined || word.name === name)
          ? [{ file, name: word.name, from: word.from, until: word.until, isDefinition: word.kind === 'definition' }]
          : [],
      ),
    );
}

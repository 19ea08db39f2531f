import { textOfFile } from '../../chart/file-text.ts';
import type { Chart, Dependency } from '../../chart/types.ts';
import { decodeText } from '../../go/text.ts';
import type { GoMap, Value } from '../../go/value.ts';
import { isPartial } from '../../manifest/classify.ts';
import { goDelimiters } from '../../template/lexer.ts';
import type { Tree } from '../../template/node.ts';
import { ParsedSources } from '../../template/template-set.ts';
import { functionNames, isHandlebars } from '../engine.ts';
import { type Part, Parts } from './part.ts';
import { markSchemaReads } from './schema-reads.ts';
import { type FieldRead, type Sources, Walk } from './walk.ts';

export interface ChartReadsOptions {
  /** What the user gave. */
  readonly config?: GoMap | undefined;
  /** What the chart's templates were parsed into. */
  readonly parsed?: ParsedSources | undefined;
  /** Hears of each field that a template names; a template that is followed with several things in hand names it as often. */
  readonly onRead?: ((read: FieldRead) => void) | undefined;
  /** The only template to follow: `shop/templates/web.yaml`. What it includes is followed too. */
  readonly only?: string | undefined;
}

/**
 * What a chart and the charts below it may read of the values, in whatever branch: by templates, conditions, tags,
 * `import-values` and schemas. The part that is returned is the values of the outermost chart.
 */
export function chartReads(
  chart: Chart,
  { config = new Map(), parsed = new ParsedSources(), onRead, only }: ChartReadsOptions,
): Part {
  const reading = new ChartReading(parsed);
  const values = reading.parts.value();
  reading.addChart(chart, { values, root: values, path: chart.metadata.name, above: [] });
  reading.addTexts(config);
  reading.follow(values, { onRead, only });
  return values;
}

/** Where a chart is in the tree. */
interface ChartPlace {
  readonly values: Part;
  readonly root: Part;
  readonly path: string;
  /** The keys that lead to its values. */
  readonly above: readonly string[];
}

class ChartReading {
  readonly parts = new Parts();
  readonly #parsed: ParsedSources;
  readonly #functions = functionNames();
  readonly #trees = new Map<string, Tree[]>();
  readonly #texts = new Map<string, Tree>();
  /** Files that are rendered, each with what its chart's templates begin with. */
  readonly #rendered: (readonly [path: string, scope: Part])[] = [];
  /** Of a template that cannot be read nobody knows what it reads. */
  #isUnreadable = false;

  constructor(parsed: ParsedSources) {
    this.#parsed = parsed;
  }

  addChart(chart: Chart, { values, root, path, above }: ChartPlace): Part {
    const { parts } = this;
    this.addTexts(chart.values);
    for (const one of chart.files) this.#addText(textOfFile(one));
    if (chart.schema !== undefined) markSchemaReads(decodeText(chart.schema), [values], parts);
    const subcharts = parts.made();
    const scope = parts.made([
      ['Values', [values]],
      ['Subcharts', [subcharts]],
    ]);
    const listed = chart.metadata.dependencies ?? [];
    for (const entry of listed) this.#addDependency(entry, { values, root, above, isThere: isThere(chart, entry) });
    for (const child of chart.dependencies) {
      for (const name of namesOf(child, listed)) {
        const [own] = parts.member([values], name) as [Part];
        // The globals of the outermost chart reach every chart.
        parts.put(own, 'global', parts.member([root], 'global'));
        const place = { values: own, root, path: `${path}/charts/${name}`, above: [...above, name] };
        parts.put(subcharts, name, [this.addChart(child, place)]);
      }
    }
    this.#addTemplates(chart, scope, path);
    return scope;
  }

  #addDependency(
    entry: Dependency,
    { values, root, above, isThere }: Omit<ChartPlace, 'path'> & { readonly isThere: boolean },
  ): void {
    const { parts } = this;
    const name = entry.alias || entry.name;
    if (!isThere) parts.whole(parts.member([values], name));
    for (const condition of (entry.condition ?? '').trim().split(','))
      if (condition !== '') parts.memberAt([root], [...above, ...condition.split('.')]);
    for (const tag of entry.tags ?? []) parts.memberAt([root], ['tags', tag]);
    for (const item of entry.importValues ?? []) {
      const { child, parent } = importOf(item as Value);
      const source = parts.memberAt([values], [name, ...child.split('.')]);
      const target = parent === '.' ? [values] : parts.memberAt([values], parent.split('.'));
      for (const part of target) parts.merge(part, source);
    }
  }

  #addTemplates(chart: Chart, scope: Part, path: string): void {
    const isLibrary = chart.metadata.type?.toLowerCase() === 'library';
    for (const template of chart.templates) {
      const file = `${path}/${template.name}`;
      const text = textOfFile(template);
      if (isHandlebars(file)) handlebarsReads(text, scope, this.parts);
      else this.#addTemplate(file, text);
      if (!isLibrary && !isPartial(file)) this.#rendered.push([file, scope]);
    }
  }

  #addTemplate(name: string, text: string): void {
    const trees = this.#treesOf(name, text);
    if (trees === undefined) this.#isUnreadable = true;
    for (const [defined, tree] of trees ?? []) this.#trees.set(defined, [...(this.#trees.get(defined) ?? []), tree]);
  }

  /** The texts with actions in values: `tpl` may run them. */
  addTexts(value: Value): void {
    if (typeof value === 'string') this.#addText(value);
    else if (value instanceof Map) for (const item of value.values()) this.addTexts(item);
    else if (Array.isArray(value)) for (const item of value) this.addTexts(item);
  }

  #addText(text: string): void {
    const tree = this.#parse(text);
    if (tree !== undefined) this.#texts.set(text, tree);
  }

  readonly #parse = (text: string): Tree | undefined =>
    text.includes('{{') ? this.#treesOf(textName, text)?.get(textName) : undefined;

  #treesOf(name: string, text: string): ReadonlyMap<string, Tree> | undefined {
    try {
      return this.#parsed.trees(
        { name, text },
        { hasFunction: (called) => this.#functions.has(called), delimiters: goDelimiters },
      );
    } catch {
      // The chart does not render with it, or the text is not for `tpl`.
      return undefined;
    }
  }

  follow(values: Part, { onRead, only }: Pick<ChartReadsOptions, 'onRead' | 'only'>): void {
    const sources: Sources = { trees: this.#trees, texts: [...this.#texts.values()], parse: this.#parse };
    const walk = new Walk(this.parts, sources, onRead);
    for (const [path, scope] of this.#rendered) if (only === undefined || path === only) walk.template(path, [scope]);
    walk.texts();
    if (this.#isUnreadable || !walk.isComplete) this.parts.whole([values]);
  }
}

const textName = 'gotpl';

const isThere = ({ dependencies }: Chart, entry: Dependency): boolean =>
  dependencies.some(({ metadata }) => metadata.name === entry.name || metadata.name === entry.alias);

/** A chart is there once for each name that Chart.yaml gives it. */
function namesOf({ metadata: { name } }: Chart, listed: readonly Dependency[]): readonly string[] {
  const own = listed.filter((entry) => entry.name === name || entry.alias === name);
  return own.length === 0 ? [name] : [...new Set(own.map((entry) => entry.alias || entry.name))];
}

function importOf(item: Value): { readonly child: string; readonly parent: string } {
  if (!(item instanceof Map)) return { child: `exports.${textOf(item)}`, parent: '.' };
  return { child: textOf(item.get('child')), parent: textOf(item.get('parent')) };
}

const textOf = (value: Value): string => (typeof value === 'string' ? value : '');

/** What a Handlebars template names of the values counts as read with all that is in it. */
function handlebarsReads(text: string, scope: Part, parts: Parts): void {
  const values = parts.member([scope], 'Values');
  for (const [, path = ''] of text.matchAll(/\bValues((?:[./][\w-]+)*)/g))
    parts.whole(parts.memberAt(values, path.split(/[./]/).slice(1)));
}

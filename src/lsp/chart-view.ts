import { crdManifests } from '../change/deploy/crds.ts';
import { coalesceValues } from '../chart/coalesce.ts';
import { chartFromMap } from '../chart/file-map.ts';
import { placedCharts } from '../chart/paths.ts';
import type { Chart, ChartFile } from '../chart/types.ts';
import { readValues } from '../chart/values-file.ts';
import { decodeText, encodeText } from '../go/text.ts';
import type { GoMap } from '../go/value.ts';
import { isPartial } from '../manifest/classify.ts';
import type { Manifest } from '../manifest/types.ts';
import { functionNames } from '../render/engine.ts';
import { type ReRenderer, reRendererOf } from '../render/re-renderer.ts';
import { chartReads } from '../render/reads/chart-reads.ts';
import { isScope, isValuesPart, type Part, type Shape } from '../render/reads/part.ts';
import { type PreparedChart, prepareChart } from '../render/release.ts';
import { goDelimiters } from '../template/lexer.ts';
import type { Language } from '../template/parser.ts';
import { ParsedSources } from '../template/template-set.ts';
import { type Mended, mended } from './template/mended.ts';

/** The release that templates see while they are written: as `tshelm check CHART` names it. */
export const release = { name: 'release-name', namespace: 'default', revision: 1, isInstall: true } as const;

/** A field that templates read of the values, or of what else they are given. */
export interface Read {
  /** `shop/templates/web.yaml` */
  readonly file: string;
  /** Of the field's name, in the text of the file. */
  readonly from: number;
  readonly until: number;
  readonly name: string;
  /** The places in the values that it may be, named from the outermost chart. */
  readonly keys: readonly (readonly string[])[];
  /** The places that it is read of. */
  readonly owners: readonly (readonly string[])[];
  /** It is read of what the templates of a chart begin with: `.Values`, `.Release`. */
  readonly isOfScope: boolean;
}

/** What the charts' values are read for, and where. */
export interface ChartReads {
  readonly root: Part;
  readonly reads: readonly Read[];
}

const noNotices = (): void => undefined;

/** The functions that templates may call. */
export const functions = functionNames();

export const language: Language = { hasFunction: (name) => functions.has(name), delimiters: goDelimiters };

/** A chart in a folder as the editor has it, and what is known of it. Everything is worked out when it is first asked for. */
export class ChartView {
  /** The chart as its files say it. */
  readonly chart: Chart;
  readonly #parsed: ParsedSources;
  #prepared: PreparedChart | undefined;
  #again: ReRenderer | undefined;
  #crds: readonly Manifest[] | undefined;
  #reads: ChartReads | undefined;
  #mendedChart: ChartView | undefined;
  readonly #mended = new Map<string, Mended>();

  private constructor(chart: Chart, parsed: ParsedSources) {
    this.chart = chart;
    this.#parsed = parsed;
  }

  /** Of a folder's files, by their paths in it. Errors: `chart-invalid`. */
  static of(files: ReadonlyMap<string, Uint8Array>): ChartView {
    return new ChartView(chartFromMap(files, noNotices), new ParsedSources());
  }

  get name(): string {
    return this.chart.metadata.name;
  }

  /** What templates were parsed into: for whoever renders the same chart. */
  get parsed(): ParsedSources {
    return this.#parsed;
  }

  /** The same chart with another text in a template: `templates/web.yaml`, `charts/db/templates/db.yaml`; undefined where it has no such template. */
  withTemplate(path: string, text: string): ChartView | undefined {
    const data = encodeText(text);
    const chart = withTemplate(this.chart, path.split('/'), data);
    if (chart === undefined) return undefined;
    const view = new ChartView(chart, this.#parsed);
    const prepared = this.#prepared && withTemplate(this.#prepared.chart, this.#preparedPath(path), data);
    if (prepared !== undefined) view.#prepared = { ...(this.#prepared as PreparedChart), chart: prepared };
    view.#crds = this.#crds;
    return view;
  }

  /** In what is prepared a chart has the name that its parent gives it. */
  #preparedPath = (path: string): readonly string[] => path.split('/');

  /** Without the charts that the values switch off. Errors: `invalid-values`. */
  prepared(): PreparedChart {
    this.#prepared ??= prepareChart(this.chart, new Map());
    return this.#prepared;
  }

  /** What the templates see, subcharts included. Errors: `invalid-values`. */
  values(): GoMap {
    return this.again().values;
  }

  /** Renders single templates with the chart's own values. Errors: `invalid-values`. */
  again(): ReRenderer {
    const { chart } = this.prepared();
    this.#again ??= reRendererOf(chart, {
      values: coalesceValues(chart, new Map(), noNotices),
      release,
      parsed: this.#parsed,
    });
    return this.#again;
  }

  /** The objects of crds/. Errors: `invalid-manifest`, `crd-failed`. */
  crds(): readonly Manifest[] {
    this.#crds ??= crdManifests(this.prepared().crds);
    return this.#crds;
  }

  /** The values of ci/*-values.yaml, by the files' names, which charts are tested with; one that cannot be read is left out. */
  ciValues(): ReadonlyMap<string, GoMap> {
    const files = this.chart.raw.filter(({ name }) => /^ci\/[^/]*-values\.yaml$/.test(name));
    return new Map(
      files.flatMap(({ name, data }): [string, GoMap][] => {
        try {
          return [[name, readValues(data)]];
        } catch {
          // Its own diagnostics say why.
          return [];
        }
      }),
    );
  }

  /** The text of a file by its name with charts before it: `shop/charts/db/templates/db.yaml`. */
  text(file: string): string | undefined {
    const found = this.#fileOf(file);
    return found && decodeText(found.data);
  }

  #fileOf(file: string): ChartFile | undefined {
    const placed = placedCharts(this.chart).findLast(({ path }) => file.startsWith(`${path}/`));
    return placed?.chart.raw.find(({ name }) => name === file.slice(placed.path.length + 1));
  }

  /** The templates of all charts, with the charts before their names. */
  templates(): readonly string[] {
    return placedCharts(this.chart).flatMap(({ chart, path }) => chart.templates.map(({ name }) => `${path}/${name}`));
  }

  /** A template as it can be parsed. */
  mended(file: string): Mended {
    const known = this.#mended.get(file) ?? mended(this.text(file) ?? '', language);
    this.#mended.set(file, known);
    return known;
  }

  /** The same chart with all of its templates mended. */
  get whole(): ChartView {
    const chart = this.#whole();
    if (chart === this.chart) return this;
    this.#mendedChart ??= new ChartView(chart, this.#parsed);
    return this.#mendedChart;
  }

  /** What the templates read: of those that cannot be parsed, what can be understood of them. */
  reads(): ChartReads {
    this.#reads ??= this.#readsOf(this.#whole(), undefined);
    return this.#reads;
  }

  /** What one template reads, with other text in it. */
  readsWith(file: string, text: string): ChartReads {
    const path = file.split('/').slice(1);
    const chart = withTemplate(this.chart, path, encodeText(text)) ?? this.chart;
    return this.#readsOf(this.#whole(chart, file), isPartial(file) ? undefined : file);
  }

  #readsOf(chart: Chart, only: string | undefined): ChartReads {
    const found = new Map<string, Read>();
    const onRead = (field: Parameters<NonNullable<Parameters<typeof chartReads>[1]['onRead']>>[0]): void => {
      const { source, at, name, owner, found: parts } = field;
      const { given } = source.text === this.text(source.name) ? { given: same } : this.mended(source.name);
      const key = `${source.name} ${at}`;
      const before = found.get(key);
      found.set(key, {
        file: source.name,
        from: given(at),
        until: given(at) + name.length,
        name,
        keys: distinct([...(before?.keys ?? []), ...keysIn(parts)]),
        owners: distinct([...(before?.owners ?? []), ...keysIn(owner)]),
        isOfScope: before?.isOfScope === true || owner.some(isScope),
      });
    };
    const root = chartReads(chart, { parsed: this.#parsed, onRead, only });
    return { root, reads: [...found.values()].sort((a, b) => a.from - b.from) };
  }

  /** The chart with all of its templates mended but one. */
  #whole(chart: Chart = this.chart, except?: string): Chart {
    let whole = chart;
    for (const file of this.templates()) {
      if (file === except) continue;
      const text = this.text(file) ?? '';
      const { text: own } = this.mended(file);
      if (own !== text) whole = withTemplate(whole, file.split('/').slice(1), encodeText(own)) ?? whole;
    }
    return whole;
  }
}

const same = (index: number): number => index;

const keysIn = (shape: Shape): readonly (readonly string[])[] =>
  shape.filter(isValuesPart).map(({ keys = [] }) => keys);

const distinct = (all: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  all.length < 2 ? all : [...new Map(all.map((keys) => [keys.join('\0'), keys])).values()];

/** Undefined where the chart has no such template. */
function withTemplate(chart: Chart, path: readonly string[], data: Uint8Array): Chart | undefined {
  const [folder, child, ...below] = path;
  if (folder === 'charts' && child !== undefined) {
    let isFound = false;
    const dependencies = chart.dependencies.map((one) => {
      if (one.metadata.name !== child) return one;
      const changed = withTemplate(one, below, data);
      isFound ||= changed !== undefined;
      return changed ?? one;
    });
    return isFound ? { ...chart, dependencies } : undefined;
  }
  const name = path.join('/');
  const replaced = (file: ChartFile): ChartFile => (file.name === name ? { ...file, data } : file);
  if (!chart.templates.some((file) => file.name === name)) return undefined;
  return { ...chart, templates: chart.templates.map(replaced), raw: chart.raw.map(replaced) };
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chartFromFiles } from '../chart/assemble.ts';
import type { BufferedFile } from '../chart/files.ts';
import { loadChartSync } from '../chart/load.ts';
import { ignoreNotices } from '../chart/notice.ts';
import { type OrderDeclarations, orderFileOf } from '../chart/order-file.ts';
import { type CompiledSchemas, validateAgainstSchemaSync } from '../chart/schema/validate.ts';
import type { Chart, ChartMetadata } from '../chart/types.ts';
import type { SchemaCheck } from '../chart/validate-values.ts';
import { readValues } from '../chart/values-file.ts';
import { GoError, type GoMap } from '../go/value.ts';
import { KnownDocuments } from '../manifest/parse.ts';
import { withOrderFile } from '../plan/outside-order.ts';
import { isRegularFile } from '../support/directories.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { ParsedSources } from '../template/template-set.ts';
import { readTypedYaml } from '../yaml/index.ts';
import { KeysAhead } from './keys-ahead.ts';
import { plainValues, type Values } from './values.ts';

const charts = new WeakMap<LoadedChart, Chart>();

/** A loaded chart: it stays as it was read, even if its files change. */
export class LoadedChart {
  readonly metadata: ChartMetadata;

  /** @internal */
  constructor(chart: Chart) {
    this.metadata = chart.metadata;
    charts.set(this, chart);
  }

  /** The chart's own values, as values.yaml has them. */
  get values(): Values {
    const file = chartOf(this).raw.find(({ name }) => name === 'values.yaml');
    return plainValues(file === undefined ? new Map() : readValues(file.data, withIntegers));
  }

  /**
   * The chart in an order that is declared outside of it (docs/ordering.md, 8). What the chart declares itself comes second.
   * Error: `order-file-invalid`.
   */
  withOrder(order: OrderDeclarations): LoadedChart {
    return new LoadedChart(withOrderFile(chartOf(this), orderFileOf(order, 'order')));
  }

  /** The names of its templates, of subcharts too: `templates/web.yaml`, `charts/db/templates/db.yaml`. */
  get templates(): readonly string[] {
    return templatesOf(chartOf(this), '');
  }
}

/** A document that loading has read as a mapping, or as nothing. */
function withIntegers(document: string): GoMap {
  const values = readTypedYaml(document);
  return values instanceof Map ? values : new Map();
}

const templatesOf = ({ templates, dependencies }: Chart, path: string): readonly string[] => [
  ...templates.map(({ name }) => `${path}${name}`),
  ...dependencies.flatMap((child) => templatesOf(child, `${path}charts/${child.metadata.name}/`)),
];

export const chartOf = (loaded: LoadedChart): Chart => charts.get(loaded) as Chart;

/** The files of a chart by their paths below it: `Chart.yaml`, `templates/web.yaml`. */
export type ChartFiles = Readonly<Record<string, string | Uint8Array>>;

const mostCharts = 64;
const mostValues = 256;

/**
 * What renders in one process share, by content: charts, files of values, schemas, parsed templates, documents that were read; and new keys. Whoever changes a
 * file gets the new one, and what is forgotten is read again; so one library serves everybody.
 */
class ChartLibrary {
  readonly parsed = new ParsedSources();
  readonly documents = new KnownDocuments();
  readonly keys = new KeysAhead();
  readonly #charts = new Remembered<Chart>(mostCharts);
  readonly #values = new Remembered<GoMap>(mostValues);
  readonly #schemas: CompiledSchemas = new WeakMap();

  /** The chart in a folder or an archive. Errors: `chart-not-found`, `chart-invalid`. */
  load(path: string): Chart {
    if (path.trim() !== '' && isRegularFile(path)) {
      const key = keyOf([path, readFileSync(path)]);
      return this.#charts.get(key, () => loadChartSync(path));
    }
    return loadChartSync(path, {
      assemble: (files, options) =>
        this.#charts.get(keyOfFiles(options.origin, files), () => chartFromFiles(files, options)),
    });
  }

  /** Errors: `chart-invalid`. */
  fromFiles(files: ChartFiles): Chart {
    const buffered = Object.entries(files).map(([name, data]): BufferedFile => {
      return { name, data: typeof data === 'string' ? Buffer.from(data) : data, modifiedAt: new Date(0) };
    });
    try {
      const make = (): Chart => chartFromFiles(buffered, { origin: '', notify: ignoreNotices });
      return this.#charts.get(keyOfFiles('', buffered), make);
    } catch (cause) {
      if (cause instanceof TshelmError) throw cause;
      if (!(cause instanceof GoError)) throw cause;
      throw new TshelmError('chart-invalid', { message: messageOf(cause), details: { path: '' }, cause });
    }
  }

  /** The values of a YAML file. Nobody may write into them. */
  readonly values = (data: Uint8Array): GoMap => this.#values.get(keyOf([data]), () => readValues(data));

  readonly checkSchema: SchemaCheck = (schema, values) =>
    validateAgainstSchemaSync(schema, values, { notify: ignoreNotices, compiled: this.#schemas });
}

/** The things that were asked for last, by their keys. */
class Remembered<T> {
  readonly #most: number;
  readonly #things = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => T): T {
    const known = this.#things.get(key);
    const thing = known ?? make();
    this.#things.delete(key);
    this.#things.set(key, thing);
    const [oldest] = this.#things.keys();
    if (this.#things.size > this.#most && oldest !== undefined) this.#things.delete(oldest);
    return thing;
  }
}

const keyOfFiles = (origin: string, files: readonly BufferedFile[]): string =>
  keyOf([origin, ...files.flatMap(({ name, data, modifiedAt }) => [name, `${modifiedAt.getTime()}`, data])]);

function keyOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}\0`).update(part);
  return hash.digest('base64');
}

export const library = new ChartLibrary();

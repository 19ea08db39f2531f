import { type Templates, templateText } from '../chart/template-text.ts';
import type { ObjectSource, SourceField } from '../execute/sources.ts';
import { decodeText } from '../go/text.ts';
import { documentLine } from '../manifest/document-line.ts';
import { lineOfPath } from '../manifest/line-of.ts';
import { templateLine } from '../manifest/template-line.ts';
import type { Manifest } from '../manifest/types.ts';
import { addedDetail, TshelmError } from '../support/errors.ts';
import { lineOfKeys } from '../yaml/index.ts';
import type { Rendered } from './phases.ts';

/** What objects were made of. */
export interface Origins {
  readonly chart: Templates;
  /** What it rendered. */
  readonly manifests?: readonly Manifest[] | undefined;
  /** The user's values. */
  readonly config?: ReadonlyMap<string, unknown> | undefined;
}

export const originsOf = ({ release, manifests }: Rendered): Origins => ({
  chart: release.chart,
  manifests,
  config: release.config,
});

/**
 * The same failure; its objects' sources say at which line of their templates they begin, and which lines made the fields
 * at fault, where the chart tells.
 */
export function withTemplateLines(failure: unknown, origins: Origins): unknown {
  const sources = addedDetail(failure, 'sources') ?? [];
  if (!(failure instanceof TshelmError) || sources.length === 0) return failure;
  const located = sources.map((source) => {
    const text = templateText(origins.chart, source.file);
    if (text === undefined) return source;
    const fields = source.fields?.map((field) => locatedField(field, source, text, origins));
    return { ...source, line: documentLine(text, source.id), ...(fields && { fields }) };
  });
  return failure.wrapped({ message: failure.message, details: { sources: located } });
}

function locatedField(field: SourceField, { id, file }: ObjectSource, text: string, origins: Origins): SourceField {
  const manifest = origins.manifests?.find(
    ({ source, object }) => source === file && object.kind === id.kind && object.metadata.name === id.name,
  );
  if (manifest === undefined) return field;
  const line = templateLine(text, manifest.text, lineOfPath(manifest.text, field.path));
  if (line === undefined) return field;
  const written = text.split('\n')[line - 1]?.trim() ?? '';
  // What is written out may be a secret: it is in the rendered object, where those are masked.
  return {
    ...field,
    line,
    ...(written.includes('{{') && { written }),
    value: valuePlace(written, { file, key: field.path.at(-1) }, origins),
  };
}

/** A field of a template's object: `key` is its own name. */
interface Made {
  readonly file: string;
  readonly key: string | number | undefined;
}

/** Where the only value that a line of a template names is set, or the field in it; undefined where it cannot be told. */
function valuePlace(written: string, { file, key }: Made, { chart, config }: Origins): string | undefined {
  const [value, another] = [...written.matchAll(/\.Values\.([\w.]+)/g)];
  const keys = value?.[1]?.split('.') ?? [];
  if (keys.length === 0 || another !== undefined || config === undefined || keys[0] === 'global') return undefined;
  const charts = (file.split('/templates/')[0] ?? '').split('/charts/').slice(1);
  // A parent chart may set the values of its subcharts.
  const text = charts.length > 0 ? undefined : valuesText(chart);
  for (const inside of [[...keys, String(key)], keys]) {
    const whole = [...charts, ...inside];
    if (hasKeys(config, whole)) return `${whole.join('.')} is set with -f or --set`;
    const line = text === undefined ? undefined : lineOfKeys(text, inside);
    if (line !== undefined) return `${inside.join('.')} is set in ${chart.metadata.name}/values.yaml:${line}`;
  }
  return undefined;
}

function hasKeys(values: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys;
  if (key === undefined) return true;
  return values instanceof Map && values.has(key) && hasKeys(values.get(key), rest);
}

function valuesText({ raw }: Templates): string | undefined {
  const file = raw?.find(({ name }) => name === 'values.yaml');
  return file && decodeText(file.data);
}

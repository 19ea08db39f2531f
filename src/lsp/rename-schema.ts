import { placedCharts } from '../chart/paths.ts';
import { isObject } from '../support/json.ts';
import { Lines } from '../support/lines.ts';
import type { ChartView } from './chart-view.ts';
import { anyKey, type Edit, isSame, ownKeys } from './places.ts';
import { keysIn } from './value-keys.ts';

/** The property of each values.schema.json that a key of the values is; a schema in which it cannot be found keeps the name. */
export function schemaEdits(
  view: ChartView,
  keys: readonly string[],
  name: string,
): { readonly edits: readonly Edit[] } | { readonly problem: string } {
  const edits: Edit[] = [];
  for (const { chart, path } of placedCharts(view.chart)) {
    const file = `${path}/values.schema.json`;
    const own = ownKeys(keys, path.split('/charts/').slice(1));
    const text = view.text(file);
    if (own === undefined || chart.schema === undefined || text === undefined) continue;
    if (!text.includes(JSON.stringify(own.at(-1)))) continue;
    const wanted = own.flatMap((key) => (key === anyKey ? ['items'] : ['properties', key]));
    const place = keysIn(new Lines(text)).find((one) => isSame(one.keys, wanted));
    if (place === undefined && !combines.test(text)) continue;
    if (place === undefined || isRequired(text, wanted)) return { problem: `${file} names it in a way that stays` };
    edits.push({ file, from: place.from, until: place.until, text: JSON.stringify(name).slice(1, -1) });
  }
  return { edits };
}

/** Keywords by which a schema may say something of a key in several places. */
const combines = /"(?:\$ref|allOf|anyOf|oneOf|if|not|patternProperties|dependencies|dependentRequired)"/;

function isRequired(text: string, wanted: readonly string[]): boolean {
  const read = (at: unknown, key: string): unknown => (isObject(at) ? at[key] : undefined);
  const required = read(wanted.slice(0, -2).reduce(read, JSON.parse(text) as unknown), 'required');
  return Array.isArray(required) && required.includes(wanted.at(-1));
}

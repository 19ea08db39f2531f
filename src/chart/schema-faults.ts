import { isDeepStrictEqual } from 'node:util';
import type { GoMap } from '../go/value.ts';
import type { Fault } from '../support/errors.ts';
import { schemaProblems } from './schema-problems.ts';
import { schemaWish } from './schema-wish.ts';
import { shownValue } from './shown-value.ts';
import { nameOfKeys, valueIn } from './tables.ts';
import type { Chart } from './types.ts';
import { chartValuePlace } from './value-place.ts';

/** A chart whose values do not fit its schema. */
export interface Misfit {
  /** From the chart that was asked for down to it. */
  readonly charts: readonly Chart[];
  /** Its values, coalesced. */
  readonly values: GoMap;
  /** In the words of the validator: a line for each value, `- at '/service/port': got string, want integer`. */
  readonly findings: string;
}

/** What is wrong, and where a values.yaml says so; what the user gave by -f or --set has keys and no place. */
export const schemaFaults = (misfit: Misfit): readonly Fault[] =>
  schemaProblems(misfit.findings).map(({ keys: own, reason }) => {
    const keys = [...misfit.charts.slice(1).map(({ metadata }) => metadata.name), ...own];
    const text = `${own.length === 0 ? 'values' : keys.join('.')}: ${reason}`;
    const fix = fixOf(own, keys, reason, misfit);
    const value = shownValue(misfit.values, own);
    return {
      ...placeOf(own, keys, misfit),
      keys,
      text,
      ...(value !== undefined && { value }),
      ...(fix !== undefined && { fix }),
    };
  });

/** What the schema wants instead, or which value it misses. */
function fixOf(
  own: readonly string[],
  keys: readonly string[],
  reason: string,
  { charts }: Misfit,
): string | undefined {
  const schema = charts.at(-1)?.schema;
  const missing = /^missing property '([^']+)'$/.exec(reason)?.[1];
  const wish = schemaWish(schema, missing === undefined ? own : [...own, missing]);
  const asked = wish && `the schema asks for ${wish}`;
  // That one is missing stands in the validator's words.
  if (missing === undefined || asked === undefined) return asked;
  return `set ${nameOfKeys([...keys, missing])} with -f, with --set, or in values.yaml: ${asked}`;
}

/** Of a map only the keys of the user may be wrong, or one that is missing: it is where they belong. */
function placeOf(
  own: readonly string[],
  keys: readonly string[],
  { charts, values }: Misfit,
): Pick<Fault, 'file' | 'line'> {
  const [outermost] = charts;
  const wrong = valueIn(values, own);
  const written = charts.map(({ values: all }, depth) => valueIn(all, keys.slice(depth)));
  const isWritten = isDeepStrictEqual(
    written.find((value) => value !== undefined),
    wrong,
  );
  if (outermost === undefined || !(wrong instanceof Map || isWritten)) return {};
  const place = chartValuePlace(outermost, keys);
  if (place !== undefined) return { file: place.file, line: place.line };
  const isThere = charts.at(-1)?.raw.some(({ name }) => name === 'values.yaml') === true;
  const path = charts.map(({ metadata }) => metadata.name).join('/charts/');
  return own.length === 0 && isThere ? { file: `${path}/values.yaml` } : {};
}

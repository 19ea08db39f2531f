import { isDeepStrictEqual } from 'node:util';
import { decodeText } from '../go/text.ts';
import type { GoMap } from '../go/value.ts';
import type { Fault } from '../support/errors.ts';
import { lineOfKeys } from '../yaml/index.ts';
import type { Chart } from './types.ts';

/** A chart whose values do not fit its schema. */
export interface Misfit {
  /** From the chart that was asked for down to it. */
  readonly charts: readonly Chart[];
  /** Its values, coalesced. */
  readonly values: GoMap;
  /** In the words of the validator: a line for each value, `- at '/service/port': got string, want integer`. */
  readonly findings: string;
}

/** Where the values.yaml of a chart or of one above it says what is wrong; what the user gave by -f or --set has no place. */
export const schemaFaults = (misfit: Misfit): readonly Fault[] =>
  misfit.findings.split('\n').flatMap((line) => {
    const [, path, reason] = /^ *- at '([^']*)': (.*)$/.exec(line) ?? [];
    if (path === undefined || reason === 'validation failed') return [];
    const keys = path.split('/').slice(1);
    const text = `${keys.length === 0 ? 'values' : keys.join('.')}: ${reason}`;
    const at = placeOf(keys, misfit);
    return at === undefined ? [] : [{ ...at, text }];
  });

/** The chart on the outside whose values.yaml has the value that is wrong. */
function placeOf(keys: readonly string[], { charts, values }: Misfit): Omit<Fault, 'text'> | undefined {
  const wrong = valueAt(values, keys);
  for (const [depth, chart] of charts.entries()) {
    const whole = [...charts.slice(depth + 1).map(({ metadata }) => metadata.name), ...keys];
    const own = valueAt(chart.values, whole);
    const file = chart.raw.find(({ name }) => name === 'values.yaml');
    if (own === undefined || file === undefined) continue;
    const path = charts.slice(0, depth + 1).map(({ metadata }) => metadata.name);
    const named = `${path.join('/charts/')}/values.yaml`;
    // Of a map only the keys of the user may be wrong, or one that is missing: it is where they belong.
    if (wrong instanceof Map || isDeepStrictEqual(own, wrong))
      return { file: named, line: whole.length === 0 ? undefined : lineOfKeys(decodeText(file.data), whole) };
    return undefined;
  }
  return undefined;
}

function valueAt(values: unknown, keys: readonly string[]): unknown {
  let at = values;
  for (const key of keys) at = at instanceof Map ? at.get(key) : undefined;
  return at;
}

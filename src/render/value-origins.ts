import { shownValue } from '../chart/shown-value.ts';
import { valueAtKeys } from '../chart/tables.ts';
import type { Templates } from '../chart/template-text.ts';
import { chartValuePlace } from '../chart/value-place.ts';
import type { ValuePlace } from '../problem/place.ts';
import { isDigits } from '../support/text.ts';
import type { ReRenderer } from './re-renderer.ts';

/** What objects were rendered from: the chart, its templates as a function, and the values of the user. */
export interface ObjectOrigins {
  readonly chart: Templates;
  /** Renders the chart's templates again; without it only the lines at which objects begin can be told. */
  readonly again?: ReRenderer | undefined;
  /** The user's values. */
  readonly config?: ReadonlyMap<string, unknown> | undefined;
}

/** Where a value is set. The user's word goes before what the charts set. */
export function valuePlace(keys: readonly string[], { chart, again, config }: ObjectOrigins): ValuePlace | undefined {
  const text = again && shownValue(again.values, keys);
  const value = { kind: 'value' as const, keys, ...(text !== undefined && { text }) };
  if (isSetBy(config, keys)) return { ...value, isGiven: true };
  const place = chartValuePlace(chart, keys);
  return place && { ...value, file: place.file, line: place.line };
}

/** Lists are given as a whole. */
export function isSetBy(config: ReadonlyMap<string, unknown> | undefined, keys: readonly string[]): boolean {
  const item = keys.findIndex(isDigits);
  return (
    valueAtKeys(config, keys) !== undefined || (item > 0 && valueAtKeys(config, keys.slice(0, item)) !== undefined)
  );
}

import { placeOfKeys } from '../yaml/index.ts';
import { textOfFile } from './file-text.ts';
import type { Templates } from './template-text.ts';

/** A line of a values.yaml, and the keys of the value there as the user names them from the outermost chart. */
export interface ValuePlace {
  /** `shop/charts/db/values.yaml` */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly keys: readonly string[];
}

/**
 * Where the charts set a value, named from the outermost chart: in its values.yaml, or in that of the subchart that the
 * first keys name; what a parent says counts before what its subchart says. Undefined where none of them sets it.
 */
export function chartValuePlace(chart: Templates, keys: readonly string[]): ValuePlace | undefined {
  return placesOf(chart, keys).find((place) => place.keys.length === keys.length);
}

/** Where the charts set the nearest value above one that is missing, as `ingress` of `ingress.tls`; of equals the innermost chart's. */
export function placeAbove(chart: Templates, keys: readonly string[]): ValuePlace | undefined {
  const places = placesOf(chart, keys).filter((place) => place.keys.length < keys.length);
  return places.reduce<ValuePlace | undefined>(
    (best, place) => (best === undefined || place.keys.length >= best.keys.length ? place : best),
    undefined,
  );
}

/** From the outermost chart to the subchart, each with as many keys as its values.yaml has. */
function placesOf(chart: Templates, keys: readonly string[]): readonly ValuePlace[] {
  const places: ValuePlace[] = [];
  let at: Templates | undefined = chart;
  let path = chart.metadata.name;
  for (let depth = 0; at !== undefined; depth++) {
    const own = keys[0] === 'global' ? keys : keys.slice(depth);
    const file = at.raw?.find(({ name }) => name === 'values.yaml');
    const place = file && placeOfKeys(textOfFile(file), own);
    const before = keys.length - own.length;
    if (place !== undefined)
      places.push({ file: `${path}/values.yaml`, line: place.line, keys: keys.slice(0, before + place.found) });
    at = at.dependencies?.find(({ metadata }) => metadata.name === keys[depth]);
    path += `/charts/${keys[depth]}`;
  }
  return places;
}

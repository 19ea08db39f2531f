import { ifReadable } from '../go/if-readable.ts';
import { decodeText } from '../go/text.ts';
import type { GoMap } from '../go/value.ts';
import type { ChartFact } from '../problem/chart-fact.ts';
import { schemaFindings } from '../problem/foreign/json-schema.ts';
import type { Place } from '../problem/place.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import type { AllowedValue } from '../problem/remedy.ts';
import { isObject } from '../support/json.ts';
import { isDigits } from '../support/text.ts';
import { equals } from './schema/equality.ts';
import { shownValue } from './shown-value.ts';
import { valueIn } from './tables.ts';
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

/** Each value that a schema refuses or misses, where it is set, and what the schema asks for. */
export const misfitProblems = (misfit: Misfit): readonly Problem[] =>
  schemaFindings(misfit.findings).map(({ keys: own, reason, missing, extra }) => {
    const { charts } = misfit;
    const keys = [...charts.slice(1).map(({ metadata }) => metadata.name), ...own];
    const wanted = missing === undefined ? [] : [missing];
    const allowed = allowedValue(charts.at(-1)?.schema, [...own, ...wanted]);
    const cause: ChartFact =
      missing === undefined
        ? { code: 'value-misfit', keys, words: new Quote(reason) }
        : { code: 'value-missing', keys: [...keys, missing] };
    return problemOf({
      subject: { kind: 'value', keys: cause.keys },
      cause,
      places:
        missing !== undefined
          ? placesOfMissing(missing, own, keys, misfit)
          : extra === undefined
            ? placesOf(own, keys, misfit)
            : extra.flatMap((name) => placesOf([...own, name], [...keys, name], misfit)),
      remedies:
        missing === undefined && allowed === undefined ? [] : [{ kind: 'set-value', keys: cause.keys, allowed }],
    });
  });

/** Where what is missing is set to null, or else where it belongs. */
function placesOfMissing(missing: string, own: readonly string[], keys: readonly string[], misfit: Misfit) {
  const [outermost] = misfit.charts;
  const whole = [...keys, missing];
  const isNull = outermost !== undefined && valueIn(outermost.values, whole) === null;
  const place = isNull ? chartValuePlace(outermost, whole) : undefined;
  if (place === undefined) return placesOf(own, keys, misfit);
  return [{ kind: 'value', keys: whole, text: 'null', file: place.file, line: place.line } as const];
}

/** Of a map only the keys of the user may be wrong, or one that is missing: it is where they belong. */
function placesOf(own: readonly string[], keys: readonly string[], { charts, values }: Misfit): readonly Place[] {
  const [outermost] = charts;
  const wrong = valueIn(values, own);
  const written = charts.map(({ values: all }, depth) => valueIn(all, keys.slice(depth)));
  const isWritten = equals(
    written.find((value) => value !== undefined),
    wrong,
  );
  const text = shownValue(values, own);
  const value = { kind: 'value', keys, ...(text !== undefined && { text }) } as const;
  if (outermost === undefined || !(wrong instanceof Map || isWritten))
    return keys.length === 0 ? [] : [{ ...value, isGiven: true }];
  const place = chartValuePlace(outermost, keys);
  if (place !== undefined) return [{ ...value, file: place.file, line: place.line }];
  const isThere = charts.at(-1)?.raw.some(({ name }) => name === 'values.yaml') === true;
  const path = charts.map(({ metadata }) => metadata.name).join('/charts/');
  return own.length === 0 && isThere ? [{ kind: 'file', file: `${path}/values.yaml` }] : [];
}

/**
 * What a values.schema.json asks of a value, as far as it is written out under `properties` and `items`. Undefined where
 * it says no more there than a type, which the validator names, or is no JSON.
 */
export function allowedValue(schema: Uint8Array | undefined, keys: readonly string[]): AllowedValue | undefined {
  if (schema === undefined) return undefined;
  const found = keys.reduce<unknown>(memberOf, parsed(schema));
  if (!isObject(found)) return undefined;
  const { type, pattern, minimum, maximum, minLength, enum: choice, examples, default: usual } = found;
  const example = Array.isArray(examples) ? (examples as unknown[])[0] : usual;
  const rules = { pattern, minimum, maximum, minLength, choice, example };
  if (Object.values(rules).every((rule) => rule === undefined)) return undefined;
  return {
    types: [type].flat().filter((name): name is string => typeof name === 'string'),
    choice: Array.isArray(choice) ? choice.map((one) => JSON.stringify(one)) : undefined,
    pattern: pattern === undefined ? undefined : String(pattern),
    minimum: numberOf(minimum),
    maximum: numberOf(maximum),
    minLength: numberOf(minLength),
    example: example === undefined ? undefined : JSON.stringify(example),
  };
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function memberOf(at: unknown, key: string): unknown {
  if (!isObject(at)) return undefined;
  const { properties, items } = at;
  return isDigits(key) && items !== undefined ? items : isObject(properties) ? properties[key] : undefined;
}

const parsed = (schema: Uint8Array): unknown => ifReadable((): unknown => JSON.parse(decodeText(schema)));

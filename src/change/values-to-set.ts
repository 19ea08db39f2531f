import { nameOfKeys, valueIn } from '../chart/tables.ts';
import { helperTexts, type Templates, templateText } from '../chart/template-text.ts';
import { sentences } from '../execute/faults.ts';
import type { Value } from '../go/value.ts';
import { fieldsIn } from '../problem/place.ts';
import { isSameObject, type ObjectProblem } from '../problem/problem.ts';
import type { Remedy } from '../problem/remedy.ts';
import { valueThatFills } from '../render/filled-by.ts';
import { influencesOn, withValue } from '../render/influences.ts';
import { valuesIn } from '../render/refused-values.ts';
import { nearest } from '../support/near.ts';
import { isSecretName } from '../support/secret-names.ts';
import { readingOf, scopeOf } from './field-again.ts';
import { type Origins, valuePlace } from './value-origins.ts';

/** The value without which the field is empty that a problem is about: its place, and that it has to be set. */
export function withEmptyValue(problem: ObjectProblem, origins: Origins): ObjectProblem {
  const { subject, places } = problem;
  const [field] = fieldsIn(places);
  const { again, chart } = origins;
  if (again === undefined || field === undefined || !isSameObject(field.object, subject.id)) return problem;
  const read = readingOf(again, subject, field.path);
  const named = valuesNamedBy(chart, subject.template, field.lines?.[0]?.written);
  const keys = valueThatFills(read, scopeOf(again, subject), named);
  if (keys === undefined) return problem;
  const place = valuePlace(keys, origins);
  const values = place === undefined ? [] : [place];
  return {
    ...problem,
    places: places.map((one) => (one === field ? { ...field, values } : one)),
    remedies: [...sentences([misspelt(keys, again.values) ?? wayToSet(keys)]), ...problem.remedies],
  };
}

const wayToSet = (keys: readonly string[]): string => `set ${nameOfKeys(keys)} with -f, with --set, or in values.yaml`;

/** Where the map that should have the value has one of nearly its name. */
function misspelt(keys: readonly string[], values: Value): string | undefined {
  const holder = valueIn(values, keys.slice(0, -1));
  const near = holder instanceof Map ? nearest(keys.at(-1) as string, [...holder.keys()].map(String)) : undefined;
  const there = near && nameOfKeys([...keys.slice(0, -1), near]);
  return there && `the values have ${there} and no ${nameOfKeys(keys)}: did you mean ${there}?`;
}

/** Those in the line that wrote the field, then those of its template, then those of helpers. */
function valuesNamedBy(chart: Templates, file: string, written = ''): readonly (readonly string[])[] {
  const texts = [written, templateText(chart, file) ?? '', ...helperTexts(chart)];
  return texts.flatMap((text) => valuesIn(text, file));
}

/** Of each text that should be another one, the value that makes it so, found by setting it. */
export const withCorrectedValues = (problem: ObjectProblem, origins: Origins): ObjectProblem => ({
  ...problem,
  remedies: problem.remedies.flatMap((remedy) => correctedValue(remedy, problem, origins)),
});

function correctedValue(remedy: Remedy, { subject }: ObjectProblem, { again }: Origins): readonly Remedy[] {
  if (remedy.kind !== 'change-field' || remedy.instead === undefined || remedy.value === undefined) return [remedy];
  if (again === undefined) return [remedy];
  const { path, instead: refused, value: meant } = remedy;
  const read = readingOf(again, subject, path);
  const scope = scopeOf(again, subject);
  const made = influencesOn(read, scope);
  // A password stays one in lower case, and is masked no more.
  if (made.some((keys) => keys.some(isSecretName))) return [];
  for (const keys of made) {
    const value = valueIn(scope.values, keys);
    const better =
      typeof value === 'string' &&
      [...(value === refused ? [meant] : []), ...corrections(value, refused.length - meant.length)].find(
        (text) => read(withValue(scope, keys, text)) === meant,
      );
    if (typeof better !== 'string') continue;
    return [{ kind: 'set-value', keys, value: better, ...(better !== meant && { makes: meant }) }];
  }
  return [remedy];
}

/** What may make a value a name, or a part of one, that little that counts first. */
const corrections = (value: string, tooMany: number): readonly string[] => {
  const lower = value.toLowerCase();
  const dashed = lower.replace(/[^a-z0-9.]+/g, '-');
  const trimmed = dashed.replace(/^[-.]+|[-.]+$/g, '');
  const cut = value.slice(0, Math.max(1, value.length - Math.max(0, tooMany)));
  return [lower, dashed, trimmed, trimmed.replaceAll('.', '-'), value.replace(/[^A-Za-z0-9_.-]+/g, '-'), cut];
};

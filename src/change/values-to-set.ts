import { nameOfKeys, valueIn } from '../chart/tables.ts';
import type { Value } from '../go/value.ts';
import { pathText } from '../manifest/field-path.ts';
import { fieldsIn, type ValuePlace } from '../problem/place.ts';
import { isSameObject, type ObjectProblem } from '../problem/problem.ts';
import type { Remedy } from '../problem/remedy.ts';
import { type DocumentTrace, documentOf } from '../render/document-trace.ts';
import { emptyValueKeys, isShownIn, isUnset, textAt, unsetValuesOf, valuesOfField } from '../render/field-values.ts';
import type { ReRenderer } from '../render/re-renderer.ts';
import { type ObjectOrigins, valuePlace } from '../render/value-origins.ts';
import { nearest } from '../support/near.ts';
import { isSecretName } from '../support/secret-names.ts';
import { isContainer } from '../template/origin.ts';

/** The value without which the field is empty that a problem is about: its place, and that it has to be set. */
export function withEmptyValue(problem: ObjectProblem, origins: ObjectOrigins): ObjectProblem {
  const { subject, places } = problem;
  const [field] = fieldsIn(places);
  const { again } = origins;
  if (again === undefined || field === undefined || !isSameObject(field.object, subject.id)) return problem;
  const document = documentOf(again, subject.template, subject.id);
  const keys =
    document && (emptyValueKeys(document, field.path, again.values) ?? emptyPartKeys(problem, document, again));
  if (keys === undefined) return problem;
  const near = nearKeys(keys, again.values);
  const values = [keys, ...(near === undefined ? [] : [near])].flatMap((one) => valuePlace(one, origins) ?? []);
  return {
    ...problem,
    places: places.map((one) => (one === field ? { ...field, values } : one)),
    remedies: [
      near === undefined
        ? { kind: 'set-value', keys }
        : { kind: 'use-name', name: nameOfKeys(near), instead: nameOfKeys(keys), isGuess: true },
      ...problem.remedies,
    ],
  };
}

/** Of the name of an image with an empty part: the only value that can have left it empty. */
function emptyPartKeys({ cause, places }: ObjectProblem, document: DocumentTrace, { values }: ReRenderer) {
  if (cause.code !== 'image-name-invalid') return undefined;
  const lacksTag = cause.image.endsWith(':');
  if (!lacksTag && !cause.image.split('/').some((part) => part === '' || part.startsWith(':'))) return undefined;
  const isOfTag = (keys: readonly string[]): boolean => ['tag', 'digest'].includes(keys.at(-1) ?? '');
  const unset = fieldsIn(places)
    .flatMap(({ path }) => unsetValuesOf(document, path, values))
    .filter((one) => isOfTag(one) === lacksTag);
  // What is set to '' is meant to be empty.
  const absent = unset.filter((one) => valueIn(values, one) === undefined);
  const [keys, another] = absent.length > 0 ? absent : unset;
  return another === undefined ? keys : undefined;
}

/** Where the map that should have the value has one of nearly its name. */
function nearKeys(keys: readonly string[], values: Value): readonly string[] | undefined {
  const holder = valueIn(values, keys.slice(0, -1));
  const near = holder instanceof Map ? nearest(keys.at(-1) as string, [...holder.keys()].map(String)) : undefined;
  return near === undefined ? undefined : [...keys.slice(0, -1), near];
}

/** Of each text that should be another one, the value that makes it so. */
export const withCorrectedValues = (problem: ObjectProblem, origins: ObjectOrigins): ObjectProblem => ({
  ...problem,
  remedies: problem.remedies.flatMap((remedy) => correctedValue(remedy, problem, origins)),
});

function correctedValue(remedy: Remedy, problem: ObjectProblem, { again }: ObjectOrigins): readonly Remedy[] {
  if (remedy.kind !== 'change-field' || again === undefined) return [remedy];
  const { path, instead: refused, value: meant } = remedy;
  if (refused === undefined || meant === undefined) return [withShownValue(remedy, problem, again)];
  const document = documentOf(again, problem.subject.template, problem.subject.id);
  const made = document === undefined ? [] : valuesOfField(document, path, again.values);
  // A password stays one in lower case, and is masked no more.
  if (made.some((keys) => keys.some(isSecretName))) return [];
  for (const keys of made) {
    const value = valueIn(again.values, keys);
    const better = typeof value === 'string' ? corrected(value, refused, meant) : undefined;
    if (better === undefined) continue;
    return [{ kind: 'set-value', keys, value: better, ...(better !== meant && { makes: meant }) }];
  }
  return [remedy];
}

type FieldRemedy = Extract<Remedy, { kind: 'change-field' }>;

/** With the value to change, the likely one of those that the field shows; a tag may be empty, and says which is the default. */
function withShownValue(remedy: FieldRemedy, { places }: ObjectProblem, again: ReRenderer): FieldRemedy {
  const { object, path, how = 'add' } = remedy;
  const field = fieldsIn(places).find(
    (one) => isSameObject(one.object, object) && pathText(one.path) === pathText(path),
  );
  const document = field && documentOf(again, field.template, object);
  if (!['correct', 'raise', 'lower'].includes(how) || document === undefined) return remedy;
  const text = textAt(document, path);
  const isChoice = ({ keys }: ValuePlace): boolean => {
    const value = valueIn(again.values, keys);
    return isUnset(value) || (!isContainer(value) && isShownIn(text, value));
  };
  const keys = field?.values?.find(isChoice)?.keys;
  return keys === undefined || keys.some(isSecretName) ? remedy : { ...remedy, keys };
}

/** The same value so that the refused text, which shows it once, becomes the one that is meant. */
function corrected(value: string, refused: string, meant: string): string | undefined {
  const [before, after, ...more] = refused.split(value);
  if (before === undefined || after === undefined || more.length > 0) return undefined;
  return corrections(value, refused.length - meant.length).find((text) => `${before}${text}${after}` === meant);
}

/** What may make a value a name, or a part of one, that little that counts first. */
const corrections = (value: string, tooMany: number): readonly string[] => {
  const lower = value.toLowerCase();
  const dashed = lower.replace(/[^a-z0-9.]+/g, '-');
  const trimmed = dashed.replace(/^[-.]+|[-.]+$/g, '');
  const cut = value.slice(0, Math.max(1, value.length - Math.max(0, tooMany)));
  return [lower, dashed, trimmed, trimmed.replaceAll('.', '-'), value.replace(/[^A-Za-z0-9_.-]+/g, '-'), cut];
};

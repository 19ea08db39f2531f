import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { fieldsIn } from '../../problem/place.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { FieldType, Remedy } from '../../problem/remedy.ts';

/** An object that is mended; its fields at `paths` say what nobody meant. */
export interface Repaired {
  readonly object: KubernetesObject;
  readonly paths: readonly FieldPath[];
}

/**
 * The object without what does not fit the schema of its kind, so that a server looks at the rest. Items of lists keep
 * their places. Undefined where there is nothing that can be mended without knowing what was meant.
 */
export function repaired(object: KubernetesObject, problems: readonly ObjectProblem[]): Repaired | undefined {
  const copy = structuredClone(object);
  const mended = problems.flatMap((problem) =>
    fieldsIn(problem.places).flatMap(({ path }) => {
      const paths = repairAt(copy, path, problem);
      return paths === undefined ? [] : [paths];
    }),
  );
  return mended.length === 0 ? undefined : { object: copy, paths: mended.flat() };
}

type Holder = Record<string | number, unknown>;

/** Mends one field of the copy; gives the paths of what is guessed. */
function repairAt(
  copy: KubernetesObject,
  path: FieldPath,
  { cause, remedies }: ObjectProblem,
): readonly FieldPath[] | undefined {
  const key = path.at(-1);
  const holder = valueAtPath(copy, path.slice(0, -1)) as Holder | undefined;
  if (key === undefined || holder === undefined) return undefined;
  switch (cause.code) {
    case 'field-unknown':
      moveBelow(copy, holder[key], key, remedies);
      delete holder[key];
      return [path];
    case 'field-type':
      holder[key] = valueOfType(cause.wanted, holder[key]);
      return [path];
    case 'encoding-invalid':
      holder[key] = '';
      return [path];
    case 'quantity-invalid': {
      const meant = remedies.find((remedy) => remedy.kind === 'change-field')?.value;
      holder[key] = meant ?? '1';
      if (meant !== undefined) return [];
      // Another quantity may not fit those beside it: a request is at most its limit.
      return path.at(-2) === 'requests' ? [path, path.slice(0, -1)] : [path];
    }
    case 'field-duplicate':
      return renameDuplicate(holder[key], cause.key).map((item) => [...path, item]);
    default:
      return undefined;
  }
}

/** What is indented too little belongs to a field above it. */
function moveBelow(copy: KubernetesObject, value: unknown, key: string | number, remedies: readonly Remedy[]): void {
  const [below] = remedies.flatMap((remedy) => (remedy.kind === 'indent' ? remedy.below : []));
  const holder = below && (valueAtPath(copy, below.slice(0, -1)) as Holder | undefined);
  if (holder === undefined) return;
  const name = below?.at(-1) as string;
  holder[name] = { ...(holder[name] as Holder | null | undefined), [key]: value };
}

function valueOfType(wanted: FieldType, value: unknown): unknown {
  switch (wanted) {
    case 'string':
      return typeof value === 'object' ? '' : String(value);
    case 'number':
    case 'integer':
    case 'scalar':
      return Math.trunc(Number(value)) || 1;
    case 'boolean':
      return String(value) === 'true';
    case 'list':
      return [];
    case 'map':
      return {};
  }
}

/** Gives all items but the first that have this key another one; gives their indexes. `duplicate`: `web`, or `port=80,protocol="TCP"`. */
function renameDuplicate(list: unknown, duplicate: string | undefined): readonly number[] {
  if (!Array.isArray(list) || duplicate === undefined) return [];
  const numbers = [...duplicate.matchAll(/\b(\w+)=(\d+)/g)].map(
    ([, name = '', value]) => [name, Number(value)] as const,
  );
  const keyOf = (item: unknown): string | undefined => {
    if (typeof item !== 'object' || item === null) return undefined;
    const isKey = ([name, value]: readonly [string, unknown]): boolean =>
      value === duplicate || numbers.some(([key, number]) => key === name && number === value);
    return Object.entries(item).find(isKey)?.[0];
  };
  const [, ...others] = [...list.entries()].filter(([, item]) => keyOf(item) !== undefined);
  for (const [index, item] of others) {
    const key = keyOf(item) as string;
    item[key] = typeof item[key] === 'number' ? item[key] + 1000 + index : `${duplicate}-${index}`;
  }
  return others.map(([index]) => index);
}

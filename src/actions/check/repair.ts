import { nearestField } from '../../kinds/nearest-field.ts';
import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { fieldsIn } from '../../problem/place.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { FieldType, Remedy } from '../../problem/remedy.ts';
import { nearest } from '../../support/near.ts';

/** An object that is mended; its fields at `paths` say what nobody meant. */
export interface Repaired {
  readonly object: KubernetesObject;
  readonly paths: readonly FieldPath[];
  /** Fields that have the name that was probably meant. */
  readonly renamed: readonly Renamed[];
}

interface Renamed {
  readonly from: FieldPath;
  readonly to: FieldPath;
}

/**
 * The object without what does not fit the schema of its kind, so that a server looks at the rest. Items of lists keep
 * their places. Undefined where there is nothing that can be mended without knowing what was meant.
 */
export function repaired(object: KubernetesObject, problems: readonly ObjectProblem[]): Repaired | undefined {
  const copy = structuredClone(object);
  const renamed: Renamed[] = [];
  const mended = problems.flatMap((problem) =>
    fieldsToMend(problem).flatMap(({ path }) => {
      const to = problem.cause.code === 'field-unknown' ? renamedField(copy, path, problem) : undefined;
      if (to !== undefined) renamed.push({ from: path, to });
      const paths = repairAt(copy, path, problem);
      return paths === undefined ? [] : [paths];
    }),
  );
  return mended.length === 0 ? undefined : { object: copy, paths: mended.flat(), renamed };
}

/** Of items with the same key, the last of which comes first, one keeps it. */
function fieldsToMend({ cause, places }: ObjectProblem) {
  const fields = fieldsIn(places);
  return cause.code === 'field-duplicate' && fields.length > 1 ? fields.slice(0, -1) : fields;
}

/** Gives a field the name that was probably meant, where the object has none of that name. */
function renamedField(copy: KubernetesObject, path: FieldPath, { subject, remedies }: ObjectProblem) {
  const near = remedies.some(({ kind }) => kind === 'indent') ? undefined : nearestField(subject.id, path, nearest);
  const holder = valueAtPath(copy, path.slice(0, -1)) as Holder | undefined;
  if (near === undefined || holder === undefined || near.field !== path.at(-1)) return undefined;
  if ((holder[near.meant] ?? '') !== '') return undefined;
  holder[near.meant] = holder[near.field];
  return [...path.slice(0, -1), near.meant];
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
    case 'node-port-outside':
      holder[key] = cause.from;
      return [path];
    case 'field-choice': {
      const meant = remedies.find((remedy) => remedy.kind === 'change-field')?.value;
      if (meant === undefined || holder[key] !== cause.value) return undefined;
      holder[key] = meant;
      return [];
    }
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
    case 'field-duplicate': {
      const text = holder[key];
      if (typeof text !== 'string' && typeof text !== 'number') return undefined;
      const index = Number(path.at(-2));
      holder[key] = typeof text === 'number' ? text + 1000 + index : `${text}-${index}`;
      return [path.slice(0, -1)];
    }
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

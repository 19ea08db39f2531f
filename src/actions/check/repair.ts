import { innerField, nearestField, outerField } from '../../kinds/nearest-field.ts';
import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { fieldsIn } from '../../problem/place.ts';
import type { ObjectProblem } from '../../problem/problem.ts';
import type { FieldType } from '../../problem/remedy.ts';
import { isObject } from '../../support/json.ts';
import { nearest } from '../../support/near.ts';

/** An object that is mended; its fields at `paths` say what nobody meant. */
export interface Repaired {
  readonly object: KubernetesObject;
  readonly paths: readonly FieldPath[];
  /** Fields that are where they were probably meant. */
  readonly moved: readonly Moved[];
}

/** A field that has another name, or is below another one. */
export interface Moved {
  readonly from: FieldPath;
  readonly to: FieldPath;
}

/**
 * The object without what does not fit the schema of its kind, so that a server looks at the rest. Items of lists keep
 * their places. Undefined where there is nothing that can be mended without knowing what was meant.
 */
export function repaired(object: KubernetesObject, problems: readonly ObjectProblem[]): Repaired | undefined {
  const copy = structuredClone(object);
  const moved: Moved[] = [];
  const mended = problems.flatMap((problem) =>
    fieldsToMend(problem).flatMap(({ path }) => {
      const to = meantPath(path, problem);
      if (to !== undefined && move(copy, { from: path, to })) moved.push({ from: path, to });
      const paths = repairAt(copy, path, problem);
      return paths === undefined ? [] : [paths];
    }),
  );
  return mended.length === 0 ? undefined : { object: copy, paths: mended.flat(), moved };
}

/** Of items with the same key, the last of which comes first, one keeps it. */
function fieldsToMend({ cause, places }: ObjectProblem) {
  const fields = fieldsIn(places);
  return cause.code === 'field-duplicate' && fields.length > 1 ? fields.slice(0, -1) : fields;
}

/** Where a field that the kind does not have was probably meant to be: below another one, or there by another name. */
function meantPath(path: FieldPath, { cause, subject, remedies }: ObjectProblem): FieldPath | undefined {
  if (cause.code !== 'field-unknown') return undefined;
  const [below] = remedies.flatMap((remedy) => (remedy.kind === 'indent' ? remedy.below : []));
  const key = path.at(-1) as string;
  if (below !== undefined) return [...below, key];
  const near = nearestField(subject.id, path, nearest);
  if (near?.field === key) return [...path.slice(0, -1), near.meant];
  return outerField(subject.id, path) ?? innerField(subject.id, path);
}

/** Moves a field, unless there is one where it goes. What is in the metadata that a release adds does not count. */
export function move(copy: KubernetesObject, { from, to }: Moved): boolean {
  const [source, target] = [holderAt(copy, from), holderAt(copy, to)];
  const [key, meant] = [from.at(-1), to.at(-1)] as [string, string];
  if (source === undefined || target === undefined) return false;
  const isOfMetadata = to.length === 1 && meant === 'metadata' && (copy.metadata.name ?? '') === '';
  if (!isOfMetadata && (target[meant] ?? '') !== '') return false;
  const value = source[key];
  delete source[key];
  target[meant] = isOfMetadata && isObject(value) ? { ...copy.metadata, ...value } : value;
  return true;
}

/** What has the last key of a path; an empty map where there is nothing yet. */
function holderAt(copy: KubernetesObject, path: FieldPath): Holder | undefined {
  if (path.length === 1) return copy as unknown as Holder;
  const above = valueAtPath(copy, path.slice(0, -2)) as Holder | undefined;
  const key = path.at(-2) as string;
  if (above === undefined || above === null) return undefined;
  above[key] ??= {};
  return typeof above[key] === 'object' ? (above[key] as Holder) : undefined;
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

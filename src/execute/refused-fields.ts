import type { ApiFailure } from '../cluster/types.ts';
import type { FieldPath } from '../manifest/field-path.ts';
import type { KubernetesObject } from '../manifest/types.ts';

/** The fields that a refusal of the API server names, as ways into the object that was sent. */
export function refusedFields(object: KubernetesObject, { message, causes }: ApiFailure): readonly FieldPath[] {
  const typed = [...message.matchAll(/(?:^|[\s(])\.(\S+): (?:expected |field not declared|duplicate entries)/g)].map(
    ([, path]) => path,
  );
  const strict = [...message.matchAll(/unknown field "([^"]+)"/g)].map(([, path]) => path);
  if (message.includes('quantities must match the regular expression')) return noQuantities(object);
  const namespace = /^namespaces "([^"]+)" not found/.exec(message)?.[1];
  if (namespace !== undefined && object.metadata.namespace === namespace) return [['metadata', 'namespace']];
  // Conflicts of field managers name it with a dot before it.
  const told = [...causes.map(({ field }) => field?.replace(/^\./, '')), ...typed, ...strict];
  const texts = told.filter((text): text is string => text !== undefined && text !== '' && !text.startsWith('<'));
  const paths = [...new Set(texts)].map((text) => pathInto(object, text)).filter((path) => path.length > 0);
  // Of a field that the server added only what holds it was sent.
  return paths.filter((path, index) => !paths.some((other, at) => at !== index && holds(path, other, at < index)));
}

/** Resources that are no quantities: the API server does not say which. */
function noQuantities(from: unknown, path: FieldPath = [], isAmount = false): readonly FieldPath[] {
  if (typeof from !== 'object' || from === null)
    return isAmount && !/^[+-]?[0-9.]+(?:[eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i)?$/.test(String(from)) ? [path] : [];
  return Object.entries(from).flatMap(([key, value]) => {
    const isIn = isAmount || amounts.has(key);
    return noQuantities(value, [...path, Array.isArray(from) ? Number(key) : key], isIn && key !== 'claims');
  });
}

/** Fields that are a quantity, or a map of them. */
const amounts: ReadonlySet<string> = new Set(['capacity', 'divisor', 'hard', 'limits', 'requests', 'sizeLimit']);

/** Whether one way leads on from the other; of two alike the earlier does. */
const holds = (path: FieldPath, other: FieldPath, isEarlier: boolean): boolean =>
  (other.length > path.length || (other.length === path.length && isEarlier)) &&
  path.every((part, index) => other[index] === part);

/** `spec.ports[0].port` and `spec.containers[name="web"].image`, as far as the object has them; keys may have dots in them. */
export function pathInto(object: unknown, text: string): FieldPath {
  const path: (string | number)[] = [];
  let at = object;
  let rest = text;
  while (rest !== '') {
    const selector = /^\[([^\]]*)\]/.exec(rest);
    const written = selector?.[0] ?? keyIn(at, rest);
    const part = selector === null ? written : partOf(selector[1] ?? '', at);
    if (typeof at !== 'object' || at === null || part === undefined || !Object.hasOwn(at, part)) break;
    path.push(part);
    at = (at as Record<string | number, unknown>)[part];
    rest = rest.slice((written as string).length).replace(/^\./, '');
  }
  return path;
}

/** The longest of its keys that a way begins with. */
function keyIn(of: unknown, text: string): string | undefined {
  const keys = typeof of === 'object' && of !== null ? Object.keys(of) : [];
  const fitting = keys.filter((key) => text.startsWith(key) && /^(?:$|[.[])/.test(text.slice(key.length)));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/** What brackets choose of a list by its index or by values of its items, and of a map by a key. */
function partOf(selector: string, of: unknown): string | number | undefined {
  if (!Array.isArray(of)) return selector.replace(/^"(.*)"$/, '$1');
  if (/^\d+$/.test(selector)) return Number(selector);
  const wanted = [...selector.matchAll(/(\w+)=("[^"]*"|[^,]*)/g)];
  const index = of.findIndex((item: unknown) =>
    wanted.every(([, key = '', value = '']) => {
      const found = (item as Record<string, unknown> | null)?.[key];
      return found === undefined || String(found) === value.replace(/^"(.*)"$/, '$1');
    }),
  );
  return index < 0 ? undefined : index;
}

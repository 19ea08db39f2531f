import { type FieldPath, pathText, valueAtPath } from '../manifest/field-path.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { type ApiStatus, refusalFacts } from '../problem/foreign/api-status.ts';
import { podLabels, type RefusalFact, type UnlikeLabel } from '../problem/refusal-fact.ts';
import type { FieldType } from '../problem/remedy.ts';
import { decodedBase64 } from '../support/base64.ts';
import { nearest } from '../support/near.ts';
import { isDigits, trimPrefix, unquoted } from '../support/text.ts';

/** A fact of a refusal, and the fields of the object that was sent that it is about. */
export interface RefusedPart {
  readonly fact: RefusalFact;
  readonly paths: readonly FieldPath[];
}

/** What the API server refuses of an object. */
export function refusedParts(object: KubernetesObject, answer: ApiStatus): readonly RefusedPart[] {
  const parts = refusalFacts(answer).flatMap((fact) => partsOf(fact, object));
  const paths = parts.flatMap((part) => part.paths);
  return parts.filter(
    (part) => !followsFrom(part, paths) && !isWiderChoice(part, parts) && !asksForNothing(part, parts),
  );
}

/** Where there is no selector no label is missing. */
const asksForNothing = ({ fact }: RefusedPart, all: readonly RefusedPart[]): boolean =>
  fact.code === 'selector-mismatch' &&
  fact.unlike === undefined &&
  all.some(({ fact: other }) => other.code === 'field-required' && other.field === 'spec.selector');

/** Whether the server says of the same field that it has to be one of fewer words: some pods may restart in one way only. */
const isWiderChoice = ({ fact }: RefusedPart, all: readonly RefusedPart[]): boolean =>
  fact.code === 'field-choice' &&
  all.some(
    ({ fact: other }) =>
      other.code === 'field-choice' &&
      other.field === fact.field &&
      other.allowed.length < fact.allowed.length &&
      other.allowed.every((word) => fact.allowed.includes(word)),
  );

/** Of a field that the server has added (a targetPort that is the port) what was sent is at fault beside it. */
function followsFrom({ fact, paths: [path = []] }: RefusedPart, all: readonly FieldPath[]): boolean {
  if (fact.code !== 'field-value' || path.length === 0 || pathText(path) === fact.field) return false;
  return all.some((other) => other.length > path.length && path.every((part, index) => other[index] === part));
}

function partsOf(fact: RefusalFact, object: KubernetesObject): readonly RefusedPart[] {
  switch (fact.code) {
    case 'quantity-invalid': {
      // The API server does not say which field it is.
      const paths = noQuantities(object);
      if (paths.length === 0) return [{ fact, paths }];
      return paths.map((path) => {
        const value = String(valueAtPath(object, path));
        return { fact: { ...fact, field: pathText(path), value }, paths: [path] };
      });
    }
    case 'namespace-missing':
      return [{ fact, paths: object.metadata.namespace === fact.name ? [['metadata', 'namespace']] : [] }];
    case 'conflict':
    case 'field-immutable':
      return [{ fact, paths: pathsOf(fact.fields, object) }];
    case 'selector-mismatch':
      return [selectorPart(fact, object)];
    case 'field-value':
      return [{ fact, paths: pathsOf([fact.field, ...(fact.beside === undefined ? [] : [fact.beside])], object) }];
    case 'field-required': {
      const [path = []] = pathsOf([fact.field], object);
      const words = isSet(object, path, fact.field) ? fact.words : undefined;
      if (words !== undefined) return [{ fact: { code: 'field-value', field: fact.field, words }, paths: [path] }];
      const paths = pathsOf([fact.field], object);
      return [{ fact, paths: paths.flatMap((one) => [...meantFields(object, one, fact.field), one]) }];
    }
    case 'field-duplicate':
      return [{ fact, paths: pathsOf([fact.field], object).flatMap((path) => duplicatesAt(object, path, fact.key)) }];
    // Of a list the server names no item.
    case 'field-choice':
      return [{ fact, paths: pathsOf([fact.field], object).map((path) => wordPath(object, path, fact.value)) }];
    case 'name-invalid':
      return [{ fact, paths: pathsOf([fact.field], object).map((path) => memberPath(object, path, fact.value)) }];
    case 'encoding-invalid': {
      const paths = noBase64(object['data']).map((key) => ['data', key]);
      return paths.length === 0
        ? [{ fact, paths }]
        : paths.map((path) => ({ fact: { ...fact, field: pathText(path) }, paths: [path] }));
    }
    case 'field-type': {
      const misfits = misfitsBelow(object, fact.field.split('.'), fact);
      const paths = misfits.length > 0 ? misfits : pathsOf([fact.field], object);
      const value = valueAtPath(object, paths[0] ?? []);
      return [{ fact: typeof value === 'string' && fact.value === undefined ? { ...fact, value } : fact, paths }];
    }
    default:
      return [{ fact, paths: 'field' in fact ? pathsOf([fact.field], object) : [] }];
  }
}

/** Of a field that the server added only what holds it was sent. */
function pathsOf(fields: readonly string[], object: KubernetesObject): readonly FieldPath[] {
  const paths = fields.map((field) => pathInto(object, asSent(field, object))).filter((path) => path.length > 0);
  return paths.filter((path, index) => !paths.some((other, at) => at !== index && holds(path, other, at < index)));
}

/**
 * A CRD is judged as its first version, of which Kubernetes' own form has the schema and more beside the versions; a Service
 * by the list that the server makes of its address.
 */
function asSent(field: string, { kind, ...object }: KubernetesObject): string {
  if (kind === 'CustomResourceDefinition')
    return field
      .replace(/^spec\.validation\./, 'spec.versions[0].schema.')
      .replace(/^spec\.(?=additionalPrinterColumns\b|subresources\b)/, 'spec.versions[0].');
  const isMade = kind === 'Service' && valueAtPath(object, ['spec', 'clusterIPs']) === undefined;
  return isMade && field === 'spec.clusterIPs[0]' ? 'spec.clusterIP' : field;
}

/** The labels that the pods of the object have not as its selector asks for them, or all, and what asks for them. */
function selectorPart(
  fact: Extract<RefusalFact, { code: 'selector-mismatch' }>,
  object: KubernetesObject,
): RefusedPart {
  const labels = new Map(Object.entries((valueAtPath(object, podLabels) ?? {}) as object));
  const wanted = Object.entries((valueAtPath(object, matchLabels) ?? {}) as object);
  const unlike = wanted
    .filter(([key, value]) => labels.get(key) !== value)
    .map(([key, value]): UnlikeLabel => {
      const text = labels.get(key);
      const found = typeof text === 'string' ? text : undefined;
      const near = labels.has(key) ? undefined : nearest(key, labels.keys());
      return {
        key,
        wanted: String(value),
        ...(found !== undefined && { found }),
        ...(near !== undefined && { near }),
      };
    });
  if (unlike.length === 0) return { fact, paths: pathsOf([fact.field], object) };
  const paths = unlike.flatMap(({ key, found, near }) => {
    const meant = found === undefined ? near : key;
    return [meant === undefined ? podLabels : [...podLabels, meant], [...matchLabels, key]];
  });
  return { fact: { ...fact, unlike }, paths };
}

const matchLabels = ['spec', 'selector', 'matchLabels'];

/** Of some fields the API server says that they are required where others of their values are. */
function isSet(object: KubernetesObject, path: FieldPath, field: string): boolean {
  const value = valueAtPath(object, path);
  return pathText(path) === field && value !== '' && ['string', 'number', 'boolean'].includes(typeof value);
}

/** What may be meant to be a field that is missing at `path`, or empty: one of nearly its name, or one that is too deep. */
function meantFields(object: KubernetesObject, path: FieldPath, field: string): readonly FieldPath[] {
  const [name = ''] = field.split('.').slice(-1);
  const holder = path.at(-1) === name ? path.slice(0, -1) : path;
  const at = valueAtPath(object, holder);
  if (typeof at !== 'object' || at === null || Array.isArray(at)) return [];
  const near = nearest(name, Object.keys(at));
  const below = Object.entries(at).filter(
    ([, value]) => typeof value === 'object' && value !== null && Object.hasOwn(value, name),
  );
  return [...(near === undefined ? [] : [[...holder, near]]), ...below.map(([key]) => [...holder, key, name])];
}

/**
 * The keys of all items of a list that have the same one, the last item first: it mostly is the one that was added. `path`: of
 * the list, or of such a key; `duplicate`: `web`, or `port=80,protocol="TCP"`. The path itself where they are not found.
 */
function duplicatesAt(object: KubernetesObject, path: FieldPath, duplicate = ''): readonly FieldPath[] {
  const list = Array.isArray(valueAtPath(object, path)) ? path : path.slice(0, -2);
  const items = valueAtPath(object, list);
  if (!Array.isArray(items)) return [path];
  const numbers = [...duplicate.matchAll(/\b(\w+)=(\d+)/g)].map(([, name = '', text]) => `${name}=${text}`);
  const found = items.flatMap((item: unknown, index): FieldPath[] => {
    const members = typeof item === 'object' && item !== null ? Object.entries(item) : [];
    const isKey = ([name, value]: readonly [string, unknown]): boolean =>
      value === duplicate || numbers.includes(`${name}=${String(value)}`);
    const own = list === path ? members.find(isKey)?.[0] : path.at(-1);
    const isSame = own !== undefined && members.some((one) => one[0] === own && isKey(one));
    return isSame ? [[...list, index, own]] : [];
  });
  return found.length > 1 ? found.toReversed() : [path];
}

/** Of a map with labels the one whose text, or whose key, is refused. */
function memberPath(object: KubernetesObject, path: FieldPath, value: string): FieldPath {
  const at = valueAtPath(object, path);
  const members = typeof at === 'object' && at !== null ? Object.entries(at) : [];
  const [key] = members.find(([name, text]) => name === value || text === value) ?? [];
  return key === undefined ? path : [...path, key];
}

/** The first field below a path, or the path itself, that says a word. */
function wordPath(object: KubernetesObject, path: FieldPath, word: string): FieldPath {
  const below = (at: unknown, way: FieldPath): FieldPath | undefined => {
    if (at === word) return way;
    if (typeof at !== 'object' || at === null) return undefined;
    for (const [key, item] of Object.entries(at)) {
      const found = below(item, [...way, Array.isArray(at) ? Number(key) : key]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return below(valueAtPath(object, path), path) ?? path;
}

/**
 * Fields of another type; the keys leave out the items of lists and the members of maps on the way, some of which have the
 * name of a field.
 */
function misfitsBelow(object: unknown, fields: readonly string[], { wanted, type }: Misfit): readonly FieldPath[] {
  const seen = new Set<string>();
  const misfits = (at: unknown, keys: readonly string[], path: FieldPath): readonly FieldPath[] => {
    const [key, ...rest] = keys;
    if (at === undefined || at === null || (key === undefined && isOfType(at, wanted))) return [];
    if (key === undefined && type === 'array' && Array.isArray(at)) return [path];
    const isOnTheWay = key !== undefined || (typeof at === 'object' && !['list', 'map'].includes(wanted));
    if (!isOnTheWay) return [path];
    const visit = `${keys.length} ${pathText(path)}`;
    if (typeof at !== 'object' || seen.has(visit)) return [];
    seen.add(visit);
    const below = (name: string, left: readonly string[]): readonly FieldPath[] =>
      misfits(at[name as keyof typeof at], left, [...path, Array.isArray(at) ? Number(name) : name]);
    const own = key !== undefined && Object.hasOwn(at, key) ? below(key, rest) : [];
    return own.length > 0 ? own : Object.keys(at).flatMap((name) => below(name, keys));
  };
  return misfits(object, fields, []);
}

type Misfit = Pick<Extract<RefusalFact, { code: 'field-type' }>, 'wanted' | 'type'>;

function isOfType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value) || typeof value === 'bigint';
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'list':
      return Array.isArray(value);
    case 'map':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** Keys of a Secret whose texts are not base64. */
const noBase64 = (data: unknown): readonly string[] =>
  Object.entries((data ?? {}) as object)
    .filter(([, text]) => decodedBase64(String(text)) === undefined)
    .map(([key]) => key);

/** Resources that are no quantities. */
function noQuantities(from: unknown, path: FieldPath = [], isAmount = false): readonly FieldPath[] {
  if (typeof from !== 'object' || from === null)
    return isAmount && !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i)?$/.test(String(from))
      ? [path]
      : [];
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
    const selector = /^\[((?:"[^"]*"|\[[^\]]*\]|[^\]"[])*)\]/.exec(rest);
    const written = selector?.[0] ?? keyIn(at, rest);
    const metadata = written === undefined ? metadataOf(at) : undefined;
    // The labels of a pod template are spec.template.labels in the API server's words.
    if (keyIn(metadata, rest) !== undefined) {
      path.push('metadata');
      at = metadata;
      continue;
    }
    const part = selector === null ? written : partOf(selector[1] ?? '', at);
    if (typeof at !== 'object' || at === null || part === undefined || !Object.hasOwn(at, part)) break;
    path.push(part);
    at = (at as Record<string | number, unknown>)[part];
    rest = trimPrefix(rest.slice((written as string).length), '.');
  }
  return path;
}

const metadataOf = (of: unknown): unknown => (of as { readonly metadata?: unknown } | null)?.metadata;

/** The longest of its keys that a way begins with. */
function keyIn(of: unknown, text: string): string | undefined {
  const keys = typeof of === 'object' && of !== null ? Object.keys(of) : [];
  const fitting = keys.filter((key) => text.startsWith(key) && /^(?:$|[.[])/.test(text.slice(key.length)));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/** What brackets choose of a list by its index or by values of its items, and of a map by a key. */
function partOf(selector: string, of: unknown): string | number | undefined {
  if (!Array.isArray(of)) return unquoted(selector);
  if (isDigits(selector)) return Number(selector);
  const wanted = [...selector.matchAll(/(\w+)=("[^"]*"|[^,]*)/g)];
  const index = of.findIndex((item: unknown) =>
    wanted.every(([, key = '', value = '']) => {
      const found = (item as Record<string, unknown> | null)?.[key];
      const text = typeof found === 'object' ? JSON.stringify(found) : String(found);
      return found === undefined || text === unquoted(value);
    }),
  );
  return index < 0 ? undefined : index;
}

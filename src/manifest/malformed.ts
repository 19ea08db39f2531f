import { quote } from '../go/strconv/strconv.ts';
import { parseTime } from '../go/time/parse.ts';
import { utc } from '../go/time/zone.ts';
import { GoError } from '../go/value.ts';
import { type Fields, isObject } from '../support/json.ts';
import type { KubernetesObject, Malformed } from './types.ts';

/**
 * Every such mistake of a document that was read from YAML. As Helm's builder: apiVersion and kind are texts, metadata is
 * what metav1.ObjectMeta can hold, and the items of a List are objects. Helm names the first mistake, and drops the
 * labels and annotations of a List's item that are not all texts; here every mistake is named.
 */
export function malformedParts(document: unknown): readonly Malformed[] {
  return document === null || document === undefined ? [] : partsOf(document, [], true);
}

type Path = Malformed['path'];

function partsOf(value: unknown, path: Path, mustSayKind: boolean): Malformed[] {
  if (!isObject(value))
    return [invalid('invalid object to validate', path, `is ${described(value)} but must be an object`)];
  const unnamed = mustSayKind || isSet(value['apiVersion']) || isSet(value['kind']);
  const head = unnamed ? [...apiVersionMistakes(value, path), ...kindMistakes(value, path)] : [];
  return [...head, ...metadataMistakes(value['metadata'], [...path, 'metadata']), ...itemMistakes(value, path)];
}

function apiVersionMistakes(members: Fields, path: Path): Malformed[] {
  const { apiVersion } = members;
  const at = [...path, 'apiVersion'];
  if (!isSet(apiVersion)) return [missingField('apiVersion', members, path)];
  if (typeof apiVersion !== 'string')
    return [invalid("apiVersion isn't string type", at, mustBe('a string', apiVersion))];
  if (apiVersion.split('/').length <= 2) return [];
  return [invalid(`unexpected GroupVersion string: ${apiVersion}`, at, 'has more than one slash')];
}

function kindMistakes(members: Fields, path: Path): Malformed[] {
  const { kind } = members;
  if (!isSet(kind)) return [missingField('kind', members, path)];
  return typeof kind === 'string'
    ? []
    : [invalid("kind isn't string type", [...path, 'kind'], mustBe('a string', kind))];
}

function itemMistakes(value: Fields, path: Path): Malformed[] {
  if (!isList(value)) return [];
  const { items, kind } = value;
  const at = [...path, 'items'];
  if (!Array.isArray(items)) {
    return kind === 'List' ? [invalid('invalid object to validate', at, mustBe('a list', items))] : [];
  }
  return items.flatMap((item, index) => partsOf(item, [...at, index], kind === 'List'));
}

/** The types of metav1.ObjectMeta's fields, as Go names them. */
const metadataTypes: Readonly<Record<string, string>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  selfLink: 'string',
  uid: 'types.UID',
  resourceVersion: 'string',
  generation: 'int64',
  creationTimestamp: 'Time',
  deletionTimestamp: 'Time',
  deletionGracePeriodSeconds: 'int64',
  labels: 'map[string]string',
  annotations: 'map[string]string',
  ownerReferences: '[]v1.OwnerReference',
  finalizers: '[]string',
  managedFields: '[]v1.ManagedFieldsEntry',
};

const ownerTypes: Readonly<Record<string, string>> = {
  apiVersion: 'string',
  kind: 'string',
  name: 'string',
  uid: 'types.UID',
  controller: 'bool',
  blockOwnerDeletion: 'bool',
};

function metadataMistakes(metadata: unknown, path: Path): Malformed[] {
  if (!isSet(metadata)) return [];
  const where: Field = { struct: '', name: 'metadata' };
  if (!isObject(metadata)) return [undecodable(metadata, where, 'v1.ObjectMeta', path)];
  return structMistakes(metadata, metadataTypes, { struct: 'ObjectMeta', name: 'metadata' }, path);
}

/** A field as encoding/json names it in its errors. */
interface Field {
  readonly struct: string;
  readonly name: string;
}

function structMistakes(
  members: Fields,
  types: Readonly<Record<string, string>>,
  field: Field,
  path: Path,
): Malformed[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const type = types[name];
    return type === undefined || !isSet(value)
      ? []
      : typeMistakes(value, type, { ...field, name: `${field.name}.${name}` }, [...path, name]);
  });
}

function typeMistakes(value: unknown, type: string, field: Field, path: Path): Malformed[] {
  const wrong = (): Malformed[] => [undecodable(value, field, type, path)];
  switch (type) {
    case 'string':
    case 'types.UID':
      return typeof value === 'string' ? [] : wrong();
    case 'bool':
      return typeof value === 'boolean' ? [] : wrong();
    case 'int64':
      return typeof value === 'bigint' || Number.isInteger(value) ? [] : wrong();
    case 'Time':
      return timeMistakes(value, path);
    case 'map[string]string':
      if (!isObject(value)) return wrong();
      return Object.entries(value).flatMap(([key, text]) =>
        isSet(text) ? typeMistakes(text, 'string', field, [...path, key]) : [],
      );
    default:
      if (!Array.isArray(value)) return wrong();
      return value.flatMap((item, index) => elementMistakes(item, type.slice(2), field, [...path, index]));
  }
}

function elementMistakes(item: unknown, type: string, field: Field, path: Path): Malformed[] {
  if (!isSet(item)) return [];
  if (type === 'string') return typeMistakes(item, type, field, path);
  if (!isObject(item)) return [undecodable(item, field, type, path)];
  return type === 'v1.OwnerReference'
    ? structMistakes(item, ownerTypes, { ...field, struct: 'OwnerReference' }, path)
    : [];
}

function timeMistakes(value: unknown, path: Path): Malformed[] {
  if (typeof value !== 'string') {
    const message = `unable to decode "": json: cannot unmarshal ${jsonType(value)} into Go value of type string`;
    return [{ message, path, reason: mustBe('a time', value) }];
  }
  try {
    parseTime('2006-01-02T15:04:05Z07:00', value, utc);
    return [];
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return [{ message: `unable to decode "": ${error.message}`, path, reason: `is not a time: ${quote(value)}` }];
  }
}

function undecodable(value: unknown, { struct, name }: Field, type: string, path: Path): Malformed {
  const found = type === 'int64' && typeof value === 'number' ? `number ${value}` : jsonType(value);
  const message = `unable to decode "": json: cannot unmarshal ${found} into Go struct field ${struct}.${name} of type ${type}`;
  const needsQuotes = type === 'string' && ['boolean', 'number', 'bigint'].includes(typeof value);
  return { message, path, reason: mustBe(wanted(type), value), ...(needsQuotes && { needsQuotes }) };
}

/** A key that is not there, or that is there with nothing behind it. */
const missingField = (key: string, members: Fields, path: Path): Malformed =>
  key in members
    ? invalid(`${key} not set`, [...path, key], 'is empty')
    : invalid(`${key} not set`, path, `has no ${key}`);

const invalid = (problem: string, path: Path, reason: string): Malformed => ({
  message: `error validating "": error validating data: ${problem}`,
  path,
  reason,
});

function wanted(type: string): string {
  if (type === 'int64') return 'a whole number';
  if (type === 'bool') return 'true or false';
  if (type.startsWith('[]')) return 'a list';
  return type === 'string' || type === 'types.UID' ? 'a string' : 'a map';
}

const mustBe = (what: string, value: unknown): string => `is ${described(value)} but must be ${what}`;

function described(value: unknown): string {
  if (!isSet(value)) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? `the string ${quote(value)}` : `the number ${String(value)}`;
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'number';
    default:
      return typeof value;
  }
}

/**
 * The object that a document stands for, with texts where every object has texts. Where a part has a wrong type it is
 * left out: such an object can be looked at, and is never sent.
 */
export function wellFormedObject(document: unknown, isSound = malformedParts(document).length === 0): KubernetesObject {
  const members = isObject(document) ? document : {};
  const object: KubernetesObject = {
    ...members,
    apiVersion: textOr(members['apiVersion']),
    kind: textOr(members['kind']),
    metadata: metadataOf(members['metadata'], isSound),
  };
  if (isList(members)) object['items'] = itemsWithKinds(object);
  return object;
}

function metadataOf(value: unknown, isSound: boolean): KubernetesObject['metadata'] {
  const metadata = isObject(value) ? value : {};
  const kept = isSound ? metadata : soundMembers(metadata);
  return { ...kept, name: scalarText(metadata['name']) };
}

/** Of metadata, what has the right type; of labels and annotations, what is text. */
function soundMembers(metadata: Fields): Fields {
  const sound = Object.entries(metadata).flatMap(([name, value]): [string, unknown][] => {
    if (metadataTypes[name] === 'map[string]string') return [[name, textsOf(value)]];
    if (name === 'namespace') return [[name, scalarText(value)]];
    const { length } = structMistakes({ [name]: value }, metadataTypes, { struct: '', name: '' }, []);
    return length === 0 ? [[name, value]] : [];
  });
  return Object.fromEntries(sound);
}

const textsOf = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};

/** Items of a `ConfigMapList` that say neither apiVersion nor kind are what the list's kind says. */
function itemsWithKinds({ apiVersion, kind, ...list }: KubernetesObject): KubernetesObject[] {
  const items = Array.isArray(list['items']) ? (list['items'] as unknown[]).filter(isObject) : [];
  return items.map((item) => {
    const saysNothing = !isSet(item['apiVersion']) && !isSet(item['kind']) && kind !== 'List';
    return wellFormedObject(saysNothing ? { ...item, apiVersion, kind: kind.replace(/List$/, '') } : item);
  });
}

const isList = ({ kind, items }: Fields): boolean =>
  kind === 'List' || (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items));

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');
const scalarText = (value: unknown): string => (isSet(value) && typeof value !== 'object' ? String(value) : '');

import type { Json, JsonObject } from '../../support/json.ts';
import { messagesText } from './data.ts';
import { WireReader } from './wire.ts';

/**
 * Kubernetes' protobuf bodies as JSON. data.ts has for each message its fields by number: the JSON name, then the type:
 * `s` string, `b` bool, `v` integer, `d` double, `y` bytes, `T` Time, `M` MicroTime, `Q` Quantity, `I` IntOrString,
 * `R` raw JSON, `O` a schema or something simpler, `L` a list of strings in a message, `#7` message 7;
 * `*` repeated, `{` a map from strings, `<` a message whose fields are in its parent's place.
 */
interface Messages {
  readonly kinds: Readonly<Record<string, number>>;
  readonly messages: readonly Readonly<Record<string, string>>[];
}

let parsed: Messages | undefined;
const data = (): Messages => {
  parsed ??= JSON.parse(messagesText) as Messages;
  return parsed;
};

const magic = Buffer.from('k8s\0');

/** The body of a request: four magic bytes, then a runtime.Unknown. Undefined for a kind that is not known. */
export function decodeProtobuf(body: Buffer): JsonObject | undefined {
  if (!body.subarray(0, 4).equals(magic)) return undefined;
  let [apiVersion, kind] = ['', ''];
  let raw: Buffer = Buffer.alloc(0);
  for (const [field, value] of new WireReader(body.subarray(4)).fields()) {
    if (field === 1) [apiVersion, kind] = readTypeMeta(value as Buffer);
    else if (field === 2) raw = value as Buffer;
  }
  // Options carry the group's version that they are sent to.
  const number = data().kinds[`${apiVersion} ${kind}`] ?? data().kinds[`v1 ${kind}`];
  return number === undefined ? undefined : { apiVersion, kind, ...readMessage(raw, number) };
}

function readTypeMeta(bytes: Buffer): [apiVersion: string, kind: string] {
  let [apiVersion, kind] = ['', ''];
  for (const [field, value] of new WireReader(bytes).fields()) {
    if (field === 1) apiVersion = String(value);
    else if (field === 2) kind = String(value);
  }
  return [apiVersion, kind];
}

function readMessage(bytes: Buffer, number: number): JsonObject {
  const fields = data().messages[number] as Readonly<Record<string, string>>;
  const result: JsonObject = {};
  for (const [field, value] of new WireReader(bytes).fields()) {
    const [name, type] = (fields[field] ?? '').split(' ') as [string, string | undefined];
    if (type !== undefined) readField(result, name, type, value);
  }
  return result;
}

function readField(result: JsonObject, name: string, type: string, value: Buffer | bigint): void {
  const inner = type.slice(1);
  switch (type[0]) {
    case '*':
      result[name] = [...((result[name] as Json[] | undefined) ?? []), readValue(inner, value)];
      break;
    case '{': {
      const [key, item] = readEntry(inner, value as Buffer);
      result[name] = { ...(result[name] as JsonObject | undefined), [key]: item };
      break;
    }
    case '<':
      Object.assign(result, readMessage(value as Buffer, Number(inner.slice(1))));
      break;
    default: {
      const read = readValue(type, value);
      // Go writes the empty string for what is not set.
      if (read !== '' && read !== null) result[name] = read;
    }
  }
}

function readEntry(type: string, bytes: Buffer): [key: string, value: Json] {
  let key = '';
  let item: Json = type === 's' || type === 'y' ? '' : {};
  for (const [field, value] of new WireReader(bytes).fields()) {
    if (field === 1) key = String(value);
    else item = readValue(type, value);
  }
  return [key, item];
}

function readValue(type: string, value: Buffer | bigint): Json {
  switch (type[0]) {
    case 's':
      return String(value);
    case 'b':
      return value !== 0n;
    case 'v':
      return Number(BigInt.asIntN(64, value as bigint));
    case 'd':
      return (value as Buffer).readDoubleLE(0);
    case 'y':
      return (value as Buffer).toString('base64');
    case 'T':
      return readTime(value as Buffer, 0);
    case 'M':
      return readTime(value as Buffer, 6);
    case 'Q':
      return firstText(value as Buffer);
    case 'I':
      return readIntOrString(value as Buffer);
    case 'R':
      return JSON.parse(firstText(value as Buffer) || 'null') as Json;
    case 'O':
      return readSchemaChoice(value as Buffer);
    case 'L':
      return [...new WireReader(value as Buffer).fields()].map(([, item]) => String(item));
    default:
      return readMessage(value as Buffer, Number(type.slice(1)));
  }
}

const firstText = (bytes: Buffer): string => {
  for (const [field, value] of new WireReader(bytes).fields()) if (field === 1) return String(value);
  return '';
};

/** Seconds and nanoseconds; the zero time is an empty message. */
function readTime(bytes: Buffer, digits: number): Json {
  let [seconds, nanoseconds] = [0n, 0n];
  for (const [field, value] of new WireReader(bytes).fields()) {
    if (field === 1) seconds = BigInt.asIntN(64, value as bigint);
    else if (field === 2) nanoseconds = value as bigint;
  }
  if (bytes.length === 0) return null;
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return digits === 0 ? `${text}Z` : `${text}.${String(nanoseconds).padStart(9, '0').slice(0, digits)}Z`;
}

function readIntOrString(bytes: Buffer): Json {
  let isText = false;
  let [number, text] = [0, ''];
  for (const [field, value] of new WireReader(bytes).fields()) {
    if (field === 1) isText = value === 1n;
    else if (field === 2) number = Number(BigInt.asIntN(64, value as bigint));
    else text = String(value);
  }
  return isText ? text : number;
}

/** JSONSchemaPropsOrBool, …OrArray and …OrStringArray: a schema, or what is in its place. */
function readSchemaChoice(bytes: Buffer): Json {
  const schemaNumber = data().messages.findIndex((fields) => fields['3'] === 'ref s');
  const items: Json[] = [];
  let choice: Json = null;
  for (const [field, value] of new WireReader(bytes).fields()) {
    if (typeof value === 'bigint') choice ??= value !== 0n;
    else if (field === 1 || choice !== null) choice = readMessage(value, schemaNumber);
    else items.push(String(value));
  }
  return choice ?? items;
}

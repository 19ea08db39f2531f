import { decodeText } from '../../../src/go/text.ts';
import {
  GoInt,
  type GoMap,
  type IntType,
  isNilMap,
  nilList,
  nilMap,
  type Value,
  withGoType,
} from '../../../src/go/value.ts';
import { asValues } from '../../../src/render/values-object.ts';
import { isTagged, type Recorded, type Tagged } from './records.ts';

/** A recorded value that has no counterpart here: a struct of the test's own, a channel. */
export class NoCounterpart extends Error {}

/** A recorded value as tshelm's templates have it. */
export function goValue(value: Recorded): Value {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Recorded[]).map(goValue);
  return isTagged(value) ? taggedValue(value) : mapOf(value as Record<string, Recorded>);
}

const mapOf = (value: Readonly<Record<string, Recorded>>): GoMap =>
  new Map(Object.entries(value).map(([key, item]) => [key, goValue(item)]));

const intTypes = /^u?int(8|16|32|64)?$/;

function taggedValue({ $: tag, t: goType, v }: Tagged): Value {
  switch (tag) {
    case 'int':
      if (intTypes.test(goType)) return new GoInt(goType as IntType, BigInt(v as string));
      break;
    case 'float':
      return goType === 'float64' ? Number((v as string).replace('Inf', 'Infinity')) : noCounterpart(goType);
    case 'map': {
      const map = mapOf(v as Record<string, Recorded>);
      if (goType === 'common.Values') return asValues(map);
      return goType === 'map[string]interface {}' ? map : withGoType(map, goType);
    }
    case 'list':
      return withGoType((v as readonly Recorded[]).map(goValue), goType);
    case 'bytes':
      return new Uint8Array(Buffer.from(v as string, 'base64'));
    case 'raw':
      return decodeText(Buffer.from(v as string, 'base64'));
    case 'string':
      return v as string;
    case 'path':
      return v as string;
    case 'nil':
      if (goType.startsWith('[]')) return nilList(goType);
      if (goType.startsWith('map[') || goType === 'common.Values') return nilMap();
      break;
    case 'pointer':
      if (goType === '*[]string' || goType === '*string') break;
      return goValue(v);
    default:
  }
  return noCounterpart(goType);
}

function noCounterpart(goType: string): never {
  throw new NoCounterpart(`a value of type ${goType}`);
}

/** A recorded map as values; an empty one of nil. */
export function goMap(value: Recorded | undefined): GoMap {
  const read = goValue(value ?? null);
  return read instanceof Map && !isNilMap(read) ? read : new Map<string, Value>();
}

/** Values for a comparison: plain JSON with integers as `{ int: '5' }`; a nil map or list is an empty one. */
export function comparable(value: Value): unknown {
  if (value instanceof GoInt) return { int: String(value.value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, comparable(item)]));
  if (Array.isArray(value)) return value.map(comparable);
  return typeof value === 'number' && Object.is(value, -0) ? { float: '-0' } : value;
}

import { type GoList, type GoMap, goInt64, type Value } from '../go/value.ts';
import { TshelmError } from '../support/errors.ts';
import { unescaped } from '../support/text.ts';
import { layer } from './value-maps.ts';

/** The values of `--state-values-set-string` and, over them, of `--state-values-set`. */
export function stateValuesOf(set: readonly string[], setString: readonly string[]): GoMap {
  const texts: GoMap = new Map();
  const pairs = /(?:,|^)([^\s=]+)=(['"][^'"]*['"]|[^,]+)/g;
  for (const [, key = '', value = ''] of setString.flatMap((text) => [...text.matchAll(pairs)])) {
    assign(texts, keysOf(key), value);
  }
  const typed: GoMap = new Map();
  for (const pair of set.flatMap((text) => text.split(','))) {
    const at = pair.indexOf('=');
    if (at < 0) throw new TshelmError('stack-invalid', { message: `the state value ${pair} must be KEY=VALUE` });
    assign(typed, keysOf(pair.slice(0, at)), typedValue(pair.slice(at + 1)));
  }
  return layer(texts, typed);
}

/** Parts between dots; `\.` is a dot in a key. */
const keysOf = (key: string): readonly string[] => (key.match(/(?:\\.|[^.\\])+/g) ?? []).map((part) => unescaped(part));

function typedValue(text: string): Value {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  return text === '0' || /^[-+]?[1-9]\d{0,17}$/.test(text) ? goInt64(BigInt(text)) : text;
}

/** A key is a member, or with `[2]` an element of a list. */
function assign(map: GoMap, [key = '', ...rest]: readonly string[], value: Value): void {
  const [, name = key, index] = /^([^[\]]*)\[(\d+)\]/.exec(key) ?? [];
  if (index === undefined) {
    map.set(name, rest.length === 0 ? value : within(map.get(name), rest, value));
    return;
  }
  const before = map.get(name);
  const list: GoList = Array.isArray(before) ? before : [];
  while (list.length <= Number(index)) list.push(null);
  list[Number(index)] = rest.length === 0 ? value : within(list[Number(index)], rest, value);
  map.set(name, list);
}

function within(before: Value, rest: readonly string[], value: Value): GoMap {
  const inner: GoMap = before instanceof Map ? before : new Map();
  assign(inner, rest, value);
  return inner;
}

import { GoError, type GoList, type GoMap, type Value } from '../../go/value.ts';

/**
 * A value below the keys of a path as `set` of a suite takes it: `image.tag`, `list[0].name`, `labels[a.b/c]`. Throws
 * GoError. Follows helm-unittest's BuildValueOfSetPath.
 */
export function valueAtSetPath(path: string, value: Value): GoMap {
  if (path === '') throw new GoError('set path is empty');
  const keys = keysOf(path);
  const top: GoMap = new Map();
  let place: GoMap | GoList = top;
  keys.forEach((key, depth) => {
    const next = keys[depth + 1];
    const inside: Value = depth === keys.length - 1 ? value : typeof next === 'number' ? emptyList(next) : new Map();
    if (place instanceof Map) place.set(String(key), inside);
    else place[key as number] = inside;
    place = inside as GoMap | GoList;
  });
  return top;
}

/** As long as a list has to be whose last item has this index. Far more than that is a slip of the keyboard. */
function emptyList(last: number): GoList {
  if (last < 0 || last > 65_536) throw new GoError(`set path has an index out of range: ${last}`);
  return Array.from({ length: last + 1 }, () => null);
}

type State = 'key' | 'index' | 'denotation' | 'escaped';

function keysOf(path: string): (string | number)[] {
  const keys: (string | number)[] = [];
  let state: State = 'key';
  let escaped = '';
  let start = 0;
  for (let at = 0; at < path.length; at++) {
    const sign = path.charAt(at);
    if (!'.[],{}='.includes(sign)) continue;
    const before = path.slice(start, at);
    start = at + 1;
    if (',{}='.includes(sign)) throw new GoError(`invalid token found ${sign}`);
    if (state === 'index') {
      keys.push(indexOf(before, sign));
      state = 'denotation';
    } else if (state === 'denotation') {
      if (sign === ']') throw new GoError(`invalid denotation token ${sign}`);
      state = sign === '.' ? 'key' : 'index';
    } else if (state === 'escaped') {
      if (sign === '[') throw new GoError(`invalid escaping token ${sign}`);
      escaped += sign === '.' ? `${before}.` : before;
      if (sign === ']') keys.push(escaped);
      state = sign === '.' ? 'escaped' : 'denotation';
    } else {
      if (sign === ']') throw new GoError(`invalid key ${sign}`);
      escaped = '';
      const opens = sign === '[' && before === '';
      if (!opens) keys.push(before);
      state = sign === '.' ? 'key' : opens ? 'escaped' : 'index';
    }
  }
  const rest = path.slice(start);
  if (state === 'key' && rest !== '') keys.push(rest);
  else if (state !== 'denotation' || rest !== '') throw new GoError('unexpected end of');
  return keys;
}

function indexOf(text: string, sign: string): number {
  if (sign !== ']') throw new GoError('missing index value');
  if (!/^[+-]?[0-9]{1,9}$/.test(text)) throw new GoError(`strconv.Atoi: parsing "${text}": invalid syntax`);
  return Number(text);
}

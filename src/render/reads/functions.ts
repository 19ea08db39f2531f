import { anyKey, anyOf, isValuesPart, nothing, type Parts, type Shape } from './part.ts';

/** What a call makes of its arguments. */
export type Rule = (args: readonly Shape[], parts: Parts) => Shape;

/** One of its arguments, or what has members of several. */
const oneOfAll: Rule = (args) => anyOf(args);

/** It looks at a value, and not at what is in it. */
const looksOnly: Rule = () => nothing;

const asksForType: Rule = (args) => {
  for (const part of anyOf(args)) if (isValuesPart(part)) part.isOfManyTypes = true;
  return nothing;
};

/** It looks at the keys of a map, and not at what is there. */
const looksAtKeys: Rule = (args, parts) => {
  parts.each(anyOf(args));
  return nothing;
};

/** What lies at keys; where one of them is only known to the run, everything in the map counts as read. */
function atKeys(shape: Shape, keys: readonly Shape[], parts: Parts): Shape {
  return keys.reduce((at, key) => {
    parts.whole(key);
    if (key.every(({ text }) => text !== undefined)) return anyOf(key.map(({ text = '' }) => parts.member(at, text)));
    parts.whole(at);
    return parts.each(at);
  }, shape);
}

const atFirst: Rule = ([map = nothing, ...keys], parts) => atKeys(map, keys, parts);

const keyIn = (key: Shape): string => (key.length === 1 ? (key[0]?.text ?? anyKey) : anyKey);

const dict: Rule = (args, parts) => {
  const made = parts.made();
  for (let index = 0; index < args.length; index += 2)
    parts.put(made, keyIn(args[index] as Shape), args[index + 1] ?? nothing);
  return [made];
};

const list: Rule = (args, parts) => [parts.made(args.map((shape, index) => [String(index), shape]))];

const listOf = (shape: Shape, parts: Parts): Shape => [parts.made([[anyKey, shape]])];

const added: Rule = ([onto = nothing, item = nothing], parts) => listOf(anyOf([parts.each(onto), item]), parts);

const set: Rule = ([map = nothing, key = nothing, value = nothing], parts) => {
  for (const part of map) parts.put(part, keyIn(key), value);
  return map;
};

const merge: Rule = ([target = nothing, ...sources], parts) => {
  for (const part of target) parts.merge(part, anyOf(sources));
  return anyOf([target, ...sources]);
};

/** The texts that a text is split into. */
const splitInto: Rule = ([separators = nothing, texts = nothing], parts) => {
  parts.whole(texts);
  const [separator] = separators;
  if (separator?.text === undefined || separators.length > 1) return nothing;
  const items = texts.flatMap(({ text }) => text?.split(separator.text as string).map(parts.text) ?? nothing);
  return listOf(items, parts);
};

/** A text that is put together: only pieces of it are known. */
const printed: Rule = (args, parts) => {
  parts.whole(anyOf(args));
  const [format, only] = args;
  if (format?.[0]?.text === '%s' && only !== undefined) return only;
  const texts = args.flatMap((shape) => (shape.length === 1 ? (shape[0]?.text ?? []) : []));
  return [parts.pieces(texts.flatMap((text) => text.split(/%[a-z]/)))];
};

/** By the functions' names. Every other function looks at everything in its arguments, and returns no map that is followed. */
export const rules: ReadonlyMap<string, Rule> = new Map([
  ...named(looksOnly, ['not', 'empty', 'any', 'all']),
  ...named(asksForType, ['kindOf', 'kindIs', 'typeOf', 'typeIs', 'typeIsLike']),
  ...named(looksAtKeys, ['len', 'keys']),
  ...named(oneOfAll, ['and', 'or', 'default', 'coalesce', 'ternary', 'required', 'pick', 'omit', 'unset', 'concat']),
  ...named(oneOfAll, withMust(['deepCopy', 'rest', 'initial', 'reverse', 'uniq', 'compact', 'without', 'slice'])),
  ...named(atFirst, ['index', 'get', 'hasKey']),
  ...named(list, ['list', 'tuple']),
  ...named(merge, withMust(['merge', 'mergeOverwrite'])),
  ...named(added, withMust(['append', 'push', 'prepend'])),
  ...named((args, parts) => parts.each(anyOf(args)), withMust(['first', 'last'])),
  ...named(printed, ['print', 'printf']),
  ['dict', dict],
  ['set', set],
  ...named(splitInto, ['split', 'splitList']),
  ['values', (args, parts) => listOf(parts.each(anyOf(args)), parts)],
  ['dig', (args, parts) => anyOf([atKeys(args.at(-1) ?? nothing, args.slice(0, -2), parts), args.at(-2) ?? nothing])],
  ['pluck', ([key = nothing, ...maps], parts) => listOf(atKeys(anyOf(maps), [key], parts), parts)],
]);

function named(rule: Rule, names: readonly string[]): readonly (readonly [string, Rule])[] {
  return names.map((name) => [name, rule]);
}

function withMust(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, `must${name.charAt(0).toUpperCase()}${name.slice(1)}`]);
}

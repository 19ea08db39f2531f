import type { Value } from '../../go/value.ts';
import { entriesOf, isContainer, isSame, madeOf, memberAt, noOrigin } from '../../template/origin.ts';
import type { Known, Origin } from '../../template/trace.ts';
import { isTrue } from '../../template/truth.ts';
import type { OriginRule } from '../../template/watch.ts';
import { textOf } from './conversion.ts';

/** What they say changes only with another value that happens to be the right one. */
const comparisons = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'has', 'contains', 'hasPrefix', 'hasSuffix', 'regexMatch'];
const comparing: OriginRule = (args) => () =>
  madeOf(
    [],
    args.map(({ origin }) => origin),
  );

/**
 * Where what these functions return comes from, for a traced run. Of all others it is told by their results: an argument, a
 * part of one, or something made of all of them.
 */
export const originRules: ReadonlyMap<string, OriginRule> = new Map<string, OriginRule>([
  [
    'default',
    ([otherwise, given]) =>
      (result) =>
        chosen(result, [given, otherwise]),
  ],
  ['coalesce', (args) => (result) => chosen(result, args)],
  [
    'ternary',
    ([yes, no, condition]) =>
      () =>
        madeOf(
          [(isTrue(condition?.value) ? yes : no)?.origin ?? noOrigin],
          condition?.origin.from ?? [condition?.origin ?? noOrigin],
        ),
  ],
  [
    'required',
    ([, value]) =>
      () =>
        value?.origin,
  ],
  [
    'index',
    ([from, ...keys], origins) =>
      () =>
        walked(from, keys, origins),
  ],
  [
    'get',
    ([from, key], origins) =>
      () =>
        walked(from, [key], origins),
  ],
  [
    'hasKey',
    ([from, key], origins) =>
      () =>
        walked(from, [key], origins),
  ],
  ['dig', (args, origins) => () => walked(args.at(-1), args.slice(0, -2), origins)],
  [
    'dict',
    (args, origins) => (result) => {
      if (!isContainer(result)) return undefined;
      for (let index = 0; index + 1 < args.length; index += 2)
        origins.setMember(result, textOf(args[index]?.value), args[index + 1]?.origin ?? noOrigin);
      const made = { from: [madeOf(args.map(({ origin }) => origin))] };
      origins.set(result, made);
      return made;
    },
  ],
  [
    'set',
    ([map, key, value], origins) =>
      (result) => {
        if (isContainer(result)) origins.setMember(result, textOf(key?.value), value?.origin ?? noOrigin);
        return map?.origin;
      },
  ],
  [
    'keys',
    (args, origins) => (result) => {
      if (!isContainer(result)) return undefined;
      for (const [index, key] of entriesOf(result)) {
        const owner = args.find(({ value }) => memberAt(value, String(key)) !== undefined);
        const member = owner && walked(owner, [{ value: key, origin: noOrigin }], origins);
        if (member?.keys !== undefined) origins.setMember(result, index, { keys: member.keys, isKey: true });
      }
      const made = { from: [madeOf(args.map(({ origin }) => origin))] };
      origins.set(result, made);
      return made;
    },
  ],
  ...comparisons.map((name): readonly [string, OriginRule] => [name, comparing]),
  ['merge', merging('keep')],
  ['mustMerge', merging('keep')],
  ['mergeOverwrite', merging('overwrite')],
  ['mustMergeOverwrite', merging('overwrite')],
]);

type Origins = Parameters<OriginRule>[1];

/** The first that is the result; those before it have decided. */
function chosen(result: Value, args: readonly (Known | undefined)[]): Origin {
  const index = args.findIndex((arg) => arg !== undefined && isSame(arg.value, result) && isTrue(arg.value));
  const originOf = (arg: Known | undefined): Origin => arg?.origin ?? noOrigin;
  if (index < 0) return madeOf([], args.map(originOf));
  return madeOf([originOf(args[index])], args.slice(0, index).map(originOf));
}

function walked(from: Known | undefined, keys: readonly (Known | undefined)[], origins: Origins): Origin {
  const path = madeOf(keys.map((key) => key?.origin ?? noOrigin));
  let { value, origin } = from ?? { value: undefined, origin: noOrigin };
  for (const key of keys) {
    const name = textOf(key?.value);
    const item = memberAt(value, name);
    origin = origins.member(value, name, item, origin);
    value = item;
  }
  return path === noOrigin ? origin : madeOf([origin], [path]);
}

/** What a map had before others were merged into it, and before its own maps got more. */
interface Before extends Known {
  readonly members: ReadonlyMap<string, Value>;
  readonly below: ReadonlyMap<string, Before>;
}

function before({ value, origin }: Known, origins: Origins): Before {
  const members = value instanceof Map ? entriesOf(value) : [];
  const maps = members.filter(([, item]) => item instanceof Map);
  return {
    value,
    origin,
    members: new Map(members),
    below: new Map(
      maps.map(([key, item]) => {
        const member = { value: item, origin: origins.member(value, key, item, origin) };
        return [key, before(member, origins)];
      }),
    ),
  };
}

function merging(mode: 'keep' | 'overwrite'): OriginRule {
  return (args, origins) => {
    const [target, ...sources] = args.map((arg) => before(arg, origins));
    return (result) => {
      if (!isContainer(result) || target === undefined) return undefined;
      if (origins.of(result) === undefined) origins.set(result, { from: [madeOf(args.map(({ origin }) => origin))] });
      noteMerged(result, target, mode === 'overwrite' ? sources.toReversed() : sources, { origins, mode });
      return origins.of(result);
    };
  };
}

function noteMerged(
  target: Value & object,
  had: Before | undefined,
  sources: readonly Before[],
  about: { readonly origins: Origins; readonly mode: 'keep' | 'overwrite' },
): void {
  const { origins, mode } = about;
  for (const [key, item] of entriesOf(target)) {
    const old = had?.members.get(key);
    const isKept = mode === 'keep' && old !== undefined && isSame(old, item);
    const source = sources.find(({ members }) => members.has(key) && isSame(members.get(key), item));
    if (source !== undefined && !isKept)
      origins.setMember(target, key, origins.member(source.value, key, item, source.origin));
    if (!(item instanceof Map)) continue;
    const below = sources.flatMap((source) => source.below.get(key) ?? []);
    const own = had?.below.get(key) ?? below.find(({ value }) => isSame(value, item));
    noteMerged(
      item,
      own,
      below.filter((one) => one !== own),
      about,
    );
  }
}

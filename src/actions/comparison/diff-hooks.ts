import { itemsOf } from '../../manifest/items.ts';
import { hasObject, parseManifest } from '../../manifest/parse.ts';
import { groupOf, idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Hook, HookEvent, KubernetesObject } from '../../manifest/types.ts';
import { groupBy } from '../../support/group-by.ts';
import { changeOf, type ObjectDiff, type ShownOptions, sortChanges } from './object-diff.ts';

export interface HooksToCompare {
  readonly before: readonly Hook[];
  readonly after: readonly Hook[];
  readonly namespace: string;
  /** Those of `after`, rendered once more; asked for only where hooks differ. */
  readonly renderAgain?: (() => Promise<readonly Hook[]>) | undefined;
}

/**
 * Hooks of two records, by what they declare. Hooks with other names are compared in their order if they are of the same
 * template and kind, since names may be random or contain the revision.
 */
export async function diffHooks(
  { before, after, namespace, renderAgain }: HooksToCompare,
  options: ShownOptions,
): Promise<readonly ObjectDiff[]> {
  const [old, next] = [before.flatMap(hookObjects), after.flatMap(hookObjects)];
  const pairs = pairsOf(old, next, namespace);
  const changes = pairs.map((pair) => changeOfPair(pair, undefined, { namespace, options }));
  const isAnyOther = pairs.some(([, is], index) => is && changes[index]?.change !== 'unchanged');
  if (renderAgain === undefined || !isAnyOther) return sortChanges(changes);
  const again = matching((await renderAgain()).flatMap(hookObjects), next);
  return sortChanges(pairs.map((pair) => changeOfPair(pair, pair[1] && again.get(pair[1]), { namespace, options })));
}

interface DeclaredHook {
  readonly object: KubernetesObject;
  readonly events: readonly HookEvent[];
  /** Hooks with the same text here may stand for each other. */
  readonly origin: string;
}

const hookObjects = ({ manifest, path, events }: Hook): readonly DeclaredHook[] => {
  const parsed = parseManifest(manifest, path);
  const originOf = ({ apiVersion, kind, metadata }: KubernetesObject): string =>
    [path, groupOf(apiVersion), kind, metadata.namespace ?? ''].join(' ');
  return hasObject(parsed)
    ? itemsOf(parsed.object).map((object) => ({ object, events, origin: originOf(object) }))
    : [];
};

type Pair = readonly [before: DeclaredHook | undefined, after: DeclaredHook | undefined];

function pairsOf(before: readonly DeclaredHook[], after: readonly DeclaredHook[], namespace: string): readonly Pair[] {
  const keyOf = ({ object }: DeclaredHook): string => objectKey(idOf(object, namespace));
  // An object with generateName has no name.
  const isNamed = ({ object }: DeclaredHook): boolean => Boolean(object.metadata.name);
  const oldByKey = new Map(before.filter(isNamed).map((hook) => [keyOf(hook), hook]));
  const keys = new Set(after.filter(isNamed).map(keyOf));
  const left = groupBy(
    before.filter((hook) => !isNamed(hook) || !keys.has(keyOf(hook))),
    ({ origin }) => origin,
  );
  const paired = after.map((hook): Pair => {
    const sameName = isNamed(hook) ? oldByKey.get(keyOf(hook)) : undefined;
    return [sameName ?? left.get(hook.origin)?.shift(), hook];
  });
  return [...paired, ...[...left.values()].flat().map((hook): Pair => [hook, undefined])];
}

/** The hooks of another render, by those of this one; without those that cannot be told apart. */
function matching(
  again: readonly DeclaredHook[],
  hooks: readonly DeclaredHook[],
): ReadonlyMap<DeclaredHook, DeclaredHook> {
  const [theirs, ours] = [again, hooks].map((list) => groupBy(list, ({ origin }) => origin));
  const found = new Map<DeclaredHook, DeclaredHook>();
  for (const [origin, group] of ours ?? []) {
    const others = theirs?.get(origin) ?? [];
    if (others.length === group.length)
      for (const [index, hook] of group.entries()) found.set(hook, others[index] as DeclaredHook);
  }
  return found;
}

function changeOfPair(
  [was, is]: Pair,
  again: DeclaredHook | undefined,
  { namespace, options }: { readonly namespace: string; readonly options: ShownOptions },
): ObjectDiff {
  const { object, events } = (is ?? was) as DeclaredHook;
  const id = idOf(object, namespace);
  return changeOf({ id, before: was?.object, after: is?.object, again: again?.object, events }, options);
}

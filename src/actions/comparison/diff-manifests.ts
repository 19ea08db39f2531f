import { itemsOf } from '../../execute/apply/targets.ts';
import { hasObject, parseManifest } from '../../manifest/parse.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Hook, HookEvent, KubernetesObject } from '../../manifest/types.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import { lastRevision } from '../../release/history.ts';
import { releaseNotFound } from '../../release/record.ts';
import type { Release } from '../../release/types.ts';
import type { Context } from '../context.ts';
import { findRelease } from '../find-release.ts';
import { changeOf, type DiffOptions, type ObjectDiff, type ReleaseDiff, sortChanges } from './object-diff.ts';

/** What differs between two recorded revisions of a release. Nothing but the records is read. Errors: `release-not-found`. */
export async function diffRevisions(
  {
    name,
    from,
    to,
    ...options
  }: DiffOptions & { readonly name: string; readonly from: number; readonly to?: number | undefined },
  context: Context,
): Promise<ReleaseDiff> {
  const history = await (await context.storage()).revisions(name);
  const find = (version: number): Release => {
    const found = history.find((release) => release.version === version);
    if (found === undefined) throw releaseNotFound(name);
    return found;
  };
  return diffReleases(find(from), to === undefined ? lastRevision(name, history) : find(to), options);
}

/** What differs between the newest revisions of two releases. Errors: `release-not-found`. */
export async function diffTwoReleases(
  { first, second, ...options }: DiffOptions & { readonly first: string; readonly second: string },
  context: Context,
): Promise<ReleaseDiff> {
  const [before, after] = await Promise.all([first, second].map((name) => findRelease(name, undefined, context)));
  return diffReleases(before as Release, after as Release, options);
}

function diffReleases(before: Release, after: Release, options: DiffOptions): ReleaseDiff {
  return {
    action: 'compare',
    release: after.name,
    namespace: after.namespace,
    from: revisionOf(before),
    to: revisionOf(after),
    objects: diffObjects(objectsOf(before), objectsOf(after), after.namespace, options),
    hooks: diffHooks(before.hooks, after.hooks, after.namespace, options),
    warnings: [],
  };
}

const revisionOf = ({ version, chart }: Release) => ({
  revision: version,
  chart: `${chart.metadata.name}-${chart.metadata.version}`,
});

const objectsOf = ({ manifest }: Release): readonly Recorded[] =>
  readStoredManifest(manifest).flatMap(({ object }) => itemsOf(object).map((item) => ({ object: item })));

/** Hooks of two records, by what they declare. */
export const diffHooks = (
  before: readonly Hook[],
  after: readonly Hook[],
  namespace: string,
  options: DiffOptions,
): readonly ObjectDiff[] => diffObjects(before.flatMap(hookObjects), after.flatMap(hookObjects), namespace, options);

const hookObjects = ({ manifest, path, events }: Hook): readonly Recorded[] => {
  const parsed = parseManifest(manifest, path);
  return hasObject(parsed) ? itemsOf(parsed.object).map((object) => ({ object, events })) : [];
};

interface Recorded {
  readonly object: KubernetesObject;
  readonly events?: readonly HookEvent[];
}

function diffObjects(
  before: readonly Recorded[],
  after: readonly Recorded[],
  namespace: string,
  options: DiffOptions,
): readonly ObjectDiff[] {
  const keyOf = ({ object }: Recorded): string => objectKey(idOf(object, namespace));
  const [old, next] = [before, after].map((list) => new Map(list.map((recorded) => [keyOf(recorded), recorded])));
  const keys = [...new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])])];
  return sortChanges(
    keys.map((key) => {
      const [was, is] = [old?.get(key), next?.get(key)];
      const { object, events } = (is ?? was) as Recorded;
      return changeOf({ id: idOf(object, namespace), before: was?.object, after: is?.object, events }, options);
    }),
  );
}

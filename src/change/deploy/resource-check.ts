import { findAdoptable } from '../../execute/apply/ownership.ts';
import {
  declaredKinds,
  resolveServed,
  resolveTargets,
  servedMappings,
  type Target,
} from '../../execute/apply/targets.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { hasObject } from '../../manifest/parse.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import { type ObjectProblem, problemOf } from '../../problem/problem.ts';
import type { Release } from '../../release/types.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { hasCode } from '../../support/errors.ts';
import { lineOfKeys } from '../../yaml/index.ts';
import type { Context } from '../context.ts';
import { withStepPrefix } from '../failure.ts';
import type { Rendered } from '../phases.ts';
import { foreignProblems } from './foreign-problems.ts';

/** What is in the cluster already, for the execution. */
export interface Existing {
  readonly existing: ReadonlySet<string>;
  readonly originals: ReadonlyMap<string, KubernetesObject>;
  /** The keys of what was looked for and is not there. */
  readonly absent: ReadonlySet<string>;
}

/**
 * The keys of those resources of a new release that are there already and may be taken into it.
 * Errors: `no-matches-for-kind`, `ownership-conflict`.
 */
export async function checkResources(rendered: Rendered, context: Context): Promise<Existing> {
  const targets = await targetsOf(rendered, context);
  const existing = await withStepPrefix('unable to continue with install', () => adoptable(targets, rendered, context));
  return { existing, originals: new Map(), absent: keysExcept(targets, existing) };
}

/** The same for a release that takes the place of `replaced`: only what that lacks can belong to somebody else. */
export async function checkChange(rendered: Rendered, replaced: Release, context: Context): Promise<Existing> {
  const targets = await targetsOf(rendered, context);
  const owned = await resolveServed(readStoredManifest(replaced.manifest), await whereOf(rendered, context));
  const originals = new Map(owned.map(({ id, object }) => [objectKey(id), object]));
  const added = targets.filter(({ id }) => !originals.has(objectKey(id)));
  const adopted = await withStepPrefix('unable to continue with update', () => adoptable(added, rendered, context));
  return { existing: new Set([...originals.keys(), ...adopted]), originals, absent: keysExcept(added, adopted) };
}

const keysExcept = (targets: readonly Target[], found: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(targets.map(({ id }) => objectKey(id)).filter((key) => !found.has(key)));

const whereOf = async ({ release }: Rendered, { cluster, signal }: Context) => ({
  cluster: await cluster(),
  namespace: release.namespace,
  signal,
});

/** Hooks of this change that are no objects: nothing is begun with them, where Helm meets them one by one. */
function malformedHooks({ plannedAs, hooks }: Rendered): readonly Manifest[] {
  const due = hooks.filter(({ events }) =>
    events.some((event) => event.endsWith(`-${plannedAs}`) || event === 'crd-install'),
  );
  return due.map(manifestOfHook).filter(({ malformed }) => malformed !== undefined);
}

/** Kinds of the release's own CRDs count as served, and those of the chart's `crds/` where they will really be sent. */
async function targetsOf(rendered: Rendered, context: Context): Promise<readonly Target[]> {
  const { manifests, release, crds, sight } = rendered;
  const where = await whereOf(rendered, context);
  const objects = [...manifests.filter(hasObject), ...malformedHooks(rendered)];
  const ownCrds = sight === 'served-and-declared' ? crds.manifests : [];
  return withStepPrefix('unable to build kubernetes objects from release manifest', () =>
    resolveTargets(objects, where, declaredKinds([...ownCrds, ...objects], release.hooks)),
  );
}

/** A version that the plan's own CRDs will bring is not served yet: such an object is looked for in one that is. */
async function adoptable(
  targets: readonly Target[],
  { action, release, options, manifests }: Rendered,
  context: Context,
): Promise<ReadonlySet<string>> {
  const { concurrency = defaultConcurrency, createNamespace } = options;
  const cluster = await context.cluster();
  const owner = { release: release.name, namespace: release.namespace };
  const servedAs = await servedMappings(
    targets.map(({ object }) => object),
    { cluster, namespace: release.namespace, signal: context.signal },
  );
  const sought = targets.map(({ id, object }): Target => {
    const apiVersion = servedAs(object) ?? id.apiVersion;
    return apiVersion === id.apiVersion ? { id, object } : { id: { ...id, apiVersion }, object };
  });
  return findAdoptable(sought, owner, {
    cluster,
    limit: createLimiter(concurrency),
    signal: context.signal,
    doubtfulNamespace: createNamespace ? release.namespace : undefined,
    takeOwnership: action === 'rollback' || options.takeOwnership,
  }).catch((error: unknown) => {
    throw withForeign(withNameless(error, manifests), manifests);
  });
}

/** The same failure, with each object that is in the way. */
function withForeign(failure: unknown, manifests: readonly Manifest[]): unknown {
  if (!hasCode(failure, 'ownership-conflict')) return failure;
  const { foreign = [], ...owner } = failure.details;
  const problems = foreignProblems(foreign, owner, manifests);
  return failure.wrapped({ message: failure.message, details: { problems } });
}

/** Helm asks the server for an object without a name, which refuses: the same failure, with each such object. */
function withNameless(failure: unknown, manifests: readonly Manifest[]): unknown {
  if (!hasCode(failure, 'ownership-unknown') || failure.details.name !== '') return failure;
  const problems = manifests.filter(hasObject).flatMap(namelessProblem);
  return problems.length === 0 ? failure : failure.wrapped({ message: failure.message, details: { problems } });
}

function namelessProblem(manifest: Manifest): readonly ObjectProblem[] {
  const { object, source, text } = manifest;
  const paths = namelessIn(object, []).map((path) => [...path, 'metadata', 'name']);
  const [first] = paths;
  if (first === undefined) return [];
  const isWritten = lineOfKeys(text, first.map(String)) !== undefined;
  const subject = objectSubject(idOf(manifest.object), source);
  return [
    problemOf({
      subject,
      cause: { code: 'name-missing', path: first, isEmpty: isWritten },
      places: paths.map((path) => fieldPlace(subject, { path })),
      remedies: isWritten ? [] : [{ kind: 'change-field', object: subject.id, path: first, how: 'add' }],
    }),
  ];
}

type Path = readonly (string | number)[];

/** Ways to an object, or to those of a List, that the cluster would give no name either. */
function namelessIn(object: KubernetesObject, path: Path): readonly Path[] {
  const { items, metadata, kind } = object;
  if (kind.endsWith('List') && Array.isArray(items))
    return (items as readonly KubernetesObject[]).flatMap((item, index) => namelessIn(item, [...path, 'items', index]));
  return metadata.name === '' && !metadata.generateName ? [path] : [];
}

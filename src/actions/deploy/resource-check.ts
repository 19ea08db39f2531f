import { findAdoptable } from '../../execute/apply/ownership.ts';
import { declaredKinds, resolveServed, resolveTargets, type Target } from '../../execute/apply/targets.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import { hasObject } from '../../manifest/parse.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import type { Release } from '../../release/types.ts';
import { createLimiter } from '../../support/concurrency.ts';
import type { Context } from '../context.ts';
import { prefixed } from '../failure.ts';

interface CheckOptions {
  readonly takeOwnership?: boolean | undefined;
  readonly concurrency?: number | undefined;
}

/** What is in the cluster already, for the execution. */
export interface Existing {
  readonly existing: ReadonlySet<string>;
  readonly originals: ReadonlyMap<string, KubernetesObject>;
}

/**
 * The keys of those resources of a new release that are there already and may be taken into it.
 * Errors: `no-matches-for-kind`, `ownership-conflict`.
 */
export async function checkResources(
  manifests: readonly Manifest[],
  release: Release,
  options: CheckOptions,
  context: Context,
): Promise<Existing> {
  const targets = await targetsOf(manifests, release, context);
  const existing = await prefixed('unable to continue with install', () =>
    adoptable(targets, release, options, context),
  );
  return { existing, originals: new Map() };
}

/** The same for a release that replaces another: only what `current` lacks can belong to somebody else. */
export async function checkChange(
  manifests: readonly Manifest[],
  current: readonly Manifest[],
  release: Release,
  options: CheckOptions,
  context: Context,
): Promise<Existing> {
  const targets = await targetsOf(manifests, release, context);
  const where = { cluster: await context.cluster(), namespace: release.namespace, signal: context.signal };
  const owned = await resolveServed(current, where);
  const originals = new Map(owned.map(({ id, object }) => [objectKey(id), object]));
  const added = targets.filter(({ id }) => !originals.has(objectKey(id)));
  const adopted = await prefixed('unable to continue with update', () => adoptable(added, release, options, context));
  return { existing: new Set([...originals.keys(), ...adopted]), originals };
}

/** The same for a rollback, which takes its own resources back whoever has them now. */
export const findExistingChange = (
  manifests: readonly Manifest[],
  current: readonly Manifest[],
  release: Release,
  options: CheckOptions,
  context: Context,
): Promise<Existing> => checkChange(manifests, current, release, { ...options, takeOwnership: true }, context);

async function targetsOf(
  manifests: readonly Manifest[],
  release: Release,
  context: Context,
): Promise<readonly Target[]> {
  const where = { cluster: await context.cluster(), namespace: release.namespace, signal: context.signal };
  const objects = manifests.filter(hasObject);
  return prefixed('unable to build kubernetes objects from release manifest', () =>
    resolveTargets(objects, where, declaredKinds(objects, release.hooks)),
  );
}

async function adoptable(
  targets: readonly Target[],
  release: Release,
  { takeOwnership, concurrency = defaultConcurrency }: CheckOptions,
  context: Context,
): Promise<ReadonlySet<string>> {
  const cluster = await context.cluster();
  const owner = { release: release.name, namespace: release.namespace };
  const limit = createLimiter(concurrency);
  return findAdoptable(targets, owner, { cluster, limit, signal: context.signal, takeOwnership });
}

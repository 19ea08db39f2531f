import { defaultConcurrency } from '../execute/context.ts';
import { findAdoptable } from '../execute/ownership.ts';
import { declaredKinds, resolveTargets, type Target } from '../execute/targets.ts';
import { hasObject } from '../manifest/parse.ts';
import type { Manifest } from '../manifest/types.ts';
import type { Release } from '../release/types.ts';
import { createLimiter } from '../support/concurrency.ts';
import type { Context } from './context.ts';
import { prefixed } from './failure.ts';

export interface ResourceCheck {
  readonly targets: readonly Target[];
  /** Keys of those that are there already and may be taken over. Errors: `ownership-conflict`. */
  readonly adoptable: (targets: readonly Target[]) => Promise<ReadonlySet<string>>;
}

/** Finds out where each resource of a release goes. Errors: `no-matches-for-kind`, `invalid-manifest`. */
export async function checkResources(
  manifests: readonly Manifest[],
  release: Release,
  options: { readonly takeOwnership?: boolean | undefined; readonly concurrency?: number | undefined },
  context: Context,
): Promise<ResourceCheck> {
  const cluster = await context.cluster();
  const { signal } = context;
  const where = { cluster, namespace: release.namespace, signal };
  const objects = manifests.filter(hasObject);
  const targets = await prefixed('unable to build kubernetes objects from release manifest', () =>
    resolveTargets(objects, where, declaredKinds(objects)),
  );
  const limit = createLimiter(options.concurrency ?? defaultConcurrency);
  const owner = { release: release.name, namespace: release.namespace };
  const { takeOwnership } = options;
  return { targets, adoptable: (some) => findAdoptable(some, owner, { cluster, limit, signal, takeOwnership }) };
}

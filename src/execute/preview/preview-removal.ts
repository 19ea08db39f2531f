import { isApiError } from '../../cluster/api-error.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../../manifest/types.ts';
import type { Plan } from '../../plan/types.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { findExisting } from '../apply/existing.ts';
import { resolveServed } from '../apply/targets.ts';
import { defaultConcurrency } from '../context.ts';
import { whyKept } from '../remove.ts';
import type { PreviewOptions } from './preview.ts';

/** An object that a change would delete, or that `keptBy` protects from it. */
export interface RemovalPreview {
  readonly id: ResourceId;
  readonly live: KubernetesObject;
  readonly keptBy?: string | undefined;
}

/** Which of these resources, that a change lets go of, are still there. */
export async function previewRemoval(
  manifests: readonly Manifest[],
  plan: Plan,
  { cluster, owner, concurrency = defaultConcurrency, signal }: PreviewOptions,
): Promise<readonly RemovalPreview[]> {
  const targets = await resolveServed(manifests, { cluster, namespace: owner.namespace, signal });
  const byId = new Map(targets.map((target) => [objectKey(target.id), target]));
  const limit = createLimiter(concurrency);
  const found = await findExisting(
    targets.map(({ id }) => id),
    { cluster, limit, signal },
  );
  const [failure] = found.failures;
  if (failure !== undefined) throw isApiError(failure.cause) ? failure.cause : new Error('internal: not an ApiError');
  return [...found.objects].flatMap(([key, live]) => {
    const target = byId.get(key);
    if (target === undefined) return [];
    return [{ id: target.id, live, keptBy: whyKept(live, plan)?.reason }];
  });
}

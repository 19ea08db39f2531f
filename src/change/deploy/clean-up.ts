import { formatId } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { settleAll } from '../../support/concurrency.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';

/** Deletes what a failed deploy created (--cleanup-on-fail). Errors: `cleanup-failed`. */
export async function deleteCreated(created: readonly ResourceId[], context: Context): Promise<void> {
  const cluster = await context.cluster();
  const { errors } = await settleAll(
    created.map((id) => async () => {
      const wasThere = await cluster.delete(id, { propagation: 'Background' });
      if (wasThere) context.onEvent?.({ kind: 'resource', id, state: 'deleted' });
    }),
  );
  if (errors.length === 0) return;
  throw new TshelmError('cleanup-failed', {
    message: `unable to cleanup resources: ${errors.map(messageOf).join(', ')}`,
    details: { created: created.map(formatId) },
    cause: errors[0],
  });
}

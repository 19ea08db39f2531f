import { executePlan } from '../../execute/execute.ts';
import { formatId, idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import { planCleanUp } from '../../plan/plan.ts';
import { settleAll } from '../../support/concurrency.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { StoppedByFailure } from '../phases.ts';
import { executionContext } from './deploy-options.ts';

/** Deletes what a failed deploy created (--cleanup-on-fail): in an order backwards, batch by batch. Errors: `cleanup-failed`. */
export async function deleteCreated(stopped: StoppedByFailure, context: Context): Promise<void> {
  const errors =
    stopped.plan.strategy === 'ordered'
      ? await deleteInOrder(stopped, context)
      : await deleteTogether(stopped.created, context);
  if (errors.length === 0) return;
  throw new TshelmError('cleanup-failed', {
    message: `unable to cleanup resources: ${errors.map(messageOf).join(', ')}`,
    details: { created: stopped.created.map(formatId) },
    cause: errors[0],
  });
}

async function deleteInOrder(
  { plan, created, options }: StoppedByFailure,
  context: Context,
): Promise<readonly unknown[]> {
  const keys = new Set(created.map(objectKey));
  const isCreated = ({ object }: Manifest): boolean => {
    const id = idOf(object, plan.namespace);
    // Those of cluster-scoped kinds have no namespace.
    return keys.has(objectKey(id)) || keys.has(objectKey({ ...id, namespace: '' }));
  };
  // A condition of the plan that has failed does not hold for what undoes it.
  const execution = { ...(await executionContext(options, context)), beforeSend: undefined };
  try {
    await executePlan(planCleanUp(plan, isCreated), execution);
    return [];
  } catch (error) {
    return [error];
  }
}

async function deleteTogether(created: readonly ResourceId[], context: Context): Promise<readonly unknown[]> {
  const cluster = await context.cluster();
  const { errors } = await settleAll(
    created.map((id) => async () => {
      const wasThere = await cluster.delete(id, { propagation: 'Background' });
      if (wasThere) context.onEvent?.({ kind: 'resource', id, state: 'deleted' });
    }),
  );
  return errors;
}

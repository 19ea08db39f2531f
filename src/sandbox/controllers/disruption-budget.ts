import { objectAt } from '../../support/json.ts';
import { isFinished, type Pod, type PodDisruptionBudget } from '../kubernetes.ts';
import { keyOf } from '../resource.ts';
import { matchesLabelSelector } from '../store/selectors.ts';
import { type ControllerContext, controllerOfKind, isReady, withCondition } from './context.ts';
import { ofReplicas } from './deployment.ts';
import type { Controller } from './manager.ts';

const storage = 'policy/poddisruptionbudgets';

/** Counts how many pods each PodDisruptionBudget can spare. */
export function disruptionBudgetController(context: ControllerContext): Controller {
  const kind = context.kind('policy/v1', 'PodDisruptionBudget');
  return controllerOfKind<PodDisruptionBudget>(context, {
    name: 'disruption-budget',
    kind,
    also: (change) => (change.storageKey === '/pods' ? budgetsIn(context, change.object.metadata.namespace) : []),
    reconcile(budget) {
      const spec = budget.spec ?? {};
      const pods = [...context.environment.store.values('/pods', budget.metadata.namespace)].filter(
        (pod: Pod) =>
          !isFinished(pod) && matchesLabelSelector(objectAt(budget, 'spec', 'selector'), pod.metadata.labels),
      );
      const healthy = pods.filter(isReady).length;
      const desired =
        spec.minAvailable === undefined
          ? Math.max(0, pods.length - ofReplicas(spec.maxUnavailable, pods.length, Math.ceil))
          : ofReplicas(spec.minAvailable, pods.length, Math.ceil);
      const allowed = Math.max(0, healthy - desired);
      const enough = allowed > 0;
      const conditions = withCondition(
        objectAt(budget, 'status')?.conditions,
        {
          type: 'DisruptionAllowed',
          status: enough ? 'True' : 'False',
          reason: enough ? 'SufficientPods' : 'InsufficientPods',
          message: '',
        },
        context.timestamp,
        { observedGeneration: budget.metadata.generation },
      );
      context.setStatus(kind, budget, {
        conditions,
        currentHealthy: healthy,
        desiredHealthy: desired,
        disruptionsAllowed: allowed,
        expectedPods: pods.length,
        observedGeneration: budget.metadata.generation,
      });
    },
  });
}

const budgetsIn = ({ environment }: ControllerContext, namespace: string | undefined): string[] =>
  environment.store.list(storage, namespace).map(keyOf);

import { announcedStatusController } from './announced-status.ts';
import { claimController } from './claim.ts';
import type { ControllerContext } from './context.ts';
import { daemonSetController } from './daemon-set.ts';
import { definitionController } from './definition.ts';
import { deploymentController } from './deployment.ts';
import { disruptionBudgetController } from './disruption-budget.ts';
import { garbageCollector } from './garbage.ts';
import { jobController } from './job.ts';
import { kubeletController } from './kubelet.ts';
import type { Controller } from './manager.ts';
import { namespaceController } from './namespace.ts';
import { replicaSetController } from './replica-set.ts';
import { serviceController } from './service.ts';
import { statefulSetController } from './stateful-set.ts';

/** Every controller of the sandbox. */
export const allControllers = (context: ControllerContext): Controller[] => [
  definitionController(context),
  namespaceController(context),
  garbageCollector(context),
  deploymentController(context),
  replicaSetController(context),
  statefulSetController(context),
  daemonSetController(context),
  jobController(context),
  kubeletController(context),
  claimController(context),
  serviceController(context),
  disruptionBudgetController(context),
  announcedStatusController(context),
];

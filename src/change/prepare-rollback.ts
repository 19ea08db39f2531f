import { storedHookModes } from '../plan/hook-modes.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import { storedOrder } from '../plan/stored-order.ts';
import { lastRevision } from '../release/history.ts';
import type { Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import { formatTime } from '../support/time.ts';
import type { Context } from './context.ts';
import { type ApplyMode, refuseForce, usesServerSideApply } from './deploy/apply-method.ts';
import { noCrds } from './deploy/crds.ts';
import { clusterKnowledgeOf, type DeployOptions, strategyOf } from './deploy/deploy-options.ts';
import { idleRuleWarnings } from './deploy/idle-field-rules.ts';
import { servedRevision } from './deploy/served-manifest.ts';
import type { LastPhase } from './last-phase.ts';
import type { Rendered } from './phases.ts';
import { withOrder } from './record/release-order.ts';
import { rememberingFields } from './record/remembered-fields.ts';
import { operationRecord } from './record/with-lock.ts';

interface RollbackOpened {
  readonly options: DeployOptions & {
    readonly name: string;
    readonly revision?: number | undefined;
    readonly serverSide?: ApplyMode | undefined;
  };
  readonly history: readonly Release[];
  readonly lastPhase: LastPhase;
}

/**
 * A rollback renders nothing: the revision that it goes back to is the new one. Where it is for real, that is taken as the
 * cluster serves it today. Errors: `release-not-found`, `revision-not-found`, `invalid-arguments`.
 */
export async function prepareRollback(opened: RollbackOpened, context: Context): Promise<Rendered> {
  const { options, history, lastPhase } = opened;
  const replaced = lastRevision(options.name, history);
  const stored = targetOf(opened, replaced);
  const target = lastPhase === 'finished' ? await servedRevision(stored, context) : stored;
  if (options.dryRun === 'plan') refuseForce(usesServerSideApply(options.serverSide, target), options);
  const order = storedOrder(target, history, options.wait, strategyOf(options));
  const release: Release = {
    ...rememberingFields(
      withOrder(newRevision(target, replaced, options, context), order),
      options.takeFields,
      history,
    ),
    operation: operationRecord(options, context),
  };
  const manifests = readStoredManifest(release.manifest);
  return {
    ...opened,
    action: 'rollback',
    plannedAs: 'rollback',
    sight: clusterKnowledgeOf(options),
    namespace: release.namespace,
    replaced,
    release,
    recordedAs: 'pending-rollback',
    manifests,
    hooks: release.hooks,
    hookModeOf: storedHookModes(release),
    order,
    crds: noCrds,
    // Who names no revision does not see otherwise which one it is.
    note: options.revision ? undefined : `${options.name} goes back to revision ${stored.version}`,
    warnings: idleRuleWarnings(options.takeFields, manifests, release.namespace),
    isWeighed: true,
  };
}

function targetOf({ options, history }: RollbackOpened, replaced: Release): Release {
  const wanted = options.revision || replaced.version - 1;
  const target = history.find(({ version }) => version === wanted);
  if (target !== undefined) return target;
  throw new TshelmError('revision-not-found', {
    message: `release has no ${wanted} version`,
    details: { release: options.name, revision: wanted, revisions: history.map(({ version }) => version) },
  });
}

const newRevision = (
  target: Release,
  replaced: Release,
  options: RollbackOpened['options'],
  context: Context,
): Release => ({
  ...target,
  namespace: replaced.namespace,
  version: replaced.version + 1,
  info: {
    firstDeployed: replaced.info.firstDeployed,
    lastDeployed: formatTime(context.clock.now()),
    status: 'pending-rollback',
    description: options.description || `Rollback to ${target.version}`,
    rollbackRevision: target.version,
    notes: target.info.notes,
  },
  applyMethod: usesServerSideApply(options.serverSide, target) ? 'ssa' : 'csa',
});

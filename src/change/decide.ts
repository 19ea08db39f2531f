import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { Manifest } from '../manifest/types.ts';
import {
  type Former,
  planFix,
  planInstall,
  planRollback,
  planTest,
  planUninstall,
  planUpgrade,
  type UpgradeInput,
} from '../plan/plan.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import { storedOrder } from '../plan/stored-order.ts';
import type { FollowUp, Plan } from '../plan/types.ts';
import { lastGoodRevision } from '../release/history.ts';
import type { Release } from '../release/types.ts';
import { unreachable } from '../support/errors.ts';
import type { Decided, Rendered } from './phases.ts';
import { hooksLeftByDeadRuns, objectsReplacedByDeadRuns, revisionsWithLeftovers } from './record/dead-runs.ts';
import { fieldRulesOf } from './record/remembered-fields.ts';

/** The whole plan of a change. */
export const decide = (rendered: Rendered): Decided => ({
  ...rendered,
  plan: planOf(rendered),
  execution: {
    fieldRules: fieldRulesOf(rendered.options.takeFields, rendered.release),
    replaced: objectsReplacedByDeadRuns(rendered.history),
    ...rendered.execution,
  },
});

function planOf(rendered: Rendered): Plan {
  const { action, plannedAs, options } = rendered;
  const input = inputOf(rendered);
  switch (plannedAs) {
    case 'install':
      return planInstall({ ...input, createNamespace: action === 'install' && options.createNamespace });
    case 'upgrade':
      return planUpgrade(input);
    case 'rollback':
      return planRollback(input);
    case 'uninstall':
      return planUninstall({ ...input, hookObjects: options.deleteHooks ? 'delete' : 'report' });
    case 'fix':
      return planFix(input);
    case 'test':
      return planTest(input);
    default:
      return unreachable(plannedAs);
  }
}

function inputOf(rendered: Rendered): UpgradeInput {
  const { release, order, history, replaced, crds, options, recordedAs } = rendered;
  const formerOf = (revision: Release): Former => ({
    manifests: readStoredManifest(revision.manifest),
    unit: order.unit && storedOrder(revision, history, 'ordered').unit,
  });
  return {
    release: release.name,
    namespace: release.namespace,
    strategy: order.strategy,
    unit: order.unit,
    needs: order.needs,
    manifests: rendered.manifests,
    hooks: rendered.hooks,
    runHooks: !options.noHooks,
    hookModeOf: rendered.hookModeOf,
    crds: crds.manifests,
    existingCrds: crds.existing,
    current: replaced && formerOf(replaced),
    leftBehind: revisionsWithLeftovers(history).map(formerOf).map(withoutKept(rendered)),
    overdueHooks: hooksLeftByDeadRuns(history),
    record: recordedAs && { revision: release.version, status: recordedAs },
    ifStopped: remediesOf(rendered),
    warnings: rendered.warnings,
  };
}

/** What an uninstall is asked to leave is no leftover. */
const withoutKept = ({ kept = [], namespace }: Rendered) => {
  const keyOf = ({ object }: Manifest): string => objectKey(idOf(object, namespace));
  const keys = new Set(kept.map(keyOf));
  return ({ manifests, unit }: Former): Former => ({
    manifests: manifests.filter((manifest) => !keys.has(keyOf(manifest))),
    unit,
  });
};

/** What follows a failure, in Helm's order. */
function remediesOf({ action, options, history, replaced }: Rendered): readonly FollowUp[] {
  const recorded: FollowUp = { kind: 'record-failure' };
  const cleaned: readonly FollowUp[] = options.cleanupOnFail ? [{ kind: 'delete-created' }] : [];
  switch (action) {
    case 'install':
      return options.rollbackOnFailure ? [{ kind: 'uninstall' }] : [recorded];
    case 'upgrade': {
      const undone: readonly FollowUp[] = options.rollbackOnFailure
        ? [{ kind: 'roll-back', revision: lastGoodRevision(history, options.maxHistory) }]
        : [];
      return [recorded, ...cleaned, ...undone];
    }
    case 'rollback':
      return [recorded, ...(replaced === undefined ? [] : [supersedeRevision(replaced.version)]), ...cleaned];
    case 'uninstall':
    case 'fix':
    case 'test':
      return [];
    default:
      return unreachable(action);
  }
}

const supersedeRevision = (revision: number): FollowUp => ({ kind: 'supersede', revision });

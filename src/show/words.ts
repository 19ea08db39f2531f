import type { ClusterPlace } from '../manifest/types.ts';
import { resourceName } from '../plan/names.ts';
import { plannedObjects } from '../plan/planned.ts';
import type {
  FollowUp,
  KindWaves,
  Manifest,
  Plan,
  PlannedAction,
  PlannedChanges,
  PlannedObject,
  RevisionOfChart,
  Step,
  StepOf,
  Unit,
} from '../plan/types.ts';
import { unreachable } from '../support/errors.ts';
import { whyReplaced } from '../words/replacement.ts';

/** The kinds of a step, as `ServiceAccount | ConfigMap, Service | Deployment`: `|` one wave after another, `,` together. */
const wavesText = (waves: KindWaves): string => waves.map((kinds) => kinds.join(', ')).join(' | ');

/** `in waves: …`, of a step of several batches `each batch in waves: …`; undefined where all goes together. */
export const inWavesText = ({ waves, unit }: StepOf<'apply' | 'delete'>): string | undefined =>
  waves.length > 1 ? `${unit.batches.length > 1 ? 'each batch ' : ''}in waves: ${wavesText(waves)}` : undefined;

/** Whether the plan's objects begin one by one, each as soon as what it needs is ready (docs/ordering.md, 9). */
export const isFree = ({ steps }: Plan): boolean =>
  steps.some((step) => (step.kind === 'apply' || step.kind === 'delete') && step.unit.isFree === true);

/** `wait: ordered` */
export const waitText = (plan: Plan): string => `wait: ${isFree(plan) ? 'auto' : plan.strategy}`;

/** What a batch is called; without barriers between them it only says how many others come before. */
export const batchWord = (unit: Unit): 'batch' | 'level' => (unit.isFree ? 'level' : 'batch');

/** What the run does where a step fails; undefined where the step says nothing, and it stops. */
export function policyText({ ifFails }: Step): string | undefined {
  switch (ifFails) {
    case undefined:
      return undefined;
    case 'stop':
      return 'if it fails or takes too long: stop';
    case 'go-on':
      return 'if it fails: continue';
    case 'go-on-after-timeout':
      return 'if it takes too long: continue';
    default:
      return unreachable(ifFails);
  }
}

export const awaitNeedsText = 'wait for what the release needs';

export const recordText = ({ revision, status }: StepOf<'record'>): string =>
  `record revision ${revision} as ${status}`;

/** `context prod (https://prod.example.com:6443)` */
export const clusterText = ({ context, server }: ClusterPlace): string => `context ${context} (${server})`;

/** `namespace shop`, and of which cluster where there are several. */
export const namespaceText = ({ namespace, changes }: Pick<Plan, 'namespace' | 'changes'>): string =>
  changes?.cluster === undefined
    ? `namespace ${namespace}`
    : `namespace ${namespace} of ${clusterText(changes.cluster)}`;

export function hookObjectsText({ task }: StepOf<'hook-objects'>): string {
  switch (task) {
    case 'delete-overdue':
      return 'delete hook objects left by an earlier run';
    case 'delete':
      return 'delete hook objects';
    case 'report':
      return 'report the remaining hook objects';
    default:
      return unreachable(task);
  }
}

/** `on failure: stop, then mark the revision failed, then roll back to revision 2`; undefined where a failure changes nothing more. */
export function ifStoppedText({ ifStopped = [], strategy }: Plan): string | undefined {
  if (ifStopped.length === 0) return undefined;
  const remedies = ifStopped.map((remedy) => remedyText(remedy, strategy === 'ordered'));
  return `on failure: ${['stop', ...remedies].join(', then ')}`;
}

function remedyText(remedy: FollowUp, isOrdered: boolean): string {
  switch (remedy.kind) {
    case 'record-failure':
      return 'mark the revision failed';
    case 'supersede':
      return `mark revision ${remedy.revision} as superseded`;
    case 'delete-created':
      return isOrdered ? 'delete what was created, in reverse order' : 'delete what was created';
    case 'uninstall':
      return 'uninstall the release';
    case 'roll-back':
      return remedy.revision === undefined
        ? 'fail: no revision to roll back to'
        : `roll back to revision ${remedy.revision}`;
    default:
      return unreachable(remedy);
  }
}

/** How a plan names its objects: `Deployment/web`, and what becomes of it where that is known. */
export function resourceLabels(plan: Plan): (manifest: Manifest) => string {
  const find = plannedObjects(plan);
  return (manifest) => {
    const found = find(manifest);
    return found === undefined ? resourceName(manifest) : `${resourceName(manifest)}  (${plannedText(found)})`;
  };
}

const namedFields = 3;

/**
 * `create`, `change 2 fields: spec.replicas, metadata.labels.app`, `adopt from release shop in web`,
 * `replace: spec.selector.matchLabels.app is immutable`
 */
function plannedText({ action, fields = [], forcedBy, from }: PlannedObject): string {
  if (action === 'refused') return action;
  if (forcedBy !== undefined) return `replace: ${whyReplaced(forcedBy)}`;
  const what = from === undefined ? action : `${action} from release ${from}`;
  const more = fields.length > namedFields ? ', …' : '';
  const changed = `${fields.length} field${fields.length === 1 ? '' : 's'}: ${fields.slice(0, namedFields).join(', ')}${more}`;
  if (fields.length === 0) return what;
  return action === 'change' ? `change ${changed}` : `${what}, change ${changed}`;
}

const summaryWords: readonly (readonly [PlannedAction, string])[] = [
  ['create', 'to create'],
  ['change', 'to change'],
  ['replace', 'to replace'],
  ['adopt', 'to adopt'],
  ['delete', 'to delete'],
  ['keep', 'to keep'],
  ['unchanged', 'unchanged'],
  ['refused', 'refused'],
];

/** How many objects there are of each action. */
export function plannedCounts({ objects }: PlannedChanges): Readonly<Record<PlannedAction, number>> {
  const counts = { create: 0, change: 0, replace: 0, adopt: 0, delete: 0, keep: 0, unchanged: 0, refused: 0 };
  for (const { action } of objects) counts[action]++;
  return counts;
}

/** `3 to create, 2 to change, 110 unchanged` */
export function summaryText(changes: PlannedChanges): string {
  const counts = plannedCounts(changes);
  const parts = summaryWords.flatMap(([action, words]) => (counts[action] === 0 ? [] : [`${counts[action]} ${words}`]));
  return parts.length === 0 ? 'no objects' : parts.join(', ');
}

/** `revision 1 (shop-1.0.0) → 2 (shop-1.1.0)`; of a rollback `revision 4 (shop-1.1.0) → 5 (shop-1.0.0), back to revision 3` */
export const revisionsText = ({ from, to }: PlannedChanges): string => {
  const back = to.backTo === undefined ? '' : `, back to revision ${to.backTo}`;
  const next = `${revisionText(to)}${back}`;
  return from === undefined || from.revision === to.revision
    ? `revision ${next}`
    : `revision ${revisionText(from)} → ${next}`;
};

/** `2 (shop-1.1.0)`, `2 (shop-1.1.0, signed by release@example.com)` */
export const revisionText = ({ revision, chart, signature }: RevisionOfChart): string =>
  `${revision} (${chart}${signature === undefined ? '' : `, signed by ${signature.signer}`})`;

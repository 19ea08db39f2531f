import { kindAndName } from '../manifest/resource-id.ts';
import type { Hook } from '../manifest/types.ts';
import { hookLimit, resourceName } from '../plan/names.ts';
import type { BatchNode, Plan, PlannedChanges, PlannedNeed, Step, Unit } from '../plan/types.ts';
import { unreachable } from '../support/errors.ts';
import { plannedCounts } from './words.ts';

/** A plan for programs, `tshelm plan -o json`: what {@link Plan} says, with names in place of whole objects. */
export const planData = ({
  action,
  release,
  namespace,
  strategy,
  steps,
  ifStopped = [],
  warnings,
  hazards = [],
  changes,
}: Plan) => ({
  action,
  release,
  namespace,
  strategy,
  steps: steps.map((step) => ({ ...stepData(step), ...(step.ifFails && { ifFails: step.ifFails }) })),
  ifStopped,
  warnings,
  hazards,
  ...(changes && { changes: changesData(changes) }),
});

const changesData = (changes: PlannedChanges) => ({
  ...(changes.cluster && { cluster: changes.cluster }),
  from: changes.from,
  to: changes.to,
  objects: changes.objects.map(({ id, ...planned }) => ({ ...id, ...planned })),
  summary: plannedCounts(changes),
});

function stepData(step: Step) {
  switch (step.kind) {
    case 'install-crds':
      return { kind: step.kind, resources: step.manifests.map(resourceName) };
    case 'create-namespace':
      return { kind: step.kind, name: step.name };
    case 'record':
      return { kind: step.kind, revision: step.revision, status: step.status };
    case 'await-needs':
      return { kind: step.kind, needs: needData(step.needs) };
    case 'run-hooks':
      return {
        kind: step.kind,
        event: step.event,
        batches: step.batches.map((batch) => batch.map((chain) => chain.map(kindAndName))),
        ...limitData(step.batches.flat(2)),
      };
    case 'apply':
    case 'delete':
      return { kind: step.kind, waves: step.waves, unit: unitData(step.unit) };
    case 'hook-objects':
      return { kind: step.kind, task: step.task, hooks: step.hooks.map(kindAndName) };
    default:
      return unreachable(step);
  }
}

/** Hooks with a limit of their own. */
function limitData(hooks: readonly Hook[]) {
  const limits = hooks.flatMap((hook) => {
    const limit = hookLimit(hook);
    return limit === undefined ? [] : [{ hook: kindAndName(hook), ...limit }];
  });
  return limits.length === 0 ? {} : { limits };
}

interface UnitData {
  readonly name: string;
  readonly batches: readonly { readonly wait: boolean; readonly nodes: readonly NodeData[] }[];
}

type NeedData = Pick<PlannedNeed, 'text' | 'why'>;

interface NodeData {
  readonly kind: BatchNode['kind'];
  readonly id: string;
  readonly name: string;
  readonly after: readonly string[];
  readonly because: readonly string[];
  readonly needs?: readonly NeedData[];
  readonly resources?: readonly string[];
  readonly unit?: UnitData;
}

const unitData = ({ name, batches }: Unit): UnitData => ({
  name,
  batches: batches.map(({ wait, nodes }) => ({ wait, nodes: nodes.map(nodeData) })),
});

function nodeData(node: BatchNode): NodeData {
  const { kind, id = '', after = [], because, needs = [] } = node;
  return node.kind === 'unit'
    ? { kind, id, name: node.unit.name, after, because, unit: unitData(node.unit) }
    : {
        kind,
        id,
        name: node.name,
        after,
        because,
        ...(needs.length > 0 && { needs: needData(needs) }),
        resources: node.manifests.map(resourceName),
      };
}

const needData = (needs: readonly PlannedNeed[]): readonly NeedData[] => needs.map(({ text, why }) => ({ text, why }));

import { canBeUnready } from '../../cluster/wait.ts';
import { isCrd } from '../../execute/apply/targets.ts';
import { stepTitle } from '../../execute/step-title.ts';
import { itemsOf } from '../../manifest/items.ts';
import { parseManifest } from '../../manifest/parse.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { HookEvent, KubernetesObject, Manifest } from '../../manifest/types.ts';
import type { Batch, BatchNode, Plan, Step, Unit } from '../../plan/types.ts';
import { batchWord } from '../../show/words.ts';
import { countOf } from '../../support/text.ts';
import { type Branch, emptyBranch, newRow, type Row } from './rows.ts';

type AddRow = (row: Row) => void;

/** A step as a branch, with what happens in it below. */
export function stepBranch(step: Step, plan: Plan, add: AddRow): Branch {
  const branch = emptyBranch('step', '', undefined);
  const rowsOf = rowsIn(plan, add);
  switch (step.kind) {
    case 'install-crds':
      rowsOf(step.manifests, branch, { waits: isCrd });
      branch.title = `install ${countOf(branch.total, 'CRD')}`;
      break;
    case 'create-namespace':
      branch.title = `create namespace ${step.name}`;
      break;
    case 'run-hooks':
      branch.title = `${step.event} hooks`;
      for (const hook of step.batches.flat(2))
        rowsOf([parseManifest(hook.manifest, hook.path)], branch, { waits: () => true, event: step.event });
      break;
    case 'apply':
      addUnit(step.unit, branch, plan.strategy !== 'hookOnly', rowsOf);
      branch.title = `apply ${countOf(branch.total, 'resource')}`;
      break;
    case 'delete':
      addUnit(step.unit, branch, plan.strategy !== 'hookOnly', rowsOf);
      branch.title = `delete ${countOf(branch.total, 'resource')}`;
      break;
    case 'record':
    case 'await-needs':
    case 'hook-objects':
      branch.title = stepTitle(step);
      break;
  }
  return branch;
}

interface RowOptions {
  /** Whether an object has to get ready, if it is of a kind that can be anything else. */
  readonly waits: (object: KubernetesObject) => boolean;
  readonly event?: HookEvent | undefined;
}

type RowsOf = (manifests: readonly Manifest[], parent: Branch, options: RowOptions) => void;

const rowsIn =
  ({ namespace }: Plan, add: AddRow): RowsOf =>
  (manifests, parent, { waits, event }) => {
    for (const { object, source } of manifests) {
      for (const item of itemsOf(object)) {
        const id = idOf(item);
        const kind = event === undefined ? 'resource' : 'hook';
        const isWaitedFor = waits(item) && canBeUnready(id);
        add(newRow({ kind, id, event, source, isWaitedFor, parent }, namespace));
      }
    }
  };

/** A unit of one batch stands for itself: its nodes come directly below. */
function addUnit(unit: Unit, parent: Branch, waits: boolean, rowsOf: RowsOf): void {
  const of = unit.batches.length;
  for (const [index, batch] of unit.batches.entries()) {
    const names = batch.nodes.map(nameOf).join(', ');
    const branch = of === 1 ? parent : addBranch('batch', `${batchWord(unit)} ${index + 1} of ${of}: ${names}`, parent);
    addBatch(batch, branch, waits && batch.wait, rowsOf);
  }
}

function addBatch({ nodes }: Batch, parent: Branch, waits: boolean, rowsOf: RowsOf): void {
  for (const node of nodes) {
    const branch = nodes.length === 1 ? parent : addBranch(kindOf(node), nameOf(node), parent);
    if (node.kind === 'unit') addUnit(node.unit, branch, waits, rowsOf);
    else rowsOf(node.manifests, branch, { waits: () => waits });
  }
}

const kindOf = (node: BatchNode): Branch['kind'] => (node.kind === 'unit' ? 'chart' : 'group');
const nameOf = (node: BatchNode): string => (node.kind === 'unit' ? node.unit.name : node.name);

function addBranch(kind: Branch['kind'], title: string, parent: Branch): Branch {
  const branch = emptyBranch(kind, title, parent);
  parent.children.push(branch);
  return branch;
}

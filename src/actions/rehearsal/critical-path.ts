import { compareText } from '../../support/order.ts';
import { type Span, type StepRun, spanOf } from './run-record.ts';
import { type GraphNode, type Leaf, leavesOf, type Work, workOf } from './step-tree.ts';

/** One object of the critical path: it could not have begun sooner, and what follows had to wait for it. */
export interface Segment {
  readonly leaf: Leaf;
  readonly span: Span;
}

/** The objects whose times add up to the whole, in their order; what took no time is left out. */
export function criticalPath(steps: readonly StepRun[], isEager: boolean): readonly Segment[] {
  return steps.flatMap((step) => longest(workOf(step.step, step.namespace, isEager), step));
}

function longest(work: Work, step: StepRun): readonly Segment[] {
  switch (work.kind) {
    case 'leaf': {
      const span = spanOf(step, work.leaf.id);
      return span !== undefined && span.endMs > span.startMs ? [{ leaf: work.leaf, span }] : [];
    }
    case 'sequence':
      return work.parts.flatMap((part) => longest(part, step));
    case 'together': {
      const last = lastToEnd(work.parts, (part) => part, step);
      return last === undefined ? [] : longest(last, step);
    }
    case 'graph':
      return pathTo(lastToEnd(work.nodes, workOfNode, step), work.nodes, step).flatMap((node) =>
        longest(node.work, step),
      );
    default:
      return work satisfies never;
  }
}

const workOfNode = (node: GraphNode): Work => node.work;

/** From a node back over the predecessor that ended last; the result begins with the first. */
function pathTo(node: GraphNode | undefined, nodes: readonly GraphNode[], step: StepRun): readonly GraphNode[] {
  if (node === undefined) return [];
  const before = nodes.filter(({ id }) => node.after.includes(id));
  return [...pathTo(lastToEnd(before, workOfNode, step), nodes, step), node];
}

/** What ended last; among equals the first by name, so that the answer is always the same. */
function lastToEnd<T>(items: readonly T[], workOfItem: (item: T) => Work, step: StepRun): T | undefined {
  const ended = items.map((item) => ({ item, end: endOf(workOfItem(item), step), name: firstName(workOfItem(item)) }));
  return ended.sort((a, b) => b.end - a.end || compareText(a.name, b.name))[0]?.item;
}

const endOf = (work: Work, step: StepRun): number =>
  leavesOf(work).reduce((end, { id }) => Math.max(end, spanOf(step, id)?.endMs ?? -1), -1);

const firstName = (work: Work): string => leavesOf(work)[0]?.name ?? '';

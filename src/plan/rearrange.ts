import { itemsOf } from '../manifest/items.ts';
import type { Manifest } from '../manifest/types.ts';
import { addTo } from '../support/group-by.ts';
import { nodeName } from './names.ts';
import type { Batch, BatchNode, Unit } from './types.ts';

/**
 * docs/ordering.md, 4: "the reverse of the stored plan". The last batch is first, and each node comes after those that
 * waited for it.
 */
export function reversed(unit: Unit): Unit {
  const nodes = unit.batches.flatMap((batch) => batch.nodes);
  const waiting = new Map<string, BatchNode[]>();
  for (const node of nodes) for (const id of node.after ?? []) addTo(waiting, id, node);
  const turned = (node: BatchNode): BatchNode => {
    const before = (node.id === undefined ? undefined : waiting.get(node.id)) ?? [];
    const order = {
      needs: undefined,
      after: before.flatMap(({ id }) => id ?? []),
      because: before.map((other) => `${nodeName(other)} (depends on it)`),
    };
    return node.kind === 'unit' ? { ...node, ...order, unit: reversed(node.unit) } : { ...node, ...order };
  };
  return { ...unit, batches: unit.batches.map((batch) => ({ ...batch, nodes: batch.nodes.map(turned) })).reverse() };
}

/** The unit with only those resources that `isWanted` takes; what is left keeps its order, also across what is gone. */
export function restricted(unit: Unit, isWanted: (manifest: Manifest) => boolean): Unit {
  const heirs = new Map<string, readonly string[]>();
  const inherited = (after: readonly string[] = []): readonly string[] => [
    ...new Set(after.flatMap((id) => heirs.get(id) ?? [id])),
  ];
  const batches = unit.batches.map((batch): Batch => {
    const nodes = batch.nodes.flatMap((node): readonly BatchNode[] => {
      const after = node.after === undefined ? undefined : inherited(node.after);
      const kept = { ...restrictedNode(node, isWanted), after };
      if (!isEmpty(kept)) return [kept];
      if (node.id !== undefined) heirs.set(node.id, after ?? []);
      return [];
    });
    return { ...batch, nodes };
  });
  return { ...unit, batches: batches.filter(({ nodes }) => nodes.length > 0) };
}

/** The unit with what each List holds in its place. */
export const withItems = (unit: Unit): Unit => ({
  ...unit,
  batches: unit.batches.map((batch) => ({ ...batch, nodes: batch.nodes.map(nodeWithItems) })),
});

const nodeWithItems = (node: BatchNode): BatchNode =>
  node.kind === 'unit'
    ? { ...node, unit: withItems(node.unit) }
    : {
        ...node,
        manifests: node.manifests.flatMap((one) => itemsOf(one.object).map((object) => ({ ...one, object }))),
      };

const restrictedNode = (node: BatchNode, isWanted: (manifest: Manifest) => boolean): BatchNode =>
  node.kind === 'unit'
    ? { ...node, unit: restricted(node.unit, isWanted) }
    : { ...node, manifests: node.manifests.filter(isWanted) };

const isEmpty = (node: BatchNode): boolean =>
  node.kind === 'unit' ? node.unit.batches.length === 0 : node.manifests.length === 0;

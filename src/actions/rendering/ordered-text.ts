import type { Manifest } from '../../manifest/types.ts';
import type { BatchNode, Unit } from '../../plan/types.ts';
import { manifestText } from '../../render/manifest-text.ts';

/**
 * The resources of a unit in the order in which they are deployed. Resource groups are between HIP-0025's comments,
 * `## START resource-group: CHART/SUBCHART GROUP` and `## END …`; what belongs to no group has no such lines around it.
 */
export const orderedText = (unit: Unit, path = unit.name): string =>
  unit.batches.flatMap(({ nodes }) => nodes.map((node) => nodeText(node, path))).join('');

function nodeText(node: BatchNode, path: string): string {
  if (node.kind === 'unit') return orderedText(node.unit, `${path}/${node.unit.name}`);
  return isGroup(node)
    ? delimited(node.manifests, `resource-group: ${path} ${node.name}`)
    : manifestText(node.manifests);
}

const isGroup = ({ id }: BatchNode): boolean => id?.startsWith('group:') === true;

const delimited = (manifests: readonly Manifest[], what: string): string =>
  `## START ${what}\n${manifestText(manifests)}## END ${what}\n`;

import { listOf } from '../../manifest/fields.ts';
import { parseManifest } from '../../manifest/parse.ts';
import type { Hook, HookEvent, KubernetesObject, Manifest } from '../../manifest/types.ts';
import type { BatchNode, Plan, Step, Unit } from '../types.ts';

/**
 * When something is applied: indices of step, batch, node, batch inside the node, and so on. At even depths from 2 on
 * is what runs together, elsewhere what runs one after another.
 */
type Place = readonly number[];

/** An object that a plan applies. */
export interface PlacedObject {
  readonly object: KubernetesObject;
  /** Its template. */
  readonly source: string;
  readonly place: Place;
  /** The hook that it is. */
  readonly hook?: { readonly event: HookEvent; readonly weight: number } | undefined;
  /** The nodes that hold it, outermost first: `chart database`, `group queue`. */
  readonly nodes: readonly string[];
}

/** Below 0 when `a` is applied before `b` begins, above 0 the other way round, 0 when nothing orders them. */
export function comparePlaces(a: Place, b: Place): number {
  const depth = depthOfDifference(a, b);
  const isTogether = depth >= 2 && depth % 2 === 0;
  return isTogether ? 0 : (a[depth] ?? 0) - (b[depth] ?? 0);
}

/** The first index at which two places differ. */
function depthOfDifference(a: Place, b: Place): number {
  let depth = 0;
  while (depth < a.length && depth < b.length && a[depth] === b[depth]) depth++;
  return depth;
}

/** The nodes of the one unit in which two objects part ways; undefined where they are in different steps. */
export function nodesThatDiffer(a: PlacedObject, b: PlacedObject): readonly [string, string] | undefined {
  const depth = depthOfDifference(a.place, b.place);
  const index = Math.floor((depth - 1) / 2);
  return depth === 0 ? undefined : [a.nodes[index] ?? '', b.nodes[index] ?? ''];
}

/** What a plan applies, Lists taken apart; what it deletes is left out. */
export const placedObjects = (plan: Plan): readonly PlacedObject[] =>
  plan.steps.flatMap((step, index) => objectsOfStep(step, [index]));

function objectsOfStep(step: Step, place: Place): readonly PlacedObject[] {
  switch (step.kind) {
    case 'install-crds':
      return step.manifests.flatMap((manifest) => objectsOf(manifest, place, []));
    case 'create-namespace': {
      const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: step.name } };
      return [{ object, source: '', place, nodes: [] }];
    }
    case 'run-hooks':
      return step.batches.flatMap((batch, batchIndex) =>
        batch.flatMap((chain, chainIndex) =>
          chain.flatMap((hook, at) => hookObjects(hook, step.event, [...place, batchIndex, chainIndex, at])),
        ),
      );
    case 'apply':
      return unitObjects(step.unit, place, []);
    case 'record':
    case 'await-needs':
    case 'delete':
    case 'hook-objects':
      return [];
  }
}

const unitObjects = ({ name, batches }: Unit, place: Place, nodes: readonly string[]): readonly PlacedObject[] =>
  batches.flatMap((batch, batchIndex) =>
    batch.nodes.flatMap((node, nodeIndex) => {
      const at = [...place, batchIndex, nodeIndex];
      const path = [...nodes, nodeTitle(node, name)];
      return node.kind === 'unit'
        ? unitObjects(node.unit, at, path)
        : node.manifests.flatMap((manifest) => objectsOf(manifest, at, path));
    }),
  );

/** Of what waits for groups and is in none. */
export const ownGroup = 'a group of its own';

function nodeTitle(node: BatchNode, chart: string): string {
  if (node.kind === 'unit') return `chart ${node.unit.name}`;
  if (node.id?.startsWith('group:')) return `group ${node.name}`;
  if (node.id?.startsWith('resource:')) return ownGroup;
  return node.id?.startsWith('weight:') ? node.name : `the resources of ${chart} without a group`;
}

const hookObjects = ({ manifest, path, weight }: Hook, event: HookEvent, place: Place): readonly PlacedObject[] =>
  objectsOf(parseManifest(manifest, path), place, []).map((placed) => ({ ...placed, hook: { event, weight } }));

function objectsOf({ object, source }: Manifest, place: Place, nodes: readonly string[]): readonly PlacedObject[] {
  const items = object.kind.endsWith('List') ? listOf(object['items'] as readonly KubernetesObject[]) : [object];
  return items.filter(isObject).map((item) => ({ object: item, source, place, nodes }));
}

const isObject = ({ kind, metadata }: KubernetesObject): boolean =>
  typeof kind === 'string' && typeof metadata?.name === 'string';

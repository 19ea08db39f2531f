import { stepTitle } from '../../execute/step-title.ts';
import { idOf, kindAndName } from '../../manifest/resource-id.ts';
import type { Hook, Manifest, ResourceId } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { resourceName } from '../../plan/names.ts';
import type { BatchNode, Step, Unit } from '../../plan/types.ts';
import { unreachable } from '../../support/errors.ts';

/** An object of a step. */
export interface Leaf {
  readonly name: string;
  readonly id: ResourceId;
  /** `database`, `queue of shop`: the chart or group it is in; '' in the outermost one. */
  readonly place: string;
}

/** A step as what runs one after another and together; nodes of a graph where each waits for its own predecessors. */
export type Work =
  | { readonly kind: 'leaf'; readonly leaf: Leaf }
  | { readonly kind: 'sequence'; readonly title: string; readonly parts: readonly Work[] }
  | { readonly kind: 'together'; readonly title: string; readonly parts: readonly Work[] }
  | { readonly kind: 'graph'; readonly title: string; readonly nodes: readonly GraphNode[] };

export interface GraphNode {
  readonly id: string;
  readonly after: readonly string[];
  readonly work: Work;
}

/** What a step does, with the titles that people read. `isEager`: units are graphs, not batches. */
export function workOf(step: Step, namespace: string, isEager: boolean): Work {
  const leaf = (manifest: Manifest, place: string): Work => ({
    kind: 'leaf',
    leaf: { name: resourceName(manifest), id: idOf(manifest.object, namespace), place },
  });
  switch (step.kind) {
    case 'install-crds':
      return { kind: 'together', title: 'install CRDs', parts: step.manifests.map((manifest) => leaf(manifest, '')) };
    case 'create-namespace':
      return { kind: 'together', title: `create namespace ${step.name}`, parts: [] };
    case 'record':
    case 'await-needs':
    case 'hook-objects':
      return { kind: 'together', title: stepTitle(step), parts: [] };
    case 'run-hooks':
      return hookWork(step, namespace);
    case 'apply':
    case 'delete':
      return { ...unitWork(step.unit, '', leaf, isEager), title: `${step.kind} ${step.unit.name}` };
    default:
      return unreachable(step);
  }
}

function hookWork({ event, batches }: Extract<Step, { kind: 'run-hooks' }>, namespace: string): Work {
  const leaf = (hook: Hook): Work => ({
    kind: 'leaf',
    leaf: {
      name: kindAndName(hook),
      id: idOf(manifestOfHook(hook).object, namespace),
      place: `${event} hook`,
    },
  });
  const chains = batches.map((batch): Work => {
    const parts = batch.map((chain): Work => ({ kind: 'sequence', title: '', parts: chain.map(leaf) }));
    return { kind: 'together', title: '', parts };
  });
  return { kind: 'sequence', title: `run ${event} hooks`, parts: chains };
}

type MakeLeaf = (manifest: Manifest, place: string) => Work;
type Titled = Exclude<Work, { kind: 'leaf' }>;

function unitWork(unit: Unit, path: string, leaf: MakeLeaf, isEager: boolean): Titled {
  const title = path === '' ? unit.name : `chart ${unit.name}`;
  const work = (node: BatchNode): Work => nodeWork(node, path, leaf, isEager);
  const nodes = unit.batches.flatMap((batch) => batch.nodes);
  if (isEager && nodes.every(({ id }) => id !== undefined)) {
    const graph = nodes.map((node) => ({ id: node.id ?? '', after: node.after ?? [], work: work(node) }));
    return { kind: 'graph', title, nodes: graph };
  }
  const batches = unit.batches.map(
    ({ nodes: members }, index): Work => ({
      kind: 'together',
      title: unit.batches.length === 1 ? '' : `batch ${index + 1} of ${unit.batches.length}`,
      parts: members.map(work),
    }),
  );
  return { kind: 'sequence', title, parts: batches };
}

function nodeWork(node: BatchNode, path: string, leaf: MakeLeaf, isEager: boolean): Work {
  if (node.kind === 'unit')
    return unitWork(node.unit, path === '' ? node.unit.name : `${path}/${node.unit.name}`, leaf, isEager);
  const isGroup = node.id !== undefined && node.id !== 'rest';
  const title = isGroup ? (node.id?.startsWith('group:') ? `group ${node.name}` : node.name) : '';
  const place = [...(isGroup ? [title] : []), ...(path === '' ? [] : [`chart ${path}`])].join(' of ');
  return { kind: 'together', title, parts: node.manifests.map((manifest) => leaf(manifest, place)) };
}

/** Every object of a work, in its order. */
export function leavesOf(work: Work): readonly Leaf[] {
  return work.kind === 'leaf' ? [work.leaf] : partsOf(work).flatMap(leavesOf);
}

export const partsOf = (work: Titled): readonly Work[] =>
  work.kind === 'graph' ? work.nodes.map((node) => node.work) : work.parts;

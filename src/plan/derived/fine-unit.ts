import type { Manifest } from '../../manifest/types.ts';
import { addTo } from '../../support/group-by.ts';
import { manifestsOf } from '../arrange.ts';
import { declarationOf } from '../declarations.ts';
import { levelsOf } from '../graph.ts';
import { namesText, resourceName } from '../names.ts';
import { isRest } from '../own-resources.ts';
import type { Batch, BatchNode, Unit } from '../types.ts';
import { certainNeeds, type Need } from './needs.ts';

export interface FineUnit {
  readonly unit: Unit;
  /** Needs that would close a cycle with the declared order, or among each other. */
  readonly dropped: readonly Need[];
  /** Declared needs that do: each with the way back from what is needed. */
  readonly cycles: readonly (readonly Wait[])[];
}

/** That one object waits for another. */
export interface Wait {
  readonly from: Manifest;
  readonly to: Manifest;
  /** What is declared of groups and charts, with its place; undefined where `from` itself declares the need. */
  readonly declared?: string | undefined;
}

/** What is followed beside the declared order. */
export interface FineNeeds {
  /** Needs that are declared of single objects. */
  readonly own?: readonly Need[] | undefined;
  /** Whether needs that are certain are followed; without them the levels stay batches. */
  readonly derives: boolean;
}

/**
 * The declared order and the needs that are certain as one graph of objects, without barriers (docs/ordering.md, 9). What
 * is declared of groups and subcharts goes before a need; a need goes before what the rest of a chart waits for.
 */
export function fineUnit(declared: Unit, { own = [], derives }: FineNeeds): FineUnit {
  const graph = new ObjectGraph(declared);
  for (const { later, earlier, why } of declaredWaits(declared, false)) graph.declare(later, earlier, why);
  const cycles = own.flatMap((need) => (graph.need(need, 'need') ? [] : [graph.cycleOf(need)]));
  const certain = derives ? certainNeeds(manifestsOf(declared)) : [];
  const dropped = certain.filter((need) => !graph.need(need, 'derived'));
  for (const { later, earlier, why } of declaredWaits(declared, true)) graph.declare(later, earlier, why);
  const unit = { name: declared.name, batches: levels(graph.nodes()), ...(derives && { isFree: true }) };
  return { unit, dropped, cycles };
}

/** That all of a node of the declared order waits for all of others. */
interface DeclaredWait {
  readonly later: readonly Manifest[];
  readonly earlier: readonly Manifest[];
  readonly why: string;
}

/** Of a unit and the units inside it: those of the rest of each chart, or all others. */
function declaredWaits(unit: Unit, isOfRest: boolean): readonly DeclaredWait[] {
  const nodes = unit.batches.flatMap((batch) => batch.nodes);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodes.flatMap((node) => [
    ...(isRest(node.id) === isOfRest
      ? (node.after ?? []).map((id, index) => ({
          later: resourcesOf(node),
          earlier: resourcesBehind(id, byId),
          why: node.because[index] ?? '',
        }))
      : []),
    ...(node.kind === 'unit' ? declaredWaits(node.unit, isOfRest) : []),
  ]);
}

const resourcesOf = (node: BatchNode): readonly Manifest[] =>
  node.kind === 'unit' ? manifestsOf(node.unit) : node.manifests;

/** A node without resources passes on what it waits for. */
function resourcesBehind(id: string, byId: ReadonlyMap<string | undefined, BatchNode>): readonly Manifest[] {
  const node = byId.get(id);
  const own = node === undefined ? [] : resourcesOf(node);
  return own.length > 0 ? own : (node?.after ?? []).flatMap((before) => resourcesBehind(before, byId));
}

interface Reason {
  /** Of a declared edge with what it leads to: `database (order.yaml:6)`. */
  readonly text: string;
  readonly kind: 'declared' | 'need' | 'derived';
}

interface Vertex {
  readonly manifest: Manifest;
  /** The node of the declared order that holds it. */
  readonly holder: string;
  /** What it waits for, with the reasons. */
  readonly after: Map<Vertex, Reason>;
}

class ObjectGraph {
  readonly #vertices: ReadonlyMap<Manifest, Vertex>;

  constructor(declared: Unit) {
    this.#vertices = new Map(verticesOf(declared, declared.name).map((vertex) => [vertex.manifest, vertex]));
  }

  /** All but those of `later` that `earlier` itself waits for. */
  declare(later: readonly Manifest[], earlier: readonly Manifest[], why: string): void {
    const before = this.#allBehind(earlier.map((manifest) => this.#at(manifest)));
    for (const manifest of later) {
      const waiting = this.#at(manifest);
      if (before.has(waiting)) continue;
      for (const other of earlier) addReason(waiting, this.#at(other), { text: why, kind: 'declared' });
    }
  }

  /** Whether the need is met: without a cycle. */
  need({ user, needed, why }: Need, kind: 'need' | 'derived'): boolean {
    const [waiting, other] = [this.#at(user), this.#at(needed)];
    if (this.#allBehind([other]).has(waiting)) return false;
    addReason(waiting, other, { text: why, kind });
    return true;
  }

  /** The need, and a way from what it is about back to whom it is of. */
  cycleOf({ user, needed }: Need): readonly Wait[] {
    const cameFrom = new Map<Vertex, Vertex>();
    const found = new Set([this.#at(needed)]);
    for (const vertex of found)
      for (const before of vertex.after.keys()) {
        if (!found.has(before)) cameFrom.set(before, vertex);
        found.add(before);
      }
    const way: Wait[] = [];
    for (let to = this.#at(user), from = cameFrom.get(to); from !== undefined; to = from, from = cameFrom.get(to)) {
      const { text, kind } = from.after.get(to) as Reason;
      way.unshift({ from: from.manifest, to: to.manifest, ...(kind === 'declared' && { declared: text }) });
    }
    return [{ from: user, to: needed }, ...way];
  }

  /** Objects of one kind and holder that wait for the same and are awaited by the same are one node: nothing is lost by it. */
  nodes(): readonly BatchNode[] {
    const awaitedBy = new Map<Vertex, Vertex[]>();
    const vertices = [...this.#vertices.values()];
    for (const vertex of vertices) for (const before of vertex.after.keys()) addTo(awaitedBy, before, vertex);
    const numbers = new Map(vertices.map((vertex, index) => [vertex, index]));
    const keyOf = (list: Iterable<Vertex>): string =>
      [...list]
        .map((vertex) => numbers.get(vertex) ?? 0)
        .sort((a, b) => a - b)
        .join(' ');
    const merged = new Map<string, Vertex[]>();
    for (const vertex of vertices) {
      const { holder, manifest, after } = vertex;
      addTo(
        merged,
        [
          holder,
          manifest.object.kind,
          keyOf(after.keys()),
          keyOf(awaitedBy.get(vertex) ?? []),
          ...(declarationOf(manifest).needs ?? []),
        ].join('|'),
        vertex,
      );
    }
    return nodesOf([...merged.values()]);
  }

  #at(manifest: Manifest): Vertex {
    return this.#vertices.get(manifest) as Vertex;
  }

  /** These, and all that they wait for. */
  #allBehind(start: readonly Vertex[]): ReadonlySet<Vertex> {
    const found = new Set(start);
    for (const vertex of found) for (const before of vertex.after.keys()) found.add(before);
    return found;
  }
}

/** Of several reasons for one edge the first counts. */
function addReason({ after }: Vertex, other: Vertex, reason: Reason): void {
  if (!after.has(other)) after.set(other, reason);
}

const verticesOf = (unit: Unit, path: string): readonly Vertex[] =>
  unit.batches.flatMap(({ nodes }) =>
    nodes.flatMap((node) =>
      node.kind === 'unit'
        ? verticesOf(node.unit, `${path}/${node.unit.name}`)
        : node.manifests.map((manifest) => ({ manifest, holder: `${path}/${node.id}`, after: new Map() })),
    ),
  );

function nodesOf(merged: readonly (readonly Vertex[])[]): readonly BatchNode[] {
  const ids = new Map<Vertex, string>();
  const titles = new Map<string, string>();
  for (const group of merged) {
    const names = group.map(({ manifest }) => resourceName(manifest));
    const [first] = group;
    const id = `resource:${first?.manifest.object.metadata.namespace ?? ''}/${names[0]}`;
    const own = titles.has(id) ? `${id}#${titles.size}` : id;
    titles.set(own, namesText(names));
    for (const vertex of group) ids.set(vertex, own);
  }
  return merged.map((group): BatchNode => {
    const [first] = group as readonly [Vertex];
    const id = ids.get(first) as string;
    const reasons = reasonsOf(group, ids);
    const because = [...reasons].map(([to, { declared, derived }]) =>
      [...declared, ...(derived.size === 0 ? [] : [`${titles.get(to)} (derived: ${[...derived].join(', ')})`])].join(
        ', ',
      ),
    );
    return {
      kind: 'resources',
      id,
      name: titles.get(id) as string,
      manifests: group.map(({ manifest }) => manifest),
      after: [...reasons.keys()],
      because: [...new Set(because)],
    };
  });
}

interface Reasons {
  readonly declared: Set<string>;
  readonly derived: Set<string>;
}

/** What a node waits for, with every reason. */
function reasonsOf(group: readonly Vertex[], ids: ReadonlyMap<Vertex, string>): ReadonlyMap<string, Reasons> {
  const found = new Map<string, Reasons>();
  for (const { after } of group)
    for (const [before, { text, kind }] of after) {
      const id = ids.get(before) as string;
      const reasons = found.get(id) ?? { declared: new Set(), derived: new Set() };
      reasons[kind === 'derived' ? 'derived' : 'declared'].add(text);
      found.set(id, reasons);
    }
  return found;
}

function levels(nodes: readonly BatchNode[]): readonly Batch[] {
  const found = levelsOf(nodes.map(({ id = '', after = [] }) => ({ id, after }))).levels;
  const batches: BatchNode[][] = [];
  for (const node of nodes) (batches[found.get(node.id ?? '') ?? 0] ??= []).push(node);
  return batches.map((inBatch) => ({ nodes: inBatch, wait: true }));
}

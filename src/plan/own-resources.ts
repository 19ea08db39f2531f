import { annotations } from '../manifest/annotations.ts';
import { readNames } from '../manifest/name-list.ts';
import type { Manifest } from '../manifest/types.ts';
import { type FileLine, fileLineText } from '../support/file-line.ts';
import { addTo, groupBy } from '../support/group-by.ts';
import { nearest } from '../support/near.ts';
import { compareText } from '../support/order.ts';
import type { ChartTree } from './chart-tree.ts';
import { type Declaration, declarationOf, inputSpellings, isGrouped, readWeight } from './declarations.ts';
import { lastOf, levelsOf } from './graph.ts';
import { namesText, resourceName } from './names.ts';
import { cycleProblem, type Edge, idsOf, type OrderNode } from './order-node.ts';
import { type OrderProblem, orderProblem } from './problems.ts';
import { asWritten, lineOf, mistakesOf } from './resource-mistakes.ts';
import { chartId, resolveName } from './subcharts.ts';

/** Where mistakes and warnings go. */
export interface Findings {
  readonly problems: OrderProblem[];
  readonly warnings: OrderProblem[];
}

/**
 * The nodes of a chart's own resources (docs/ordering.md, 3): groups, then weights, then the rest. `firstEdges` go to what
 * all of them wait for. The nodes are in an order in which each comes behind those it waits for.
 */
export function ownNodes(
  tree: ChartTree,
  manifests: readonly Manifest[],
  firstEdges: readonly Edge[],
  findings: Findings,
): readonly OrderNode[] {
  const sorted = sortResources(tree, manifests, findings.problems);
  const { groups, isolated } = groupNodes(tree, sorted.grouped, firstEdges, findings);
  const unsequenced = [...isolated, ...sorted.unsequenced];
  const inOrder = manifests.filter(membershipTest(unsequenced));
  const lastGroups = new Set(lastOf(groups.map(({ id, edges }) => ({ id, after: idsOf(edges) }))));
  const afterGroups = groups
    .filter(({ id }) => lastGroups.has(id))
    .map(
      ({ id, name }): Edge => ({
        to: id,
        name,
        why: 'groups come first',
        isImplied: true,
        place: () => ({ file: tree.path }),
      }),
    );
  const start = afterGroups.length > 0 ? afterGroups : firstEdges;
  const last =
    sorted.weighted.size === 0 ? restNodes(tree, inOrder, start) : weightNodes(tree, sorted.weighted, inOrder, start);
  return [...groups, ...last];
}

const membershipTest = (wanted: readonly Manifest[]): ((manifest: Manifest) => boolean) => {
  const known = new Set(wanted);
  return (manifest) => known.has(manifest);
};

interface Grouped {
  readonly id: string;
  readonly name: string;
  readonly manifests: Manifest[];
  /** Names of groups that are waited for, each with who says so. */
  readonly afterGroups: { readonly name: string; readonly by: Manifest }[];
  readonly afterCharts: { readonly name: string; readonly by: Manifest }[];
}

interface SortedResources {
  readonly grouped: ReadonlyMap<string, Grouped>;
  readonly weighted: ReadonlyMap<number, readonly Manifest[]>;
  readonly unsequenced: readonly Manifest[];
}

/** Whether a node holds what comes last in its chart. */
export const isRest = (id: string | undefined): boolean => id === 'rest' || id?.startsWith(restOfNeeds) === true;
const restOfNeeds = 'rest:';

const groupId = (name: string): string => `group:${name}`;

function sortResources(tree: ChartTree, manifests: readonly Manifest[], problems: OrderProblem[]): SortedResources {
  const grouped = new Map<string, Grouped>();
  const weighted = new Map<number, Manifest[]>();
  const unsequenced: Manifest[] = [];
  for (const manifest of manifests) {
    const declared = declarationOf(manifest);
    problems.push(...mistakesOf(manifest, declared, tree));
    const weight = declared.weight === undefined ? undefined : readWeight(declared.weight);
    if (isGrouped(declared)) joinGroup(grouped, manifest, declared);
    else if (weight === undefined) unsequenced.push(manifest);
    else addTo(weighted, weight, manifest);
  }
  return { grouped, weighted, unsequenced };
}

/** A resource that waits without being in a group is a group of its own. */
function joinGroup(grouped: Map<string, Grouped>, manifest: Manifest, declared: Declaration): void {
  const [group] = declared.groups;
  const { namespace = '' } = manifest.object.metadata;
  const id = group === undefined ? `resource:${namespace}/${resourceName(manifest)}` : groupId(group);
  const joined = grouped.get(id) ?? {
    id,
    name: group ?? resourceName(manifest),
    manifests: [],
    afterGroups: [],
    afterCharts: [],
  };
  joined.manifests.push(manifest);
  joined.afterGroups.push(...declared.afterGroups.map((name) => ({ name, by: manifest })));
  joined.afterCharts.push(...declared.afterCharts.map((name) => ({ name, by: manifest })));
  grouped.set(id, joined);
}

/** The groups that wait or are waited for; resources of all others are unsequenced. */
function groupNodes(
  tree: ChartTree,
  grouped: ReadonlyMap<string, Grouped>,
  firstEdges: readonly Edge[],
  findings: Findings,
) {
  const edges = new Map([...grouped.values()].map((group) => [group.id, edgesOf(group, grouped, tree, findings)]));
  const awaited = new Set([...edges.values()].flatMap(idsOf));
  const isIsolated = ({ id }: Grouped): boolean => edges.get(id)?.length === 0 && !awaited.has(id);
  const [isolated, connected] = partition([...grouped.values()], isIsolated);
  findings.warnings.push(
    ...isolated.filter(({ id }) => id.startsWith('group:')).map((group) => isolatedWarning(group, tree)),
  );
  const nodes = connected.map(
    ({ id, name, manifests }): OrderNode => ({ id, name, manifests, edges: edges.get(id) ?? [] }),
  );
  const groups = inOrder(nodes, tree, findings.problems).map((node) =>
    node.edges.some(({ to }) => grouped.has(to)) ? node : { ...node, edges: [...node.edges, ...firstEdges] },
  );
  return { groups, isolated: isolated.flatMap(({ manifests }) => manifests) };
}

function edgesOf(
  group: Grouped,
  grouped: ReadonlyMap<string, Grouped>,
  tree: ChartTree,
  findings: Findings,
): readonly Edge[] {
  const known = group.afterGroups.filter(({ name }) => grouped.has(groupId(name)));
  const unknown = new Map(
    group.afterGroups.filter(({ name }) => !grouped.has(groupId(name))).map(({ name, by }) => [name, by]),
  );
  const groups = [...grouped.values()].flatMap(({ id, name }) => (id === groupId(name) ? [name] : []));
  for (const [name, by] of unknown) {
    const known = groups.filter((other) => other !== group.name);
    const isMistake = isLayer(name, by) || notGroupName.test(name);
    const problem = unknownGroup(group, { name, by, known, isMistake }, tree);
    (isMistake ? findings.problems : findings.warnings).push(problem);
  }
  const toGroups = known.map(
    ({ name, by }): Edge => ({
      to: groupId(name),
      name,
      why: whyOf(by, groupWhy(by)),
      by: () => declaredBy(by, groupWhy(by), tree),
      place: () => placeOf(by, groupWhy(by), name, tree),
    }),
  );
  const toCharts = group.afterCharts.flatMap(({ name, by }) =>
    resolveName(
      name,
      {
        tree,
        key: annotations.dependsOnChart,
        file: by.declaredAt?.[annotations.dependsOnChart]?.file ?? by.source,
        line: () => placeOf(by, annotations.dependsOnChart, name, tree).line,
        resource: resourceName(by),
      },
      findings.problems,
    ).map(
      ({ name: child, through }): Edge => ({
        to: chartId(child),
        name: child,
        through,
        why: whyOf(by, annotations.dependsOnChart),
        by: () => declaredBy(by, annotations.dependsOnChart, tree),
        place: () => placeOf(by, annotations.dependsOnChart, name, tree),
      }),
    ),
  );
  return [...toGroups, ...toCharts];
}

/** Several words, or what YAML reads as a number or a boolean: a name only where a group is called so. */
const notGroupName = /\s|^(?:true|false|[+-]?[0-9.]+)$/;

/** A layer must exist (seed 002), where HIP-0025 ignores an unknown group. */
const isLayer = (name: string, { object }: Manifest): boolean =>
  inputSpellings(annotations.dependsOnLayer).some((key) =>
    readNames((object.metadata.annotations as Readonly<Record<string, unknown>> | undefined)?.[key]).includes(name),
  );

const groupWhy = ({ object }: Manifest): string =>
  annotations.dependsOnResourceGroups in (object.metadata.annotations ?? {})
    ? annotations.dependsOnResourceGroups
    : annotations.dependsOnLayer;

/** Why a resource waits: its annotation, or the line of the order file that gives it to it. */
const whyOf = ({ declaredAt }: Manifest, key: string): string =>
  declaredAt?.[key] === undefined ? key : fileLineText(declaredAt[key]);

const declaredBy = (by: Manifest, key: string, tree: ChartTree) => ({
  key: asWritten(by, key, tree),
  resource: resourceName(by),
});

/** Where a resource declares something. */
const placeOf = (by: Manifest, key: string, value: string, tree: ChartTree): FileLine =>
  by.declaredAt?.[key] ?? { file: by.source, line: lineOf(by, key, value, tree) };

interface UnknownGroup {
  readonly name: string;
  readonly by: Manifest;
  readonly known: readonly string[];
  readonly isMistake: boolean;
}

function unknownGroup(group: Grouped, { name, by, known, isMistake }: UnknownGroup, tree: ChartTree): OrderProblem {
  const key = isLayer(name, by) ? annotations.dependsOnLayer : annotations.dependsOnResourceGroups;
  const cause = {
    code: 'order-group-unknown',
    what: isLayer(name, by) ? 'layer' : 'resource group',
    name,
    waiting: group.name,
    ...declaredBy(by, key, tree),
    chart: tree.name,
    isIgnored: !isMistake,
    meant: nearest(name, known),
  } as const;
  return orderProblem(cause, placeOf(by, key, name, tree));
}

function isolatedWarning({ name, manifests: [first] }: Grouped, tree: ChartTree): OrderProblem {
  const { resourceGroup, layer } = annotations;
  const key = layer in (first?.object.metadata.annotations ?? {}) ? layer : resourceGroup;
  const cause = { code: 'order-group-isolated', name, chart: tree.name } as const;
  return orderProblem(cause, first === undefined ? { file: tree.path } : placeOf(first, key, name, tree));
}

/** The nodes with each behind those it waits for, otherwise by name. Cycles are mistakes. */
function inOrder(nodes: readonly OrderNode[], tree: ChartTree, problems: OrderProblem[]): readonly OrderNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = nodes.map(({ id, edges }) => ({ id, after: idsOf(edges).filter((to) => byId.has(to)) }));
  const { levels, cycles } = levelsOf(own);
  const fileOf = ([first = '']: readonly string[]): string => byId.get(first)?.manifests[0]?.source ?? tree.path;
  problems.push(
    ...cycles.map((cycle) => cycleProblem('resource groups', cycle, byId, { chart: tree.name, file: fileOf(cycle) })),
  );
  const levelOf = ({ id }: OrderNode): number => levels.get(id) ?? 0;
  return [...nodes].sort((a, b) => levelOf(a) - levelOf(b) || compareText(a.name, b.name) || compareText(a.id, b.id));
}

/** What needs something outside of the release is a node of its own: the others do not wait for that. */
function restNodes(tree: ChartTree, manifests: readonly Manifest[], edges: readonly Edge[]): readonly OrderNode[] {
  const byNeeds = groupBy(manifests, (manifest) => (declarationOf(manifest).needs ?? []).join(' '));
  return [...byNeeds].map(([needs, members]) =>
    needs === ''
      ? { id: 'rest', name: tree.name, manifests: members, edges }
      : { id: `${restOfNeeds}${needs}`, name: namesText(members.map(resourceName)), manifests: members, edges },
  );
}

/** One node for each weight, ascending. Where a chart has weights, a resource without one has weight 0. */
function weightNodes(
  tree: ChartTree,
  weighted: ReadonlyMap<number, readonly Manifest[]>,
  unsequenced: readonly Manifest[],
  start: readonly Edge[],
): readonly OrderNode[] {
  const all = new Map(weighted);
  if (unsequenced.length > 0) all.set(0, [...(all.get(0) ?? []), ...unsequenced]);
  const nodes: OrderNode[] = [];
  for (const [weight, manifests] of [...all].sort(([a], [b]) => a - b)) {
    const before = nodes.at(-1);
    const edges =
      before === undefined
        ? start
        : [{ to: before.id, name: before.name, why: annotations.weight, place: () => ({ file: tree.path }) }];
    nodes.push({ id: `weight:${weight}`, name: `weight ${weight}`, manifests, edges });
  }
  return nodes;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

import { quantityOf } from '../../go/quantity.ts';
import type { JsonObject } from '../../support/json.ts';
import { amountsOf } from '../api/admission/quota.ts';
import { isMadeNode, mostNodes, newNode } from '../api/nodes.ts';
import { type Container, isFinished, type Node, type Pod } from '../kubernetes.ts';
import { matchesLabelSelector } from '../store/selectors.ts';
import { claimObstacle } from './claim.ts';
import { type ControllerContext } from './context.ts';

/** Where a pod goes, or why no node takes it, in the scheduler's words. */
export type Placement = { readonly node: string } | { readonly message: string };

/** What the scheduler looks at: the nodes, and the pods that are on them. */
interface Cluster {
  readonly nodes: readonly Node[];
  readonly placed: readonly Pod[];
}

/**
 * The first node that takes a pod. Where the sandbox's own nodes are the only ones, it adds another one like them if that
 * would do: how many nodes there are is not known, but how large one is.
 */
export function place(context: ControllerContext, pod: Pod): Placement {
  const { store } = context.environment;
  const nodes: Node[] = [...store.values('/nodes')];
  const start = `0/${nodes.length} nodes are available:`;
  const claim = claimObstacle(context, pod);
  if (claim?.isOfPod === true) return { message: `${start} ${claim.words}. not found` };
  const all: Pod[] = [...store.values('/pods')];
  const placed = all.filter((other) => other.spec?.nodeName !== undefined && !isFinished(other));
  const cluster = { nodes, placed };
  const ofClaims = claim === undefined ? [] : [claim.words];
  const obstacles = nodes.map((node) => [...obstaclesOf(pod, node, cluster), ...ofClaims]);
  const taker = nodes[obstacles.findIndex((found) => found.length === 0)];
  if (taker !== undefined) return { node: taker.metadata.name };
  const added =
    claim === undefined && nodes.every(isMadeNode) ? newNode(context.environment, nodes.length + 1) : undefined;
  if (added !== undefined && nodes.length < mostNodes) {
    const isTaken = obstaclesOf(pod, added, { nodes: [...nodes, added], placed }).length === 0;
    if (isTaken) return { node: store.put('/nodes', added).metadata.name };
  }
  return {
    message: `${start} ${summaryOf(obstacles)}. no new claims to deallocate, ${preemption(nodes.length, obstacles)}`,
  };
}

/** `1 Insufficient cpu, 2 node(s) had untolerated taint(s)` (framework/types.go, FitError). */
function summaryOf(obstacles: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const words of obstacles.flat()) counts.set(words, (counts.get(words) ?? 0) + 1);
  return [...counts]
    .map(([words, count]) => `${count} ${words}`)
    .sort()
    .join(', ');
}

/** Pods that could be evicted have no lower priority in a sandbox: none ever is. */
function preemption(count: number, obstacles: readonly (readonly string[])[]): string {
  const isOfPods = obstacles.flat().every((words) => /anti-affinity|free ports/.test(words));
  const why = isOfPods ? 'No preemption victims found for incoming pod' : 'Preemption is not helpful for scheduling';
  return `preemption: 0/${count} nodes are available: ${count} ${why}.`;
}

/** What speaks against a node: of the first of the scheduler's plugins that refuses it. */
function obstaclesOf(pod: Pod, node: Node, cluster: Cluster): readonly string[] {
  for (const filter of filters) {
    const found = filter(pod, node, cluster);
    if (found.length > 0) return found;
  }
  return [];
}

type Filter = (pod: Pod, node: Node, cluster: Cluster) => readonly string[];

const only = (isRefused: boolean, words: string): readonly string[] => (isRefused ? [words] : []);

const filters: readonly Filter[] = [
  // plugins/nodeunschedulable
  (pod, node) => only(node.spec?.unschedulable === true && !tolerates(pod, cordon), 'node(s) were unschedulable'),
  // plugins/tainttoleration
  (pod, node) => only(!toleratesNode(pod, node), 'node(s) had untolerated taint(s)'),
  // plugins/nodeaffinity
  (pod, node) => only(!suitsNode(pod, node), "node(s) didn't match Pod's node affinity/selector"),
  // plugins/nodeports
  (pod, node, cluster) =>
    only(!hasFreePorts(pod, node, cluster), "node(s) didn't have free ports for the requested pod ports"),
  // plugins/noderesources
  (pod, node, cluster) =>
    lackingResources(pod, node, cluster).map((name) => (name === 'pods' ? 'Too many pods' : `Insufficient ${name}`)),
  spreadObstacles,
  affinityObstacles,
];

interface Taint {
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  readonly effect?: string | undefined;
}

const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

const tolerates = ({ spec }: Pod, taint: Taint): boolean =>
  (spec?.tolerations ?? []).some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (key === undefined || key === taint.key) &&
      (effect === undefined || effect === taint.effect) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );

/** Whether a pod tolerates what keeps others off a node. */
export const toleratesNode = (pod: Pod, node: Node): boolean =>
  (node.spec?.taints ?? []).every((taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod, taint));

/** Whether a node is one that a pod asks for: its node selector and its required node affinity. */
export function suitsNode({ spec }: Pod, { metadata }: Node): boolean {
  const labels = metadata.labels ?? {};
  const isSelected = Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const isMet = ({ matchExpressions = [], matchFields = [] }: NonNullable<typeof terms>[number]): boolean =>
    matchExpressions.length + matchFields.length > 0 &&
    matchesLabelSelector({ matchExpressions } as unknown as JsonObject, labels) &&
    matchesLabelSelector({ matchExpressions: matchFields } as unknown as JsonObject, {
      'metadata.name': metadata.name,
    });
  return isSelected && (terms === undefined || terms.some(isMet));
}

const podsOn = ({ placed }: Cluster, { metadata }: Node): Pod[] =>
  placed.filter(({ spec }) => spec?.nodeName === metadata.name);

function hostPorts({ spec }: Pod): string[] {
  const portsOf = ({ ports = [] }: Container): string[] =>
    ports.flatMap(({ hostPort, containerPort, protocol = 'TCP' }) => {
      const port = hostPort ?? (spec?.hostNetwork === true ? containerPort : undefined);
      return port === undefined || port === 0 ? [] : [`${protocol}/${port}`];
    });
  return (spec?.containers ?? []).flatMap(portsOf);
}

function hasFreePorts(pod: Pod, node: Node, cluster: Cluster): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return true;
  const taken = new Set(podsOn(cluster, node).flatMap(hostPorts));
  return wanted.every((port) => !taken.has(port));
}

function lackingResources(pod: Pod, node: Node, cluster: Cluster): string[] {
  const others = podsOn(cluster, node);
  const taken: Record<string, number> = { pods: others.length };
  for (const other of others)
    for (const [name, amount] of Object.entries(amountsOf(other, 'requests')))
      taken[name] = (taken[name] ?? 0) + amount;
  const allocatable = (node.status?.allocatable ?? {}) as Readonly<Record<string, string>>;
  return Object.entries({ pods: 1, ...amountsOf(pod, 'requests') })
    .filter(([name, amount]) => amount > 0 && (taken[name] ?? 0) + amount > (quantityOf(allocatable[name]) ?? 0))
    .map(([name]) => name);
}

type Term = NonNullable<
  NonNullable<
    NonNullable<NonNullable<Pod['spec']>['affinity']>['podAffinity']
  >['requiredDuringSchedulingIgnoredDuringExecution']
>[number];

const termsOf = ({ spec }: Pod, kind: 'podAffinity' | 'podAntiAffinity'): readonly Term[] =>
  spec?.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

/** Whether a term of `owner` is about a pod. */
function isAbout(term: Term, owner: Pod, pod: Pod): boolean {
  const { namespaces = [], namespaceSelector, labelSelector } = term;
  const own = namespaces.length === 0 && namespaceSelector === undefined ? [owner.metadata.namespace] : namespaces;
  const isThere = namespaceSelector !== undefined || own.some((name) => name === pod.metadata.namespace);
  return isThere && matchesLabelSelector(labelSelector as unknown as JsonObject, pod.metadata.labels);
}

const nodeOf = ({ spec }: Pod, nodes: readonly Node[]): Node | undefined =>
  nodes.find(({ metadata }) => metadata.name === spec?.nodeName);

const domainOf = (node: Node | undefined, key = ''): string | undefined => node?.metadata.labels?.[key];

/** plugins/interpodaffinity/filtering.go */
function affinityObstacles(pod: Pod, node: Node, { nodes, placed }: Cluster): readonly string[] {
  const isNear = (other: Pod, { topologyKey }: Term): boolean => {
    const domain = domainOf(node, topologyKey);
    return domain !== undefined && domainOf(nodeOf(other, nodes), topologyKey) === domain;
  };
  const isMet = (term: Term): boolean => {
    const meant = placed.filter((other) => isAbout(term, pod, other));
    const isFirst = meant.length === 0 && isAbout(term, pod, pod) && domainOf(node, term.topologyKey) !== undefined;
    return isFirst || meant.some((other) => isNear(other, term));
  };
  if (!termsOf(pod, 'podAffinity').every(isMet)) return ["node(s) didn't match pod affinity rules"];
  const isRepelled = termsOf(pod, 'podAntiAffinity').some((term) =>
    placed.some((other) => isAbout(term, pod, other) && isNear(other, term)),
  );
  if (isRepelled) return ["node(s) didn't match pod anti-affinity rules"];
  const isUnwanted = placed.some((other) =>
    termsOf(other, 'podAntiAffinity').some((term) => isAbout(term, other, pod) && isNear(other, term)),
  );
  return only(isUnwanted, "node(s) didn't satisfy existing pods anti-affinity rules");
}

/** plugins/podtopologyspread/filtering.go */
function spreadObstacles(pod: Pod, node: Node, { nodes, placed }: Cluster): readonly string[] {
  for (const constraint of pod.spec?.topologySpreadConstraints ?? []) {
    const { topologyKey, maxSkew = 1, labelSelector, whenUnsatisfiable } = constraint;
    if (whenUnsatisfiable !== 'DoNotSchedule') continue;
    const own = domainOf(node, topologyKey);
    const words = "node(s) didn't match pod topology spread constraints";
    if (own === undefined) return [`${words} (missing required label)`];
    const counts = new Map<string, number>();
    for (const each of nodes.filter((one) => suitsNode(pod, one))) {
      const domain = domainOf(each, topologyKey);
      if (domain !== undefined) counts.set(domain, counts.get(domain) ?? 0);
    }
    const isMeant = (other: Pod): boolean =>
      other.metadata.namespace === pod.metadata.namespace &&
      matchesLabelSelector(labelSelector as unknown as JsonObject, other.metadata.labels);
    for (const other of placed.filter(isMeant)) {
      const domain = domainOf(nodeOf(other, nodes), topologyKey);
      if (domain !== undefined && counts.has(domain)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    const skew = (counts.get(own) ?? 0) + Number(isMeant(pod)) - Math.min(...counts.values());
    if (skew > maxSkew) return [words];
  }
  return [];
}

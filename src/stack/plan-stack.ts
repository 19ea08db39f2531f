import { type NeedsOptions, needPlace, selected } from './choose.ts';
import { groupsOf } from './graph.ts';
import type { StackFile } from './read-stack.ts';
import { isWanted, refuseDuplicates, releaseId } from './releases.ts';
import { dependentsOf, type GraphNode, inOrderOfNeeds } from './run-graph.ts';
import type { ReleaseSpec } from './schema.ts';

/** A release of a stack, as it is worked on. */
export interface StackNode extends GraphNode {
  readonly release: ReleaseSpec;
  readonly file: StackFile;
  /** Whether it is to be there; else it is taken away. */
  readonly isWanted: boolean;
}

export interface StackPlanOptions extends NeedsOptions {
  /** Each file waits for those that helmfile would finish before it, whatever their releases need. */
  readonly fileOrder?: boolean | undefined;
}

/**
 * All chosen releases of all files as one graph: needs may name releases of other files. Errors: `stack-invalid` for needs
 * that nobody defines, for circles, and for two releases that are one.
 */
export function planStack(files: readonly StackFile[], options: StackPlanOptions): readonly StackNode[] {
  const fileOf = new Map(files.flatMap((file) => file.releases.map((release) => [release, file] as const)));
  const chosen = files.flatMap((file) => selected(file));
  if (chosen.length === 0) return [];
  const ownChoice = new Set(chosen);
  const chosenIds = new Set(chosen.map(releaseId));
  const known = files
    .flatMap(({ releases }) => releases)
    .filter((release) => ownChoice.has(release) || !chosenIds.has(releaseId(release)));
  const fileWith = (release: ReleaseSpec): StackFile => fileOf.get(release) as StackFile;
  refuseDuplicates(chosen, (one) => fileWith(one).locate({ field: 'name', release: one.name }));
  const needs =
    options.includeNeeds || options.includeTransitiveNeeds ? 'with' : options.skipNeeds ? 'without' : 'refuse';
  const locate = (release: ReleaseSpec, need: string): string => needPlace(release, need, fileWith(release));
  const groups = groupsOf(known, { chosen, needs, locate });
  const nodes = groups.flat().map((release): StackNode => {
    const file = fileWith(release);
    return { id: releaseId(release), needs: release.needs ?? [], release, file, isWanted: isWanted(release) };
  });
  return options.fileOrder ? inFileOrder(nodes, files) : nodes;
}

/** Everything needs everything of the files before its own. */
function inFileOrder(nodes: readonly StackNode[], files: readonly StackFile[]): readonly StackNode[] {
  return nodes.map((node) => {
    const at = files.indexOf(node.file);
    const before = nodes.filter(({ file }) => files.indexOf(file) < at).map(({ id }) => id);
    return { ...node, needs: [...new Set([...node.needs, ...before])] };
  });
}

/**
 * The graph of a deploy: what is to go waits for nothing but what needs it and goes too, and nothing that stays waits for
 * it. So the way is free for what is there already.
 */
export function deployOrder(nodes: readonly StackNode[]): readonly StackNode[] {
  const gone = nodes.filter((node) => !node.isWanted);
  return nodes.map((node) => {
    const needs = node.isWanted
      ? node.needs.filter((id) => !gone.some((one) => one.id === id))
      : gone.filter((one) => one.needs.includes(node.id)).map(({ id }) => id);
    return { ...node, needs };
  });
}

/** What is to go waits for all that stays: only then can everything be put back. */
export function removalsLast(nodes: readonly StackNode[]): readonly StackNode[] {
  const staying = nodes.filter(({ isWanted }) => isWanted).map(({ id }) => id);
  return nodes.map((node) => (node.isWanted ? node : { ...node, needs: [...node.needs, ...staying] }));
}

/** The same graph for taking away: who is needed waits for those who need it. */
export function reversed(nodes: readonly StackNode[]): readonly StackNode[] {
  const dependents = dependentsOf(nodes);
  return nodes.map((node) => ({ ...node, needs: (dependents.get(node.id) ?? []).map(({ id }) => id) })).reverse();
}

/** All that a node waits for, directly or not. */
export function needsOf(node: GraphNode, nodes: readonly GraphNode[]): readonly string[] {
  const byId = new Map(nodes.map((one) => [one.id, one]));
  const found = new Set(node.needs);
  for (const id of found) for (const need of byId.get(id)?.needs ?? []) found.add(need);
  return [...found];
}

/** The graph of some of the nodes: who waits for one that is left out waits for what that waits for. */
export function without<N extends GraphNode>(nodes: readonly N[], isLeftOut: (node: N) => boolean): readonly N[] {
  const insteadOf = new Map<string, readonly string[]>();
  const passed = (needs: readonly string[]): readonly string[] => [
    ...new Set(needs.flatMap((need) => insteadOf.get(need) ?? [need])),
  ];
  for (const node of inOrderOfNeeds(nodes)) if (isLeftOut(node)) insteadOf.set(node.id, passed(node.needs));
  return nodes.filter(({ id }) => !insteadOf.has(id)).map((node) => ({ ...node, needs: passed(node.needs) }));
}

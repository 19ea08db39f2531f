import type { Value } from '../../go/value.ts';

/** What a step of a path finds below a node; `root` is the whole document. */
export type Step = (node: Value, root: Value) => readonly Value[];

export function follow(steps: readonly Step[], node: Value, root: Value): readonly Value[] {
  let nodes: readonly Value[] = [node];
  for (const step of steps) nodes = nodes.flatMap((one) => step(one, root));
  return nodes;
}

export const allChildren: Step = (node) =>
  node instanceof Map ? [...node.values()] : Array.isArray(node) ? (node as readonly Value[]) : [];

export const childrenNamed =
  (names: readonly string[]): Step =>
  (node) =>
    node instanceof Map ? names.filter((name) => node.has(name)).map((name) => node.get(name)) : [];

export const keysNamed =
  (names: readonly string[]): Step =>
  (node) =>
    node instanceof Map ? names.filter((name) => node.has(name)) : [];

/** A node and all below it, the innermost first; the keys of a map are nodes too. */
export const everyNode: Step = (node) => {
  const below = node instanceof Map ? [...node].flat(1) : Array.isArray(node) ? (node as readonly Value[]) : [];
  return [...below.flatMap((child) => everyNode(child, undefined)), node];
};

export const filtered =
  (filter: (item: Value, root: Value) => boolean): Step =>
  (node, root) =>
    Array.isArray(node) ? node.filter((item) => filter(item, root)) : filter(node, root) ? [node] : [];

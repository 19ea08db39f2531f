import { type GraphNode, type RunGraphOptions, runGraph } from './run-graph.ts';

/** A node of which it is known how it would go. */
export interface TimedNode extends GraphNode {
  readonly takesMs: number;
  readonly fails: boolean;
}

export type Scheduled =
  | { readonly kind: 'ran'; readonly startMs: number; readonly endMs: number }
  /** `because`: the node that failed; undefined where the run was ended. */
  | { readonly kind: 'left out'; readonly because: string | undefined };

/** When each node would be worked on: the graph is walked as in a real run, on a clock that knows no waiting. */
export async function scheduled<N extends TimedNode>(
  nodes: readonly N[],
  options: Pick<RunGraphOptions<N>, 'concurrency' | 'failFast'>,
): Promise<ReadonlyMap<string, Scheduled>> {
  const times = new Map<string, Scheduled>();
  const going: { readonly endMs: number; readonly end: () => void }[] = [];
  let nowMs = 0;
  let isOver = false;
  const work = ({ id, takesMs, fails }: N): Promise<void> => {
    const endMs = nowMs + takesMs;
    times.set(id, { kind: 'ran', startMs: nowMs, endMs });
    return new Promise((resolve, reject) => {
      going.push({ endMs, end: () => (fails ? reject(new Error(`${id} fails`)) : resolve()) });
    });
  };
  const onSkip = ({ id }: N, because: string | undefined): void => void times.set(id, { kind: 'left out', because });
  const run = runGraph(nodes, work, { ...options, onSkip }).then(() => {
    isOver = true;
  });
  for (await settled(); !isOver; await settled()) {
    const next = going.reduce((first, one) => (one.endMs < first.endMs ? one : first));
    going.splice(going.indexOf(next), 1);
    nowMs = next.endMs;
    next.end();
  }
  await run;
  return times;
}

/** Everything that can go on without time has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Which nodes are left out if this one fails: those that need it, directly or not, in their order. */
export function stoppedBy(id: string, nodes: readonly GraphNode[]): readonly string[] {
  const stopped = new Set([id]);
  for (let size = 0; size < stopped.size; ) {
    size = stopped.size;
    for (const node of nodes) if (node.needs.some((need) => stopped.has(need))) stopped.add(node.id);
  }
  return nodes.flatMap((node) => (stopped.has(node.id) && node.id !== id ? [node.id] : []));
}

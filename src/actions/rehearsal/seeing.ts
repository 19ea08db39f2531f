import type { Renderer } from '../../change/context.ts';
import type { Cluster } from '../../cluster/types.ts';

/** A renderer whose templates see the cluster that the release is in, where there is one. */
export const seeing = (cluster: Cluster | undefined, { prepare, render }: Renderer): Renderer => ({
  prepare,
  render: (prepared, values, request) => render(prepared, values, { ...request, cluster: cluster ?? request.cluster }),
});

/** When simulated time begins: objects note their times in seconds. */
export const wholeSecond = (time: Date): number => Math.trunc(time.getTime() / 1000) * 1000;

import { actionContext } from '../../src/actions/action-context.ts';
import type { Context } from '../../src/change/context.ts';
import { chartFromFiles } from '../../src/chart/assemble.ts';
import type { Chart } from '../../src/chart/types.ts';
import type { ExecutionEvent } from '../../src/execute/events.ts';
import { FakeCluster, type FakeClusterOptions } from '../cluster/fake-cluster.ts';

/** A clock that is one second further each time it is asked. */
export function tickingClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): { now(): Date } {
  let time = start;
  return { now: () => new Date((time += 1000)) };
}

export interface World {
  readonly cluster: FakeCluster;
  readonly context: Context;
  readonly events: ExecutionEvent[];
}

/** A cluster in memory and everything that an action needs to work with it; locks only where they are what is tested. */
export function openWorld(
  options: FakeClusterOptions & { signal?: AbortSignal; driver?: string; isLocked?: boolean } = {},
): World {
  const cluster = new FakeCluster(options);
  const events: ExecutionEvent[] = [];
  const context = actionContext(cluster, {
    driver: options.driver,
    clock: tickingClock(),
    onEvent: (event) => events.push(event),
    signal: options.signal,
    locks: options.isLocked ? undefined : 'none',
  });
  return { cluster, context, events };
}

/** A chart from its files: `chartOf({ 'templates/cm.yaml': '…' })`; Chart.yaml is made where it is not given. */
export async function chartOf(files: Readonly<Record<string, string>>): Promise<Chart> {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\nappVersion: "2.0"\n', ...files };
  const modifiedAt = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
  const buffered = Object.entries(all).map(([name, text]) => ({ name, data: Buffer.from(text), modifiedAt }));
  return chartFromFiles(buffered, { origin: '', notify: () => {} });
}

export const configMap = (name: string, data = 'k: v', annotations = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${annotations && `  annotations: {${annotations}}\n`}data: {${data}}\n`;

export const job = (name: string, annotations: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\n  annotations: {${annotations}}\n` +
  'spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}\n';

import type { Context } from '../change/context.ts';
import type { Hook } from '../manifest/types.ts';
import { messageOf } from '../support/errors.ts';

export interface ContainerLog {
  readonly pod: string;
  readonly container: string;
  readonly text: string;
}

/** What cannot be read is a warning: the tests have run all the same. */
export async function logsOf(
  tests: readonly Hook[],
  namespace: string,
  context: Context,
): Promise<readonly ContainerLog[]> {
  const logs: ContainerLog[] = [];
  for (const { name } of tests.filter(isTestPod)) {
    for (const container of await containersOf(name, namespace, context)) {
      const text = await readLog({ name, namespace }, container, context);
      if (text !== undefined) logs.push({ pod: name, container, text });
    }
  }
  return logs;
}

const isTestPod = ({ kind, events }: Hook): boolean =>
  kind === 'Pod' && (events.includes('test') || events.includes('test-failure'));

async function containersOf(name: string, namespace: string, context: Context): Promise<readonly string[]> {
  const cluster = await context.cluster();
  const pod = await cluster.get({ apiVersion: 'v1', kind: 'Pod', namespace, name }, { signal: context.signal });
  const spec = pod?.['spec'] as Record<'initContainers' | 'containers', { name: string }[] | undefined> | undefined;
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((container) => container.name);
}

async function readLog(
  pod: { readonly name: string; readonly namespace: string },
  container: string,
  context: Context,
): Promise<string | undefined> {
  try {
    return await (await context.cluster()).logs(pod, { container, signal: context.signal });
  } catch (error) {
    const text = `unable to get logs for pod ${pod.name}, container ${container}: ${messageOf(error)}`;
    context.onEvent?.({ kind: 'warning', text });
    return undefined;
  }
}

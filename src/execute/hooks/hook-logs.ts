import { idOf } from '../../manifest/resource-id.ts';
import type { Hook, KubernetesObject } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { messageOf } from '../../support/errors.ts';
import { quoted } from '../../words/quote.ts';
import type { Run } from '../context.ts';

/** Reports the logs of a hook's containers. A log that cannot be had is a warning, never a failure. */
export async function reportHookLogs(hook: Hook, run: Run): Promise<void> {
  try {
    const pods = await podsOf(hook, run);
    const left = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    for (const pod of left) await reportPodLogs(pod, run);
    if (left.length === 0 && hook.kind === 'Job') await reportDeletedPods(hook, run);
  } catch (cause) {
    run.onEvent({ kind: 'warning', text: `error outputting logs for hook ${hook.name}: ${messageOf(cause)}` });
  }
}

/** Reports logs that were read from a Job's pods before they were deleted with it. */
async function reportDeletedPods(hook: Hook, run: Run): Promise<void> {
  const { apiVersion } = manifestOfHook(hook).object;
  const id = { apiVersion, kind: hook.kind, namespace: namespaceOf(hook, run), name: hook.name };
  const words = await run.deletedPodLogs.of(id);
  if (words !== undefined)
    run.onEvent({ kind: 'log', id: podId(words.pod), text: `${words.log.map(quoted).join('\n')}\n` });
}

const podId = (pod: KubernetesObject) => ({ ...idOf(pod), apiVersion: 'v1', kind: 'Pod' });

const namespaceOf = (hook: Hook, run: Run): string =>
  manifestOfHook(hook).object.metadata.namespace || run.plan.namespace;

async function podsOf(hook: Hook, run: Run): Promise<readonly KubernetesObject[]> {
  const namespace = namespaceOf(hook, run);
  const { cluster, signal } = run;
  if (hook.kind === 'Job') {
    return cluster.list('v1', 'Pod', { namespace, labelSelector: `job-name=${hook.name}`, signal });
  }
  const pod = await cluster.get({ apiVersion: 'v1', kind: 'Pod', namespace, name: hook.name }, { signal });
  return pod === undefined ? [] : [pod];
}

async function reportPodLogs(pod: KubernetesObject, run: Run): Promise<void> {
  const spec = pod['spec'] as { containers?: readonly { name: string }[] } | undefined;
  const { name, namespace = '' } = pod.metadata;
  for (const container of spec?.containers ?? []) {
    const text = await run.cluster.logs({ namespace, name }, { container: container.name, signal: run.signal });
    run.onEvent({ kind: 'log', id: podId(pod), text });
  }
}

import { parseManifest } from '../../manifest/parse.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { Hook, KubernetesObject } from '../../manifest/types.ts';
import { messageOf } from '../../support/errors.ts';
import type { Run } from '../context.ts';

/** Reports the logs of a hook's containers. A log that cannot be had is a warning, never a failure. */
export async function reportHookLogs(hook: Hook, run: Run): Promise<void> {
  try {
    for (const pod of await podsOf(hook, run)) await reportPodLogs(pod, run);
  } catch (cause) {
    run.onEvent({ kind: 'warning', text: `error outputting logs for hook ${hook.name}: ${messageOf(cause)}` });
  }
}

async function podsOf(hook: Hook, run: Run): Promise<readonly KubernetesObject[]> {
  const { object } = parseManifest(hook.manifest, hook.path);
  const namespace = object.metadata.namespace || run.plan.namespace;
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
    run.onEvent({ kind: 'log', id: { ...idOf(pod), apiVersion: 'v1', kind: 'Pod' }, text });
  }
}

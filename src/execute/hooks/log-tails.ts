import { hasRun, podFact } from '../../cluster/diagnosis.ts';
import { groupKindOf, labelSelectorOf } from '../../cluster/fields.ts';
import { listOf, numberOr } from '../../manifest/fields.ts';
import type { Deployment, Pod } from '../../manifest/kubernetes.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { relevantLines } from '../../problem/foreign/program-log.ts';
import { firstSignal } from '../../support/abort.ts';
import { pause, systemTimers } from '../../support/timers.ts';
import type { Target } from '../apply/targets.ts';
import type { Run } from '../context.ts';

const lookEveryMs = 2_000;
const tailLines = 5;
/** Of a program that ended, the reason may precede a stack. */
const searchedLines = 60;
const maxFollowed = 4;

/**
 * Runs `task` and, where the context asks for it, tells meanwhile what the pods of these objects write last: of hooks
 * every pod, of anything else those in trouble; or with the context's `logs`, every line of all of them. A log that
 * cannot be had is only missing.
 */
export async function followingLogs<T>(
  targets: readonly Target[],
  which: 'every' | 'troubled',
  run: Run,
  task: () => Promise<T>,
): Promise<T> {
  if (run.liveLogs !== undefined) return run.liveLogs.during(targets, task);
  if (!run.context.followLogs) return task();
  const end = new AbortController();
  const signal = firstSignal(end.signal, run.signal);
  // Logs are shown beside the wait: a pod that cannot be listed ends nothing.
  follow(targets, which, { ...run, signal }).catch(() => {});
  try {
    return await task();
  } finally {
    end.abort();
  }
}

async function follow(targets: readonly Target[], which: 'every' | 'troubled', run: Run): Promise<void> {
  const followed = targets.filter((target) => podsOf(target) !== undefined);
  const lastTexts = new Map<string, string>();
  for (let round = 0; followed.length > 0; round++) {
    await pause(run.cluster.timers ?? systemTimers, lookEveryMs, run.signal);
    // Of many, a few at a time: this must not cost what the deploy itself does.
    for (let at = 0; at < Math.min(maxFollowed, followed.length); at++)
      await look(followed[(round * maxFollowed + at) % followed.length] as Target, which, lastTexts, run);
  }
}

async function look(
  target: Target,
  which: 'every' | 'troubled',
  lastTexts: Map<string, string>,
  run: Run,
): Promise<void> {
  const { cluster, signal } = run;
  for (const pod of await ownPods(target, run)) {
    const trouble = podFact(pod);
    if (which === 'troubled' && !(trouble && hasRun(trouble))) continue;
    const container = trouble?.container ?? firstContainer(pod);
    if (container === undefined) continue;
    const { name, namespace = '' } = pod.metadata;
    const previous = isBetweenStarts(pod, container);
    const hasEnded = trouble?.exitCode !== undefined || (trouble?.restarts ?? 0) > 0;
    const options = { container, tailLines: hasEnded ? searchedLines : tailLines, previous, signal };
    // A container that has not started yet has no log.
    const text = await cluster.logs({ namespace, name }, options).catch(() => '');
    if (text === '' || signal?.aborted || lastTexts.get(name) === text) continue;
    lastTexts.set(name, text);
    const lines = text.trimEnd().split('\n');
    run.onEvent({
      kind: 'log-tail',
      id: { ...idOf(pod), apiVersion: 'v1', kind: 'Pod' },
      of: target.id,
      container,
      lines: hasEnded ? relevantLines(lines, tailLines) : lines.slice(-tailLines),
    });
  }
}

/** The pods that belong to an object. Those of other releases may have the same labels, so their owners decide. */
async function ownPods(target: Target, { cluster, signal }: Run): Promise<readonly Pod[]> {
  const options = { namespace: target.id.namespace, ...podsOf(target), signal };
  const pods = await cluster.list('v1', 'Pod', options);
  if (groupKindOf(target.id) === 'Pod') return pods;
  const isOwned = (object: KubernetesObject): boolean => isControlledBy(object, target.id.kind, [target.id.name]);
  const replicaSets = pods.some((pod) => controllerOf(pod)?.kind === 'ReplicaSet' && !isOwned(pod))
    ? (await cluster.list('apps/v1', 'ReplicaSet', { ...options, metadataOnly: true })).filter(isOwned)
    : [];
  const names = replicaSets.map(({ metadata }) => metadata.name);
  return pods.filter((pod) => isOwned(pod) || isControlledBy(pod, 'ReplicaSet', names));
}

const controllerOf = ({ metadata }: KubernetesObject) =>
  (metadata.ownerReferences ?? []).find(({ controller }) => controller === true);

function isControlledBy(object: KubernetesObject, kind: string, names: readonly string[]): boolean {
  const owner = controllerOf(object);
  return owner?.kind === kind && names.includes(owner.name);
}

/** What selects an object's pods; undefined for a kind that has none. */
function podsOf({ id, object }: Target): { labelSelector?: string; fieldSelector?: string } | undefined {
  if (groupKindOf(id) === 'Pod') return { fieldSelector: `metadata.name=${id.name}` };
  if (groupKindOf(id) === 'Job.batch') return { labelSelector: `job-name=${id.name}` };
  const labels = matchLabels(object);
  if (typeof labels !== 'object' || labels === null) return undefined;
  return { labelSelector: labelSelectorOf(labels) };
}

const matchLabels = ({ spec }: Deployment) => spec?.selector?.matchLabels;

const firstContainer = ({ spec }: Pod): string | undefined => listOf(spec?.containers)[0]?.name ?? undefined;

/** A container that is waiting to be started again has said its words before. */
function isBetweenStarts({ status: ofPod }: Pod, container: string): boolean {
  const status = listOf(ofPod?.containerStatuses).find(({ name }) => name === container);
  return numberOr(status?.restartCount, 0) > 0 && status?.state?.waiting !== undefined;
}

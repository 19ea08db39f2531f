import { type JsonObject, objectAt, objectsIn } from '../../support/json.ts';
import { wholeSeconds } from '../../support/time.ts';
import type { Pod } from '../kubernetes.ts';
import { controllerOf, type Resource } from '../resource.ts';
import { type ControllerContext, controllerOfKind, isFinished, isReady } from './context.ts';
import { recordEvent } from './events.ts';
import { annotatedMs, failTimes, fateOf } from './fate.ts';
import type { Controller } from './manager.ts';
import { missingConfig } from './missing-config.ts';
import { type PodFacts, podStage, type Stage } from './pod-stages.ts';

export const nodeName = 'node-1';

const defaultReadyMs = 300;
/** A pod is gone this long after its deletion, unless `delete-after` says otherwise. */
const defaultDeleteMs = 20;

/** Scheduler and kubelet in one: pods go to the node and live there as their annotations say. */
export function kubeletController(context: ControllerContext): Controller {
  const kubelet = new Kubelet(context);
  return controllerOfKind<Pod>(context, {
    name: 'kubelet',
    kind: context.kind('v1', 'Pod'),
    also({ storageKey, type, object }) {
      if (storageKey === '/pods' && type === 'DELETED') kubelet.forget(object.metadata.uid ?? '');
      return [];
    },
    reconcile: (pod, key) => kubelet.look(key, pod),
  });
}

class Kubelet {
  readonly #context: ControllerContext;
  /** When each pod was first seen, in milliseconds; objects note only seconds. */
  readonly #seenMs = new Map<string, number>();
  readonly #deletedMs = new Map<string, number>();
  /** How often the pods of one owner (or of one name) have failed. */
  readonly #failures = new Map<string, Set<string>>();
  /** The stage that a pod has reached, so that its events come once. */
  readonly #stages = new Map<string, string>();

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  forget(uid: string): void {
    this.#seenMs.delete(uid);
    this.#deletedMs.delete(uid);
    this.#stages.delete(uid);
  }

  look(key: string, pod: Pod): void {
    if (pod.metadata.deletionTimestamp !== undefined) this.#end(key, pod);
    else if (!isFinished(pod)) this.#live(key, pod);
  }

  /** Lets a deleted pod go when its time is over. */
  #end(key: string, pod: Pod): void {
    const uid = pod.metadata.uid as string;
    const since = this.#deletedMs.get(uid) ?? this.#context.now;
    this.#deletedMs.set(uid, since);
    const delay = annotatedMs(this.#context, pod, 'delete-after') ?? defaultDeleteMs;
    const left = since + delay - this.#context.now;
    if (left > 0) this.#context.later('kubelet', key, left);
    else this.#context.delete(this.#context.kind('v1', 'Pod'), pod, 'Background', 0);
  }

  #live(key: string, pod: Pod): void {
    const now = this.#context.now;
    const uid = pod.metadata.uid as string;
    const seen = this.#seenMs.get(uid) ?? this.#firstSeen(pod);
    this.#seenMs.set(uid, seen);
    const facts = this.#facts(pod, seen);
    const stage = podStage(facts, now - seen);
    const placed = stage.isScheduled ? this.#schedule(pod) : pod;
    this.#enter(placed, facts, stage);
    if (stage.nextMs !== undefined) this.#context.later('kubelet', key, seen + stage.nextMs - now);
  }

  /** Pods that were there when the sandbox opened are as old as they say. */
  #firstSeen(pod: Pod): number {
    const created = Date.parse(pod.metadata.creationTimestamp ?? '');
    const now = this.#context.now;
    return now - created < 2000 && !isReady(pod) ? now : created;
  }

  #facts(pod: Pod, seenMs: number): PodFacts {
    const restartPolicy = pod.spec?.restartPolicy;
    const owner = controllerOf(pod);
    return {
      pod,
      fate: fateOf(this.#context, pod),
      readyMs: annotatedMs(this.#context, pod, 'ready-after') ?? defaultReadyMs,
      endsByItself: owner?.kind === 'Job' || (owner === undefined && restartPolicy !== 'Always'),
      restartPolicy: restartPolicy ?? 'Always',
      failsLeft: failTimes(this.#context, pod) - this.#earlierFailures(pod),
      seenMs,
      fateEndsMs: annotatedMs(this.#context, pod, 'fate-until'),
      missing: (container) => missingConfig(this.#context, pod, container),
    };
  }

  #failureKey(pod: Pod): string {
    const owner = controllerOf(pod);
    return `${pod.metadata.namespace}/${owner === undefined ? pod.metadata.name : `${owner.kind}/${owner.name}`}`;
  }

  /** Failures of this pod's siblings, or of earlier pods of its name. */
  #earlierFailures(pod: Pod): number {
    const remembered = this.#failures.get(this.#failureKey(pod)) ?? new Set<string>();
    const owner = controllerOf(pod);
    const stored = [...this.#context.environment.store.values('/pods', pod.metadata.namespace)].filter(
      (other: Pod) => owner !== undefined && controllerOf(other)?.uid === owner.uid && other.status?.phase === 'Failed',
    );
    return new Set([...remembered, ...stored.map((other) => other.metadata.uid as string)]).size;
  }

  #schedule(pod: Pod): Resource {
    if (pod.spec?.nodeName !== undefined) return pod;
    recordEvent(this.#context, pod, {
      type: 'Normal',
      reason: 'Scheduled',
      message: `Successfully assigned ${pod.metadata.namespace}/${pod.metadata.name} to ${nodeName}`,
      source: 'default-scheduler',
    });
    // A binding is no change of the specification: the generation stays.
    return this.#context.environment.store.put('/pods', {
      ...(pod as Resource),
      spec: { ...objectAt(pod, 'spec'), nodeName },
    });
  }

  #enter(pod: Pod, facts: PodFacts, stage: Stage): void {
    const uid = pod.metadata.uid as string;
    if (this.#stages.get(uid) === stage.name) return;
    this.#stages.set(uid, stage.name);
    if (stage.status.phase === 'Failed') this.#noteFailure(pod, uid);
    const current = this.#context.find<Pod>('/pods', `${pod.metadata.namespace}/${pod.metadata.name}`);
    if (current === undefined) return;
    const status = {
      qosClass: objectAt(current, 'status')?.qosClass,
      ...this.#withTimes(current, stage.status, facts),
    };
    this.#context.setStatus(
      this.#context.kind('v1', 'Pod'),
      current,
      status,
      stage.isScheduled ? 'kubelet' : 'kube-scheduler',
    );
    for (const event of stage.events) recordEvent(this.#context, current, event);
  }

  #noteFailure(pod: Pod, uid: string): void {
    const key = this.#failureKey(pod);
    const failed = this.#failures.get(key) ?? new Set<string>();
    failed.add(uid);
    this.#failures.set(key, failed);
  }

  /** Conditions keep the time of their last change. */
  #withTimes(pod: Pod, status: JsonObject, { seenMs }: PodFacts): JsonObject {
    const before = objectsIn(objectAt(pod, 'status')?.conditions);
    const now = this.#context.timestamp;
    const conditions = objectsIn(status.conditions).map((condition) => {
      const old = before.find((each) => each.type === condition.type);
      const at = old?.status === condition.status ? (old?.lastTransitionTime ?? now) : now;
      return { ...condition, lastProbeTime: null, lastTransitionTime: at, observedGeneration: pod.metadata.generation };
    });
    const startTime = status.hostIP === undefined ? undefined : wholeSeconds(new Date(seenMs).toISOString());
    return {
      ...status,
      conditions,
      ...(startTime === undefined ? {} : { startTime }),
      observedGeneration: pod.metadata.generation,
    };
  }
}

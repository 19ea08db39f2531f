import { type JsonObject, objectAt, objectsIn } from '../../support/json.ts';
import { wholeSeconds } from '../../support/time.ts';
import { isFinished, type Pod } from '../kubernetes.ts';
import { controllerOf, type Resource } from '../resource.ts';
import { type Attempt, attemptMs, nextAttempt } from './attempt.ts';
import { type ControllerContext, controllerOfKind, isReady } from './context.ts';
import { recordEvent } from './events.ts';
import { annotatedMs, failTimes, fateOf } from './fate.ts';
import { hindrancesOf } from './hindrances.ts';
import type { Controller } from './manager.ts';
import { hostsOf } from './named-services.ts';
import { firstAttempt, type PodFacts, podStage, type Stage } from './pod-stages.ts';
import { Programs } from './programs.ts';
import { place } from './scheduler.ts';

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
      return storageKey === '/events' ? [] : kubelet.held();
    },
    reconcile: (pod, key) => kubelet.look(key, pod),
  });
}

const isHeld = ({ hindrances: { placement, mounts, containers } }: PodFacts): boolean =>
  placement !== undefined || mounts.length + containers.size > 0;

class Kubelet {
  readonly #context: ControllerContext;
  /** When each pod was first seen, in milliseconds; objects note only seconds. */
  readonly #seenMs = new Map<string, number>();
  readonly #deletedMs = new Map<string, number>();
  /** How often the pods of one owner (or of one name) have failed. */
  readonly #failures = new Map<string, Set<string>>();
  /** The keys of pods that wait for something that the API does not have: each change may bring it. */
  readonly #held = new Map<string, string>();
  /** How far the pods are that crash until their hosts are ready. */
  readonly #attempts = new Map<string, Attempt>();
  readonly #programs: Programs;
  /** The stage that a pod has reached, so that its events come once. */
  readonly #stages = new Map<string, string>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#programs = new Programs(context);
  }

  held(): Iterable<string> {
    return this.#held.values();
  }

  forget(uid: string): void {
    this.#held.delete(uid);
    this.#seenMs.delete(uid);
    this.#deletedMs.delete(uid);
    this.#stages.delete(uid);
    this.#attempts.delete(uid);
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
    if (!this.#isLookedAfter(pod)) return void this.#held.set(uid, key);
    const seen = this.#seenMs.get(uid) ?? this.#firstSeen(pod);
    this.#seenMs.set(uid, seen);
    const facts = this.#attempted(this.#released(key, this.#facts(this.#schedule(pod), seen)));
    const stage = podStage(facts, now - facts.seenMs);
    this.#enter(facts, stage);
    if (stage.nextMs !== undefined) this.#context.later('kubelet', key, facts.seenMs + stage.nextMs - now);
  }

  /**
   * A pod of another scheduler gets no node, nor does one that a gate holds back or whose claim of devices is not there;
   * on a node that does not exist no kubelet runs it.
   */
  #isLookedAfter({ metadata, spec = {} }: Pod): boolean {
    const { store } = this.#context.environment;
    const { nodeName, schedulerName = 'default-scheduler' } = spec;
    if (nodeName !== undefined) return store.get('/nodes', undefined, nodeName) !== undefined;
    if (schedulerName !== 'default-scheduler' && !this.#programs.hasScheduler) return false;
    const isThere = (kind: string, name: string | undefined) =>
      name === undefined || store.get(`resource.k8s.io/${kind}`, metadata.namespace, name) !== undefined;
    return (
      (spec.schedulingGates ?? []).length === 0 &&
      (spec.resourceClaims ?? []).every(
        ({ resourceClaimName, resourceClaimTemplateName }) =>
          isThere('resourceclaims', resourceClaimName) && isThere('resourceclaimtemplates', resourceClaimTemplateName),
      )
    );
  }

  /** The facts of a pod; of one that is no longer held its time begins now. */
  #released(key: string, facts: PodFacts): PodFacts {
    const uid = facts.pod.metadata.uid as string;
    if (isHeld(facts)) this.#held.set(uid, key);
    else if (this.#held.delete(uid)) {
      this.#seenMs.set(uid, this.#context.now);
      return { ...facts, seenMs: this.#context.now };
    }
    return facts;
  }

  #attempted(facts: PodFacts): PodFacts {
    if (facts.fate !== 'crash-until-ready' || isHeld(facts)) return facts;
    const { pod } = facts;
    const elapsedMs = this.#context.now - facts.seenMs;
    const uid = pod.metadata.uid as string;
    const attempt = this.#attempts.get(uid) ?? this.#firstAttempt(pod);
    const isOver = ['initializing', 'calling'].includes(attempt.state) && elapsedMs >= attempt.startedMs + attemptMs;
    const now = isOver
      ? nextAttempt(attempt, elapsedMs, hostsOf(this.#context, pod), facts.restartPolicy !== 'Never')
      : attempt;
    this.#attempts.set(uid, now);
    return { ...facts, attempt: now };
  }

  /** One that was there when the sandbox opened has its restarts, and is ready if it says so. */
  #firstAttempt(pod: Pod): Attempt {
    const restarts = Math.max(0, ...(pod.status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount));
    if (isReady(pod)) return { ...firstAttempt, restarts, state: 'connected' };
    return { ...firstAttempt, restarts, state: hostsOf(this.#context, pod) === 'awaited' ? 'initializing' : 'calling' };
  }

  /** Pods that were there when the sandbox opened are as old as they say. */
  #firstSeen(pod: Pod): number {
    const created = Date.parse(pod.metadata.creationTimestamp ?? '');
    const now = this.#context.now;
    return now - created < 2000 && !isReady(pod) ? now : created;
  }

  #facts({ pod, obstacle }: { readonly pod: Pod; readonly obstacle?: string }, seenMs: number): PodFacts {
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
      hindrances: {
        placement: obstacle,
        ...hindrancesOf(this.#context, pod, (reference) => this.#programs.find(pod, reference)),
      },
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

  /** The pod on its node, or why no node takes it. */
  #schedule(pod: Pod): { readonly pod: Pod; readonly obstacle?: string } {
    if (pod.spec?.nodeName !== undefined || fateOf(this.#context, pod) === 'unschedulable') return { pod };
    const placement = place(this.#context, pod);
    if ('message' in placement) return { pod, obstacle: placement.message };
    recordEvent(this.#context, pod, {
      type: 'Normal',
      reason: 'Scheduled',
      message: `Successfully assigned ${pod.metadata.namespace}/${pod.metadata.name} to ${placement.node}`,
      source: 'default-scheduler',
    });
    // A binding is no change of the specification: the generation stays.
    const spec = { ...objectAt(pod, 'spec'), nodeName: placement.node };
    return { pod: this.#context.environment.store.put('/pods', { ...(pod as Resource), spec }) };
  }

  #enter(facts: PodFacts, stage: Stage): void {
    const { pod } = facts;
    const uid = pod.metadata.uid as string;
    if (this.#stages.get(uid) === stage.name) return;
    // One that was ready when the sandbox opened keeps its status, with its restarts.
    const wasReady = !this.#stages.has(uid) && stage.name === 'ready' && isReady(pod);
    this.#stages.set(uid, stage.name);
    if (wasReady) return this.#programs.noteRun(pod);
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
    if (stage.name === 'ready' || stage.status.phase === 'Succeeded') this.#programs.noteRun(current);
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

import { compact, type JsonObject, objectsIn } from '../../support/json.ts';
import { hash32 } from '../api/ids.ts';
import type { Fate } from '../fates.ts';
import type { Container, Pod } from '../kubernetes.ts';
import { timestamp } from '../resource.ts';
import { type Attempt, attemptMs, backOffMs } from './attempt.ts';
import type { EventFacts } from './events.ts';
import { inventedFailure } from './references.ts';

export interface PodFacts {
  readonly pod: Pod;
  readonly fate: Fate;
  /** When it becomes ready or its containers end, counted from the start. */
  readonly readyMs: number;
  /** Whether its containers are meant to end: those of a Job, or of a pod by itself that is not restarted for ever. */
  readonly endsByItself: boolean;
  readonly restartPolicy: string;
  /** How many failures a failing pod has before it succeeds. */
  readonly failsLeft: number;
  readonly seenMs: number;
  /** When the fate no longer holds and all is well, counted from the start. */
  readonly fateEndsMs: number | undefined;
  /** How far one is that crashes until its hosts are ready. */
  readonly attempt?: Attempt | undefined;
  /** What the API says against it: it stays where it is as long as there is any. */
  readonly hindrances: Hindrances;
}

/** What keeps a pod from being ready whatever its programs do, in the words of who says so. */
export interface Hindrances {
  /** Why no node takes it. */
  readonly placement?: string | undefined;
  /** What cannot be mounted. */
  readonly mounts: readonly string[];
  /** The Secrets for its images that are not there. The kubelet pulls the images all the same. */
  readonly pullSecrets: readonly string[];
  /** The containers that cannot be created, and why. */
  readonly containers: ReadonlyMap<string, string>;
  /** The containers whose readiness cannot be asked for, and why. */
  readonly probes: ReadonlyMap<string, string>;
}

/** Where a pod is in its life. */
export interface Stage {
  /** Differs between stages; reaching a stage records its events once. */
  readonly name: string;
  readonly isScheduled: boolean;
  readonly status: JsonObject;
  readonly events: readonly EventFacts[];
  /** When the next stage begins, counted from the start; undefined when this is the last one. */
  readonly nextMs?: number | undefined;
}

/** How many restarts a crashing container is shown to have at most; a Job's limit is reached before. */
const mostRestarts = 10;
const crashLoopRestarts = 3;
const restartMs = 300;
const startMs = 100;
const probeMs = 1000;
const mostProbes = 3;

/** The stage of a pod's life after a time, and what a kubelet would say of it. */
export function podStage(facts: PodFacts, elapsedMs: number): Stage {
  const { fateEndsMs } = facts;
  if (fateEndsMs === undefined) return fatedStage(facts, elapsedMs);
  if (elapsedMs < fateEndsMs) {
    const stage = fatedStage(facts, elapsedMs);
    return { ...stage, nextMs: Math.min(stage.nextMs ?? fateEndsMs, fateEndsMs) };
  }
  const recovered = fatedStage({ ...facts, fate: 'ok', readyMs: fateEndsMs + facts.readyMs }, elapsedMs);
  return ['crash-loop', 'oom'].includes(facts.fate) ? withRestarts(recovered, crashLoopRestarts) : recovered;
}

function fatedStage(facts: PodFacts, elapsedMs: number): Stage {
  const { placement, mounts, containers, probes } = facts.hindrances;
  if (placement !== undefined || facts.fate === 'unschedulable') return unschedulable(facts);
  if (mounts.length > 0) return unmounted(facts);
  if (elapsedMs < Math.min(startMs, facts.readyMs)) return creating(facts, Math.min(startMs, facts.readyMs));
  if (containers.size > 0 && facts.fate !== 'image-pull') return misconfigured(facts);
  if (probes.size > 0 && facts.fate === 'ok' && !facts.endsByItself) return neverReady(facts, elapsedMs);
  return stagesOf[facts.fate](facts, elapsedMs);
}

const stagesOf: Readonly<Record<Exclude<Fate, 'unschedulable'>, (facts: PodFacts, elapsedMs: number) => Stage>> = {
  ok: (facts, elapsedMs) => (facts.endsByItself ? completing : becomingReady)(facts, elapsedMs),
  complete: (facts, elapsedMs) => completing(facts, elapsedMs),
  fail: (facts, elapsedMs) => failing(facts, elapsedMs),
  'crash-loop': (facts, elapsedMs) => crashing(facts, elapsedMs, failure, crashLoopRestarts),
  'crash-until-ready': (facts, elapsedMs) => attempting(facts, elapsedMs),
  oom: (facts, elapsedMs) => crashing(facts, elapsedMs, outOfMemory, crashLoopRestarts),
  hang: (facts) => creating(facts, undefined),
  'image-pull': (facts, elapsedMs) => pulling(facts, elapsedMs),
  'config-error': misconfigured,
  'init-fail': (facts, elapsedMs) => initFailing(facts, elapsedMs),
  'probe-fail': (facts, elapsedMs) => neverReady(facts, elapsedMs),
};

const containersOf = ({ spec }: Pod): readonly Container[] => spec?.containers ?? [];
const initContainersOf = ({ spec }: Pod): readonly Container[] => spec?.initContainers ?? [];

type State = (container: Container) => JsonObject;

const at = ({ seenMs }: PodFacts, ms: number): string => timestamp(seenMs + ms);

const waiting = (reason: string, message?: string): JsonObject => ({ waiting: compact({ reason, message }) });

const running = (facts: PodFacts, ms: number): JsonObject => ({ running: { startedAt: at(facts, ms) } });

const terminated = (
  facts: PodFacts,
  { reason, exitCode }: Termination,
  ms: number,
  beganMs = Math.max(0, ms - 100),
): JsonObject => ({
  terminated: {
    exitCode,
    reason,
    startedAt: at(facts, beganMs),
    finishedAt: at(facts, ms),
    containerID: 'sandbox://terminated',
  },
});

interface ContainerFacts {
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly lastState?: JsonObject;
}

const containerStatus = (container: Container, state: JsonObject, facts: ContainerFacts): JsonObject => {
  const image = container.image ?? '';
  const pulled = state.waiting === undefined || facts.lastState !== undefined;
  return {
    name: container.name,
    image,
    imageID: pulled ? `sandbox://${image}` : '',
    ...(pulled ? { containerID: `sandbox://${container.name}` } : {}),
    ready: facts.ready === true,
    started: facts.started === true,
    restartCount: facts.restartCount ?? 0,
    state,
    lastState: facts.lastState ?? {},
  };
};

/** An address of the node's range that follows from the pod's uid. */
function podAddress(pod: Pod): string {
  const number = hash32(pod.metadata.uid ?? pod.metadata.name) % 65_000;
  return `10.244.${(number >> 8) & 0xff}.${number & 0xff || 1}`;
}

const address = (pod: Pod): JsonObject => ({
  hostIP: '10.0.0.1',
  hostIPs: [{ ip: '10.0.0.1' }],
  podIP: podAddress(pod),
  podIPs: [{ ip: podAddress(pod) }],
});

interface Conditions {
  readonly ready: boolean;
  readonly reason?: string | undefined;
  readonly initialized: boolean;
  /** Whether its volumes are mounted and it has its network. */
  readonly hasSandbox: boolean;
}

function conditions(facts: PodFacts, { ready, reason, initialized, hasSandbox }: Conditions): JsonObject[] {
  const names = containersOf(facts.pod).map((container) => container.name);
  const message = reason === 'ContainersNotReady' ? `containers with unready status: [${names.join(' ')}]` : undefined;
  const readiness = ready ? { status: 'True' } : compact({ status: 'False', reason, message });
  const inits = initContainersOf(facts.pod).map((container) => container.name);
  const uninitialized = {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${inits.join(' ')}]`,
  };
  const completed = reason === 'PodCompleted' ? { reason } : {};
  return [
    { type: 'PodReadyToStartContainers', status: hasSandbox ? 'True' : 'False' },
    { type: 'Initialized', ...(initialized ? { status: 'True', ...completed } : uninitialized) },
    { type: 'Ready', ...readiness },
    { type: 'ContainersReady', ...readiness },
    { type: 'PodScheduled', status: 'True' },
  ];
}

/** A stage of a pod that is on its node: the same state for every container. */
interface PlacedStage {
  readonly name: string;
  readonly phase: string;
  readonly state: State;
  readonly containers?: ContainerFacts;
  readonly events?: readonly EventFacts[];
  readonly nextMs?: number | undefined;
  /** Why it is not ready; by default its containers are not. */
  readonly reason?: string;
  /** Whether its init containers are done and it has its address. */
  readonly hasAddress?: boolean;
}

function placed(facts: PodFacts, stage: PlacedStage): Stage {
  const { pod } = facts;
  const { containers = {}, hasAddress = true } = stage;
  const ready = containers.ready === true;
  const inits = initContainersOf(pod).map((init) =>
    containerStatus(init, hasAddress ? terminated(facts, completed, 50) : waiting('PodInitializing'), {
      ready: hasAddress,
    }),
  );
  return {
    name: stage.name,
    isScheduled: true,
    status: {
      phase: stage.phase,
      conditions: conditions(facts, {
        ready,
        reason: ready ? undefined : (stage.reason ?? 'ContainersNotReady'),
        initialized: inits.length === 0 || hasAddress,
        hasSandbox: hasAddress,
      }),
      ...(hasAddress ? address(pod) : { hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.1' }] }),
      ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
      containerStatuses: containersOf(pod).map((each) => containerStatus(each, stage.state(each), containers)),
    },
    events: stage.events ?? [],
    nextMs: stage.nextMs,
  };
}

function kubeletEvents(
  facts: PodFacts,
  ...make: readonly ((container: Container) => [type: 'Normal' | 'Warning', reason: string, message: string])[]
): EventFacts[] {
  return containersOf(facts.pod).flatMap((container) =>
    make.map((event) => {
      const [type, reason, message] = event(container);
      return { type, reason, message, source: 'kubelet', fieldPath: `spec.containers{${container.name}}` };
    }),
  );
}

const startedEvents = (facts: PodFacts): EventFacts[] => [
  ...pullSecretEvents(facts),
  ...kubeletEvents(
    facts,
    (container) => ['Normal', 'Pulled', `Container image "${container.image}" already present on machine`],
    (container) => ['Normal', 'Created', `Container created: ${container.name}`],
    () => ['Normal', 'Started', 'Container started'],
  ),
];

function pullSecretEvents({ hindrances: { pullSecrets } }: PodFacts): EventFacts[] {
  if (pullSecrets.length === 0) return [];
  const message = `Unable to retrieve some image pull secrets (${pullSecrets.join(', ')}); attempting to pull the image may not succeed.`;
  return [{ type: 'Warning', reason: 'FailedToRetrieveImagePullSecret', message, source: 'kubelet' }];
}

/** No node takes it. One that is told so lacks the labels that it asks for or, if it asks for none, a processor. */
function unschedulable({ pod, hindrances }: PodFacts): Stage {
  const invented =
    Object.keys(pod.spec?.nodeSelector ?? {}).length > 0
      ? "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
      : '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';
  const message = hindrances.placement ?? invented;
  return {
    name: `unschedulable ${message}`,
    isScheduled: false,
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    },
    events: [{ type: 'Warning', reason: 'FailedScheduling', message, source: 'default-scheduler' }],
    nextMs: undefined,
  };
}

const creating = (facts: PodFacts, nextMs: number | undefined): Stage =>
  placed(facts, {
    name: 'creating',
    phase: 'Pending',
    state: () => waiting(initContainersOf(facts.pod).length > 0 ? 'PodInitializing' : 'ContainerCreating'),
    nextMs,
    hasAddress: false,
  });

/** Its containers run; `nextMs` is when that changes. */
const runningStage = (facts: PodFacts, isReady: boolean, nextMs?: number): Stage =>
  placed(facts, {
    name: isReady && nextMs === undefined ? 'ready' : 'running',
    phase: 'Running',
    state: () => running(facts, startMs),
    containers: { ready: isReady, started: true },
    events: startedEvents(facts),
    nextMs,
  });

/** Its containers have ended, and nothing restarts them. */
const endedStage = (facts: PodFacts, phase: 'Succeeded' | 'Failed', end: Termination): Stage =>
  placed(facts, {
    name: phase,
    phase,
    state: () => terminated(facts, end, facts.readyMs, Math.min(startMs, facts.readyMs)),
    reason: phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed',
  });

const becomingReady = (facts: PodFacts, elapsedMs: number): Stage =>
  elapsedMs < facts.readyMs ? runningStage(facts, false, facts.readyMs) : runningStage(facts, true);

const completing = (facts: PodFacts, elapsedMs: number): Stage =>
  elapsedMs < facts.readyMs ? runningStage(facts, true, facts.readyMs) : endedStage(facts, 'Succeeded', completed);

/** Containers end with 1: for good where nothing restarts them, else again and again until the failures are used up. */
function failing(facts: PodFacts, elapsedMs: number): Stage {
  if (facts.restartPolicy !== 'Never') return failingInPlace(facts, elapsedMs);
  if (facts.failsLeft <= 0) return facts.endsByItself ? completing(facts, elapsedMs) : finishing(facts, elapsedMs);
  return elapsedMs < facts.readyMs ? runningStage(facts, false, facts.readyMs) : endedStage(facts, 'Failed', failure);
}

/** What a pod does that has no failures left: one that may end completes, another becomes ready. */
const finishing = (facts: PodFacts, elapsedMs: number): Stage =>
  facts.restartPolicy === 'Always' ? becomingReady(facts, elapsedMs) : completing(facts, elapsedMs);

function failingInPlace(facts: PodFacts, elapsedMs: number): Stage {
  const failures = Math.min(facts.failsLeft, mostRestarts);
  const after = facts.readyMs + failures * restartMs;
  if (Number.isFinite(facts.failsLeft) && elapsedMs >= after) {
    const recovered = { ...facts, readyMs: after };
    return withRestarts(finishing(recovered, elapsedMs), failures);
  }
  return crashing(facts, elapsedMs, failure, failures);
}

function withRestarts(stage: Stage, restartCount: number, lastState?: JsonObject): Stage {
  const containerStatuses = objectsIn(stage.status.containerStatuses).map((container) => ({
    ...container,
    restartCount,
    ...(lastState && { lastState }),
  }));
  return { ...stage, status: { ...stage.status, containerStatuses } };
}

/** Its containers call their hosts until these are ready. */
function attempting(facts: PodFacts, elapsedMs: number): Stage {
  const { restarts, startedMs, failed, state } = facts.attempt ?? firstAttempt;
  const endMs = startedMs + attemptMs;
  const before = failed && terminated(facts, failure, failed.endedMs, failed.beganMs);
  if (state === 'initializing') return { ...creating(facts, endMs), name: 'initializing' };
  if (state === 'failed') return endedStage({ ...facts, readyMs: endMs }, 'Failed', failure);
  if (state === 'connected') {
    const readyMs = Math.max(endMs, startedMs + facts.readyMs);
    return withRestarts(stagesOf.ok({ ...facts, readyMs }, elapsedMs), restarts, before);
  }
  if (elapsedMs >= startedMs)
    return { ...withRestarts(runningStage(facts, false, endMs), restarts, before), name: `attempt-${restarts}` };
  const backOff = `${backOffMs(restarts - 1) / 1000}s`;
  return crashed(facts, { restarts: restarts - 1, lastState: before, backOff, nextMs: startedMs });
}

/** Of a pod whose containers have just been started. */
export const firstAttempt: Attempt = { restarts: 0, startedMs: 0, state: 'calling' };

/** How a container ends, as its ContainerStateTerminated tells it. */
interface Termination {
  readonly reason: string;
  readonly exitCode: number;
}

const completed: Termination = { reason: 'Completed', exitCode: 0 };
const failure: Termination = { reason: 'Error', exitCode: 1 };
const outOfMemory: Termination = { reason: 'OOMKilled', exitCode: 137 };

/** One more restart after each interval, up to `most`; then it stays in the back-off. */
function crashing(facts: PodFacts, elapsedMs: number, end: Termination, most: number): Stage {
  const round = Math.min(most, Math.floor((elapsedMs - Math.min(startMs, facts.readyMs)) / restartMs));
  const restarts = Math.max(1, round);
  // One that recovers is restarted sooner than a kubelet would, and says so.
  const recovers = facts.fateEndsMs !== undefined || Number.isFinite(facts.failsLeft);
  const isLast = round >= most && !Number.isFinite(facts.failsLeft);
  return crashed(facts, {
    restarts,
    lastState: terminated(facts, end, startMs + round * restartMs),
    backOff: recovers ? `${restartMs}ms` : `${backOffMs(restarts) / 1000}s`,
    nextMs: isLast ? undefined : Math.min(startMs, facts.readyMs) + (round + 1) * restartMs,
  });
}

interface Crash {
  readonly restarts: number;
  readonly lastState: JsonObject | undefined;
  readonly backOff: string;
  readonly nextMs: number | undefined;
}

function crashed(facts: PodFacts, { restarts, lastState, backOff, nextMs }: Crash): Stage {
  const { uid, name, namespace } = facts.pod.metadata;
  const where = `pod=${name}_${namespace}(${uid})`;
  return placed(facts, {
    name: `crash-${restarts}`,
    phase: 'Running',
    state: (container) =>
      waiting('CrashLoopBackOff', `back-off ${backOff} restarting failed container=${container.name} ${where}`),
    containers: { restartCount: restarts, lastState: lastState ?? {} },
    events: [
      ...(restarts === 1 ? startedEvents(facts) : []),
      ...kubeletEvents(facts, (container) => [
        'Warning',
        'BackOff',
        `Back-off restarting failed container ${container.name} in pod ${name}_${namespace}(${uid})`,
      ]),
    ],
    nextMs,
  });
}

function pulling(facts: PodFacts, elapsedMs: number): Stage {
  const cause = (container: Container): string =>
    `rpc error: code = NotFound desc = failed to pull and unpack image "${container.image}": not found`;
  if (elapsedMs < startMs + restartMs) {
    return placed(facts, {
      name: 'pull-failed',
      phase: 'Pending',
      state: (container) => waiting('ErrImagePull', cause(container)),
      events: [
        ...pullSecretEvents(facts),
        ...kubeletEvents(
          facts,
          (container) => ['Normal', 'Pulling', `Pulling image "${container.image}"`],
          (container) => ['Warning', 'Failed', `Failed to pull image "${container.image}": ${cause(container)}`],
          () => ['Warning', 'Failed', 'Error: ErrImagePull'],
        ),
      ],
      nextMs: startMs + restartMs,
    });
  }
  return placed(facts, {
    name: 'pull-back-off',
    phase: 'Pending',
    state: (container) =>
      waiting('ImagePullBackOff', `Back-off pulling image "${container.image}": ErrImagePull: ${cause(container)}`),
    events: kubeletEvents(
      facts,
      (container) => ['Normal', 'BackOff', `Back-off pulling image "${container.image}"`],
      () => ['Warning', 'Failed', 'Error: ImagePullBackOff'],
    ),
  });
}

/** A volume cannot be mounted, so nothing is created. */
const unmounted = (facts: PodFacts): Stage => {
  const { mounts } = facts.hindrances;
  const events = mounts.map(
    (message): EventFacts => ({ type: 'Warning', reason: 'FailedMount', message, source: 'kubelet' }),
  );
  return { ...creating(facts, undefined), name: `unmounted ${mounts.join()}`, events };
};

/** Containers that cannot be created; an init container holds up those behind it. */
function misconfigured(facts: PodFacts): Stage {
  const { containers } = facts.hindrances;
  const textOf = (container: Container): string | undefined =>
    containers.get(container.name ?? '') ?? (containers.size === 0 ? inventedFailure(container) : undefined);
  const held = (container: Container): JsonObject => {
    const text = textOf(container);
    return text === undefined ? running(facts, startMs) : waiting('CreateContainerConfigError', text);
  };
  const name = `config-error ${[...containers].join()}`;
  const index = containers.size === 0 ? -1 : initContainersOf(facts.pod).findIndex(textOf);
  const init = initContainersOf(facts.pod)[index];
  if (init !== undefined) {
    const events = [configErrorEvent(`initContainers{${init.name}}`, textOf(init))];
    return stuckInInit(facts, { name, index, state: held(init), events });
  }
  const events = containersOf(facts.pod).flatMap((container) => {
    const text = textOf(container);
    return text === undefined ? [] : [configErrorEvent(`containers{${container.name}}`, text)];
  });
  return placed(facts, { name, phase: 'Pending', state: held, events });
}

const configErrorEvent = (path: string, text = ''): EventFacts => ({
  type: 'Warning',
  reason: 'Failed',
  message: `Error: ${text}`,
  source: 'kubelet',
  fieldPath: `spec.${path}`,
});

/** The first init container fails; a pod without any crashes instead. */
function initFailing(facts: PodFacts, elapsedMs: number): Stage {
  const { pod } = facts;
  const [first] = initContainersOf(pod);
  if (first === undefined) return crashing(facts, elapsedMs, failure, 3);
  const never = facts.restartPolicy === 'Never';
  const end = terminated(facts, failure, startMs);
  const { uid, name, namespace } = pod.metadata;
  const backOff = waiting(
    'CrashLoopBackOff',
    `back-off 10s restarting failed container=${first.name} pod=${name}_${namespace}(${uid})`,
  );
  const event: EventFacts = {
    type: 'Warning',
    reason: 'BackOff',
    message: `Back-off restarting failed container ${first.name} in pod ${name}_${namespace}(${uid})`,
    source: 'kubelet',
    fieldPath: `spec.initContainers{${first.name}}`,
  };
  return stuckInInit(facts, {
    name: 'init-failed',
    index: 0,
    state: never ? end : backOff,
    ...(!never && { containers: { restartCount: 1, lastState: end } }),
    ...(never && { phase: 'Failed' }),
    events: [event],
  });
}

interface StuckInit {
  readonly name: string;
  /** Of the init container that holds up the others. */
  readonly index: number;
  readonly state: JsonObject;
  readonly containers?: ContainerFacts;
  readonly phase?: string;
  readonly events: readonly EventFacts[];
}

function stuckInInit(facts: PodFacts, { name, index, state, containers = {}, phase, events }: StuckInit): Stage {
  const stage = placed(facts, { name, phase: phase ?? 'Pending', state: () => waiting('PodInitializing'), events });
  const initContainerStatuses = initContainersOf(facts.pod).map((init, at) => {
    if (at === index) return containerStatus(init, state, containers);
    const isDone = at < index;
    return containerStatus(init, isDone ? terminated(facts, completed, 50) : waiting('PodInitializing'), {
      ready: isDone,
    });
  });
  const unready = { ready: false, reason: 'ContainersNotReady', initialized: false, hasSandbox: true };
  return { ...stage, status: { ...stage.status, initContainerStatuses, conditions: conditions(facts, unready) } };
}

/** Its probe fails again and again; told are the first failures. */
function neverReady(facts: PodFacts, elapsedMs: number): Stage {
  const probed = Math.min(Math.floor(Math.max(0, elapsedMs - startMs) / probeMs), mostProbes);
  return placed(facts, {
    name: probed === 0 ? 'unready' : `unready-${probed}`,
    phase: 'Running',
    state: () => running(facts, startMs),
    containers: { started: true },
    nextMs: probed === mostProbes ? undefined : startMs + (probed + 1) * probeMs,
    events: [
      ...(probed === 0 ? startedEvents(facts) : []),
      ...kubeletEvents(facts, ({ name }) => [
        'Warning',
        'Unhealthy',
        facts.hindrances.probes.get(name ?? '') ?? refusedProbe,
      ]),
    ],
  });
}

const refusedProbe = 'Readiness probe failed: HTTP probe failed with statuscode: 503';

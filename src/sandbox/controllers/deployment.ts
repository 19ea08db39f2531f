import { canonicalJson, type Json, type JsonObject, objectAt, textMap, textOf } from '../../support/json.ts';
import { hash32 } from '../api/ids.ts';
import type { Deployment, ReplicaSet } from '../kubernetes.ts';
import { controllerOf, type Resource } from '../resource.ts';
import { type ControllerContext, conditionOf, controlledBy, controllerOfKind, withCondition } from './context.ts';
import { recordEvent } from './events.ts';
import type { Controller } from './manager.ts';

const revisionAnnotation = 'deployment.kubernetes.io/revision';
const hashLabel = 'pod-template-hash';

/** Rolls a Deployment's pods from one ReplicaSet to the next. */
export const deploymentController = (context: ControllerContext): Controller =>
  controllerOfKind<Deployment>(context, {
    name: 'deployment',
    kind: context.kind('apps/v1', 'Deployment'),
    owned: ['apps/replicasets'],
    // Recreate waits for the last pod to be gone, which no ReplicaSet tells of.
    also: ({ storageKey, type, object }) =>
      storageKey === '/pods' && type === 'DELETED' ? deploymentOf(context, object) : [],
    reconcile(deployment) {
      if (deployment.metadata.deletionTimestamp === undefined) new Rollout(context, deployment).advance();
    },
  });

function* deploymentOf(context: ControllerContext, pod: Resource): Generator<string> {
  const { namespace } = pod.metadata;
  const set = context.find('apps/replicasets', `${namespace}/${controllerOf(pod)?.name ?? ''}`);
  const owner = set === undefined ? undefined : controllerOf(set);
  if (owner?.kind === 'Deployment') yield `${namespace}/${owner.name}`;
}

const wanted = ({ spec }: Deployment | ReplicaSet): number => spec?.replicas ?? 0;
type Count = 'replicas' | 'readyReplicas' | 'availableReplicas';
const statusCount = ({ status }: ReplicaSet, field: Count): number => status?.[field] ?? 0;
const revisionOf = (object: Resource): number => Number(object.metadata.annotations?.[revisionAnnotation] ?? 0);
const sum = (sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + count(set), 0);

/** The template without the hash that its ReplicaSet adds. */
function plainTemplate(set: ReplicaSet): string {
  const template = objectAt(set, 'spec', 'template') ?? {};
  const metadata = objectAt(template, 'metadata') ?? {};
  const { [hashLabel]: _, ...labels } = textMap(metadata.labels);
  return canonicalJson({ ...template, metadata: { ...metadata, labels } });
}

const safeDigits = 'bcdfghjklmnpqrstvwxz2456789';

/** A short hash of a pod template, in letters that form no words (rand.SafeEncodeString). */
export const templateHash = (template: Json | undefined): string =>
  [...String(hash32(canonicalJson(template)))]
    .map((char) => safeDigits[char.charCodeAt(0) % safeDigits.length])
    .join('');

/** The ReplicaSet of the current template (Go's newRS). */
interface NewReplicaSet {
  readonly set: ReplicaSet;
  /** Whether it was created just now. */
  readonly isNew: boolean;
}

class Rollout {
  readonly #context: ControllerContext;
  readonly #deployment: Deployment;

  constructor(context: ControllerContext, deployment: Deployment) {
    this.#context = context;
    this.#deployment = deployment;
  }

  advance(): void {
    const template = canonicalJson(this.#templateWithLabels());
    const sets = this.#sets();
    const existing = sets.find((set) => plainTemplate(set) === template);
    const paused = this.#deployment.spec?.paused === true;
    const newSet = existing ?? (paused ? undefined : this.#createSet(sets));
    if (newSet !== undefined && !paused) {
      this.#markRevision(newSet, sets);
      this.#scale(newSet);
    } else if (newSet !== undefined) {
      this.#scaleTo(newSet, wanted(this.#deployment) - sum(this.#others(newSet), wanted));
    }
    this.#cleanUp(newSet);
    this.#updateStatus(newSet, existing === undefined);
  }

  #sets(): ReplicaSet[] {
    return this.#context.controlled<ReplicaSet>('apps/replicasets', this.#deployment);
  }

  #others(newSet: ReplicaSet): ReplicaSet[] {
    return this.#sets().filter((set) => set.metadata.uid !== newSet.metadata.uid);
  }

  #templateWithLabels(): JsonObject {
    const template = objectAt(this.#deployment, 'spec', 'template') ?? {};
    const metadata = objectAt(template, 'metadata') ?? {};
    return { ...template, metadata: { ...metadata, labels: textMap(metadata.labels) } };
  }

  #createSet(sets: readonly ReplicaSet[]): ReplicaSet {
    const { name, namespace, annotations } = this.#deployment.metadata;
    const minReadySeconds = this.#deployment.spec?.minReadySeconds;
    const template = this.#templateWithLabels();
    const metadata = objectAt(template, 'metadata') ?? {};
    const hash = templateHash(template);
    const labels = { ...textMap(metadata.labels), [hashLabel]: hash };
    const selector = objectAt(this.#deployment, 'spec', 'selector') ?? {};
    const replicas = this.#firstReplicas(sets);
    const set = this.#context.create(this.#context.kind('apps/v1', 'ReplicaSet'), namespace, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${name}-${hash}`,
        labels,
        annotations: {
          ...copiedAnnotations(annotations),
          'deployment.kubernetes.io/desired-replicas': String(wanted(this.#deployment)),
          'deployment.kubernetes.io/max-replicas': String(wanted(this.#deployment) + this.#bounds().surge),
          [revisionAnnotation]: String(this.#nextRevision(sets)),
        },
        ownerReferences: [controlledBy(this.#deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
        selector: { ...selector, matchLabels: { ...objectAt(selector, 'matchLabels'), [hashLabel]: hash } },
        template: { ...template, metadata: { ...metadata, labels } },
      },
    });
    this.#report(`Scaled up replica set ${set.metadata.name} from 0 to ${replicas}`);
    return set;
  }

  #firstReplicas(sets: readonly ReplicaSet[]): number {
    const replicas = wanted(this.#deployment);
    if (this.#isRecreate) return sets.some((set) => statusCount(set, 'replicas') > 0) ? 0 : replicas;
    return Math.max(0, Math.min(replicas, replicas + this.#bounds().surge - sum(sets, wanted)));
  }

  get #isRecreate(): boolean {
    return this.#deployment.spec?.strategy?.type === 'Recreate';
  }

  #nextRevision(sets: readonly ReplicaSet[]): number {
    return Math.max(0, ...sets.map(revisionOf)) + 1;
  }

  /** An old ReplicaSet that is rolled back to gets a new revision number. */
  #markRevision(newSet: ReplicaSet, sets: readonly ReplicaSet[]): void {
    const highest = Math.max(0, ...sets.filter((set) => set.metadata.uid !== newSet.metadata.uid).map(revisionOf));
    const revision = revisionOf(newSet) > highest ? revisionOf(newSet) : highest + 1;
    this.#annotate('apps/replicasets', 'ReplicaSet', newSet, revision);
    this.#annotate('apps/deployments', 'Deployment', this.#deployment, revision);
  }

  #annotate(storage: string, kind: string, object: Resource, revision: number): void {
    const current = this.#context.find(storage, `${object.metadata.namespace}/${object.metadata.name}`) ?? object;
    if (revisionOf(current) === revision) return;
    const annotations = { ...current.metadata.annotations, [revisionAnnotation]: String(revision) };
    const changed = { ...current, metadata: { ...current.metadata, annotations } };
    this.#context.change(this.#context.kind('apps/v1', kind), current, changed);
  }

  #bounds(): { surge: number; unavailable: number } {
    const rolling = this.#deployment.spec?.strategy?.rollingUpdate;
    const replicas = wanted(this.#deployment);
    const surge = ofReplicas(rolling?.maxSurge, replicas, Math.ceil);
    const unavailable = ofReplicas(rolling?.maxUnavailable, replicas, Math.floor);
    return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, replicas) };
  }

  #scale(newSet: ReplicaSet): void {
    const old = this.#others(newSet);
    if (this.#isRecreate) {
      for (const set of old) this.#scaleTo(set, 0);
      const gone = old.every((set) => statusCount(set, 'replicas') === 0 && !this.#hasPods(set));
      if (gone) this.#scaleTo(newSet, wanted(this.#deployment));
      return;
    }
    const replicas = wanted(this.#deployment);
    const { surge, unavailable } = this.#bounds();
    const room = replicas + surge - sum([newSet, ...old], wanted);
    const now = wanted(newSet);
    this.#scaleTo(newSet, now > replicas ? replicas : Math.min(replicas, now + Math.max(0, room)));
    this.#scaleDownOld(newSet, old, replicas - unavailable);
  }

  #hasPods(set: ReplicaSet): boolean {
    return this.#context.controlled('/pods', set).length > 0;
  }

  /** Old pods that are not available go first, available ones as far as enough others are. */
  #scaleDownOld(newSet: ReplicaSet, old: readonly ReplicaSet[], leastAvailable: number): void {
    const all = [newSet, ...old].map((set) => this.#fresh(set));
    const newUnavailable = wanted(all[0] as ReplicaSet) - statusCount(all[0] as ReplicaSet, 'availableReplicas');
    // Counts of pods lag behind what was asked for, so both limits hold.
    let room = sum(all, wanted) - leastAvailable - Math.max(0, newUnavailable);
    let spare = sum(all, (set) => statusCount(set, 'availableReplicas')) - leastAvailable;
    for (const set of all.slice(1)) {
      const have = wanted(set);
      const broken = Math.min(Math.max(0, room), Math.max(0, have - statusCount(set, 'availableReplicas')));
      const allowed = Math.min(have - broken, Math.max(0, spare), Math.max(0, room - broken));
      room -= broken + allowed;
      spare -= allowed;
      this.#scaleTo(set, have - broken - allowed);
    }
  }

  #fresh(set: ReplicaSet): ReplicaSet {
    return this.#context.find<ReplicaSet>('apps/replicasets', `${set.metadata.namespace}/${set.metadata.name}`) ?? set;
  }

  #scaleTo(set: ReplicaSet, replicas: number): void {
    const { namespace, name } = set.metadata;
    const current = this.#context.find<ReplicaSet>('apps/replicasets', `${namespace}/${name}`);
    if (current === undefined || wanted(current) === replicas || replicas < 0) return;
    const before = wanted(current);
    const changed: Resource = { ...(current as Resource), spec: { ...objectAt(current, 'spec'), replicas } };
    this.#context.change(this.#context.kind('apps/v1', 'ReplicaSet'), current, changed);
    this.#report(`Scaled ${replicas > before ? 'up' : 'down'} replica set ${name} from ${before} to ${replicas}`);
  }

  #report(message: string): void {
    const facts = { type: 'Normal', reason: 'ScalingReplicaSet', message, source: 'deployment-controller' } as const;
    recordEvent(this.#context, this.#deployment, facts);
  }

  /** Keeps as many old, empty ReplicaSets as revisionHistoryLimit says. */
  #cleanUp(newSet: ReplicaSet | undefined): void {
    const limit = this.#deployment.spec?.revisionHistoryLimit ?? 10;
    const old = this.#sets().filter((set) => set.metadata.uid !== newSet?.metadata.uid);
    const empty = old
      .filter(
        (set) =>
          wanted(set) === 0 && statusCount(set, 'replicas') === 0 && set.metadata.deletionTimestamp === undefined,
      )
      .sort((a, b) => revisionOf(a) - revisionOf(b));
    for (const set of empty.slice(0, Math.max(0, old.length - limit))) {
      this.#context.delete(this.#context.kind('apps/v1', 'ReplicaSet'), set);
    }
  }

  #updateStatus(newSet: ReplicaSet | undefined, isNew: boolean): void {
    const { namespace, name } = this.#deployment.metadata;
    const current = this.#context.find<Deployment>('apps/deployments', `${namespace}/${name}`);
    if (current === undefined) return;
    const sets = this.#sets();
    const fresh = sets.find((set) => set.metadata.uid === newSet?.metadata.uid);
    const counts = {
      replicas: sum(sets, (set) => statusCount(set, 'replicas')),
      updatedReplicas: fresh === undefined ? 0 : statusCount(fresh, 'replicas'),
      readyReplicas: sum(sets, (set) => statusCount(set, 'readyReplicas')),
      availableReplicas: sum(sets, (set) => statusCount(set, 'availableReplicas')),
    };
    const unavailable = Math.max(0, sum(sets, wanted) - counts.availableReplicas);
    const status: JsonObject = { observedGeneration: current.metadata.generation };
    for (const [field, count] of Object.entries(counts)) if (count > 0) status[field] = count;
    if (unavailable > 0) status.unavailableReplicas = unavailable;
    const available = this.#availability(objectAt(current, 'status')?.conditions, counts.availableReplicas);
    const progress =
      fresh === undefined ? available : this.#progress(current, available, counts, { set: fresh, isNew });
    status.conditions = this.#withFailure(progress, sets);
    this.#context.setStatus(this.#context.kind('apps/v1', 'Deployment'), current, status);
  }

  #availability(conditions: Json | undefined, available: number): JsonObject[] {
    const enough = available >= wanted(this.#deployment) - (this.#isRecreate ? 0 : this.#bounds().unavailable);
    const now = this.#context.timestamp;
    return this.#condition(
      conditions,
      enough
        ? {
            type: 'Available',
            status: 'True',
            reason: 'MinimumReplicasAvailable',
            message: 'Deployment has minimum availability.',
          }
        : {
            type: 'Available',
            status: 'False',
            reason: 'MinimumReplicasUnavailable',
            message: 'Deployment does not have minimum availability.',
          },
      now,
    );
  }

  /** What keeps a ReplicaSet from its pods keeps the Deployment from them. */
  #withFailure(conditions: JsonObject[], sets: readonly ReplicaSet[]): JsonObject[] {
    const failure = sets.map((set) => conditionOf(set, 'ReplicaFailure')).find((one) => one !== undefined);
    const others = conditions.filter(({ type }) => type !== 'ReplicaFailure');
    if (failure === undefined) return others;
    const { reason, message } = failure as { reason: string; message: string };
    const condition = { type: 'ReplicaFailure', status: 'True', reason, message } as const;
    return this.#condition(conditions, condition, this.#context.timestamp);
  }

  /** lastUpdateTime moves with every change of a condition. */
  #condition(conditions: Json | undefined, condition: Parameters<typeof withCondition>[1], now: string): JsonObject[] {
    return withCondition(conditions, condition, now, { lastUpdateTime: now });
  }

  #progress(
    current: Deployment,
    conditions: JsonObject[],
    counts: { replicas: number; updatedReplicas: number; availableReplicas: number },
    { set: newSet, isNew }: NewReplicaSet,
  ): JsonObject[] {
    const replicas = wanted(this.#deployment);
    const complete =
      counts.updatedReplicas === replicas && counts.replicas === replicas && counts.availableReplicas === replicas;
    const text = `ReplicaSet "${newSet.metadata.name}"`;
    const now = this.#context.timestamp;
    const set = (status: 'True' | 'False', reason: string, message: string, list = conditions): JsonObject[] =>
      this.#condition(list, { type: 'Progressing', status, reason, message }, now);
    if (complete) return set('True', 'NewReplicaSetAvailable', `${text} has successfully progressed.`);
    if (isNew) return set('True', 'NewReplicaSetCreated', `Created new replica set "${newSet.metadata.name}"`);
    const before = conditionOf(current, 'Progressing');
    const old = current.status ?? {};
    const moved =
      counts.updatedReplicas > (old.updatedReplicas ?? 0) ||
      counts.availableReplicas > (old.availableReplicas ?? 0) ||
      counts.replicas < (old.replicas ?? 0);
    const started = before === undefined || before.reason === 'NewReplicaSetAvailable';
    if (moved || started) {
      // Progress restarts the deadline even where the words stay the same.
      const rest = conditions.filter((condition) => condition.type !== 'Progressing');
      this.#awaitDeadline(this.#context.now);
      return set('True', 'ReplicaSetUpdated', `${text} is progressing.`, rest);
    }
    const since = Date.parse(textOf(before.lastUpdateTime) ?? now);
    if (before.reason === 'ProgressDeadlineExceeded' || !this.#awaitDeadline(since)) {
      return set('False', 'ProgressDeadlineExceeded', `${text} has timed out progressing.`);
    }
    return conditions;
  }

  /** Whether the deadline is still ahead; if so, the Deployment is looked at again then. */
  #awaitDeadline(sinceMs: number): boolean {
    const seconds = this.#deployment.spec?.progressDeadlineSeconds ?? 600;
    const left = sinceMs + seconds * 1000 - this.#context.now;
    if (left <= 0) return false;
    const { namespace, name } = this.#deployment.metadata;
    this.#context.later('deployment', `${namespace}/${name}`, left + 1000, 'deadline');
    return true;
  }
}

/** maxSurge and maxUnavailable: a number, or a percentage of the replicas. */
export function ofReplicas(value: Json | undefined, replicas: number, round: (number: number) => number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return 0;
  return value.endsWith('%') ? round((Number(value.slice(0, -1)) * replicas) / 100) : Number(value);
}

function copiedAnnotations(annotations: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const skipped = ['kubectl.kubernetes.io/last-applied-configuration', revisionAnnotation];
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !skipped.includes(key)));
}

import { type JsonObject, objectAt, objectsIn, textOf } from '../../support/json.ts';
import { isFinished, type Job, type Pod } from '../kubernetes.ts';
import {
  type Condition,
  type ControllerContext,
  conditionOf,
  controllerOfKind,
  isReady,
  podFromTemplate,
  refusalOf,
  withCondition,
} from './context.ts';
import { createFor, recordEvent } from './events.ts';
import { annotatedMs } from './fate.ts';
import type { Controller } from './manager.ts';

const retryDelayMs = 300;
const mostRetryDelayMs = 600_000;
const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** Runs a Job's pods until as many have succeeded as it asks for, or too many have failed. */
export const jobController = (context: ControllerContext): Controller =>
  controllerOfKind<Job>(context, {
    name: 'job',
    kind: context.kind('batch/v1', 'Job'),
    owned: ['/pods'],
    reconcile(job) {
      if (job.metadata.deletionTimestamp !== undefined) return;
      if (finishedAt(job) === undefined) new Run(context, job).advance();
      else expire(context, job);
    },
  });

/** When a Job came to its end, in milliseconds. */
function finishedAt(job: Job): number | undefined {
  const end = [conditionOf(job, 'Complete'), conditionOf(job, 'Failed')].find((each) => each?.status === 'True');
  return end === undefined ? undefined : Date.parse(textOf(end.lastTransitionTime) ?? '');
}

/** Deletes a finished Job when its ttlSecondsAfterFinished is over. */
function expire(context: ControllerContext, job: Job): void {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  const end = finishedAt(job);
  if (seconds === undefined || end === undefined) return;
  const left = end + seconds * 1000 - context.now;
  if (left <= 0) context.delete(context.kind('batch/v1', 'Job'), job);
  else
    context.later('job', `${job.metadata.namespace}/${job.metadata.name}`, left, seconds > 60 ? 'deadline' : undefined);
}

class Run {
  readonly #context: ControllerContext;
  readonly #job: Job;
  readonly #spec: NonNullable<Job['spec']>;
  readonly #status: NonNullable<Job['status']>;

  constructor(context: ControllerContext, job: Job) {
    this.#context = context;
    this.#job = job;
    this.#spec = job.spec ?? {};
    this.#status = job.status ?? {};
  }

  get #key(): string {
    return `${this.#job.metadata.namespace}/${this.#job.metadata.name}`;
  }

  get #pods(): Pod[] {
    return this.#context.controlled<Pod>('/pods', this.#job);
  }

  #inPhase(phase: string): Pod[] {
    return this.#pods.filter((pod) => pod.status?.phase === phase);
  }

  get #active(): Pod[] {
    return this.#pods.filter((pod) => !isFinished(pod) && pod.metadata.deletionTimestamp === undefined);
  }

  advance(): void {
    if (this.#spec.suspend === true) {
      this.#suspend();
      return;
    }
    const startTime = this.#status.startTime ?? this.#context.timestamp;
    const failure = this.#failure(startTime);
    const succeeded = this.#inPhase('Succeeded').length;
    if (failure !== undefined) this.#fail(startTime, failure);
    else if (this.#isComplete(succeeded)) this.#complete(startTime);
    else {
      const refusal = refusalOf(() => this.#startPods(succeeded));
      this.#save({ startTime }, this.#resumed());
      if (refusal !== undefined) throw refusal;
    }
  }

  #isComplete(succeeded: number): boolean {
    const completions = this.#spec.completions;
    return completions === undefined ? succeeded > 0 && this.#active.length === 0 : succeeded >= completions;
  }

  #failure(startTime: string): { reason: string; message: string } | undefined {
    const seconds = this.#spec.activeDeadlineSeconds;
    if (seconds !== undefined) {
      const left = Date.parse(startTime) + seconds * 1000 - this.#context.now;
      if (left <= 0) return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
      this.#context.later('job', this.#key, left, 'deadline');
    }
    const limit = this.#spec.backoffLimit ?? 6;
    const restarts = this.#restarts();
    const tooMany = this.#inPhase('Failed').length > limit || (restarts > 0 && restarts >= limit);
    return tooMany
      ? { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
      : undefined;
  }

  /** Restarts in place count against the limit where the pods restart themselves. */
  #restarts(): number {
    if (this.#spec.template?.spec?.restartPolicy !== 'OnFailure') return 0;
    return this.#active.reduce(
      (sum, pod) =>
        sum + (pod.status?.containerStatuses ?? []).reduce((count, each) => count + (each.restartCount ?? 0), 0),
      0,
    );
  }

  #startPods(succeeded: number): void {
    const parallelism = this.#spec.parallelism ?? 1;
    const completions = this.#spec.completions;
    const wanted =
      completions === undefined ? (succeeded > 0 ? 0 : parallelism) : Math.min(parallelism, completions - succeeded);
    const missing = wanted - this.#active.length;
    if (missing <= 0 || this.#mustBackOff()) return;
    for (let index = 0; index < missing; index++) this.#startPod();
  }

  /** After a failure the next pod waits a moment; with `retry-after` that long, doubled each time as in Kubernetes. */
  #mustBackOff(): boolean {
    const ends = this.#inPhase('Failed').map((pod) => podEnd(pod));
    const delayMs = this.#retryDelayMs(ends.length);
    const left = Math.max(0, ...ends) + delayMs - this.#context.now;
    if (ends.length === 0 || left <= 0 || left > delayMs) return false;
    this.#context.later('job', this.#key, left);
    return true;
  }

  #retryDelayMs(failures: number): number {
    const first = annotatedMs(this.#context, this.#job, 'retry-after');
    return first === undefined ? retryDelayMs : Math.min(first * 2 ** (failures - 1), mostRetryDelayMs);
  }

  #startPod(): void {
    const { name } = this.#job.metadata;
    const index = this.#spec.completionMode === 'Indexed' ? this.#freeIndex() : undefined;
    const marks =
      index === undefined
        ? {}
        : { annotations: { [indexAnnotation]: String(index) }, labels: { [indexAnnotation]: String(index) } };
    const metadata = { generateName: index === undefined ? `${name}-` : `${name}-${index}-`, ...marks };
    const template = objectAt(this.#job, 'spec', 'template');
    const annotations = { ...objectAt(template, 'metadata', 'annotations'), ...marks.annotations };
    const wanted = podFromTemplate(this.#job, template, {
      ...metadata,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    });
    const pod = createFor(this.#context, this.#job, wanted, { source: 'job-controller' });
    this.#report('Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
  }

  #freeIndex(): number {
    const taken = new Set(
      [...this.#active, ...this.#inPhase('Succeeded')].map((pod) =>
        Number(pod.metadata.annotations?.[indexAnnotation]),
      ),
    );
    let index = 0;
    while (taken.has(index)) index += 1;
    return index;
  }

  #report(type: 'Normal' | 'Warning', reason: string, message: string): void {
    recordEvent(this.#context, this.#job, { type, reason, message, source: 'job-controller' });
  }

  #suspend(): void {
    for (const pod of this.#active) this.#context.delete(this.#context.kind('v1', 'Pod'), pod);
    const condition: Condition = {
      type: 'Suspended',
      status: 'True',
      reason: 'JobSuspended',
      message: 'Job suspended',
    };
    this.#save({ startTime: undefined }, this.#with([condition]));
  }

  #resumed(): JsonObject[] | undefined {
    if (conditionOf(this.#job, 'Suspended')?.status !== 'True') return undefined;
    return this.#with([{ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' }]);
  }

  #complete(startTime: string): void {
    const message = 'Reached expected number of succeeded pods';
    const facts = { status: 'True', reason: 'CompletionsReached', message } as const;
    const conditions = this.#with([
      { type: 'SuccessCriteriaMet', ...facts },
      { type: 'Complete', ...facts },
    ]);
    for (const pod of this.#active) this.#context.delete(this.#context.kind('v1', 'Pod'), pod);
    this.#save({ startTime, completionTime: this.#context.timestamp }, conditions);
    this.#report('Normal', 'Completed', 'Job completed');
  }

  #fail(startTime: string, failure: { reason: string; message: string }): void {
    const facts = { status: 'True', ...failure } as const;
    const stopped = this.#active.length;
    for (const pod of this.#active) this.#context.delete(this.#context.kind('v1', 'Pod'), pod);
    const conditions = this.#with([
      { type: 'FailureTarget', ...facts },
      { type: 'Failed', ...facts },
    ]);
    this.#save({ startTime, failed: this.#inPhase('Failed').length + stopped }, conditions);
    this.#report('Warning', failure.reason, failure.message);
  }

  #with(conditions: readonly Condition[]): JsonObject[] {
    const now = this.#context.timestamp;
    let list = objectsIn(objectAt(this.#job, 'status')?.conditions);
    for (const condition of conditions) list = withCondition(list, condition, now, { lastProbeTime: now });
    return list;
  }

  #save(facts: JsonObject, conditions: JsonObject[] | undefined): void {
    const job = this.#context.find('batch/jobs', this.#key);
    if (job === undefined) return;
    const active = this.#active;
    const terminating = this.#pods.filter((pod) => !isFinished(pod) && pod.metadata.deletionTimestamp !== undefined);
    const counts = {
      active: active.length,
      succeeded: this.#inPhase('Succeeded').length,
      failed: Math.max(this.#inPhase('Failed').length, this.#status.failed ?? 0),
    };
    const status: JsonObject = {
      ...(conditions === undefined ? { conditions: objectAt(this.#job, 'status')?.conditions } : { conditions }),
      terminating: terminating.length,
      ready: active.filter(isReady).length,
      uncountedTerminatedPods: {},
    };
    for (const [field, count] of Object.entries(counts)) if (count > 0) status[field] = count;
    this.#context.setStatus(this.#context.kind('batch/v1', 'Job'), job, { ...status, ...facts });
  }
}

function podEnd(pod: Pod): number {
  const ends = (pod.status?.containerStatuses ?? []).map((container) =>
    Date.parse(container.state?.terminated?.finishedAt ?? ''),
  );
  return Math.max(0, ...ends.filter((end) => !Number.isNaN(end)));
}

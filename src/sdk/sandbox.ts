import { connect } from '../cluster/connect.ts';
import { loadDiagnosis } from '../cluster/diagnosis.ts';
import type { Cluster } from '../cluster/types.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { announcesStatus, type DenyRule, openSandbox } from '../sandbox/index.ts';
import { SimulatedTime } from '../support/simulated-time.ts';
import { systemTimers, type Timers } from '../support/timers.ts';
import { GivenCluster } from './connection.ts';
import { withFailuresForPrograms } from './failures.ts';
import {
  checkShape,
  date,
  list,
  listOfTexts,
  must,
  number,
  oneOf,
  plainObject,
  type Shape,
  text,
} from './option-checks.ts';
import type { TshelmOptions } from './options.ts';
import { scriptOf } from './sandbox-script.ts';
import { Tshelm } from './tshelm.ts';

export interface SandboxOptions {
  /**
   * `real`: by the clock, and other programs can reach it by its `url`. `simulated`: while a call is under way, time jumps
   * to the next moment at which something happens; an hour of waiting takes no time. Default: `simulated`.
   */
  readonly time?: 'real' | 'simulated' | undefined;
  /** When simulated time begins. Default: 2026-01-01T00:00:00Z. */
  readonly start?: Date | undefined;
  /** The version of Kubernetes that it serves, `1.34`: its kinds and their fields, and what it says of itself. Default: 1.36. */
  readonly kubeVersion?: string | undefined;
  /** The port on loopback. Default: a free one. */
  readonly port?: number | undefined;
  /**
   * How long workloads take, in milliseconds: `{ Deployment: 30_000, 'job/migrate': 120_000, '*': 5_000 }`. What names one
   * workload goes before its annotations, and these before what names a kind.
   */
  readonly assume?: Readonly<Record<string, number>> | undefined;
  /**
   * What fails: `web`, `job/migrate`, `web=image-pull`, a subchart or group, `*`; docs/sandbox.md lists the fates. Default: as
   * annotations say.
   */
  readonly fail?: string | readonly string[] | undefined;
  /** What is forbidden, for tests of permissions. Default: nothing. */
  readonly deny?: readonly DenyRule[] | undefined;
  /** The user who asks, where a request does not impersonate another. */
  readonly user?: string | undefined;
  /** What the sandbox's own `tshelm` works with beside its cluster. */
  readonly tshelm?: Omit<TshelmOptions, 'cluster' | 'clock'> | undefined;
}

/** Names an object of the sandbox; without a namespace it is looked for in `default`. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** A Kubernetes API in this process, for tests of charts and of what deploys them: docs/sandbox.md says what it supports. */
export interface Sandbox extends AsyncDisposable {
  /** Works in this sandbox. */
  readonly tshelm: Tshelm;
  /** For your own `Tshelm`. */
  readonly cluster: GivenCluster;
  readonly url: string;
  /** The bearer token that a request to `url` needs. */
  readonly token: string;
  /** A kubeconfig for it, as YAML: for other programs, on real time. */
  kubeconfig(): string;
  now(): Date;
  /** An object in its current state; undefined if it does not exist. `get<V1Deployment>(…)` types it. */
  get<T extends object = KubernetesObject>(name: ObjectName): Promise<(KubernetesObject & T) | undefined>;
  list<T extends object = KubernetesObject>(kind: Omit<ObjectName, 'name'>): Promise<readonly (KubernetesObject & T)[]>;
  /** Creates or updates an object by server-side apply, for example one that a chart expects to exist. */
  apply(object: KubernetesObject): Promise<KubernetesObject>;
  delete(name: ObjectName): Promise<boolean>;
  /** Resolves when the controllers have nothing left to do, now or later. */
  settle(): Promise<void>;
  /** Lets time pass. */
  pass(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

const ofSandbox: Shape<SandboxOptions> = {
  assume: plainObject,
  deny: list,
  fail: must(
    'a string or an array of strings',
    (value) => text(value) === undefined || listOfTexts(value) === undefined,
  ),
  kubeVersion: text,
  port: number,
  start: date,
  time: oneOf('real', 'simulated'),
  tshelm: plainObject,
  user: text,
};

/**
 * Opens a sandbox. `close()` deletes everything in it, and fails with `bad-options` if `fail` names nothing that ran, or
 * has a name that looks misspelt. Errors: `bad-options`, `sandbox-version-unknown`.
 */
export async function sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkShape(options, ofSandbox);
  const {
    time = 'simulated',
    start = new Date('2026-01-01T00:00:00Z'),
    tshelm: own,
    assume,
    fail,
    ...server
  } = options;
  const { annotation, onPlan, checkFailures } = scriptOf({ assume, fail });
  const clock = time === 'simulated' ? simulatedClock(start) : realClock;
  // What is loaded from disk in the middle of a run would let simulated time run away.
  await loadDiagnosis();
  const opened = await openSandbox({ ...server, annotation, ...(time === 'simulated' && { clock: clock.timers }) });
  const connectHere = (namespace = 'default'): Promise<Cluster> =>
    connect({
      apiServer: opened.url,
      token: opened.token,
      namespace,
      kubeconfigText: '',
      env: {},
      timers: clock.timers,
      mayReport: announcesStatus,
      dial: () => opened.dial(clock.stir),
    });
  const cluster = await connectHere();
  const given = new GivenCluster({ connect: connectHere, clock, during: clock.during, onPlan });
  const tshelm = new Tshelm({ ...own, cluster: given });
  const asked = <T>(work: () => Promise<T>): Promise<T> => withFailuresForPrograms(() => clock.during(work));
  const close = async (): Promise<void> => {
    await tshelm.close();
    cluster.close();
    await opened.close();
    checkFailures();
  };
  return {
    tshelm,
    cluster: given,
    url: opened.url,
    token: opened.token,
    kubeconfig: () => opened.kubeconfig(),
    now: () => clock.now(),
    get: async <T>(name: ObjectName) =>
      (await asked(() => cluster.get(idOf(name)))) as (KubernetesObject & T) | undefined,
    list: async <T>({ apiVersion, kind, namespace }: Omit<ObjectName, 'name'>) =>
      (await asked(() => cluster.list(apiVersion, kind, { namespace }))) as readonly (KubernetesObject & T)[],
    apply: (object) => asked(() => cluster.apply(object, { fieldManager: 'test', force: true })),
    delete: (name) => asked(() => cluster.delete(idOf(name))),
    settle: () => clock.during(() => opened.settle()),
    pass: (milliseconds) =>
      clock.during(() => new Promise((resolve) => void clock.timers.setTimeout(() => resolve(), milliseconds))),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const idOf = ({ namespace = '', ...name }: ObjectName): ResourceId => ({ ...name, namespace });

/** The time of a sandbox and of what works in it. */
interface SandboxClock {
  readonly timers: Timers;
  now(): Date;
  readonly stir: () => void;
  during<T>(work: () => Promise<T>): Promise<T>;
}

const realClock: SandboxClock = {
  timers: systemTimers,
  now: () => new Date(),
  stir: () => undefined,
  during: (work) => work(),
};

/** Time passes while at least one call is under way, and stands still for the program between two of them. */
function simulatedClock(start: Date): SandboxClock {
  const time = new SimulatedTime(start.getTime());
  let calls = 0;
  return {
    timers: time,
    now: () => new Date(time.now()),
    stir: () => time.noteActivity(),
    async during(work) {
      calls += 1;
      if (calls === 1) time.begin();
      try {
        return await work();
      } finally {
        calls -= 1;
        if (calls === 0) time.end();
      }
    },
  };
}

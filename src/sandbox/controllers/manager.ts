import type { Environment } from '../api/environment.ts';
import type { Change } from '../store/store.ts';

/** A loop that brings what is there closer to what is wanted, one object at a time. */
export interface Controller {
  readonly name: string;
  /** The keys of the objects that a change concerns. */
  affected(change: Change): Iterable<string>;
  /** The keys of all objects that it looks after, for when the sandbox opens. */
  all(): Iterable<string>;
  reconcile(key: string): void;
}

/** Asks for another look at an object after a time. A `deadline` is nothing that the sandbox waits for to settle. */
export type Later = (controller: string, key: string, delayMs: number, deadline?: 'deadline') => void;

interface Timer {
  readonly handle: unknown;
  readonly dueMs: number;
  readonly isDeadline: boolean;
}

/** The kinds that decide whether an object is let in: quotas count pods. */
const admissionSources: ReadonlySet<string> = new Set([
  '/limitranges',
  '/namespaces',
  '/pods',
  '/resourcequotas',
  '/serviceaccounts',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'node.k8s.io/runtimeclasses',
  'scheduling.k8s.io/priorityclasses',
]);

/** Runs the controllers: after each change, between the requests, each object once however many changes it had. */
export class ControllerManager {
  readonly #environment: Environment;
  readonly #controllers: Controller[] = [];
  readonly #queue = new Map<string, { readonly controller: Controller; readonly key: string }>();
  /** What failed: a change of what admission looks at may let it succeed. */
  readonly #failed = new Map<string, { readonly controller: Controller; readonly key: string }>();
  readonly #timers = new Map<string, Timer>();
  readonly #unsubscribe: () => void;
  readonly #report: (problem: string) => void;
  #waiting: (() => void)[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor(environment: Environment, report: (problem: string) => void) {
    this.#environment = environment;
    this.#report = report;
    this.#unsubscribe = environment.store.subscribe((change) => this.#take(change));
  }

  /** Adds controllers; they look at everything that is there. */
  start(controllers: readonly Controller[]): void {
    this.#controllers.push(...controllers);
    for (const controller of controllers) for (const key of controller.all()) this.#enqueue(controller, key);
  }

  /** Looks at an object again in `delayMs`; an earlier appointment stays. */
  readonly later: Later = (name, key, delayMs, deadline) => {
    const controller = this.#controllers.find((each) => each.name === name);
    if (controller === undefined) throw new Error(`internal: no controller ${name}`);
    const id = `${name} ${key} ${deadline ?? ''}`;
    const dueMs = this.#environment.clock.now() + Math.max(0, delayMs);
    const existing = this.#timers.get(id);
    if (existing !== undefined && existing.dueMs <= dueMs) return;
    if (existing !== undefined) this.#environment.clock.clearTimeout(existing.handle);
    const handle = this.#environment.clock.setTimeout(
      () => {
        this.#timers.delete(id);
        this.#enqueue(controller, key);
        this.#settled();
      },
      Math.max(0, delayMs),
    );
    this.#timers.set(id, { handle, dueMs, isDeadline: deadline !== undefined });
  };

  /** Resolves when no object waits to be looked at, now or at a later time. */
  settle(): Promise<void> {
    if (this.#isIdle) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  stop(): void {
    this.#unsubscribe();
    for (const { handle } of this.#timers.values()) this.#environment.clock.clearTimeout(handle);
    this.#timers.clear();
    this.#queue.clear();
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#settled();
  }

  get #isIdle(): boolean {
    return this.#queue.size === 0 && [...this.#timers.values()].every((timer) => timer.isDeadline);
  }

  #settled(): void {
    if (!this.#isIdle) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #take(change: Change): void {
    if (admissionSources.has(change.storageKey)) {
      for (const { controller, key } of this.#failed.values()) this.#enqueue(controller, key);
    }
    for (const controller of this.#controllers) {
      for (const key of controller.affected(change)) this.#enqueue(controller, key);
    }
  }

  #enqueue(controller: Controller, key: string): void {
    this.#queue.set(`${controller.name} ${key}`, { controller, key });
    this.#scheduled ??= setImmediate(() => this.#drain());
  }

  /** Works off what is queued now; what that brings about comes in the next turn, after waiting requests. */
  #drain(): void {
    this.#scheduled = undefined;
    const batch = [...this.#queue.values()];
    this.#queue.clear();
    for (const { controller, key } of batch) this.#reconcile(controller, key);
    if (this.#queue.size > 0) this.#scheduled ??= setImmediate(() => this.#drain());
    this.#settled();
  }

  #reconcile(controller: Controller, key: string): void {
    this.#failed.delete(`${controller.name} ${key}`);
    try {
      controller.reconcile(key);
    } catch (error) {
      // A controller that stumbles over one object must not stop the others, as in Kubernetes.
      this.#failed.set(`${controller.name} ${key}`, { controller, key });
      this.#report(`${controller.name} ${key}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

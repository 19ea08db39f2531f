import { type Clock, openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';

export interface Answer {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read by path in the tests
  readonly body: any;
  readonly warnings: string | null;
}

/** A sandbox with a client and, where asked for, a clock that the test moves. */
export class TestSandbox {
  readonly sandbox: Sandbox;
  readonly clock: TestClock;

  static async open(options: SandboxOptions = {}): Promise<TestSandbox> {
    const clock = new TestClock();
    return new TestSandbox(await openSandbox({ clock, ...options }), clock);
  }

  constructor(sandbox: Sandbox, clock: TestClock) {
    this.sandbox = sandbox;
    this.clock = clock;
  }

  get authorization(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.sandbox.token}` };
  }

  async request(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const response = await fetch(this.sandbox.url + path, {
      method,
      headers: { 'content-type': type, 'user-agent': 'probe/1', ...this.authorization },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { code: response.status, body: isJson ? JSON.parse(text) : text, warnings: response.headers.get('warning') };
  }

  readonly get = (path: string): Promise<Answer> => this.request('GET', path);
  readonly post = (path: string, body: unknown): Promise<Answer> => this.request('POST', path, body);
  readonly merge = (path: string, body: unknown): Promise<Answer> =>
    this.request('PATCH', path, body, 'application/merge-patch+json');
  readonly apply = (path: string, body: unknown): Promise<Answer> =>
    this.request('PATCH', path, body, 'application/apply-patch+yaml');
  readonly delete = (path: string, options?: unknown): Promise<Answer> => this.request('DELETE', path, options);

  /** Lets time pass, and everything happen that is due in it. */
  async elapse(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    await idle();
    for (let due = this.clock.nextDue(); due !== undefined && due <= end; due = this.clock.nextDue()) {
      this.clock.advanceTo(due);
      await idle();
    }
    this.clock.advanceTo(end);
    await idle();
  }
}

/** Turns of the event loop in which the controllers do what they can do now. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 25; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export class TestClock implements Clock {
  #now = Date.parse('2026-01-02T03:04:05.000Z');
  readonly #timers = new Map<number, { readonly due: number; readonly run: () => void }>();
  #next = 0;

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, delayMs: number): number {
    const id = ++this.#next;
    this.#timers.set(id, { due: this.#now + delayMs, run });
    return id;
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as number);
  }

  nextDue(): number | undefined {
    const dues = [...this.#timers.values()].map((timer) => timer.due);
    return dues.length === 0 ? undefined : Math.min(...dues);
  }

  advanceTo(time: number): void {
    this.#now = Math.max(this.#now, time);
    const due = [...this.#timers].filter(([, timer]) => timer.due <= this.#now).sort(([, a], [, b]) => a.due - b.due);
    for (const [id, timer] of due) {
      this.#timers.delete(id);
      timer.run();
    }
  }
}

/** A Deployment with one container. */
export const deployment = (
  name: string,
  more: { annotations?: object; replicas?: number; spec?: object } = {},
): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: more.replicas ?? 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name }, annotations: more.annotations },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    },
    ...more.spec,
  },
});

export const job = (name: string, annotations?: object, spec?: object): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: {
    ...spec,
    template: {
      metadata: { annotations },
      spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'work:1' }] },
    },
  },
});

export const pod = (name: string, annotations?: object, spec?: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations },
  spec: { containers: [{ name: 'web', image: 'web:1' }], ...spec },
});

export const configMap = (name: string, data?: object, metadata?: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

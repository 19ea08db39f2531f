// The engine in a worker of its own: a template that never ends stops with its worker.

/** A runaway template gets no more time. */
const limitMs = 10_000;

export class Engine {
  #url;
  #worker;
  #last = 0;
  #waiting = new Map();

  constructor(url) {
    this.#url = url;
  }

  /** The reply to a request; undefined where a later one took its place. Fails after ten seconds. */
  ask(request) {
    if (request.kind === 'render') this.#giveUp();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(`stopped after ${limitMs / 1000} seconds`), limitMs);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#running().postMessage({ id, ...request });
    });
  }

  close() {
    this.#giveUp();
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** What is being rendered is out of date: nobody waits for it, and a busy worker would delay what follows. */
  #giveUp() {
    if (this.#waiting.size === 0) return;
    for (const { resolve, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      resolve(undefined);
    }
    this.#waiting.clear();
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #running() {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#url);
    worker.onmessage = ({ data: { id, ...reply } }) => {
      const one = this.#waiting.get(id);
      this.#waiting.delete(id);
      clearTimeout(one?.timer);
      one?.resolve(reply);
    };
    worker.onerror = (event) => this.#fail(event.message ?? 'the engine could not be loaded');
    this.#worker = worker;
    return worker;
  }

  #fail(message) {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error(message));
    }
    this.#waiting.clear();
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

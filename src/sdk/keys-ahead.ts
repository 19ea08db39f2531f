import { KeyObject } from 'node:crypto';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** A process that has wanted so many keys will want more. */
const minKeysBeforePrefetch = 3;
const mostAhead = 4;

/** Makes a key for each message. */
const maker = `
const { generateKeyPairSync } = require('node:crypto');
const { workerData: port } = require('node:worker_threads');
port.on('message', () => port.postMessage(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey));
`;

/**
 * RSA keys of 2048 bits for renders that wait for nothing: a key takes a tenth of a second, and most renders take less.
 * Where a process has wanted some, a thread makes the next ones while templates are rendered. Each key is given out once.
 * The thread keeps no process from ending, which then takes as long as the key at hand.
 */
export class KeysAhead {
  #wanted = 0;
  /** Keys that were asked for and have not come. */
  #ordered = 0;
  #port: MessagePort | undefined;
  #isRefused = false;

  /** A key that was made ahead, which nobody else has; undefined where none is ready. */
  readonly take = (): KeyObject | undefined => {
    this.#wanted += 1;
    const key = this.#fromThread();
    if (this.#wanted >= minKeysBeforePrefetch) this.#order();
    return key;
  };

  #fromThread(): KeyObject | undefined {
    const key: unknown = this.#port && receiveMessageOnPort(this.#port)?.message;
    if (!(key instanceof KeyObject)) return undefined;
    this.#ordered -= 1;
    return key;
  }

  #order(): void {
    if (this.#port === undefined && !this.#isRefused) this.#start();
    for (; this.#port !== undefined && this.#ordered < mostAhead; this.#ordered += 1) this.#port.postMessage('another');
  }

  #start(): void {
    const { port1, port2 } = new MessageChannel();
    try {
      const worker = new Worker(maker, { eval: true, workerData: port2, transferList: [port2], execArgv: [], env: {} });
      worker.unref();
      port1.unref();
      this.#port = port1;
      worker.once('error', () => this.#giveUp());
    } catch {
      // A process may be forbidden to have threads (--permission).
      this.#giveUp();
    }
  }

  #giveUp(): void {
    this.#isRefused = true;
    this.#port = undefined;
  }
}

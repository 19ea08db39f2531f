import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { isJsonObject, type Json, type JsonObject, plain } from '../../support/json.ts';
import { keyOf, type Resource } from '../resource.ts';
import type { Change, Store } from '../store/store.ts';

const format = 1;

/** What a state file says: the objects by kind, and the last revision. */
export interface SavedState {
  readonly revision: number;
  readonly objects: readonly (readonly [storageKey: string, object: Resource])[];
}

/**
 * The state file: a line of JSON for the format, then one for each write, `{"put":KIND,"object":…}` or
 * `{"delete":KIND,"key":…,"revision":…}`. Writes are appended; opening rewrites the file without what is past.
 * A last line that was cut off by a crash is dropped.
 */
export function readState(file: string): SavedState {
  if (!existsSync(file)) return { revision: 0, objects: [] };
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const complete = lines.slice(0, -1);
  const [header = '', ...entries] = complete;
  checkHeader(file, header);
  const objects = new Map<string, readonly [string, Resource]>();
  let revision = Number(parseLine(file, header, 1).revision ?? 0);
  for (const [index, line] of entries.entries()) {
    revision = Math.max(revision, replay(objects, parseLine(file, line, index + 2)));
  }
  return { revision, objects: [...objects.values()] };
}

function replay(objects: Map<string, readonly [string, Resource]>, entry: JsonObject): number {
  if (typeof entry.put === 'string') {
    const object = entry.object as Resource;
    objects.set(`${entry.put} ${keyOf(object)}`, [entry.put, object]);
    return Number(object.metadata.resourceVersion ?? 0);
  }
  objects.delete(`${plain(entry.delete)} ${plain(entry.key)}`);
  return Number(entry.revision ?? 0);
}

function checkHeader(file: string, header: string): void {
  const found = parseLine(file, header, 1).sandbox;
  if (found === format) return;
  const message = `the sandbox's state ${file} has the format ${JSON.stringify(found ?? null)}, but this version of tshelm reads ${format}: use the version that wrote it, or delete the file to start over`;
  throw new TshelmError('sandbox-state-broken', { message, details: { file } });
}

function parseLine(file: string, line: string, number: number): JsonObject {
  let value: Json | undefined;
  let cause: unknown;
  try {
    value = JSON.parse(line) as Json;
  } catch (error) {
    cause = error;
  }
  if (isJsonObject(value)) return value;
  const message = `the sandbox's state ${file} is corrupt at line ${number}: restore the file, or delete it to begin with an empty sandbox`;
  throw new TshelmError('sandbox-state-broken', { message, details: { file, line: number }, cause });
}

/** Appends every change of a store to its state file. */
export class Journal {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #unsubscribe: () => void;
  #pending: string[] = [];
  #scheduled: NodeJS.Immediate | undefined;
  readonly #flushAtExit = (): void => this.flush();

  /** Rewrites the state file as it is now, and follows the store from here on. */
  constructor(file: string, store: Store) {
    this.#file = file;
    writeWhole(file, store);
    this.#descriptor = openSync(file, 'a', 0o600);
    this.#unsubscribe = store.subscribe((change) => this.#take(change));
    process.once('exit', this.#flushAtExit);
  }

  /** Writes what is not written yet. */
  flush(): void {
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#pending.length === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    try {
      writeAll(this.#descriptor, text);
    } catch (cause) {
      const message = `the sandbox's state ${this.#file} cannot be written: free some space, or choose another folder`;
      throw new TshelmError('sandbox-state-unwritable', { message, details: { file: this.#file }, cause });
    }
  }

  close(): void {
    this.#unsubscribe();
    process.off('exit', this.#flushAtExit);
    this.flush();
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
  }

  #take({ type, storageKey, object, revision }: Change): void {
    const entry =
      type === 'DELETED' ? { delete: storageKey, key: keyOf(object), revision } : { put: storageKey, object };
    this.#pending.push(`${JSON.stringify(entry)}\n`);
    this.#scheduled ??= setImmediate(() => this.flush());
  }
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

export function removeState(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (cause) {
    const message = `the sandbox's state ${file} cannot be deleted: ${messageOf(cause)}`;
    throw new TshelmError('sandbox-state-unwritable', { message, details: { file }, cause });
  }
}

/** Writes a new file and renames it over the old one. */
function writeWhole(file: string, store: Store): void {
  const lines = [JSON.stringify({ sandbox: format, revision: store.revision })];
  for (const [put, object] of store.everything()) lines.push(JSON.stringify({ put, object }));
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, `${lines.join('\n')}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

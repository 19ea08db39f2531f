import { readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** The forms in which a text repeats a secret. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64').slice(0, -4),
  Buffer.from(`x${secret}`).toString('base64').slice(4, -4),
  Buffer.from(`xx${secret}`).toString('base64').slice(4, -4),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
];

/** The secrets that a text holds in any form. */
export const secretsIn = (text: string, secrets: readonly string[]): readonly string[] =>
  secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)));

const enoughLooks = 10;

/** Sees the arguments and environments of all processes, and the files of a folder that come and go, until it is stopped. */
export class Watcher {
  readonly #processes = new Map<string, string>();
  readonly #timer = setInterval(() => this.#look(), 20);
  /** How often each was looked at: both are as they are from its beginning on, or from when it became another program. */
  readonly #looks = new Map<string, number>();
  readonly #folder: ReturnType<typeof watch>;
  /** The names of all files that were in the folder. */
  readonly names = new Set<string>();

  constructor(folder: string) {
    this.#folder = watch(folder, { recursive: true }, (_event, name) => name !== null && this.names.add(name));
  }

  #look(): void {
    for (const id of readdirSync('/proc')) {
      const looks = this.#looks.get(id) ?? 0;
      if (looks === enoughLooks || !/^\d+$/.test(id)) continue;
      this.#looks.set(id, looks + 1);
      for (const part of ['cmdline', 'environ']) {
        try {
          const text = readFileSync(`/proc/${id}/${part}`, 'latin1').replaceAll('\0', '\n');
          this.#processes.set(text, `${part} of ${text.split('\n')[0]}`);
        } catch {
          // It has ended, or is another's.
        }
      }
    }
  }

  stop(): ReadonlyMap<string, string> {
    clearInterval(this.#timer);
    this.#folder.close();
    return new Map([...this.#processes].map(([text, name]) => [name, text]));
  }
}

/** All files below a folder, by their paths in it. */
export const filesIn = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
    .map((name) => [name, readFileSync(join(folder, name), 'latin1')] as const);

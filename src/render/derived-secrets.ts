import { valueIn } from '../chart/tables.ts';
import { GoInt, type Value } from '../go/value.ts';
import { readsOf } from '../template/origin.ts';
import type { Origin, Piece, RunTrace } from '../template/trace.ts';
import { withGlobals } from './field-values.ts';
import type { ReRenderer } from './re-renderer.ts';

/** Whether a value is secret: as a text, and by the keys that lead to it from the outermost chart. */
export type IsSecretValue = (text: string, keys: readonly string[]) => boolean;

/**
 * The texts that templates make of secret values (`sha256sum`, `upper`, a part of one), by a trace of these templates: what
 * an action prints for which a secret was read. What fails then tells nothing.
 */
export function derivedSecrets(again: ReRenderer, isSecret: IsSecretValue): ReadonlySet<string> {
  const search = new Search(again, isSecret);
  for (const trace of again.traces()) search.run(trace);
  return search.found;
}

class Search {
  readonly found = new Set<string>();
  readonly #again: ReRenderer;
  readonly #isSecret: IsSecretValue;
  readonly #secretRuns = new WeakMap<RunTrace, boolean>();
  readonly #secretReads = new WeakMap<Origin, boolean>();

  constructor(again: ReRenderer, isSecret: IsSecretValue) {
    this.#again = again;
    this.#isSecret = isSecret;
  }

  /** Whether a secret was read for what it has written. */
  run(run: RunTrace): boolean {
    const known = this.#secretRuns.get(run);
    if (known !== undefined) return known;
    this.#secretRuns.set(run, false);
    const isSecret = run.pieces.map((piece) => this.#piece(piece, run)).includes(true);
    this.#secretRuns.set(run, isSecret);
    return isSecret;
  }

  #piece({ origin, isLiteral, from, until }: Piece, { text }: RunTrace): boolean {
    if (origin === undefined || isLiteral) return false;
    const { made, runs } = readsOf(origin);
    const isRead = made.some((read) => this.#isSecretRead(read));
    const isOfRuns = runs.map((run) => this.run(run)).includes(true);
    if (isRead || isOfRuns) this.#addLines(text.slice(from, until), isRead ? [] : runs);
    return isRead || isOfRuns;
  }

  /** What `include` has written, and was only indented, is told by its own parts. */
  #addLines(text: string, runs: readonly RunTrace[]): void {
    const own = new Set(runs.flatMap((run) => linesOf(run.text)));
    for (const line of linesOf(text)) if (line !== '' && !own.has(line)) this.found.add(line);
  }

  #isSecretRead(read: Origin): boolean {
    if (read.isKey === true || read.keys === undefined) return false;
    const known = this.#secretReads.get(read) ?? this.#isSecretAt(withGlobals(read, this.#again.values).keys ?? []);
    this.#secretReads.set(read, known);
    return known;
  }

  #isSecretAt(keys: readonly string[]): boolean {
    const text = textOf(valueIn(this.#again.values, keys));
    return text !== undefined && text !== '' && this.#isSecret(text, keys);
  }
}

const linesOf = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.trim().replace(/^(["'])(.*)\1$/, '$2'));

function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof GoInt || typeof value === 'number'
    ? String(value instanceof GoInt ? value.value : value)
    : undefined;
}

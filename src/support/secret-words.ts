import { isSecretName } from './secret-names.ts';

const hidden = '***';
/** Shorter words are found in any text by chance; up to {@link longEnough} they count only where they stand alone. */
const shortest = 4;
const longEnough = 8;

/**
 * What a run knows to be secret, to keep it out of everything that is told on the way: errors, warnings, logs, reports.
 * What a command is asked to print is none of that.
 */
export class SecretWords {
  readonly #words = new Set<string>();

  /** A secret, and the forms in which texts repeat it. Lines of what has several are secrets each. */
  add(secret: string): void {
    for (const text of [secret, ...(secret.includes('\n') ? secret.split('\n') : [])]) {
      const word = text.trim();
      if (word.length < shortest || /^(?:true|false|null|none)$/i.test(word)) continue;
      this.#words.add(word);
      this.#words.add(JSON.stringify(word).slice(1, -1));
      this.#words.add(Buffer.from(word, 'utf8').toString('base64'));
    }
  }

  /** What stands under keys such as `password` in values, however deep. */
  addValues(values: unknown): void {
    for (const [key, value] of entriesOf(values)) {
      if (!isSecretName(key)) this.addValues(value);
      else this.#addLeaves(value);
    }
  }

  #addLeaves(value: unknown): void {
    const members = entriesOf(value);
    if (members.length === 0) return this.#addLeaf(value);
    for (const [key, member] of members) {
      // `secret: {annotations: …, create: true}` describes one; `secrets: {db: …}` holds some.
      if (entriesOf(member).length > 0) this.addValues(member);
      else if (!/name$|annotations|labels|enabled|create|type|path|key$/i.test(key) || isSecretName(key))
        this.#addLeaf(member);
    }
  }

  #addLeaf(value: unknown): void {
    if (typeof value === 'string') this.add(value);
    else if (typeof value === 'number' || isWholeNumber(value))
      this.add(String(isWholeNumber(value) ? value.value : value));
  }

  /** What `--set` and its like assign to such keys: `auth.password=…`, before it is known to be well written. */
  addAssignment(text: string): void {
    for (const match of text.matchAll(/([\w.-]+)(?:\[\d*\])?["']?\s*[=:]\s*/g)) {
      if (!isSecretName(match[1] ?? '')) continue;
      const [value = ''] =
        /^(?:"(?:\\.|[^"\\])*|(?:\\.|[^,\\}\]])*)/.exec(text.slice(match.index + match[0].length)) ?? [];
      this.add(value.replace(/^["{[]+/, '').replace(/\\(.)/g, '$1'));
    }
  }

  /** The text without the secrets, and without the password of any URL. */
  redact(text: string): string {
    const found = [...this.#words].filter((word) => text.includes(word)).sort((a, b) => b.length - a.length);
    return found.reduce(withoutWord, text).replace(/(:\/\/[^\s/:@"']*):[^\s/@"']+@/g, `$1:${hidden}@`);
  }
}

function withoutWord(text: string, word: string): string {
  if (word.length >= longEnough) return text.replaceAll(word, hidden);
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'g'), hidden);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (value instanceof Map) return [...(value as Map<string, unknown>)];
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  if (typeof value !== 'object' || value === null || isWholeNumber(value)) return [];
  return Object.entries(value);
}

/** Go's integers among template values. */
const isWholeNumber = (value: unknown): value is { readonly value: bigint } =>
  typeof value === 'object' && value !== null && typeof (value as { value?: unknown }).value === 'bigint';

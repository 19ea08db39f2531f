import { base64Text, utf8Bytes } from './bytes.ts';
import { escapedJson } from './json.ts';
import { hidden, KnownWords } from './known-words.ts';
import { literalPattern } from './pattern.ts';
import { isSecretName } from './secret-names.ts';
import { maskText, type TextKind } from './secret-text.ts';
import { unescaped } from './text.ts';

/** Words of fewer characters count only where a word such as `password` is before them. */
const shortest = 4;
/** Nothing with more lines is a key or a password; to look for each of its lines in every text would take long. */
const maxLines = 200;

/** A number that was encrypted is secret from so many digits on: of a port, nobody can say where else it stands for the secret. */
export const shortestSecretNumber = 6;

const mostUnread = 20;

/**
 * What a run knows to be secret, to keep it out of everything that is reported on the way: errors, warnings, logs, reports.
 * What a command is asked to print is none of that.
 */
export class SecretWords {
  readonly #words = new Set<string>();
  readonly #shortWords = new Set<string>();
  readonly #names = new Set<string>();
  /** Made from the words when a text is to be read. */
  #known: KnownWords | undefined;
  #shortPattern: RegExp | undefined;
  readonly #unread: (() => void)[] = [];
  readonly #decrypted = new Set<string>();

  /** Learns more when the first text is to be read: most commands never print one that could hold a secret. */
  addLater(learn: (words: this) => void): void {
    // What is not learnt yet is kept in memory.
    if (this.#unread.push(() => learn(this)) > mostUnread) this.#learn();
  }

  #learn(): void {
    for (const learn of this.#unread.splice(0)) learn();
  }

  /** What an encrypted file holds: a plan that is saved keeps none of it, whatever its key is called. */
  addDecrypted(secret: string): void {
    this.#decrypted.add(secret);
    this.add(secret);
  }

  get decrypted(): ReadonlySet<string> {
    return this.#decrypted;
  }

  /** Whether a text as a whole is a secret; short ones are not known so. */
  knows(text: string): boolean {
    this.#learn();
    return this.#words.has(text.trim());
  }

  /** A secret, and the forms in which texts repeat it. Lines of what has several are secrets each. */
  add(secret: string): void {
    this.#addWord(secret, (word) => {
      const inJson = JSON.stringify(word).slice(1, -1);
      return [word, inJson, escapedJson(inJson), base64Text(utf8Bytes(word))];
    });
    const lines = secret.includes('\n') ? secret.split('\n') : [];
    if (lines.length <= maxLines) for (const line of lines) this.#addWord(line, (word) => [word]);
  }

  #addWord(text: string, formsOf: (word: string) => readonly string[]): void {
    const word = text.trim();
    [this.#known, this.#shortPattern] = [undefined, undefined];
    if (word === '' || ['true', 'false', 'null', 'none'].includes(word.toLowerCase())) return;
    if (word.length < shortest) this.#shortWords.add(word);
    else for (const form of formsOf(word)) this.#words.add(form);
  }

  /** Names of objects and images, which are told whatever is secret: without them nobody could read what is said of them. */
  addNames(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    this.#known = undefined;
  }

  /** What is under keys such as `password` in values, however deep. */
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
    if (typeof value === 'string') this.#addGiven(value);
    else if (typeof value === 'number' || isWholeNumber(value))
      this.add(String(isWholeNumber(value) ? value.value : value));
  }

  /** A reference says where the secret is: messages name it. */
  #addGiven(text: string): void {
    if (!/^(?:secret)?ref\+\w+:\/\/\S+$/.test(text)) this.add(text);
  }

  /** What `--set` and its like assign to such keys: `auth.password=…`, before it is known to be well written. */
  addAssignment(text: string): void {
    for (const match of text.matchAll(/(?<![\w.-])([\w.-]+)(?:\[\d*\])?["']?\s*[=:]\s*/g)) {
      if (!isSecretName(match[1] ?? '')) continue;
      const [value = ''] =
        /^(?:"(?:\\.|[^"\\])*|(?:\\.|[^,\\}\]])*)/.exec(text.slice(match.index + match[0].length)) ?? [];
      this.#addGiven(unescaped(value.replace(/^["{[]+/, '')));
    }
  }

  /** The text without the secrets, and without what is one by its name or its form, known or not. */
  redact(text: string, kind: TextKind = {}): string {
    this.#learn();
    this.#known ??= this.#knownWords();
    const rest = this.#known.without(maskText(text, kind), { keepsKeys: kind.isDocument === true });
    return this.#shortWords.size === 0 ? rest : this.#withoutShortWords(rest);
  }

  #knownWords(): KnownWords {
    const names = [...this.#names].join('\n');
    return new KnownWords([...this.#words].filter((word) => !names.includes(word)));
  }

  /** `password abc`, `password is "abc"`: no other place of so short a word is sure to mean the secret. */
  #withoutShortWords(text: string): string {
    this.#shortPattern ??= new RegExp(
      `(?<=(?<![\\w.-])([\\w.-]+)["']?(?:\\s*[:=]\\s*|\\s+(?:is\\s+|was\\s+)?)["'\`]?)(?:${[...this.#shortWords]
        .sort((a, b) => b.length - a.length)
        .map(literalPattern)
        .join('|')})(?![\\w-])`,
      'g',
    );
    return text.replace(this.#shortPattern, (word, name: string) => (isSecretName(name) ? hidden : word));
  }
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

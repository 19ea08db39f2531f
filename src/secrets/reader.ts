import { resolve } from 'node:path';
import { formatValue } from '../go/fmt/format.ts';
import { withoutTrailingSlashes } from '../go/path.ts';
import { errnoOf } from '../go/path-error.ts';
import { decodeText, encodeText } from '../go/text.ts';
import { GoInt, type GoMap, type Value } from '../go/value.ts';
import { readAny } from '../render/yaml-values.ts';
import { causesOf, hasCode, messageOf, TshelmError } from '../support/errors.ts';
import { shortestSecretNumber } from '../support/secret-words.ts';
import { trimSuffix } from '../support/text.ts';
import type { SecretWorld } from './world.ts';

/** `ref+file://path#/key` in a text (vals: DefaultRefRegexp). */
const referencePattern = /(?:secret)?ref\+([^+:]*:\/\/[^+\n ]+[^+\n ",])\+?/;

const everyReference = new RegExp(referencePattern, 'g');

interface Tools {
  /** Told of what turns out to be secret. */
  readonly learn: (secret: string) => void;
  readonly outside: EncryptedFiles;
  /** Whether reading may begin anew, so that `outside` can open the file of a `ref+sops://`. Default: the program sops opens it. */
  readonly mayBeginAnew?: boolean | undefined;
}

/** Opens files that sops encrypted. */
export interface EncryptedFiles {
  /** A file in plain, where it is encrypted; else undefined. */
  plainOf(path: string, data: () => Uint8Array): Uint8Array | undefined;
}

/** What reads a backend that is not read in the process. */
type SecretProgram = 'sops' | 'vals';

export const hasReference = (text: string): boolean => referencePattern.test(text);

/**
 * Puts what `ref+…://` references stand for in their place, as vals does: files, variables and echo in the process, sops
 * through its program, and every other backend through the program `vals`.
 */
export class SecretReader {
  readonly #world: SecretWorld;
  readonly #cwd: string;
  readonly #known = new Map<string, Value>();
  readonly #tools: Tools;
  readonly #programs = new Set<SecretProgram>();
  readonly #others = new Map<string, SecretReader>();
  readonly #texts: Set<string>;

  constructor(world: SecretWorld, cwd: string, tools: Tools, texts = new Set<string>()) {
    this.#world = world;
    this.#cwd = cwd;
    this.#tools = tools;
    this.#texts = texts;
  }

  /** The texts that it has read until now. */
  get texts(): ReadonlySet<string> {
    return this.#texts;
  }

  /** The same for references whose paths are relative to another folder: helmfile goes into that of its file. */
  at(folder: string): SecretReader {
    if (folder === this.#cwd) return this;
    const other = this.#others.get(folder) ?? new SecretReader(this.#world, folder, this.#tools, this.#texts);
    this.#others.set(folder, other);
    return other;
  }

  /** The value with its references resolved; a text that is a reference and nothing else keeps the type of what it names. */
  resolve(value: Value): Value {
    if (value instanceof Map) {
      return new Map([...value].map(([key, item]): [string, Value] => [key, this.resolve(item)]));
    }
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    return typeof value === 'string' && value.includes('ref+') ? this.#text(value) : value;
  }

  /** The plain text of a file that sops encrypted; the program sops says what is wrong with one that it did not. */
  decryptFile(path: string): string {
    const plain = this.#world.untrusted === undefined ? this.#plain(path) : undefined;
    const text = plain ?? this.#program('sops', ['--decrypt', path], path);
    this.#learnTexts(valuesOrNothing(text));
    return text;
  }

  /** Asks for a file in plain. Fails with `sops-key`, `sops-invalid`, and `secret-failed` where the program has to read it. */
  requireFile(path: string): void {
    const isOpen = this.#world.untrusted === undefined && this.#plain(path) !== undefined;
    if (!isOpen) this.requireProgram('sops', path);
  }

  #plain(path: string, text = this.#world.readFile(path)): string | undefined {
    const plain = this.#tools.outside.plainOf(path, () => encodeText(text));
    return plain && decodeText(plain);
  }

  /** Texts, and long integers. */
  #learnTexts(value: Value): void {
    if (value instanceof Map) for (const item of value.values()) this.#learnTexts(item);
    else if (Array.isArray(value)) for (const item of value) this.#learnTexts(item);
    else if (typeof value === 'string') this.#learnText(value);
    else if (Number.isInteger(value) || value instanceof GoInt) {
      const digits = formatValue(value);
      if (digits.length >= shortestSecretNumber) this.#learnText(digits);
    }
  }

  #learnText(text: string): void {
    this.#texts.add(text);
    this.#tools.learn(text);
  }

  /** Fails with `secret-failed` where the value refers to what a program reads that is not there. Reads nothing. */
  requirePrograms(value: Value): void {
    if (value instanceof Map) for (const item of value.values()) this.requirePrograms(item);
    else if (Array.isArray(value)) for (const item of value) this.requirePrograms(item);
    else if (typeof value === 'string') {
      for (const [whole, reference = ''] of value.matchAll(everyReference)) {
        const { scheme } = partsOf(reference);
        if (!ownSchemes.has(scheme)) this.requireProgram(scheme === 'sops' ? 'sops' : 'vals', whole);
      }
    }
  }

  /** Fails with `secret-failed` where the program that reads it is not there. */
  requireProgram(command: SecretProgram, reference: string): void {
    if (this.#programs.has(command)) return;
    try {
      this.#world.run({ command, args: ['--version'], cwd: this.#cwd });
    } catch (cause) {
      if (
        hasCode(cause, 'stack-programs', 'stack-untrusted') ||
        causesOf(cause).some((one) => errnoOf(one) === 'ENOENT')
      )
        throw notRead(command, reference, cause);
    }
    this.#programs.add(command);
  }

  #text(text: string): Value {
    const match = referencePattern.exec(text);
    if (match === null) return text;
    const [whole, reference] = match as unknown as [string, string];
    const value = this.#lookUp(reference);
    if (whole === text) return value;
    const rest = this.#text(text.slice(match.index + whole.length));
    return `${text.slice(0, match.index)}${formatValue(value)}${formatValue(rest)}`;
  }

  #lookUp(reference: string): Value {
    const known = this.#known.get(reference);
    if (known !== undefined) return known;
    const value = this.#read(reference);
    this.#known.set(reference, value);
    this.#learnTexts(value);
    return value;
  }

  #read(reference: string): Value {
    const parts = partsOf(reference);
    const { scheme, path, query, fragment } = parts;
    switch (scheme) {
      case 'file':
        return this.#fromText(this.#file(path, reference), parts, reference);
      case 'sops':
        return this.#fromText(this.#sops(path, query, reference), parts, reference);
      case 'envsubst':
      case 'env':
        return this.#fromText(substituted(path.trim(), this.#world.env), parts, reference);
      case 'echo':
        return fragment === '' ? withoutTrailingSlashes(path) : member(echoed(path), fragment);
      default:
        return this.#throughVals(reference, scheme);
    }
  }

  #file(path: string, reference: string): string {
    try {
      return this.#world.readFile(resolve(this.#cwd, trimSuffix(path, '/')));
    } catch (cause) {
      throw failure(reference, `expand ${reference}: ${messageOf(cause)}`, cause);
    }
  }

  #sops(path: string, query: URLSearchParams, reference: string): string {
    const format = query.get('format');
    const file = resolve(this.#cwd, path);
    const isOpened = this.#tools.mayBeginAnew === true && this.#world.untrusted === undefined && format === null;
    const plain = isOpened ? this.#plain(file, this.#file(path, reference)) : undefined;
    if (plain !== undefined) return plain;
    const typed = format === null ? [] : ['--input-type', format, '--output-type', format];
    return this.#program('sops', ['--decrypt', ...typed, file], reference);
  }

  #fromText(text: string, { query, fragment }: Reference, reference: string): Value {
    if (fragment !== '') return member(readOf(text, reference), fragment);
    return query.get('encode') === 'base64' ? Buffer.from(encodeText(text)).toString('base64') : text;
  }

  #throughVals(reference: string, scheme: string): string {
    if (this.#world.isOffline && !localSchemes.has(scheme)) {
      const message = `cannot read ref+${reference} offline: the program "vals" would ask a server for it`;
      throw new TshelmError('offline', { message });
    }
    return trimSuffix(this.#program('vals', ['get', `ref+${reference}`], `ref+${reference}`), '\n');
  }

  #program(command: string, args: readonly string[], reference: string): string {
    try {
      return this.#world.run({ command, args, cwd: this.#cwd });
    } catch (cause) {
      throw notRead(command, reference, cause);
    }
  }
}

/** Those that are read in the process. */
const ownSchemes: ReadonlySet<string> = new Set(['file', 'envsubst', 'env', 'echo']);

/** Those for which vals asks no server. */
const localSchemes: ReadonlySet<string> = new Set(['exec', 'keychain', 'tfstate']);

const notRead = (command: string, reference: string, cause: unknown): TshelmError =>
  failure(reference, `cannot read ${reference} with the program "${command}": ${messageOf(cause)}`, cause);

const failure = (reference: string, message: string, cause: unknown): TshelmError =>
  new TshelmError('secret-failed', { message, details: { reference }, cause });

interface Reference {
  readonly scheme: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly fragment: string;
}

/** The text is a secret: only what is wrong with it is reported. */
function readOf(text: string, reference: string): Value {
  try {
    return readAny(text);
  } catch (cause) {
    throw failure(reference, `expand ${reference}: it has no keys, since it is not YAML: ${messageOf(cause)}`, cause);
  }
}

/** What is no YAML is told of where its values are read. */
function valuesOrNothing(text: string): Value {
  try {
    return readAny(text);
  } catch {
    return undefined;
  }
}

function partsOf(reference: string): Reference {
  const [, scheme = '', path = '', query = '', fragment = ''] =
    /^([^:]*):\/\/([^?#]*)(?:\?([^#]*))?(?:#\/?(.*))?$/.exec(reference) ?? [];
  return { scheme, path, query: new URLSearchParams(query), fragment };
}

/** The member that a fragment names; null where there is none. */
function member(value: Value, fragment: string): Value {
  let at = value;
  for (const key of fragment.split('/')) at = at instanceof Map ? (at.get(key) ?? null) : null;
  return at;
}

/** `a/b/c` is `{a: {b: c}}`. */
function echoed(path: string): GoMap {
  const parts = path.split('/');
  const last: Value = parts.pop() ?? '';
  return parts.reduceRight<Value>((inner, key) => new Map([[key, inner]]), last) as GoMap;
}

const substituted = (text: string, env: SecretWorld['env']): string =>
  text.replace(
    /\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/g,
    (_all, braced?: string, otherwise?: string, bare?: string) => env[braced ?? bare ?? ''] || (otherwise ?? ''),
  );

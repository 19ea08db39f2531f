import { messageOf, type SourcePlace, TshelmError } from '../support/errors.ts';
import { readPlainYaml, YamlError } from '../yaml/index.ts';
import { type Head, HeadError, headOf } from './head.ts';
import { lineOfPath } from './line-of.ts';
import { malformedParts, wellFormedObject } from './malformed.ts';
import { splitDocuments } from './split.ts';
import type { KubernetesObject, Manifest } from './types.ts';

/**
 * One document as a manifest; what its object does not say is ''.
 * Fails with `invalid-manifest` ("YAML parse error on SOURCE: …", as Helm words it).
 */
export const parseManifest = (text: string, source: string): Manifest => parseDocument(text, source).manifest;

/** A document with its head. */
export interface ParsedDocument {
  readonly manifest: Manifest;
  readonly head: Head;
}

export function parseDocument(text: string, source: string): ParsedDocument {
  try {
    const { value, repeatsKeys } = readDocument(text);
    const head = headOf(value);
    const malformed = malformedParts(value);
    const object = wellFormedObject(value, malformed.length === 0);
    const faults = { ...(repeatsKeys && { repeatsKeys }), ...(malformed.length > 0 && { malformed }) };
    return { head, manifest: { source, text, object, ...faults } };
  } catch (cause) {
    const message = `YAML parse error on ${source}: ${messageOf(cause)}`;
    throw new TshelmError('invalid-manifest', {
      message,
      details: { source, text, place: placeIn(text, source, cause) },
      cause,
    });
  }
}

/** In one reading: a key that occurs twice is rare. */
function readDocument(text: string): { readonly value: unknown; readonly repeatsKeys: boolean } {
  try {
    return { value: readPlainYaml(text, { strict: true }), repeatsKeys: false };
  } catch (error) {
    if (!(error instanceof YamlError) || error.mistake !== 'yaml-key-twice') throw error;
    return { value: readPlainYaml(text), repeatsKeys: true };
  }
}

const mostKnownLength = 8 * 1024 * 1024;

/**
 * A cache of parsed documents by their text, for repeated rendering: most documents stay as they were. It is cleared above
 * 8 Mi characters.
 */
export class KnownDocuments {
  readonly #known = new Map<string, ParsedDocument>();
  #length = 0;

  /** As parseDocument. The object of a known document is copied when it is first asked for: each caller has its own. */
  readonly parse = (text: string, source: string): ParsedDocument => {
    const known = this.#known.get(text);
    if (known !== undefined) return knownDocument(known, text, source);
    const read = parseDocument(text, source);
    if (this.#length > mostKnownLength) this.#clear();
    this.#known.set(text, read);
    this.#length += text.length;
    return knownDocument(read, text, source);
  };

  #clear(): void {
    this.#known.clear();
    this.#length = 0;
  }
}

function knownDocument({ head, manifest }: ParsedDocument, text: string, source: string): ParsedDocument {
  const { object: known, ...others } = manifest;
  let object: KubernetesObject | undefined;
  return {
    head,
    manifest: {
      ...others,
      source,
      text,
      get object() {
        object ??= copyOf(known);
        return object;
      },
    },
  };
}

/** As structuredClone, in a third of its time. */
function copyOf<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = copyOf(value[key as keyof T]);
    // An assignment would set what it inherits from.
    if (key === '__proto__') Object.defineProperty(copy, key, { ...hasAll, value: member });
    else copy[key] = member;
  }
  return copy as T;
}

const hasAll = { configurable: true, enumerable: true, writable: true };

/** Where in the rendered document the YAML, or what it says, is wrong. */
function placeIn(text: string, source: string, cause: unknown): SourcePlace | undefined {
  if (cause instanceof HeadError) return { file: `${source} (rendered)`, line: lineOfPath(text, cause.path), text };
  if (!(cause instanceof YamlError) || cause.line === 0) return undefined;
  return { file: `${source} (rendered)`, line: cause.line, column: cause.column || undefined, text };
}

/** Whether a document holds an object at all, and not just comments. */
export const hasObject = ({ object, malformed }: Manifest): boolean =>
  object.kind !== '' || object.metadata.name !== '' || malformed !== undefined;

const sourcePattern = /^# Source: (.*)(?:\n|$)/;

/** The manifests of a stored or printed release, in their order; each document's `# Source:` line becomes its source. */
export function parseManifests(text: string): Manifest[] {
  return splitDocuments(text).map((document) => {
    const source = sourcePattern.exec(document)?.[1] ?? '';
    return parseManifest(document.replace(sourcePattern, ''), source);
  });
}

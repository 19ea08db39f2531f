import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';
import { type Dialect, type Draft, draftNamed, latestDraft, type SubschemaPlace } from './drafts.ts';
import { isObject, type Json, type JsonObject } from './json-document.ts';
import {
  append,
  type Location,
  locationText,
  lookUp,
  type Reference,
  referenceText,
  resolveReference,
  splitFragment,
} from './location.ts';

/** A schema with a URL of its own, inside a document or as the document. */
export interface Resource {
  readonly pointer: string;
  readonly id: string;
  readonly dialect: Dialect;
  /** Where the names lead that references may use. */
  readonly anchors: Map<string, string>;
  readonly dynamicAnchors: Set<string>;
}

/** A document with all schemas in it that are known so far. */
export interface SchemaDocument {
  readonly url: string;
  readonly json: Json;
  readonly resources: Map<string, Resource>;
  /** The schemas whose insides were looked at, by their pointers. */
  readonly visited: Map<string, Json>;
}

/** Checks a part of a document against its metaschema. Throws GoError. */
export type MetaCheck = (document: SchemaDocument, json: Json, pointer: string) => void;

/** Where a schema is in its document: the URL of the resource around it, and what that says of dialects. */
interface Place {
  readonly base: string;
  readonly pointer: string;
  readonly around: Dialect;
}

/** The documents that schemas are in. Follows santhosh-tekuri/jsonschema: roots.go, root.go. */
export class SchemaDocuments {
  private readonly load: (url: string) => Json;
  private readonly check: MetaCheck;
  private readonly documents = new Map<string, SchemaDocument>();

  /** `load` throws GoError with the whole message. */
  constructor(load: (url: string) => Json, check: MetaCheck) {
    this.load = load;
    this.check = check;
  }

  document(url: string): SchemaDocument {
    const known = this.documents.get(url);
    if (known !== undefined) return known;
    const json = this.load(url);
    const document: SchemaDocument = { url, json, resources: new Map(), visited: new Map() };
    this.collect(document, json, { base: url, pointer: '', around: { draft: latestDraft, vocabularies: undefined } });
    if (!/^https?:\/\/json-schema\.org\//.test(url)) this.check(document, json, '');
    this.documents.set(url, document);
    return document;
  }

  /** The schema at a location, which a reference may have put anywhere. */
  schemaAt({ url, pointer }: Location): Json {
    const document = this.document(url);
    const known = document.visited.get(pointer);
    if (known !== undefined) return known;
    const json = lookUp(document.json, { url, pointer });
    const around = resourceAt(document, pointer);
    this.collect(document, json, { base: around.id, pointer, around: around.dialect });
    if (!document.resources.has(pointer)) collectAnchors(document, json, pointer, resourceAt(document, pointer));
    this.check(document, json, pointer);
    return json;
  }

  /** Where a reference in `document` leads. */
  resolve(document: SchemaDocument, reference: Reference): Location {
    const resource =
      reference.url === document.url
        ? rootResource(document)
        : [...document.resources.values()].find(({ id }) => id === reference.url);
    if (resource !== undefined) return resolveIn(document, resource, reference);
    const other = this.document(reference.url);
    return resolveIn(other, rootResource(other), reference);
  }

  private collect(document: SchemaDocument, json: Json, place: Place): void {
    const { base, pointer, around } = place;
    if (document.visited.has(pointer)) return;
    if (isObject(json)) this.collectObject(document, json, place);
    else if (pointer === '') addResource(document, { pointer, id: base, dialect: around });
    document.visited.set(pointer, json);
  }

  private collectObject(document: SchemaDocument, json: JsonObject, { base, pointer, around }: Place): void {
    const { draft, id, hasSchema } = this.identity(document, json, pointer, around);
    const resourceId = id === '' ? base : idUrl(base, id, { url: document.url, pointer });
    if (id !== '' || pointer === '') {
      const dialect = hasSchema ? { draft, vocabularies: this.vocabularies(json, draft) } : around;
      addResource(document, { pointer, id: resourceId, dialect });
    }
    const resource = [...document.resources.values()].find((each) => each.id === resourceId);
    if (resource === undefined) throw new Error('internal: a schema without a resource');
    collectAnchors(document, json, pointer, resource);
    for (const [innerPointer, inner] of subschemas(json, pointer, draft.subschemas)) {
      this.collect(document, inner, { base: resourceId, pointer: innerPointer, around: resource.dialect });
    }
  }

  /** `$schema` counts only in a document's root and beside an id. */
  private identity(
    document: SchemaDocument,
    json: JsonObject,
    pointer: string,
    around: Dialect,
  ): { draft: Draft; id: string; hasSchema: boolean } {
    const draft = this.draftOf({ url: document.url, pointer }, json, around.draft, new Set());
    const id = idOf(json, draft);
    if (id !== '' || pointer === '') return { draft, id, hasSchema: typeof json.get('$schema') === 'string' };
    return { draft: around.draft, id: idOf(json, around.draft), hasSchema: false };
  }

  private draftOf(location: Location, json: Json, fallback: Draft, seen: Set<string>): Draft {
    const named = isObject(json) ? json.get('$schema') : undefined;
    if (typeof named !== 'string') return fallback;
    const draft = draftNamed(named);
    if (draft !== undefined) return draft;
    const [url] = splitFragment(named);
    if (location.pointer === '' && url === location.url) throw new GoError(`draft ${quote(url)} is not supported`);
    if (seen.has(url)) throw new GoError(`cycle in resolving $schema in ${quote(url)}`);
    seen.add(url);
    return this.draftOf({ url, pointer: '' }, this.load(url), fallback, seen);
  }

  /** The vocabularies that a metaschema of somebody's own asks for. */
  private vocabularies(json: JsonObject, draft: Draft): string[] | undefined {
    const named = json.get('$schema');
    if (draft.version < 2019 || typeof named !== 'string' || draftNamed(named) !== undefined) return undefined;
    const [url] = splitFragment(named);
    const metaschema = this.load(url);
    const wanted = isObject(metaschema) ? metaschema.get('$vocabulary') : undefined;
    if (!isObject(wanted)) return undefined;
    const names = [...wanted].filter(([, required]) => required === true).map(([name]) => knownName(name, draft, url));
    return [...new Set([...names, 'core'])];
  }
}

function knownName(vocabulary: string, draft: Draft, url: string): string {
  const name = vocabulary.startsWith(draft.vocabularyPrefix) ? vocabulary.slice(draft.vocabularyPrefix.length) : '';
  if (draft.vocabularies.includes(name)) return name;
  throw new GoError(`unsupported vocabulary ${quote(vocabulary)} in ${quote(url)}`);
}

const rootResource = (document: SchemaDocument): Resource => document.resources.get('') as Resource;

/** The innermost resource around a place. */
export function resourceAt(document: SchemaDocument, pointer: string): Resource {
  if (document.resources.size === 1) return rootResource(document);
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const resource = document.resources.get(around);
    if (resource !== undefined) return resource;
    if (!around.includes('/')) return rootResource(document);
  }
}

function addResource(document: SchemaDocument, resource: Omit<Resource, 'anchors' | 'dynamicAnchors'>): void {
  const same = [...document.resources.values()].find(({ id }) => id === resource.id);
  if (same === undefined) {
    document.resources.set(resource.pointer, { ...resource, anchors: new Map(), dynamicAnchors: new Set() });
  } else if (same.pointer !== resource.pointer) {
    throw new GoError(
      `duplicate id ${quote(resource.id)} in ${quote(document.url)} at ${quote(resource.pointer)} and ${quote(same.pointer)}`,
    );
  }
}

function idUrl(base: string, id: string, location: Location): string {
  try {
    return resolveReference(base, id).url;
  } catch (cause) {
    throw new GoError(`error in parsing id at ${quote(locationText(location))}`, { cause });
  }
}

/** Before 2019-09, nothing beside `$ref` counts. */
function idOf(json: JsonObject, draft: Draft): string {
  const id = json.get(draft.id);
  if (typeof id !== 'string' || (draft.version < 2019 && json.has('$ref'))) return '';
  return splitFragment(id)[0];
}

function collectAnchors(document: SchemaDocument, json: Json, pointer: string, resource: Resource): void {
  if (!isObject(json)) return;
  const { version, id } = resource.dialect.draft;
  const add = (name: Json | undefined): void => {
    if (typeof name !== 'string') return;
    const known = resource.anchors.get(name);
    if (known !== undefined && known !== pointer)
      throw new GoError(
        `duplicate anchor ${quote(name)} in ${quote(document.url)} at ${quote(known)} and ${quote(pointer)}`,
      );
    resource.anchors.set(name, pointer);
  };
  if (version < 2019) {
    const named = json.get(id);
    const [, fragment] = splitFragment(typeof named === 'string' && !json.has('$ref') ? named : '');
    if (fragment !== '' && !fragment.startsWith('/')) add(fragment);
    return;
  }
  add(json.get('$anchor'));
  if (version < 2020) return;
  const dynamic = json.get('$dynamicAnchor');
  add(dynamic);
  if (typeof dynamic === 'string') resource.dynamicAnchors.add(dynamic);
}

function subschemas(json: JsonObject, pointer: string, places: readonly SubschemaPlace[]): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const { keyword, holds } of places) {
    const value = json.get(keyword);
    if (value === undefined) continue;
    if (holds === 'one') found.set(append(pointer, keyword), value);
    else if (holds === 'object' && isObject(value))
      for (const [name, inner] of value) found.set(append(pointer, keyword, name), inner);
    else if (holds === 'list' && Array.isArray(value))
      for (const [index, inner] of (value as readonly Json[]).entries())
        found.set(append(pointer, keyword, String(index)), inner);
  }
  return found;
}

function resolveIn(document: SchemaDocument, resource: Resource, reference: Reference): Location {
  const { fragment } = reference;
  if (fragment === '' || fragment.startsWith('/')) return { url: document.url, pointer: resource.pointer + fragment };
  const pointer = resource.anchors.get(fragment);
  if (pointer !== undefined) return { url: document.url, pointer };
  throw new GoError(
    `anchor in ${quote(referenceText({ url: resource.id, fragment }))} not found in schema ${quote(document.url)}`,
  );
}

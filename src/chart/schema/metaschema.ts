import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';
import { SchemaCompiler } from './compiler.ts';
import { type MetaCheck, type Resource, resourceAt, SchemaDocuments } from './documents.ts';
import { type Dialect, latestDraft } from './drafts.ts';
import { failureText } from './failure.ts';
import type { Json } from './json-document.ts';
import { locationText } from './location.ts';
import metaschemas from './metaschemas.json' with { type: 'json' };
import { JsonNumber } from './number.ts';
import { isPlainSchema } from './plain-schema.ts';
import type { Schema } from './schema.ts';
import { failures } from './validator.ts';

/** A metaschema of json-schema.org; undefined for other URLs. */
export function metaschemaDocument(url: string): Json | undefined {
  const name = /^https?:\/\/json-schema\.org\/(.*)$/.exec(url)?.[1];
  if (name === undefined) return undefined;
  if (name === 'schema') return metaschemaDocument(latestDraft.url);
  const plain = Object.hasOwn(metaschemas, name) ? (metaschemas as Record<string, unknown>)[name] : undefined;
  return plain === undefined ? undefined : toJson(plain);
}

function toJson(plain: unknown): Json {
  if (typeof plain === 'number') return new JsonNumber(String(plain));
  if (Array.isArray(plain)) return plain.map(toJson);
  if (typeof plain !== 'object' || plain === null) return plain as Json;
  return new Map(Object.entries(plain).map(([key, value]) => [key, toJson(value)]));
}

/** Throws GoError: `"…" is not valid against metaschema: …`. */
export const checkAgainstMetaschema: MetaCheck = (document, json, pointer) => {
  const { dialect } = resourceAt(document, pointer);
  if (dialect.vocabularies === undefined && isPlainSchema(json, dialect.draft)) return;
  const meta = metaschemaOf(dialect);
  const metaOf = (resource: Resource): Schema => metaschemaOf(resource.dialect);
  const hasOtherDialects = [...document.resources.values()].some((resource) => metaOf(resource) !== meta);
  const context = hasOtherDialects ? { meta, resources: document.resources, metaOf } : undefined;
  const found = failures(meta, json, context);
  if (found.length === 0) return;
  const place = quote(locationText({ url: document.url, pointer }));
  throw new GoError(
    `${place} is not valid against metaschema: jsonschema validation failed with '${meta.name}'${failureText(found)}`,
  );
};

let compiler: SchemaCompiler | undefined;
const combined = new Map<string, Schema>();

/** Metaschemas assert formats, also where schemas do not: a broken pattern is found here. */
function compiled(url: string): Schema {
  compiler ??= new SchemaCompiler(
    new SchemaDocuments(
      (name) => {
        const document = metaschemaDocument(name);
        if (document === undefined) throw new Error(`internal: no metaschema ${name}`);
        return document;
      },
      () => {},
    ),
    { alwaysAssertsFormat: true },
  );
  return compiler.compile(url);
}

/** A draft's own metaschema, or all those of the vocabularies in use. */
function metaschemaOf({ draft, vocabularies }: Dialect): Schema {
  if (vocabularies === undefined) return compiled(draft.url);
  const key = `${draft.url} ${vocabularies.join()}`;
  const known = combined.get(key);
  if (known !== undefined) return known;
  const schema: Omit<Schema, 'resource'> = {
    location: { url: 'urn:mem:metaschema', pointer: '' },
    name: 'urn:mem:metaschema',
    version: draft.version,
    dynamicAnchors: new Map(),
    allOf: vocabularies.map((name) => compiled(draft.url.replace(/schema$/, `meta/${name}`))),
  };
  const whole = schema as Schema;
  whole.resource = whole;
  if (draft.version >= 2020) {
    whole.dynamicAnchor = 'meta';
    whole.dynamicAnchors.set('meta', whole);
  }
  combined.set(key, whole);
  return whole;
}

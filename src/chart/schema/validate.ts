import { withPathErrors } from '../../go/path-error.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { decodeText } from '../../go/text.ts';
import { GoError, type GoMap } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { readStart } from '../../support/read-start.ts';
import { type Notify, warn } from '../notice.ts';
import { SchemaCompiler } from './compiler.ts';
import { SchemaDocuments } from './documents.ts';
import { failureText } from './failure.ts';
import { type Json, readJsonDocument } from './json-document.ts';
import { schemeOf } from './location.ts';
import { checkAgainstMetaschema, metaschemaDocument } from './metaschema.ts';
import type { Schema } from './schema.ts';
import { failures } from './validator.ts';

export interface SchemaSources {
  readonly notify: Notify;
  readonly download: ((url: string) => Promise<Uint8Array>) | undefined;
  /** Remembers what was compiled, for those who validate many values. */
  readonly compiled?: CompiledSchemas | undefined;
}

// The name that Helm gives every chart's schema; a relative reference is taken from the root of the file system.
const ownUrl = 'file:///values.schema.json';

/**
 * What is wrong with the values, a line for each finding, or ''. Go: ValidateAgainstSingleSchema.
 * Throws GoError where the schema itself cannot be used.
 */
export async function validateAgainstSchema(
  schema: Uint8Array,
  values: GoMap,
  sources: SchemaSources,
): Promise<string> {
  const known = sources.compiled?.get(schema) ?? (await compileOf(schema, sources));
  sources.compiled?.set(schema, known);
  return findings(known, values);
}

const compileOf = (schema: Uint8Array, sources: SchemaSources): Promise<Schema> =>
  compileWithDownloads(new Map([[ownUrl, readJsonDocument(decodeText(schema))]]), sources);

/** Schemas that are compiled, by their bytes. */
export type CompiledSchemas = WeakMap<Uint8Array, Schema>;

/** The same at once: a schema that lies on a server is a failure. `compiled` remembers what was compiled. */
export function validateAgainstSchemaSync(
  schema: Uint8Array,
  values: GoMap,
  { notify, compiled }: { readonly notify: Notify; readonly compiled: CompiledSchemas },
): string {
  const known = compiled.get(schema) ?? compileAtOnce(schema, notify);
  compiled.set(schema, known);
  return findings(known, values);
}

function compileAtOnce(schema: Uint8Array, notify: Notify): Schema {
  try {
    return compile(new Map([[ownUrl, readJsonDocument(decodeText(schema))]]), notify);
  } catch (error) {
    if (!(error instanceof DownloadNeeded)) throw error;
    throw new GoError(`failing loading ${quote(error.url)}: downloads are not possible here`, { cause: error });
  }
}

function findings(schema: Schema, values: GoMap): string {
  const found = failures(schema, values);
  return found.length === 0 ? '' : `${failureText(found).slice(1)}\n`;
}

function compile(loaded: Map<string, Json>, notify: Notify): Schema {
  const load = (url: string): Json => {
    const known = loaded.get(url);
    return known === undefined ? loadDocument(url, loaded, notify) : known;
  };
  return new SchemaCompiler(new SchemaDocuments(load, checkAgainstMetaschema)).compile(ownUrl);
}

/** Compiling does not wait for the network: what is missing is fetched, and then it begins anew. */
async function compileWithDownloads(loaded: Map<string, Json>, { notify, download }: SchemaSources): Promise<Schema> {
  for (;;) {
    try {
      return compile(loaded, notify);
    } catch (error) {
      if (!(error instanceof DownloadNeeded)) throw error;
      loaded.set(error.url, await downloadDocument(error.url, download));
    }
  }
}

class DownloadNeeded extends Error {
  readonly url: string;

  constructor(url: string) {
    super(`internal: the schema ${url} is not loaded yet`);
    this.url = url;
  }
}

function loadDocument(url: string, loaded: Map<string, Json>, notify: Notify): Json {
  const metaschema = metaschemaDocument(url);
  if (metaschema !== undefined) return metaschema;
  switch (schemeOf(url)) {
    case 'http':
    case 'https':
      throw new DownloadNeeded(url);
    case 'urn':
      notify(warn('unresolved URN reference ignored; using permissive schema', { urn: url }));
      loaded.set(url, true);
      return true;
    case 'file':
      return loading(url, () => readJsonDocument(decodeText(readSchemaFile(url))));
    default:
      return loading(url, () => {
        throw new GoError(`no URLLoader registered for ${quote(url)}`);
      });
  }
}

/** What is longer ends there, so that it is no JSON. */
const largestSchemaBytes = 32 * 1024 * 1024;

function readSchemaFile(url: string): Uint8Array {
  const path = decodeURIComponent(url.replace(/^file:(?:\/\/[^/]*)?/i, '').replace(/\?.*$/s, ''));
  return withPathErrors('open', path, () => readStart(path, largestSchemaBytes));
}

async function downloadDocument(url: string, download: SchemaSources['download']): Promise<Json> {
  try {
    if (download === undefined) throw new GoError('downloads are not possible here');
    return readJsonDocument(decodeText(await download(url)));
  } catch (cause) {
    throw new GoError(`failing loading ${quote(url)}: ${messageOf(cause)}`, { cause });
  }
}

function loading<T>(url: string, load: () => T): T {
  try {
    return load();
  } catch (cause) {
    throw new GoError(`failing loading ${quote(url)}: ${messageOf(cause)}`, { cause });
  }
}

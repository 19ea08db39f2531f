import type { Regexp } from '../../go/regexp.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';
import { messageOf } from '../../support/errors.ts';
import { type Resource, resourceAt, type SchemaDocument, type SchemaDocuments } from './documents.ts';
import { type Dialect, hasVocabulary } from './drafts.ts';
import { formatNamed } from './formats.ts';
import { isObject, type Json, type JsonObject } from './json-document.ts';
import { append, type Location, locationText, resolveReference, splitFragment } from './location.ts';
import { type Decimal, decimalOf, isInteger, JsonNumber, toInteger } from './number.ts';
import { cachedRegexp } from './regexps.ts';
import { type Schema, type TypeName, typeNames } from './schema.ts';

/** Compiles schemas, and all that they refer to, of any draft. Follows compiler.go and objcompiler.go. */
export class SchemaCompiler {
  private readonly documents: SchemaDocuments;
  private readonly alwaysAssertsFormat: boolean;
  private readonly schemas = new Map<string, Schema>();
  private readonly queue: Schema[] = [];

  constructor(documents: SchemaDocuments, { alwaysAssertsFormat = false }: { alwaysAssertsFormat?: boolean } = {}) {
    this.documents = documents;
    this.alwaysAssertsFormat = alwaysAssertsFormat;
  }

  /** The schema that is a whole document. Throws GoError. */
  compile(url: string): Schema {
    const document = this.documents.document(url);
    const schema = this.schemaAt({ url: document.url, pointer: '' });
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) this.fill(next);
    return schema;
  }

  /** The schema at a place: compiled already, or waiting for it. */
  private schemaAt(location: Location): Schema {
    const key = `${location.url}#${location.pointer}`;
    const known = this.schemas.get(key);
    if (known !== undefined) return known;
    const schema = { location, name: locationText(location), version: 0, dynamicAnchors: new Map() } as Partial<Schema>;
    schema.resource = schema as Schema;
    this.schemas.set(key, schema as Schema);
    this.queue.push(schema as Schema);
    return schema as Schema;
  }

  private fill(schema: Schema): void {
    const { url, pointer } = schema.location;
    const json = this.documents.schemaAt(schema.location);
    const document = this.documents.document(url);
    const resource = resourceAt(document, pointer);
    schema.version = resource.dialect.draft.version;
    schema.resource = this.schemaAt({ url, pointer: resource.pointer });
    if (schema.resource === schema && schema.version >= 2020) this.addDynamicAnchors(schema, resource);
    if (typeof json === 'boolean') schema.bool = json;
    else if (isObject(json) && json.size === 0) schema.bool = true;
    else if (isObject(json)) this.fillObject(schema, new Keywords(json), document, resource);
  }

  private addDynamicAnchors(schema: Schema, resource: Resource): void {
    for (const [name, pointer] of resource.anchors) {
      if (resource.dynamicAnchors.has(name))
        schema.dynamicAnchors.set(name, this.schemaAt({ url: schema.location.url, pointer }));
    }
  }

  private fillObject(schema: Schema, keywords: Keywords, document: SchemaDocument, resource: Resource): void {
    const { dialect } = resource;
    const refer = (keyword: string): Schema | undefined => this.referred(keywords.string(keyword), document, resource);
    schema.ref = refer('$ref');
    if (schema.ref !== undefined && schema.version < 2019) return;
    if (hasVocabulary(dialect, 'applicator')) this.fillApplicators(schema, keywords);
    if (hasVocabulary(dialect, 'validation')) fillValidation(schema, keywords);
    if (this.assertsFormat(dialect)) schema.format = formatNamed(keywords.string('format'));
    if (schema.version < 2019) return;
    schema.recursiveRef = refer('$recursiveRef');
    schema.recursiveAnchor = keywords.get('$recursiveAnchor') === true;
    if (hasVocabulary(dialect, schema.version === 2019 ? 'applicator' : 'unevaluated')) {
      schema.unevaluatedItems = this.inner(schema, keywords, 'unevaluatedItems');
      schema.unevaluatedProperties = this.inner(schema, keywords, 'unevaluatedProperties');
    }
    if (schema.version < 2020) return;
    const target = refer('$dynamicRef');
    const [, anchor] = splitFragment(keywords.string('$dynamicRef') ?? '');
    if (target !== undefined) schema.dynamicRef = { target, anchor: anchor.startsWith('/') ? '' : anchor };
    schema.dynamicAnchor = keywords.string('$dynamicAnchor');
  }

  private assertsFormat({ draft, vocabularies }: Dialect): boolean {
    if (this.alwaysAssertsFormat || draft.version < 2019) return true;
    return hasVocabulary({ draft, vocabularies }, draft.version === 2019 ? 'format' : 'format-assertion');
  }

  private fillApplicators(schema: Schema, keywords: Keywords): void {
    schema.allOf = this.list(schema, keywords, 'allOf');
    schema.anyOf = this.list(schema, keywords, 'anyOf');
    schema.oneOf = this.list(schema, keywords, 'oneOf');
    schema.not = this.inner(schema, keywords, 'not');
    this.fillItems(schema, keywords);
    schema.properties = this.named(schema, keywords, 'properties');
    const patterns = this.named(schema, keywords, 'patternProperties');
    schema.patternProperties =
      patterns &&
      Array.from(patterns, ([source, inner]) => [regexpIn(schema, 'patternProperties', source), inner] as const);
    schema.additionalProperties = this.boolOrInner(schema, keywords, 'additionalProperties');
    schema.dependencies = this.dependencies(schema, keywords);
    if (schema.version >= 6) {
      schema.contains = this.inner(schema, keywords, 'contains');
      schema.propertyNames = this.inner(schema, keywords, 'propertyNames');
    }
    if (schema.version >= 7) this.fillCondition(schema, keywords);
    if (schema.version >= 2019) schema.dependentSchemas = this.named(schema, keywords, 'dependentSchemas');
  }

  private fillItems(schema: Schema, keywords: Keywords): void {
    if (schema.version >= 2020) {
      schema.prefixItems = this.list(schema, keywords, 'prefixItems');
      schema.items = this.inner(schema, keywords, 'items');
    } else if (Array.isArray(keywords.get('items'))) {
      schema.items = this.list(schema, keywords, 'items');
      schema.additionalItems = this.boolOrInner(schema, keywords, 'additionalItems');
    } else {
      schema.items = this.inner(schema, keywords, 'items');
    }
  }

  private fillCondition(schema: Schema, keywords: Keywords): void {
    schema.if = this.inner(schema, keywords, 'if');
    if (schema.if === undefined) return;
    const condition = keywords.get('if');
    if (condition !== false) schema.ifHolds = this.inner(schema, keywords, 'then');
    if (condition !== true) schema.ifFails = this.inner(schema, keywords, 'else');
  }

  private dependencies(schema: Schema, keywords: Keywords): Schema['dependencies'] {
    const json = keywords.object('dependencies');
    return (
      json &&
      new Map(
        [...json].map(([name, value]) => [
          name,
          Array.isArray(value) ? strings(value) : this.below(schema, 'dependencies', name),
        ]),
      )
    );
  }

  private below({ location: { url, pointer } }: Schema, ...tokens: readonly string[]): Schema {
    return this.schemaAt({ url, pointer: append(pointer, ...tokens) });
  }

  private inner(schema: Schema, keywords: Keywords, keyword: string): Schema | undefined {
    return keywords.get(keyword) === undefined ? undefined : this.below(schema, keyword);
  }

  private boolOrInner(schema: Schema, keywords: Keywords, keyword: string): boolean | Schema | undefined {
    const value = keywords.get(keyword);
    return typeof value === 'boolean' ? value : this.inner(schema, keywords, keyword);
  }

  private list(schema: Schema, keywords: Keywords, keyword: string): Schema[] | undefined {
    return keywords.list(keyword)?.map((_, index) => this.below(schema, keyword, String(index)));
  }

  private named(schema: Schema, keywords: Keywords, keyword: string): Map<string, Schema> | undefined {
    const json = keywords.object(keyword);
    return json && new Map(Array.from(json.keys(), (name) => [name, this.below(schema, keyword, name)]));
  }

  private referred(reference: string | undefined, document: SchemaDocument, resource: Resource): Schema | undefined {
    if (reference === undefined) return undefined;
    return this.schemaAt(this.documents.resolve(document, resolveReference(resource.id, reference)));
  }
}

function fillValidation(schema: Schema, keywords: Keywords): void {
  schema.types = keywords.types();
  schema.enum = keywords.list('enum');
  schema.multipleOf = keywords.decimal('multipleOf');
  [schema.maximum, schema.exclusiveMaximum] = keywords.limit('maximum', 'exclusiveMaximum');
  [schema.minimum, schema.exclusiveMinimum] = keywords.limit('minimum', 'exclusiveMinimum');
  schema.minLength = keywords.integer('minLength');
  schema.maxLength = keywords.integer('maxLength');
  const source = keywords.string('pattern');
  if (source !== undefined) schema.pattern = { source, regexp: regexpIn(schema, 'pattern', source) };
  schema.minItems = keywords.integer('minItems');
  schema.maxItems = keywords.integer('maxItems');
  schema.uniqueItems = keywords.get('uniqueItems') === true;
  schema.minProperties = keywords.integer('minProperties');
  schema.maxProperties = keywords.integer('maxProperties');
  const required = keywords.list('required');
  schema.required = required && strings(required);
  const value = keywords.get('const');
  if (schema.version >= 6 && value !== undefined) schema.const = { value };
  if (schema.version < 2019) return;
  schema.minContains = keywords.integer('minContains');
  schema.maxContains = keywords.integer('maxContains');
  const dependent = [...(keywords.object('dependentRequired') ?? [])];
  schema.dependentRequired = new Map(
    dependent.flatMap(([name, names]) => (Array.isArray(names) ? [[name, strings(names)]] : [])),
  );
}

function regexpIn({ location: { url, pointer } }: Schema, keyword: string, source: string): Regexp {
  try {
    return cachedRegexp(source);
  } catch (cause) {
    const place = locationText({ url, pointer: append(pointer, keyword) });
    throw new GoError(`invalid regex ${quote(source)} at ${quote(place)}: ${messageOf(cause)}`, { cause });
  }
}

const strings = (list: readonly Json[]): string[] => list.filter((item) => typeof item === 'string');

/** A schema's members, by the type that a keyword wants; others are as good as absent. */
class Keywords {
  private readonly json: JsonObject;

  constructor(json: JsonObject) {
    this.json = json;
  }

  get(keyword: string): Json | undefined {
    return this.json.get(keyword);
  }

  string(keyword: string): string | undefined {
    const value = this.json.get(keyword);
    return typeof value === 'string' ? value : undefined;
  }

  list(keyword: string): readonly Json[] | undefined {
    const value = this.json.get(keyword);
    return Array.isArray(value) ? (value as readonly Json[]) : undefined;
  }

  object(keyword: string): JsonObject | undefined {
    const value = this.json.get(keyword);
    return isObject(value) ? value : undefined;
  }

  decimal(keyword: string): Decimal | undefined {
    const value = this.json.get(keyword);
    return value instanceof JsonNumber ? decimalOf(value) : undefined;
  }

  integer(keyword: string): number | undefined {
    const value = this.decimal(keyword);
    return value !== undefined && isInteger(value) ? toInteger(value) : undefined;
  }

  /** In draft 4, `exclusiveMaximum: true` says how `maximum` is meant. */
  limit(keyword: string, exclusive: string): [Decimal | undefined, Decimal | undefined] {
    if (this.json.get(exclusive) === true) return [undefined, this.decimal(keyword)];
    return [this.decimal(keyword), this.decimal(exclusive)];
  }

  /** In the order of messages, not of the schema. */
  types(): TypeName[] | undefined {
    const value = this.json.get('type');
    const named = Array.isArray(value) ? (value as readonly Json[]) : [value];
    const types = typeNames.filter((name) => named.includes(name));
    return types.length === 0 ? undefined : types;
  }
}

import { ifReadable } from '../../go/if-readable.ts';
import { type Draft, draftNamed } from './drafts.ts';
import { firstDuplicate } from './equality.ts';
import { isObject, type Json, type JsonObject } from './json-document.ts';
import { JsonNumber } from './number.ts';
import { cachedRegexp } from './regexps.ts';
import { typeNames } from './schema.ts';

/**
 * Whether a schema is so plain that it surely fits its draft's metaschema. Most charts' schemas are, and this takes
 * a twentieth of the time. `false` says nothing: the metaschema has the word then, and the words for what is wrong.
 * Where drafts differ, the strictest one counts.
 */
export function isPlainSchema(json: Json, { version }: Draft): boolean {
  if (!isObject(json)) return false;
  const { $schema: dialect, ...rest } = Object.fromEntries(json);
  const isKnown = dialect === undefined || (isText(dialect) && draftNamed(dialect) !== undefined);
  return isKnown && new PlainCheck(version).schema(new Map(Object.entries(rest)));
}

type Test = (value: Json) => boolean;

class PlainCheck {
  private readonly version: Draft['version'];
  private readonly tests: ReadonlyMap<string, Test>;

  constructor(version: Draft['version']) {
    this.version = version;
    this.tests = new Map([
      ...each('title description $comment format contentEncoding contentMediaType', isText),
      ...each('readOnly writeOnly deprecated uniqueItems', isBoolean),
      ...each('minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', isCount),
      ...each('minimum maximum', isNumber),
      ...each('exclusiveMinimum exclusiveMaximum', (value) => version > 4 && isNumber(value)),
      ...each('multipleOf', (value) => isNumber(value) && Number((value as JsonNumber).text) > 0),
      ...each('pattern', (value) => isText(value) && isExpression(value)),
      ...each('type', isType),
      ...each('enum', (value) => isList(value) && value.length > 0 && firstDuplicate(value) === undefined),
      ...each('examples', isList),
      ...each('required', this.names),
      ...each('$ref', isPlainReference),
      ...each('id $id', (value) => isText(value) && /^[a-zA-Z][\w:/.-]*$/.test(value)),
      ...each('$anchor', (value) => isText(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value)),
      ...each('additionalProperties additionalItems', (value) => isBoolean(value) || this.schema(value)),
      ...each('not contains propertyNames if then else contentSchema', this.schema),
      ...each('unevaluatedProperties unevaluatedItems', this.schema),
      ...each('items', (value) => this.schema(value) || (version < 2020 && this.schemas(value))),
      ...each('allOf anyOf oneOf prefixItems', this.schemas),
      ...each('properties definitions $defs dependentSchemas', this.named(this.schema)),
      ...each('patternProperties', (value) => isObject(value) && [...value].every(this.patternMember)),
      ...each(
        'dependencies',
        this.named((value) => (isList(value) ? this.names(value) : this.schema(value))),
      ),
      ...each('dependentRequired', this.named(this.names)),
      ...each('$schema $vocabulary $recursiveRef $recursiveAnchor $dynamicRef $dynamicAnchor', () => false),
    ]);
  }

  readonly schema = (json: Json): boolean => {
    if (typeof json === 'boolean') return this.version > 4;
    if (!isObject(json)) return false;
    for (const [keyword, value] of json) if (this.tests.get(keyword)?.(value) === false) return false;
    return true;
  };

  private readonly schemas = (value: Json): boolean => isList(value) && value.length > 0 && value.every(this.schema);

  private readonly names = (value: Json): boolean =>
    isList(value) &&
    value.every(isText) &&
    new Set(value).size === value.length &&
    (this.version > 4 || value.length > 0);

  private readonly patternMember = ([pattern, value]: readonly [string, Json]): boolean =>
    isExpression(pattern) && this.schema(value);

  private readonly named =
    (test: Test): Test =>
    (value) =>
      isObject(value) && [...(value as JsonObject).values()].every(test);
}

const each = (keywords: string, test: Test): (readonly [string, Test])[] =>
  keywords.split(' ').map((keyword) => [keyword, test]);

const isText = (value: Json): value is string => typeof value === 'string';
const isBoolean = (value: Json): boolean => typeof value === 'boolean';
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isNumber = (value: Json): boolean => value instanceof JsonNumber && value.text.length < 30;
const isCount = (value: Json): boolean => value instanceof JsonNumber && /^[0-9]{1,15}$/.test(value.text);
const isPlainReference = (value: Json): boolean =>
  isText(value) && /^[\w:/.#$~-]*$/.test(value) && !/^[^/#]*:/.test(value);

function isType(value: Json): boolean {
  const names: readonly unknown[] = isList(value) ? value : [value];
  const areKnown = names.every((name) => (typeNames as readonly unknown[]).includes(name));
  return areKnown && names.length > 0 && new Set(names).size === names.length;
}

const isExpression = (source: string): boolean => ifReadable(() => cachedRegexp(source)) !== undefined;

import type { Regexp } from '../../go/regexp.ts';
import type { Format } from './formats.ts';
import type { Json } from './json-document.ts';
import type { Location } from './location.ts';
import type { Decimal } from './number.ts';

export const typeNames = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'] as const;
export type TypeName = (typeof typeNames)[number];

/** A compiled schema: its keywords, with references followed. Absent means that the schema does not say. */
export interface Schema {
  readonly location: Location;
  /** `url#pointer`, as messages show it. */
  readonly name: string;
  version: number;
  /** The schema with an id of its own that this one belongs to. */
  resource: Schema;
  dynamicAnchors: Map<string, Schema>;

  bool?: boolean;
  ref?: Schema | undefined;
  recursiveRef?: Schema | undefined;
  recursiveAnchor?: boolean;
  dynamicRef?: { readonly target: Schema; readonly anchor: string };
  dynamicAnchor?: string | undefined;

  types?: readonly TypeName[] | undefined;
  enum?: readonly Json[] | undefined;
  const?: { readonly value: Json };
  format?: Format | undefined;
  not?: Schema | undefined;
  allOf?: readonly Schema[] | undefined;
  anyOf?: readonly Schema[] | undefined;
  oneOf?: readonly Schema[] | undefined;
  if?: Schema | undefined;
  ifHolds?: Schema | undefined;
  ifFails?: Schema | undefined;

  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  required?: readonly string[] | undefined;
  properties?: ReadonlyMap<string, Schema> | undefined;
  patternProperties?: readonly (readonly [Regexp, Schema])[] | undefined;
  additionalProperties?: boolean | Schema | undefined;
  propertyNames?: Schema | undefined;
  dependencies?: ReadonlyMap<string, readonly string[] | Schema> | undefined;
  dependentRequired?: ReadonlyMap<string, readonly string[]>;
  dependentSchemas?: ReadonlyMap<string, Schema> | undefined;
  unevaluatedProperties?: Schema | undefined;

  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean;
  items?: Schema | readonly Schema[] | undefined;
  additionalItems?: boolean | Schema | undefined;
  prefixItems?: readonly Schema[] | undefined;
  contains?: Schema | undefined;
  minContains?: number | undefined;
  maxContains?: number | undefined;
  unevaluatedItems?: Schema | undefined;

  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: { readonly source: string; readonly regexp: Regexp };

  minimum?: Decimal | undefined;
  maximum?: Decimal | undefined;
  exclusiveMinimum?: Decimal | undefined;
  exclusiveMaximum?: Decimal | undefined;
  multipleOf?: Decimal | undefined;
}

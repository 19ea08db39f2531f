import type { Regexp } from '../../support/regexp.ts';
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
  ref?: Schema;
  recursiveRef?: Schema;
  recursiveAnchor?: boolean;
  dynamicRef?: { readonly target: Schema; readonly anchor: string };
  dynamicAnchor?: string;

  types?: readonly TypeName[];
  enum?: readonly Json[];
  const?: { readonly value: Json };
  format?: Format;
  not?: Schema;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  if?: Schema;
  ifHolds?: Schema;
  ifFails?: Schema;

  minProperties?: number;
  maxProperties?: number;
  required?: readonly string[];
  properties?: ReadonlyMap<string, Schema>;
  patternProperties?: readonly (readonly [Regexp, Schema])[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  dependencies?: ReadonlyMap<string, readonly string[] | Schema>;
  dependentRequired?: ReadonlyMap<string, readonly string[]>;
  dependentSchemas?: ReadonlyMap<string, Schema>;
  unevaluatedProperties?: Schema;

  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema | readonly Schema[];
  additionalItems?: boolean | Schema;
  prefixItems?: readonly Schema[];
  contains?: Schema;
  minContains?: number;
  maxContains?: number;
  unevaluatedItems?: Schema;

  minLength?: number;
  maxLength?: number;
  pattern?: { readonly source: string; readonly regexp: Regexp };

  minimum?: Decimal;
  maximum?: Decimal;
  exclusiveMinimum?: Decimal;
  exclusiveMaximum?: Decimal;
  multipleOf?: Decimal;
}

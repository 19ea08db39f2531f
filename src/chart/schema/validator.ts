import { quote } from '../../go/strconv/strconv.ts';
import { GoInt, goTypeOf, type Value } from '../../go/value.ts';
import { compareText } from '../../support/order.ts';
import type { Resource } from './documents.ts';
import { equals, firstDuplicate } from './equality.ts';
import { displayed, type Failure, quotedList, singleQuoted } from './failure.ts';
import { append, escapeToken } from './location.ts';
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  isInteger,
  isMultipleOf,
  JsonNumber,
  localFloat,
  localInteger,
} from './number.ts';
import type { Schema, TypeName } from './schema.ts';

/** Where embedded schemas with a dialect of their own are checked against another metaschema. */
export interface MetaContext {
  readonly meta: Schema;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly metaOf: (resource: Resource) => Schema;
}

/**
 * Why a value does not fit a schema; [] where it does. Members are visited in the order of their names, where Helm's
 * order is any. Follows validator.go of santhosh-tekuri/jsonschema.
 */
export function failures(schema: Schema, value: unknown, meta?: MetaContext): readonly Failure[] {
  const run = (isSilent: boolean): Failure | undefined =>
    new Check(schema, value, { path: undefined, scope: scopeOf(schema), isSilent, meta }, false).run();
  // Most values fit, and an answer without reasons takes half the time.
  if (run(true) === undefined) return [];
  const failure = run(false);
  if (failure === undefined) throw new Error('internal: the validator contradicts itself');
  return failure.kind === 'group' ? failure.causes : [failure];
}

/** How one came to a schema: checked for cycles, and searched for dynamic anchors. */
interface Scope {
  readonly schema: Schema;
  /** The keyword, where a reference led here. */
  readonly referredBy: string;
  /** Counts the values on the way: scopes of the same value have the same depth. */
  readonly depth: number;
  readonly parent: Scope | undefined;
}

const scopeOf = (schema: Schema): Scope => ({ schema, referredBy: '', depth: 0, parent: undefined });

/** Where a value is: its own key or index, and where that which holds it is. */
interface Path {
  readonly parent: Path | undefined;
  readonly token: string;
}

function tokensOf(path: Path | undefined): string[] {
  const tokens: string[] = [];
  for (let at = path; at !== undefined; at = at.parent) tokens.push(at.token);
  return tokens.reverse();
}

interface Context {
  readonly path: Path | undefined;
  readonly scope: Scope;
  /** Whether only the answer matters, and not the reasons. */
  readonly isSilent: boolean;
  readonly meta: MetaContext | undefined;
}

/** The properties or items of a value that no keyword has looked at yet. */
type Unevaluated = Set<string> | Set<number> | undefined;

const silentFailure: Failure = { kind: 'plain', path: [], message: '', causes: [] };

/** One value against one schema. */
class Check {
  private readonly schema: Schema;
  private readonly value: unknown;
  private readonly context: Context;
  readonly unevaluated: Unevaluated;
  private readonly found: Failure[] = [];

  /** `callerCares` says whether the caller has members that nobody has looked at. */
  constructor(schema: Schema, value: unknown, context: Context, callerCares: boolean) {
    const { meta } = context;
    const resource = meta?.meta === schema ? meta.resources.get(append('', ...tokensOf(context.path))) : undefined;
    this.schema = resource === undefined || meta === undefined ? schema : meta.metaOf(resource);
    this.context =
      this.schema === schema || meta === undefined ? context : { ...context, meta: { ...meta, meta: this.schema } };
    this.value = value;
    this.unevaluated = initiallyUnevaluated(schema, value, callerCares);
  }

  run(): Failure | undefined {
    const { schema, value } = this;
    if (schema.bool !== undefined) return schema.bool ? undefined : this.failure('false schema');
    const problem = this.cycle() ?? this.typeProblem() ?? this.valueProblem();
    if (problem !== undefined) return this.failure(problem);
    if (schema.ref !== undefined) {
      const failure = this.reference(schema.ref, '$ref');
      if (schema.version < 2019) return failure;
      this.add(failure);
    }
    if (value instanceof Map) this.object(value as ReadonlyMap<string, unknown>);
    else if (Array.isArray(value)) this.array(value);
    else if (typeof value === 'string') this.string(value);
    else this.number(decimalOf(value));
    if (this.found.length === 0 || !this.context.isSilent) this.inPlace();
    return this.outcome();
  }

  private outcome(): Failure | undefined {
    const { found } = this;
    if (found.length <= 1) return found[0];
    return this.context.isSilent
      ? silentFailure
      : { ...this.failure('validation failed'), kind: 'group', causes: found };
  }

  private failure(message: string, causes: readonly Failure[] = []): Failure {
    return this.context.isSilent
      ? silentFailure
      : { kind: 'plain', path: tokensOf(this.context.path), message, causes };
  }

  private add(failure: Failure | undefined): void {
    if (failure !== undefined) this.found.push(failure);
  }

  private fail(message: string, causes: readonly Failure[] = []): void {
    this.found.push(this.failure(message, causes));
  }

  private get isDecided(): boolean {
    return this.context.isSilent && this.found.length > 0;
  }

  private cycle(): string | undefined {
    const { scope } = this.context;
    for (let around = scope.parent; around?.depth === scope.depth; around = around.parent) {
      if (around.schema !== scope.schema) continue;
      return `both ${keywordPath(scope)} and ${keywordPath(around)} resolve to ${quote(this.schema.name)} causing reference cycle`;
    }
    return undefined;
  }

  private typeProblem(): string | undefined {
    const got = typeOf(this.value);
    if (got === undefined) return `invalid jsonType ${goTypeOf(this.value as Value)}`;
    const { types } = this.schema;
    if (types === undefined || types.includes(got)) return undefined;
    const decimal = types.includes('integer') ? decimalOf(this.value) : undefined;
    if (decimal !== undefined && isInteger(decimal)) return undefined;
    return `got ${got}, want ${types.join(' or ')}`;
  }

  private valueProblem(): string | undefined {
    const { schema, value } = this;
    if (schema.const !== undefined && !equals(value, schema.const.value)) {
      const wanted = schema.const.value;
      return isCollection(wanted) ? "'const' failed" : `value must be ${displayed(wanted)}`;
    }
    if (schema.enum !== undefined && !schema.enum.some((wanted) => equals(value, wanted)))
      return enumProblem(schema.enum);
    if (schema.format === undefined || typeof value !== 'string') return undefined;
    const problem = schema.format.problem(value);
    return problem && `${displayed(value)} is not valid ${schema.format.name}: ${problem}`;
  }

  private object(object: ReadonlyMap<string, unknown>): void {
    const { schema } = this;
    const { minProperties, maxProperties, required, dependencies } = schema;
    this.bounds('Properties', object.size, minProperties, maxProperties);
    this.missing(
      object,
      required,
      (names) => `missing ${names.length === 1 ? 'property' : 'properties'} ${quotedList(names)}`,
    );
    if (this.isDecided) return;
    for (const [name, wanted] of dependencies ?? []) {
      if (!object.has(name)) continue;
      if (isList(wanted)) this.requiredBy(object, name, wanted);
      else this.add(this.onSelf(wanted));
    }
    this.properties(object);
    if (schema.propertyNames !== undefined) this.propertyNames(object, schema.propertyNames);
    for (const [name, wanted] of schema.dependentSchemas ?? []) if (object.has(name)) this.add(this.onSelf(wanted));
    for (const [name, wanted] of schema.dependentRequired ?? [])
      if (object.has(name)) this.requiredBy(object, name, wanted);
  }

  private missing(
    object: ReadonlyMap<string, unknown>,
    wanted: readonly string[] = [],
    message: (names: string[]) => string,
  ): void {
    const names = wanted.filter((name) => !object.has(name));
    if (names.length > 0) this.fail(message(names));
  }

  private requiredBy(object: ReadonlyMap<string, unknown>, name: string, wanted: readonly string[]): void {
    this.missing(
      object,
      wanted,
      (names) => `properties ${quotedList(names)} required, if ${singleQuoted(name)} exists`,
    );
  }

  private properties(object: ReadonlyMap<string, unknown>): void {
    const { properties, patternProperties = [], additionalProperties } = this.schema;
    if (properties === undefined && patternProperties.length === 0 && additionalProperties === undefined) return;
    const refused: string[] = [];
    for (const name of this.inOrder(object)) {
      if (this.isDecided) return;
      const value = object.get(name);
      const own = properties?.get(name);
      let isEvaluated = own !== undefined;
      if (own !== undefined) this.add(this.onMember(own, value, name));
      for (const [regexp, schema] of patternProperties) {
        if (!regexp.matches(name)) continue;
        isEvaluated = true;
        this.add(this.onMember(schema, value, name));
      }
      if (!isEvaluated) {
        if (additionalProperties === undefined) continue;
        if (typeof additionalProperties === 'object') this.add(this.onMember(additionalProperties, value, name));
        else if (!additionalProperties) refused.push(name);
      }
      (this.unevaluated as Set<string> | undefined)?.delete(name);
    }
    if (refused.length > 0) this.fail(`additional properties ${quotedList(refused)} not allowed`);
  }

  /** The order matters for messages only. */
  private inOrder(object: ReadonlyMap<string, unknown>): Iterable<string> {
    return this.context.isSilent ? object.keys() : [...object.keys()].sort(compareText);
  }

  private propertyNames(object: ReadonlyMap<string, unknown>, schema: Schema): void {
    for (const name of this.inOrder(object)) {
      const causes = failures(schema, name, this.context.meta);
      if (causes.length > 0) this.fail(`invalid propertyName ${singleQuoted(name)}`, causes);
    }
  }

  private array(array: readonly unknown[]): void {
    const { schema } = this;
    this.bounds('Items', array.length, schema.minItems, schema.maxItems);
    const duplicate = schema.uniqueItems === true ? firstDuplicate(array) : undefined;
    if (duplicate !== undefined)
      this.fail(`items at ${localInteger(duplicate[0])} and ${localInteger(duplicate[1])} are equal`);
    this.items(array);
    if (schema.contains !== undefined) this.contains(array, schema.contains);
  }

  private items(array: readonly unknown[]): void {
    const { items, prefixItems, additionalItems } = this.schema;
    const heads = isList(items) ? items : (prefixItems ?? []);
    const rest = isList(items) ? additionalItems : items;
    for (const [index, item] of array.entries()) {
      const schema = heads[index] ?? (typeof rest === 'object' ? rest : undefined);
      if (schema !== undefined) this.add(this.onMember(schema as Schema, item, String(index)));
    }
    if (rest === false && array.length > heads.length)
      this.fail(`last ${localInteger(array.length - heads.length)} additionalItem(s) not allowed`);
  }

  private contains(array: readonly unknown[], schema: Schema): void {
    const causes: Failure[] = [];
    const matched: number[] = [];
    for (const [index, item] of array.entries()) {
      const failure = this.onMember(schema, item, String(index));
      if (failure !== undefined) causes.push(failure);
      else matched.push(index);
    }
    if (this.schema.version >= 2020)
      for (const index of matched) (this.unevaluated as Set<number> | undefined)?.delete(index);
    const { minContains, maxContains } = this.schema;
    const but = `but matched ${localInteger(matched.length)} items at ${matched.join(' ')}`;
    if (minContains !== undefined && matched.length < minContains) {
      const what = `min ${localInteger(minContains)} items required to match contains schema`;
      this.fail(`${what}, ${matched.length === 0 ? 'but none matched' : but}`, causes);
    } else if (minContains === undefined && matched.length === 0) {
      this.fail('no items match contains schema', causes);
    }
    if (maxContains !== undefined && matched.length > maxContains)
      this.fail(`max ${localInteger(maxContains)} items required to match contains schema, ${but}`);
  }

  private string(text: string): void {
    const { minLength, maxLength, pattern } = this.schema;
    if (minLength !== undefined || maxLength !== undefined)
      this.bounds('Length', [...text].length, minLength, maxLength);
    if (pattern !== undefined && !pattern.regexp.matches(text))
      this.fail(`${singleQuoted(text)} does not match pattern ${singleQuoted(pattern.source)}`);
  }

  /** `minLength` and `maxLength`, and their like. */
  private bounds(
    what: 'Properties' | 'Items' | 'Length',
    got: number,
    min: number | undefined,
    max: number | undefined,
  ): void {
    if (min !== undefined && got < min) this.fail(`min${what}: got ${localInteger(got)}, want ${localInteger(min)}`);
    if (max !== undefined && got > max) this.fail(`max${what}: got ${localInteger(got)}, want ${localInteger(max)}`);
  }

  private number(got: Decimal | undefined): void {
    if (got === undefined) return;
    const { schema } = this;
    const check = (
      name: 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf',
      isGood: (want: Decimal) => boolean,
    ): void => {
      const want = schema[name];
      if (want !== undefined && !isGood(want)) this.fail(`${name}: got ${localFloat(got)}, want ${localFloat(want)}`);
    };
    check('minimum', (want) => compareDecimals(got, want) >= 0);
    check('maximum', (want) => compareDecimals(got, want) <= 0);
    check('exclusiveMinimum', (want) => compareDecimals(got, want) > 0);
    check('exclusiveMaximum', (want) => compareDecimals(got, want) < 0);
    check('multipleOf', (want) => isMultipleOf(got, want));
  }

  /** The keywords that look at the value as a whole. */
  private inPlace(): void {
    const { schema } = this;
    if (schema.recursiveRef !== undefined)
      this.add(this.reference(this.recursiveTarget(schema.recursiveRef), '$recursiveRef'));
    if (schema.dynamicRef !== undefined) this.add(this.reference(this.dynamicTarget(schema.dynamicRef), '$dynamicRef'));
    if (schema.not !== undefined && this.onSelf(schema.not, true) === undefined) this.fail("'not' failed");
    this.allOf(schema.allOf);
    this.anyOf(schema.anyOf);
    this.oneOf(schema.oneOf);
    this.condition();
    this.unevaluatedMembers();
  }

  private allOf(schemas: readonly Schema[] = []): void {
    const causes: Failure[] = [];
    for (const schema of schemas) {
      const failure = this.onSelf(schema);
      if (failure !== undefined) causes.push(failure);
      if (failure !== undefined && this.context.isSilent) break;
    }
    if (causes.length > 0) this.fail("'allOf' failed", causes);
  }

  private anyOf(schemas: readonly Schema[] = []): void {
    if (schemas.length === 0) return;
    const causes: Failure[] = [];
    let isMatched = false;
    for (const schema of schemas) {
      const failure = this.onSelf(schema);
      if (failure !== undefined) causes.push(failure);
      else isMatched = true;
      // Where something is unevaluated, every schema has a say in it.
      if (failure === undefined && !this.hasUnevaluated) break;
    }
    if (!isMatched) this.fail("'anyOf' failed", causes);
  }

  private oneOf(schemas: readonly Schema[] = []): void {
    if (schemas.length === 0) return;
    const causes: Failure[] = [];
    let matched: number | undefined;
    for (const [index, schema] of schemas.entries()) {
      const failure = this.onSelf(schema, matched !== undefined);
      if (failure !== undefined) causes.push(failure);
      else if (matched === undefined) matched = index;
      else {
        this.fail(`'oneOf' failed, subschemas ${localInteger(matched)}, ${localInteger(index)} matched`);
        return;
      }
    }
    if (matched === undefined) this.fail("'oneOf' failed, none matched", causes);
  }

  private condition(): void {
    const { schema } = this;
    if (schema.if === undefined) return;
    const branch = this.onSelf(schema.if, true) === undefined ? schema.ifHolds : schema.ifFails;
    if (branch !== undefined) this.add(this.onSelf(branch));
  }

  private unevaluatedMembers(): void {
    const { schema, value, unevaluated } = this;
    if (unevaluated === undefined) return;
    const rest = value instanceof Map ? schema.unevaluatedProperties : schema.unevaluatedItems;
    if (rest === undefined) return;
    const names = value instanceof Map ? ([...unevaluated] as string[]).sort(compareText) : [...unevaluated];
    for (const name of names) {
      const member: unknown = value instanceof Map ? value.get(name) : (value as unknown[])[name as number];
      this.add(this.onMember(rest, member, String(name)));
    }
    unevaluated.clear();
  }

  private get hasUnevaluated(): boolean {
    return this.unevaluated !== undefined && this.unevaluated.size > 0;
  }

  /** Another schema on the same value. What it evaluates counts here too, if it fits. */
  private onSelf(schema: Schema, isSilent = false, keyword = ''): Failure | undefined {
    const { path, scope, meta } = this.context;
    const inner = new Check(
      schema,
      this.value,
      {
        path,
        scope: { schema, referredBy: keyword, depth: scope.depth, parent: scope },
        isSilent: isSilent || this.context.isSilent,
        meta,
      },
      this.hasUnevaluated,
    );
    const failure = inner.run();
    if (failure === undefined) keepOnly(this.unevaluated, inner.unevaluated);
    return failure;
  }

  private onMember(schema: Schema, value: unknown, token: string): Failure | undefined {
    if (schema.bool === true) return undefined;
    const { path, scope, isSilent, meta } = this.context;
    const context: Context = {
      path: { parent: path, token },
      scope: { schema, referredBy: '', depth: scope.depth + 1, parent: scope },
      isSilent,
      meta,
    };
    return new Check(schema, value, context, false).run();
  }

  private reference(schema: Schema, keyword: string): Failure | undefined {
    const failure = this.onSelf(schema, false, keyword);
    if (failure === undefined || this.context.isSilent) return failure;
    const causes = failure.kind === 'group' ? failure.causes : [failure];
    return { kind: 'reference', path: tokensOf(this.context.path), message: 'validation failed', causes };
  }

  private recursiveTarget(target: Schema): Schema {
    if (target.recursiveAnchor !== true) return target;
    let outermost = target;
    for (let scope: Scope | undefined = this.context.scope; scope !== undefined; scope = scope.parent) {
      if (scope.schema.resource.recursiveAnchor === true) outermost = scope.schema;
    }
    return outermost;
  }

  private dynamicTarget({ target, anchor }: NonNullable<Schema['dynamicRef']>): Schema {
    if (anchor === '' || target.dynamicAnchor !== anchor) return target;
    let outermost = target;
    for (let scope: Scope | undefined = this.context.scope; scope !== undefined; scope = scope.parent) {
      outermost = scope.schema.resource.dynamicAnchors.get(anchor) ?? outermost;
    }
    return outermost;
  }
}

function initiallyUnevaluated(schema: Schema, value: unknown, callerNeeds: boolean): Unevaluated {
  if (value instanceof Map) {
    const isOfInterest = callerNeeds || schema.unevaluatedProperties !== undefined;
    return isOfInterest && schema.additionalProperties === undefined
      ? new Set((value as ReadonlyMap<string, unknown>).keys())
      : undefined;
  }
  if (!Array.isArray(value) || !(callerNeeds || schema.unevaluatedItems !== undefined)) return undefined;
  const heads = isList(schema.items) ? schema.items : schema.prefixItems;
  const coversAll = schema.additionalItems !== undefined || (schema.items !== undefined && !isList(schema.items));
  return coversAll ? undefined : new Set([...value.keys()].slice(heads?.length ?? 0));
}

function keepOnly(ours: Unevaluated, theirs: Unevaluated): void {
  for (const member of ours ?? []) {
    if (!(theirs as Set<string | number> | undefined)?.has(member)) (ours as Set<string | number>).delete(member);
  }
}

const isList = <T extends readonly unknown[]>(value: T | Schema | undefined): value is T => Array.isArray(value);
const isCollection = (value: unknown): boolean => value instanceof Map || Array.isArray(value);

function typeOf(value: unknown): TypeName | undefined {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as 'boolean' | 'string';
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : undefined;
  if (value instanceof GoInt || value instanceof JsonNumber) return 'number';
  return value instanceof Map ? 'object' : Array.isArray(value) ? 'array' : undefined;
}

function enumProblem(wanted: readonly unknown[]): string {
  if (wanted.some(isCollection)) return "'enum' failed";
  return `value must be ${wanted.length === 1 ? '' : 'one of '}${wanted.map(displayed).join(', ')}`;
}

/** The keywords on the way to a schema. */
function keywordPath(scope: Scope): string {
  let path = '';
  for (let at: Scope = scope; at.parent !== undefined; at = at.parent) {
    const step =
      at.referredBy === '' ? at.schema.name.slice(at.parent.schema.name.length) : `/${escapeToken(at.referredBy)}`;
    path = step + path;
  }
  return path;
}

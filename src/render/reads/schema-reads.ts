import { readJson } from '../../go/json/json.ts';
import type { GoMap, Value } from '../../go/value.ts';
import { pointerKeys } from '../../support/json.ts';
import type { Parts, Shape } from './part.ts';

/** Notes which values a values.schema.json names. What it allows without naming what is in it counts as read as a whole. */
export function markSchemaReads(schema: string, values: Shape, parts: Parts): void {
  const root = schemaIn(schema);
  if (root === undefined) return parts.whole(values);
  new SchemaReading(root, parts).visit(root, values, true);
}

function schemaIn(text: string): GoMap | undefined {
  try {
    const read = readJson(text);
    return read instanceof Map ? read : undefined;
  } catch {
    // What is wrong with it is reported where values are checked by it.
    return undefined;
  }
}

/** Of these keywords each value is a schema, or a list of schemas, for the same value. */
const ofSame = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'];
/** Of these the schema of what lies below. */
const ofMembers = ['items', 'additionalProperties', 'contains'];

class SchemaReading {
  readonly #root: GoMap;
  readonly #parts: Parts;
  readonly #seen = new Map<Value, Set<number>>();

  constructor(root: GoMap, parts: Parts) {
    this.#root = root;
    this.#parts = parts;
  }

  visit(schema: Value, shape: Shape, isRoot = false): void {
    if (!(schema instanceof Map) || this.#isSeen(schema, shape)) return;
    const reference = schema.get('$ref');
    if (reference !== undefined) this.#visitReference(reference, shape);
    for (const keyword of ofSame) {
      const same = schema.get(keyword);
      for (const one of Array.isArray(same) ? same : [same]) this.visit(one, shape, isRoot);
    }
    for (const [key, member] of mapAt(schema, 'properties')) this.visit(member, this.#parts.member(shape, key));
    for (const member of mapAt(schema, 'patternProperties').values()) this.visit(member, this.#parts.each(shape));
    for (const keyword of ofMembers)
      if (schema.get(keyword) instanceof Map) this.visit(schema.get(keyword), this.#parts.each(shape));
    if (!isRoot && !describing.some((keyword) => isSchema(schema.get(keyword)))) this.#parts.whole(shape);
  }

  /** A schema may refer to itself. */
  #isSeen(schema: GoMap, shape: Shape): boolean {
    const ids = this.#seen.get(schema) ?? new Set();
    this.#seen.set(schema, ids);
    const isSeen = shape.every(({ id }) => ids.has(id)) || ids.size > 1000;
    for (const { id } of shape) ids.add(id);
    return isSeen;
  }

  #visitReference(reference: Value, shape: Shape): void {
    const [document, pointer] = typeof reference === 'string' ? reference.split('#') : [];
    if (document !== '' || pointer === undefined) return this.#parts.whole(shape);
    this.visit(
      pointerKeys(pointer).reduce<Value>((at, key) => (at instanceof Map ? at.get(key) : undefined), this.#root),
      shape,
    );
  }
}

const describing = ['$ref', 'properties', 'patternProperties', ...ofSame, ...ofMembers];

const isSchema = (value: Value): boolean => value instanceof Map || Array.isArray(value) || typeof value === 'string';

function mapAt(schema: GoMap, keyword: string): GoMap {
  const map = schema.get(keyword);
  return map instanceof Map ? map : new Map();
}

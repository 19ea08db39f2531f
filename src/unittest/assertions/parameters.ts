import { GoError, GoInt, type GoMap, goTypeOf, type Value } from '../../go/value.ts';

/**
 * What is below the name of an assertion. Names are found whatever their case, and a value of another type is refused, as
 * mapstructure does.
 */
export class Parameters {
  private readonly assertion: string;
  private readonly members: GoMap;

  constructor(assertion: string, given: Value) {
    this.assertion = assertion;
    if (given !== null && given !== undefined && !(given instanceof Map)) {
      throw new GoError(`'' expected a map, got '${kindOf(given)}'`);
    }
    this.members = given ?? new Map();
  }

  any(name: string): Value {
    if (this.members.has(name)) return this.members.get(name) ?? null;
    const lower = name.toLowerCase();
    for (const [key, value] of this.members) if (key.toLowerCase() === lower) return value ?? null;
    return null;
  }

  text(name: string): string {
    const value = this.any(name);
    if (value === null) return '';
    if (typeof value !== 'string') throw this.mismatch(name, 'string', value);
    return value;
  }

  flag(name: string): boolean {
    const value = this.any(name);
    if (value === null) return false;
    if (typeof value !== 'boolean') throw this.mismatch(name, 'bool', value);
    return value;
  }

  /** undefined where nothing is given. */
  count(name: string): number | undefined {
    const value = this.any(name);
    if (value === null) return undefined;
    if (value instanceof GoInt) return Number(value.value);
    if (typeof value === 'number') return Math.trunc(value);
    throw this.mismatch(name, 'int', value);
  }

  texts(name: string): readonly string[] {
    const value = this.any(name);
    if (value === null) return [];
    if (!Array.isArray(value)) throw this.mismatch(name, '[]string', value);
    return value.map((item) => {
      if (typeof item !== 'string') throw this.mismatch(name, 'string', item);
      return item;
    });
  }

  /** The parameters below one of them. */
  inside(name: string): Parameters {
    return new Parameters(`${this.assertion}.${name}`, this.any(name));
  }

  private mismatch(name: string, expected: string, value: Value): GoError {
    const field = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const got = `unconvertible type '${goTypeOf(value)}'`;
    return new GoError(`${this.assertion}: '${field}' expected type '${expected}', got ${got}`);
  }
}

const kindOf = (value: Value): string => (Array.isArray(value) ? 'slice' : goTypeOf(value));

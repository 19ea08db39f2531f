import { GoObject, type Value } from './value.ts';

/** A Go struct of exported fields: unlike a map it has no other fields than its own. */
export class GoStruct extends GoObject {
  readonly goType: string;
  readonly #fields: ReadonlyMap<string, Value>;

  constructor(goType: string, fields: readonly (readonly [string, Value])[]) {
    super();
    this.goType = goType;
    this.#fields = new Map(fields);
  }

  override hasField(name: string): boolean {
    return this.#fields.has(name);
  }

  override field(name: string): Value {
    return this.#fields.get(name);
  }

  override fields(): readonly (readonly [string, Value])[] {
    return [...this.#fields];
  }
}

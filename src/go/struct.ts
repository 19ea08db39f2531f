import { type GoFunction, GoObject, type Value } from './value.ts';

/** A Go struct of exported fields, and the methods that templates may call: unlike a map it has no others than its own. */
export class GoStruct extends GoObject {
  readonly goType: string;
  readonly #fields: ReadonlyMap<string, Value>;
  readonly #methods: Readonly<Record<string, GoFunction>>;

  constructor(
    goType: string,
    fields: readonly (readonly [string, Value])[],
    methods: Readonly<Record<string, GoFunction>> = {},
  ) {
    super();
    this.goType = goType;
    this.#fields = new Map(fields);
    this.#methods = methods;
  }

  override hasField(name: string): boolean {
    return this.#fields.has(name);
  }

  override field(name: string): Value {
    return this.#fields.get(name);
  }

  override method(name: string): GoFunction | undefined {
    return Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined;
  }

  override fields(): readonly (readonly [string, Value])[] {
    return [...this.#fields];
  }
}

import { type GoFunction, GoObject, type Value } from './value.ts';

/** A Go type with a string below: a release's status, a hook's event. */
export class NamedString extends GoObject {
  override readonly goKind = 'string';
  readonly goType: string;
  readonly value: string;
  readonly #methods: Readonly<Record<string, GoFunction>>;

  constructor(goType: string, value: string, methods: Readonly<Record<string, GoFunction>> = {}) {
    super();
    this.goType = goType;
    this.value = value;
    this.#methods = methods;
  }

  override method(name: string): GoFunction | undefined {
    return Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined;
  }
  override comparedBy(): readonly Value[] {
    return [this.value];
  }
  override encoded(): Value {
    return this.value;
  }
  override isTrue(): boolean {
    return this.value !== '';
  }
}

import { GoObject, type Value } from '../../support/value.ts';
import { TemplateSet } from '../../template/template-set.ts';

/** What a --template flag prints: a Go template without any function but the built-in ones, over `data`. */
export function goTemplateText(template: string, data: Value): string {
  const set = new TemplateSet({ functions: {}, missingKey: 'default', name: '_' });
  set.parse('_', template);
  return set.execute('_', data);
}

/** A Go struct: unlike a map it has no other fields than its own. */
export class Struct extends GoObject {
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

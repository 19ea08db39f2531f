import { GoObject, type Value } from './value.ts';

/** A pointer, or an error, that is nil: templates print it as `<nil>`, where they print `<no value>` for what is not there. */
export class NilPointer extends GoObject {
  override readonly goKind = 'ptr';
  readonly goType: string;

  constructor(goType: string) {
    super();
    this.goType = goType;
  }

  override stringer(): string {
    return '<nil>';
  }
  override encoded(): Value {
    return null;
  }
  override isTrue(): boolean {
    return false;
  }
}

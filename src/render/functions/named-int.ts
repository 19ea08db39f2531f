import { GoInt, GoObject, type IntType, type Value } from '../../go/value.ts';

/** A Go type with an integer below: time.Duration, time.Month, time.Weekday. */
export abstract class NamedInt extends GoObject {
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
  }

  abstract override readonly goKind: 'int' | 'int64';
  /** Another number of the same type, as `range` counts. */
  abstract override numbered(value: bigint): NamedInt;
  override comparedBy(): readonly Value[] {
    return [this.encoded()];
  }
  override encoded(): Value {
    return new GoInt(this.goKind as IntType, this.value);
  }
  override isTrue(): boolean {
    return this.value !== 0n;
  }
}

import type { Value } from '../go/value.ts';
import type { VariableNode } from './node.ts';

/** The variables of a running template, innermost last; the first is `$`. */
export class VariableStack {
  private readonly names: string[] = ['$'];
  private readonly values: Value[];
  /** Whether Go would hold the value in an interface: only error messages tell. */
  private readonly inInterface: boolean[] = [false];

  constructor(data: Value) {
    this.values = [data];
  }

  get length(): number {
    return this.values.length;
  }

  push(name: string, value: Value): void {
    this.names.push(name);
    this.values.push(value);
    this.inInterface.push(false);
  }

  popTo(length: number): void {
    if (this.values.length === length) return;
    this.names.length = length;
    this.values.length = length;
    this.inInterface.length = length;
  }

  /** -1 where no such variable was declared: an `and` or `or` may skip a declaration. */
  indexOf({ name }: VariableNode): number {
    const { names } = this;
    let index = names.length - 1;
    while (index >= 0 && names[index] !== name) index -= 1;
    return index;
  }

  value(index: number): Value {
    return this.values[index];
  }

  isInInterface(index: number): boolean {
    return this.inInterface[index] === true;
  }

  set(index: number, value: Value, isInInterface: boolean): void {
    this.values[index] = value;
    this.inInterface[index] = isInInterface;
  }
}

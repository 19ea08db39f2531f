import { isObject } from '../../support/json.ts';
import { Optional } from '../cel-js.ts';
import { CelError } from '../error.ts';
import type { Call, Checker, Context, Evaluator } from './macro.ts';

/** `has(object.list[0].field)`: whether a map has the field, whatever leads to the map. */
export const hasField = ({ args: [selection] }: Call): object => ({
  typeCheck(checker: Checker, _macro: unknown, context: Context) {
    if (selection === undefined || !/^[.][?]?$/.test(selection.op))
      throw new CelError('invalid argument to has() macro');
    checker.check(selection.args[0], context);
    return checker.getType('bool');
  },
  evaluate(evaluator: Evaluator, _macro: unknown, context: Context): boolean {
    const [operand, field] = selection?.args ?? [];
    const value = evaluator.run(operand, context);
    const map = value instanceof Optional ? (value.hasValue() ? value.value() : undefined) : value;
    if (Array.isArray(map)) throw new CelError("unsupported index type 'string' in list");
    return isObject(map) && Object.hasOwn(map, field as string);
  },
});

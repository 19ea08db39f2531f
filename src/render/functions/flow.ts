import { GoError } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';

/** sprig's fail; the render engine puts its own in its place, which knows about linting. */
export const flowFunctions: FunctionTable = {
  fail: goFunction('func(string) (string, error)', (message: string): never => {
    throw new GoError(message);
  }),
};

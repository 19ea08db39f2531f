import { CelError } from '../error.ts';

/** Types, contexts and trees of cel-js, which has no types for what its macros get. */
export interface Type {
  readonly kind: string;
  readonly valueType: Type;
}
export interface Context {
  forkWithVariable(name: unknown, type: Type): Context;
  reuse(context: Context): Context;
  setIterValue(value: unknown, evaluator: Evaluator): Context;
}
export interface Checker {
  check(node: unknown, context: Context): Type;
  getType(name: string): Type;
}
export interface Evaluator {
  run(node: unknown, context: Context): unknown;
}
interface Node {
  readonly op: string;
  /** Of a name the name, of a selection its operand and its field, of a call its name and its arguments. */
  readonly args: readonly unknown[] | string;
}
export interface Call {
  readonly ast: Tree;
  readonly args: readonly Node[];
  /** None of a function. */
  readonly receiver: Node | undefined;
}

interface Tree {
  setMeta(name: string, value: unknown): void;
}

/** Gives a call of a macro of cel-js another meaning. */
export function replaceMacro(call: unknown, macro: (call: Call) => object): void {
  const node = call as Tree & { readonly args: readonly [string, Call['args']] };
  node.setMeta('macro', macro({ ast: node, args: node.args[1], receiver: undefined }));
}

/** What a macro does with its receiver: `evaluate` evaluates one of its expressions with values for its variables. */
type Run = (receiver: unknown, expressions: readonly Evaluate[]) => unknown;
export type Evaluate = (...values: readonly unknown[]) => unknown;

/** A macro `receiver.name(variable, …, expression, …)` that has so many variables, and returns the type. */
export function macro(variables: number, returns: string, run: Run): (call: Call) => object {
  return ({ ast, args, receiver }) => {
    let scopes: Context[] = [];
    return {
      typeCheck(checker: Checker, _macro: unknown, context: Context): Type {
        const type = checker.check(receiver, context);
        const dyn = checker.getType('dyn');
        scopes = args.slice(0, variables).reduce<Context[]>((outer, { op, args: name }) => {
          if (op !== 'id') throw new CelError('argument must be a simple name');
          return [
            ...outer,
            (outer.at(-1) ?? context).forkWithVariable(name, type.kind === 'optional' ? type.valueType : dyn),
          ];
        }, []);
        for (const expression of args.slice(variables)) checker.check(expression, scopes.at(-1) ?? context);
        ast.setMeta('async', false);
        return checker.getType(returns);
      },
      evaluate(evaluator: Evaluator, _macro: unknown, context: Context): unknown {
        const expressions = args.slice(variables).map(
          (expression): Evaluate =>
            (...values) =>
              evaluator.run(
                expression,
                scopes.reduce((outer, scope, at) => scope.reuse(outer).setIterValue(values[at], evaluator), context),
              ),
        );
        return run(evaluator.run(receiver, context), expressions);
      },
    };
  };
}

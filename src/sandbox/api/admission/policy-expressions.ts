import { CelCompiler, type CelProgram } from '../../../cel/engine.ts';
import { CelError } from '../../../cel/error.ts';

export type Values = Readonly<Record<string, unknown>>;

/** An expression, with why it could not be compiled. */
export interface Expression {
  readonly text: string;
  readonly program: CelProgram | CelError;
}

/** `failed` in the API server's words; `not-judged` where the expression needs more than we have. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'not-judged'; readonly message: string };

export function evaluate({ text, program }: Expression, values: Values): Outcome {
  try {
    if (program instanceof CelError) throw new NotJudged(program.message);
    return { kind: 'value', value: program.evaluate(values) };
  } catch (error) {
    if (error instanceof NotJudged) return { kind: 'not-judged', message: `expression '${text}': ${error.message}` };
    if (!(error instanceof CelError)) throw error;
    return { kind: 'failed', message: `expression '${text}' resulted in error: ${error.message}` };
  }
}

/** An expression, or a variable that it names, could not be compiled. */
class NotJudged extends CelError {}

const compiler = new CelCompiler(['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables']);

export function compile(text = ''): Expression {
  try {
    return { text, program: compiler.compile(text) };
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { text, program: error.unknownName === 'authorizer' ? noAuthorizer : error };
  }
}

const noAuthorizer = new CelError('the sandbox has no authorizer');

/** With `variables`, each evaluated when it is first asked for. */
export function withVariables(values: Values, variables: readonly (readonly [name: string, Expression])[]): Values {
  const all: Values = { ...values, variables: {} };
  for (const [name, expression] of variables) {
    let known: { readonly value: unknown } | undefined;
    const get = (): unknown => {
      known ??= { value: variableValue(name, expression, all) };
      return known.value;
    };
    Object.defineProperty(all['variables'], name, { enumerable: true, get });
  }
  return all;
}

function variableValue(name: string, { program }: Expression, values: Values): unknown {
  if (program instanceof CelError) throw new NotJudged(`variable ${name}: ${program.message}`);
  try {
    return program.evaluate(values);
  } catch (error) {
    if (!(error instanceof CelError) || error instanceof NotJudged) throw error;
    throw new CelError(`composited variable "${name}" fails to evaluate: ${error.message}`);
  }
}

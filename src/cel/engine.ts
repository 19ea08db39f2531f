import { isObject } from '../support/json.ts';
import { type ASTNode, Environment, EvaluationError, ParseError, TypingError } from './cel-js.ts';
import { Cost, costLimitExceeded } from './cost.ts';
import { CelError } from './error.ts';
import { hasField } from './library/has.ts';
import { libraries } from './library/libraries.ts';
import type { Library } from './library/library.ts';
import { replaceMacro } from './library/macro.ts';
import { type Selection, selectionsIn } from './selections.ts';

/** An expression, checked. */
export interface CelProgram {
  /** What it evaluates to: `bool`, `string`, …; `dyn` where only the values tell. */
  readonly type: string;
  /** The variables that it reads. */
  readonly names: ReadonlySet<string>;
  /** The fields that it reads: `object.spec.containers.all(c, has(c.image))` reads `object.spec.containers.*.image`. */
  readonly fields: readonly Selection[];
  /** Throws {@link CelError}. */
  evaluate(values: Readonly<Record<string, unknown>>): unknown;
}

/** Compiles expressions: with cel-go's optional types, its extensions, and Kubernetes' libraries. */
export class CelCompiler {
  readonly #environment: Environment;

  /** For expressions that may name these variables; any where there are none given. */
  constructor(variables?: readonly string[]) {
    const environment = new Environment({ ...options, unlistedVariablesAreDyn: variables === undefined });
    for (const library of libraries) register(environment, library);
    for (const name of variables ?? []) environment.registerVariable(name, 'dyn');
    this.#environment = environment;
  }

  /** Throws {@link CelError}. */
  compile(text: string): CelProgram {
    const program = calling(() => this.#environment.parse(text));
    const names = new Set<string>();
    const cost = new Cost();
    correct(program.ast, names, cost);
    const { valid, type = 'dyn', error } = program.check();
    if (!valid) throw celErrorOf(error);
    const evaluate: CelProgram['evaluate'] = (values) => calling(() => cost.limit(() => program(values)));
    return { type, names, fields: selectionsIn(program.ast), evaluate };
  }
}

/** Lists and maps may mix types, and `.?` is understood. */
const options = { homogeneousAggregateLiterals: false, enableOptionalTypes: true };

function register(environment: Environment, { types = {}, namespaces = {}, functions = {}, operators = {} }: Library) {
  for (const [name, type] of Object.entries(types)) environment.registerType(name, type);
  for (const [name, classes] of Object.entries(namespaces))
    for (const [type, Namespace] of Object.entries(classes)) {
      environment.registerType(type, Namespace);
      environment.registerConstant(name, type, new Namespace());
    }
  for (const [signature, run] of Object.entries(functions)) environment.registerFunction(signature, run, sync);
  for (const [signature, run] of Object.entries(operators))
    environment.registerOperator(signature, (a, b) => run(a as never, b as never));
}

const sync = { async: false };

/**
 * Where cel-js does not do as cel-go: `matches` is JavaScript's regular expressions, and `has` takes no more than names.
 * Both become ours. On its way, notes the names and counts the cost.
 */
function correct(node: unknown, names: Set<string>, cost: Cost): void {
  if (Array.isArray(node)) for (const part of node) correct(part, names, cost);
  else if (isObject(node)) {
    const { op, args } = node as Partial<ASTNode>;
    if (op === 'rcall' && args?.[0] === 'matches') (args as unknown[])[0] = 'matchesGoRegexp';
    if (op === 'call' && args?.[0] === 'has') replaceMacro(node, hasField);
    if (op === 'id') names.add(args as string);
    cost.count(node);
    correct(args, names, cost);
  }
}

function calling<T>(task: () => T): T {
  try {
    return task();
  } catch (cause) {
    if (cause instanceof ParseError || cause instanceof EvaluationError || cause instanceof TypingError)
      throw celErrorOf(cause);
    // A text or a list that is longer than JavaScript's can be.
    if (cause instanceof RangeError) throw costLimitExceeded();
    throw cause;
  }
}

function celErrorOf(error: ParseError | EvaluationError | TypingError | undefined): CelError {
  const { code = '', summary = '', node } = error ?? {};
  const name: unknown = code === 'unknown_variable' ? (node as { args?: unknown } | undefined)?.args : undefined;
  const unknownName = typeof name === 'string' ? name : undefined;
  return new CelError(error instanceof EvaluationError ? goText(code, summary) : summary, {
    cause: error,
    unknownName,
  });
}

/** What cel-go says of a failed evaluation. */
function goText(code: string, summary: string): string {
  const text = goTexts[code];
  return typeof text === 'function' ? text(summary) : (text ?? summary);
}

const goTexts: Readonly<Record<string, string | ((summary: string) => string)>> = {
  no_such_key: (summary) => summary.replace(/^No/, 'no'),
  unknown_variable: (summary) => summary.replace(/^Unknown variable/, 'no such attribute(s)'),
  index_out_of_bounds: (summary) => `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1]}`,
  no_such_overload: 'no such overload',
  no_matching_overload: overloadText,
  invalid_condition_type: 'no such overload',
  invalid_logical_operand: 'no such overload',
  modulo_by_zero: 'modulus by zero',
  numeric_overflow: 'integer overflow',
  int_conversion_error: "type conversion error from 'string' to 'int'",
  double_conversion_error: "type conversion error from 'string' to 'double'",
  invalid_timestamp: "type conversion error from 'string' to 'google.protobuf.Timestamp'",
  invalid_duration: "type conversion error from 'string' to 'google.protobuf.Duration'",
  optional_value_missing: 'optional.none() dereference',
};

/** `found no matching overload for 'list.join(string)'`: cel-go names the receiver first, and only its extensions' functions. */
function overloadText(summary: string): string {
  const [, receiver, name = '', types = ''] = /'(?:(.*)\.)?(\w+)\((.*)\)'$/.exec(summary) ?? [];
  if (name === 'size') return 'no such overload: size';
  if (standardMethods.has(name)) return 'no such overload';
  return `no such overload: ${name}(${[receiver, types].filter(Boolean).join(', ')})`;
}

const standardMethods: ReadonlySet<string> = new Set(['startsWith', 'endsWith', 'contains', 'matchesGoRegexp']);

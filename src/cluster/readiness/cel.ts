import { Environment, EvaluationError, ParseError, TypeError as TypingError } from '@marcbachmann/cel-js';
import type { KubernetesObject } from '../../manifest/types.ts';
import { isObject } from '../../support/json.ts';
import { nearest } from '../../support/near.ts';

/** The fields of an object as CEL sees them: whole numbers are `int`, as in Go. */
export type CelFields = Readonly<Record<string, unknown>>;

/** Says whether it is true of an object. Throws {@link CelError} where the object lacks a field that it reads. */
export type CelCondition = (fields: CelFields) => boolean;

/** An expression that cannot be compiled, or not be evaluated on an object. */
export class CelError extends Error {}

export const celFields = (object: KubernetesObject): CelFields => celValue(object) as CelFields;

function celValue(json: unknown): unknown {
  if (Number.isSafeInteger(json)) return BigInt(json as number);
  if (Array.isArray(json)) return json.map(celValue);
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([key, member]) => [key, celValue(member)]));
}

/**
 * Compiles an expression, whose variables are the fields of the object. Other fields than the usual ones may exist, but
 * one that resembles them is a mistake. Throws {@link CelError}.
 */
export function compileCel(text: string): CelCondition {
  const unknown = unknownVariable(text);
  const meant = unknown && nearest(unknown, usualFields);
  if (meant !== undefined) throw new CelError(`there is no field ${unknown}; did you mean ${meant}?`);
  const program = compiled(text, anyFields());
  const { valid, type = '', error } = program.check();
  if (!valid) throw new CelError(error?.summary);
  if (type !== 'bool' && type !== 'dyn') throw new CelError(`it must be true or false, but its type is ${type}`);
  return (fields) => {
    const value: unknown = calling(() => program(fields));
    if (typeof value === 'boolean') return value;
    throw new CelError('it is neither true nor false');
  };
}

const usualFields = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

function unknownVariable(text: string): string | undefined {
  const { error } = compiled(text, usualFieldsAlone()).check();
  const name: unknown =
    error?.code === 'unknown_variable' ? (error.node as { args?: unknown } | undefined)?.args : undefined;
  return typeof name === 'string' ? name : undefined;
}

const compiled = (text: string, environment: Environment) => calling(() => environment.parse(text));

function calling<T>(task: () => T): T {
  try {
    return task();
  } catch (cause) {
    if (cause instanceof ParseError || cause instanceof EvaluationError || cause instanceof TypingError)
      throw new CelError(cause.summary, { cause });
    throw cause;
  }
}

/** As Flux: lists and maps may mix types, and `.?` is understood. */
const options = { homogeneousAggregateLiterals: false, enableOptionalTypes: true };

const anyFields = (): Environment => new Environment({ ...options, unlistedVariablesAreDyn: true });

const usualFieldsAlone = (): Environment =>
  usualFields.reduce((environment, field) => environment.registerVariable(field, 'dyn'), new Environment(options));

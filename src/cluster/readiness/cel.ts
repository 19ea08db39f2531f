import { CelCompiler } from '../../cel/engine.ts';
import { CelError } from '../../cel/error.ts';
import { celValue } from '../../cel/values.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { nearest } from '../../support/near.ts';

export { CelError };

/** The fields of an object as CEL sees them: whole numbers are `int`, as in Go. */
export type CelFields = Readonly<Record<string, unknown>>;

/** Says whether it is true of an object. Throws {@link CelError} where the object lacks a field that it reads. */
export type CelCondition = (fields: CelFields) => boolean;

export const celFields = (object: KubernetesObject): CelFields => celValue(object) as CelFields;

/**
 * Compiles an expression, whose variables are the fields of the object. Other fields than the usual ones may exist, but
 * one that resembles them is a mistake. Throws {@link CelError}.
 */
export function compileCel(text: string): CelCondition {
  const unknown = unknownField(text);
  const meant = unknown && nearest(unknown, usualFields);
  if (meant !== undefined) throw new CelError(`there is no field ${unknown}; did you mean ${meant}?`);
  const { type, evaluate } = anyFields.compile(text);
  if (type !== 'bool' && type !== 'dyn') throw new CelError(`it must be true or false, but its type is ${type}`);
  return (fields) => {
    const value = evaluate(fields);
    if (typeof value === 'boolean') return value;
    throw new CelError('it is neither true nor false');
  };
}

const usualFields = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const anyFields = new CelCompiler();
const usualFieldsAlone = new CelCompiler(usualFields);

function unknownField(text: string): string | undefined {
  try {
    usualFieldsAlone.compile(text);
    return undefined;
  } catch (error) {
    if (error instanceof CelError) return error.unknownName;
    throw error;
  }
}

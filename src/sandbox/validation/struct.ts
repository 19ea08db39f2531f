import type { Json, JsonObject } from '../../support/json.ts';
import type { FieldProblem } from '../status.ts';

/** A struct of Kubernetes' API where it is in an object. */
export interface Struct {
  /** Its Go name: `Container`. */
  readonly name: string;
  readonly value: JsonObject;
  readonly path: string;
  /** The struct that holds it; undefined for the object itself. */
  readonly above: Struct | undefined;
  /** What is wrong with it as far as it has been judged: its fields are, in the order of its rules. */
  readonly problems: readonly FieldProblem[];
}

/** What is wrong with a field of a struct, which may be absent. */
export type Check = (value: Json | undefined, path: string, struct: Struct) => readonly FieldProblem[];

/** A check's answer for what nobody reads: it is not judged, nor what is below it. */
export const unread: readonly FieldProblem[] = [];

/** The rules of a struct: for its fields by name, and under `''` for the struct as a whole. */
export type StructRules = Readonly<Record<string, Check>>;

/** The nearest struct of a name that holds this one. */
export function enclosing(struct: Struct, ...names: readonly string[]): Struct | undefined {
  let at: Struct | undefined = struct;
  while (at !== undefined && !names.includes(at.name)) at = at.above;
  return at;
}

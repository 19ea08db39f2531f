import { GoError, type GoMap, type Value } from '../../go/value.ts';
import { anyOf } from '../../render/yaml-values.ts';
import { meaningOfScalar, pairsOf, withoutAlias, type YamlNode } from '../../yaml/index.ts';
import { wrongTypeMessage } from '../documents/wrong-type.ts';

/** A suite that does not say what it has to say. `line` counts from 1; 0 where it is about the whole file. */
export class SuiteError extends GoError {
  readonly line: number;

  constructor(message: string, line = 0) {
    super(message);
    this.line = line;
  }
}

/** Reads one field of a mapping, by the rules of go.yaml.in/yaml/v3 for a field of that type in a Go struct. */
export type FieldReader<T> = (node: YamlNode) => T;

/**
 * Reads a mapping as Go reads it into a struct: unknown keys are left out, or refused where `isStrict`; a null is the same
 * as nothing. Throws {@link SuiteError}.
 */
export function readStruct<T extends object>(
  node: YamlNode | undefined,
  fields: { readonly [Name in keyof T]-?: FieldReader<T[Name]> },
  { type, isStrict }: { readonly type: string; readonly isStrict: boolean },
): Partial<T> {
  const read: Partial<T> = {};
  if (node === undefined || isNull(node)) return read;
  const target = withoutAlias(node);
  if (target.kind !== 'mapping') throw wrongType(target, type);
  for (const { key, keyNode, value } of pairsOf(target)) {
    if (Object.hasOwn(fields, key)) read[key as keyof T] = fields[key as keyof T](value);
    else if (isStrict) {
      const message = `yaml: unmarshal errors:\n  line ${keyNode.line + 1}: field ${key} not found in type ${type}`;
      throw new SuiteError(message, keyNode.line + 1);
    }
  }
  return read;
}

export function isNull(node: YamlNode): boolean {
  const target = withoutAlias(node);
  return target.kind === 'scalar' && meaningOfScalar(target).kind === 'null';
}

/** A scalar of any type, as it is written. */
export const text: FieldReader<string> = (node) => {
  const target = withoutAlias(node);
  if (target.kind !== 'scalar') throw wrongType(target, 'string');
  return isNull(target) ? '' : target.value;
};

export const integer: FieldReader<number> = (node) => {
  const target = withoutAlias(node);
  const meaning = target.kind === 'scalar' ? meaningOfScalar(target) : undefined;
  if (meaning?.kind === 'null') return 0;
  if (meaning?.kind === 'int') return Number(meaning.value);
  if (meaning?.kind === 'float') return Math.trunc(meaning.value);
  throw wrongType(target, 'int');
};

const oldTruth: Readonly<Record<string, boolean>> = { y: true, yes: true, on: true, n: false, no: false, off: false };

export const truth: FieldReader<boolean> = (node) => {
  const target = withoutAlias(node);
  if (target.kind !== 'scalar') throw wrongType(target, 'bool');
  const meaning = meaningOfScalar(target);
  if (meaning.kind === 'null') return false;
  if (meaning.kind === 'bool') return meaning.value;
  const old = oldTruth[target.value.toLowerCase()];
  if (old === undefined || meaning.kind !== 'str') throw wrongType(target, 'bool');
  return old;
};

export const listOf =
  <T>(item: FieldReader<T>, type: string): FieldReader<readonly T[]> =>
  (node) => {
    const target = withoutAlias(node);
    if (isNull(target)) return [];
    if (target.kind !== 'sequence') throw wrongType(target, type);
    return target.items.map(item);
  };

export const texts = listOf(text, '[]string');

export const anyMap: FieldReader<GoMap> = (node) => {
  const target = withoutAlias(node);
  if (isNull(target)) return new Map();
  if (target.kind !== 'mapping') throw wrongType(target, 'map[string]interface {}');
  return anyOf(target) as GoMap;
};

export const anything: FieldReader<Value> = anyOf;

export const wrongType = (node: YamlNode, type: string): SuiteError =>
  new SuiteError(wrongTypeMessage(node, type), node.line + 1);

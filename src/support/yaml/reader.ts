import { loadAll, Schema, Type } from 'js-yaml';
import { messageOf } from '../errors.ts';
import { cannotUnmarshal } from '../json.ts';
import type { GoList, GoMap, Value } from '../value.ts';
import { YamlError } from './errors.ts';
import { resolvePlain } from './resolve.ts';

export { YamlError } from './errors.ts';

const schema = new Schema({
  implicit: [
    new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (data: unknown) => data === '<<' }),
    new Type('tag:tshelm,plain', {
      kind: 'scalar',
      resolve: (data: string | null) =>
        data === null || ['null', 'bool', 'int', 'float'].includes(resolvePlain(data).kind),
      construct: (data: string | null) => {
        const scalar = resolvePlain(data ?? '');
        return 'value' in scalar ? scalar.value : null;
      },
    }),
  ],
  explicit: [
    new Type('tag:yaml.org,2002:str', { kind: 'scalar', construct: (data: string | null) => data ?? '' }),
    new Type('tag:yaml.org,2002:seq', { kind: 'sequence', construct: (data: unknown[] | null) => data ?? [] }),
    new Type('tag:yaml.org,2002:map', { kind: 'mapping', construct: (data: object | null) => data ?? {} }),
  ],
});

function load(text: string): unknown {
  try {
    return (
      (loadAll(text, null, { schema, json: true, maxDepth: 1000, maxTotalMergeKeys: -1 } as object) as unknown[])[0] ??
      null
    );
  } catch (cause) {
    throw new YamlError(`error converting YAML to JSON: yaml: ${messageOf(cause)}`);
  }
}

/** The first document of a YAML text as sigs.k8s.io/yaml reads it into `any`. Throws {@link YamlError}. */
export function readYaml(text: string): Value {
  return toValue(load(text));
}

/** The same where the caller needs a mapping; an empty document gives an empty map. */
export function readYamlMap(text: string): GoMap {
  const value = readYaml(text);
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw new YamlError(
    `error unmarshaling JSON: while decoding JSON: ${cannotUnmarshal(value, 'map[string]interface {}').message}`,
  );
}

/** The same where the caller needs a list; an empty document gives an empty list. */
export function readYamlList(text: string): GoList {
  const value = readYaml(text);
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw new YamlError(
    `error unmarshaling JSON: while decoding JSON: ${cannotUnmarshal(value, '[]interface {}').message}`,
  );
}

/** The first document as plain JavaScript data; integers beyond the safe range are bigints. */
export function readPlainYaml(text: string): unknown {
  return toPlain(load(text));
}

function toValue(node: unknown): Value {
  if (typeof node === 'bigint') return Number(node);
  if (typeof node !== 'object' || node === null) return node as Value;
  if (Array.isArray(node)) return node.map(toValue);
  return new Map(Object.entries(node).map(([key, value]) => [key, toValue(value)]));
}

function toPlain(node: unknown): unknown {
  if (typeof node === 'bigint') return Number.isSafeInteger(Number(node)) ? Number(node) : node;
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(toPlain);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, toPlain(value)]));
}

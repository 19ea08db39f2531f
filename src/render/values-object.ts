import {
  asNamedMap,
  GoError,
  type GoFunction,
  type GoMap,
  type NamedType,
  unnamedMap,
  type Value,
} from '../go/value.ts';
import { goFunction } from '../template/function.ts';
import { writeYaml } from '../yaml/index.ts';

/** A reference of Go's type common.Values to a map, which itself stays the same and shared. */
export const asValues = (map: GoMap): GoMap => asNamedMap(map, valuesType);

const valuesType: NamedType = {
  name: 'common.Values',
  underlying: 'map[string]interface {}',
  method: (values, name) => methods[name]?.(values as GoMap),
};

const methods: Readonly<Record<string, (values: GoMap) => GoFunction>> = {
  YAML: (values) => goFunction('func() (string, error)', () => writeYaml(values)),
  AsMap: (values) => goFunction('func() map[string]any', () => (values.size === 0 ? new Map() : unnamedMap(values))),
  Table: (values) => goFunction('func(string) (any, error)', (path: string) => asValues(requiredTable(values, path))),
  Encode: () => goFunction('func(io.Writer) error', () => null),
  PathValue: (values) => goFunction('func(string) (any, error)', (path: string) => pathValue(values, path)),
};

/** The table at a dotted path; undefined where one of its parts is no table. */
export function tableAt(values: GoMap, path: string): GoMap | undefined {
  let table: Value = values;
  for (const key of path.split('.')) {
    table = (table as GoMap).get(key);
    if (!(table instanceof Map)) return undefined;
  }
  return table;
}

function requiredTable(values: GoMap, path: string): GoMap {
  let table = values;
  for (const key of path.split('.')) {
    const next = table.get(key);
    if (!(next instanceof Map)) throw new GoError(`${JSON.stringify(key)} is not a table`);
    table = next;
  }
  return table;
}

/** Go's istable asks for the unnamed type. */
const isTable = (value: Value): boolean => value instanceof Map && unnamedMap(value) === value;

function pathValue(values: GoMap, path: string): Value {
  if (path === '') throw new GoError('YAML path cannot be empty');
  const keys = path.split('.');
  const key = keys.pop() ?? '';
  const table = keys.length === 0 ? values : tableAt(values, keys.join('.'));
  const value = table?.get(key);
  if (table?.has(key) !== true || isTable(value)) throw new GoError(`${JSON.stringify(key)} is not a value`);
  return value;
}

import { GoError, type GoFunction, type GoMap, type Value, withGoType, withMethods } from '../support/value.ts';
import { writeYaml } from '../support/yaml/index.ts';
import { goFunction } from '../template/function.ts';

/** Gives a map Go's type common.Values and its methods; the map itself stays the same and shared. */
export function asValues(map: GoMap): GoMap {
  return withMethods(withGoType(map, 'common.Values'), (name) => methods[name]?.(map));
}

const methods: Readonly<Record<string, (values: GoMap) => GoFunction>> = {
  YAML: (values) => goFunction('func() (string, error)', () => writeYaml(values)),
  AsMap: (values) => goFunction('func() map[string]any', () => values),
  Table: (values) => goFunction('func(string) (any, error)', (path: string) => asValues(requiredTable(values, path))),
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

function pathValue(values: GoMap, path: string): Value {
  if (path === '') throw new GoError('YAML path cannot be empty');
  const keys = path.split('.');
  const key = keys.pop() ?? '';
  const table = keys.length === 0 ? values : tableAt(values, keys.join('.'));
  const value = table?.get(key);
  if (table?.has(key) !== true || value instanceof Map) throw new GoError(`${JSON.stringify(key)} is not a value`);
  return value;
}

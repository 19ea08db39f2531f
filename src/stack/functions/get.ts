import { formatValue } from '../../go/fmt/format.ts';
import { GoError, type GoMap, GoObject, goTypeOf, type Value } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';

/** helmfile's `get`, `getOrNil` and `setValueAtPath`: members by a path with dots (pkg/tmpl/get_or_nil.go). */
export const pathFunctions: FunctionTable = {
  get: goFunction('func(string, ...any) (any, error)', (path: string, args: readonly Value[]) => {
    if (args.length === 1) return lookUp(path, args[0]);
    if (args.length === 2) return lookUp(path, args[1], { value: args[0] });
    throw new GoError(
      `unexpected number of args passed to the template function get(path, [def, ]obj): expected 1 or 2, got ${args.length}`,
    );
  }),
  getOrNil: goFunction('func(string, any) (any, error)', (path: string, object: Value) => {
    try {
      return lookUp(path, object);
    } catch (error) {
      if (error instanceof NoValue) return null;
      throw error;
    }
  }),
  setValueAtPath: goFunction(
    'func(string, any, map[string]any) (map[string]any, error)',
    (path: string, value: Value, values: GoMap) => setAt(path, value, values),
  ),
};

class NoValue extends GoError {}

interface Default {
  readonly value: Value;
}

function lookUp(path: string, object: Value, otherwise?: Default): Value {
  if (path === '') return object;
  const [key, ...rest] = path.split('.') as [string, ...string[]];
  const next = memberOf(object, key);
  if (next === undefined) {
    if (otherwise !== undefined) return otherwise.value;
    throw new NoValue(`no value exist for key "${key}" in ${formatValue(object)}`);
  }
  return lookUp(rest.join('.'), next.value, otherwise);
}

/** Undefined where there is no such member; what has no members at all is an error even with a default. */
function memberOf(object: Value, key: string): Default | undefined {
  if (object instanceof Map) return object.has(key) ? { value: object.get(key) ?? null } : undefined;
  if (object instanceof GoObject) return object.hasField(key) ? { value: object.field(key) } : undefined;
  throw new NoValue(
    `unexpected type(${goTypeOf(object)}) of value for key "${key}": it must be either map[string]any or any struct`,
  );
}

function setAt(path: string, value: Value, values: GoMap): GoMap {
  const keys = path.split('.');
  const last = keys.pop() as string;
  let current: GoMap = values;
  for (const key of keys) {
    const next = current.get(key);
    if (!current.has(key)) {
      throw new GoError(`failed to set value at path "${path}": value for key "${key}" does not exist`);
    }
    if (!(next instanceof Map)) {
      throw new GoError(`failed to set value at path "${path}": value for key "${key}" was not a map`);
    }
    current = next;
  }
  current.set(last, value);
  return values;
}

import { isAbsolute, join, resolve } from 'node:path';
import { boolOf } from '../../change/option-rows.ts';
import { expandVariables } from '../../go/expand.ts';
import { readJson, writeJson } from '../../go/json/json.ts';
import { GoStruct } from '../../go/struct.ts';
import { GoError, type GoList, type GoMap, goTypeOf, type Value } from '../../go/value.ts';
import { fixedFunctions } from '../../render/functions/table.ts';
import { readAny } from '../../render/yaml-values.ts';
import type { SecretReader } from '../../secrets/reader.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import { writeYamlPretty } from '../../yaml/index.ts';
import type { StackWorld } from '../world.ts';
import { pathFunctions } from './get.ts';

export interface FunctionDoors {
  readonly world: StackWorld;
  /** What file names are relative to. */
  readonly directory: string;
  readonly secrets: SecretReader;
  readonly render: (text: string, data: Value) => string;
}

const sprigGet = fixedFunctions.get('get');

/** The functions of helmfile's templates beside sprig's (pkg/tmpl/context_funcs.go). */
export const helmfileFunctions = (doors: FunctionDoors): FunctionTable => ({
  ...fileFunctions(doors),
  ...programFunctions(doors),
  ...variableFunctions(doors.world),
  ...pathFunctions,
  ...secretFunctions(doors.secrets),
  ...formatFunctions,
  ...(sprigGet === undefined ? {} : { sprigGet }),
  required: goFunction('func(string, any) (any, error)', (message: string, value: Value) => {
    if (value === null || value === undefined || value === '') throw new GoError(message);
    return value;
  }),
  tpl: goFunction('func(string, any) (string, error)', (text: string, data: Value) => doors.render(text, data)),
});

const formatFunctions: FunctionTable = {
  toYaml: goFunction('func(any) (string, error)', (value: Value) => writeYamlPretty(value)),
  fromYaml: goFunction('func(string) (any, error)', (text: string) => {
    try {
      return readAny(text);
    } catch (cause) {
      throw new GoError(`${(cause as Error).message}, offending yaml: ${text}`, { cause });
    }
  }),
  toJson: goFunction('func(any) string', (value: Value) => writeJson(value)),
  fromJson: goFunction('func(string) any', (text: string) => {
    try {
      return readJson(text);
    } catch {
      // As sprig's fromJson.
      return null;
    }
  }),
};

function fileFunctions({ world, directory }: FunctionDoors): FunctionTable {
  const at = (name: string): string => resolve(directory, name);
  const entries = (name: string): readonly string[] => {
    if (world.kindOf(at(name)) !== 'directory') {
      throw new GoError(`ReadDir ${JSON.stringify(at(name))}: open ${at(name)}: no such file or directory`);
    }
    return world.list(at(name));
  };
  const isDirectory = (name: string, entry: string): boolean => world.kindOf(join(at(name), entry)) === 'directory';
  return {
    isFile: goFunction('func(string) (bool, error)', (name: string) => world.kindOf(at(name)) === 'file'),
    isDir: goFunction('func(string) (bool, error)', (name: string) => world.kindOf(at(name)) === 'directory'),
    readFile: goFunction('func(string) (string, error)', (name: string) => {
      refuseInsecure(world);
      return world.readFile(at(name));
    }),
    readDir: goFunction('func(string) ([]string, error)', (name: string) => {
      refuseInsecure(world);
      return entries(name)
        .filter((entry) => !isDirectory(name, entry))
        .map((entry) => (isAbsolute(name) ? join(name, entry) : join(name, entry)));
    }),
    readDirEntries: goFunction('func(string) (any, error)', (name: string) => {
      refuseInsecure(world);
      return entries(name).map((entry) => directoryEntry(entry, isDirectory(name, entry)));
    }),
  };
}

const directoryEntry = (name: string, isDirectory: boolean): GoStruct =>
  new GoStruct('*os.unixDirent', [], {
    Name: goFunction('func() string', () => name),
    IsDir: goFunction('func() bool', () => isDirectory),
  });

/** HELMFILE_DISABLE_INSECURE_FEATURES takes programs and files away from templates. */
function refuseInsecure({ env }: StackWorld): void {
  const names = ['HELMFILE_DISABLE_INSECURE_FEATURES', 'HELMFILE_DISABLE_INSECURE_TEMPLATE_FUNCTIONS'];
  if (!names.some((name) => boolOf(env[name] ?? '') === true)) return;
  throw new GoError(`${names.join(' or ')} is active, insecure function calls are disabled`);
}

function programFunctions({ world, directory }: FunctionDoors): FunctionTable {
  const run = (command: string, args: GoList, inputs: readonly string[], env: GoMap = new Map()): string => {
    refuseInsecure(world);
    const words = args.map((arg, index) => {
      if (typeof arg === 'string') return arg;
      throw new GoError(`unexpected type of arg "${goTypeOf(arg)}" in args at index ${index}`);
    });
    const variables = [...env].map(([name, value]): [string, string] => {
      if (typeof value === 'string') return [name, value];
      throw new GoError(`unexpected type of env "${goTypeOf(value)}" in envs at index ${name}`);
    });
    const input = inputs[0] ?? '';
    return world.run({ command, args: words, cwd: directory, env: Object.fromEntries(variables), input });
  };
  return {
    exec: goFunction('func(string, []any, ...string) (string, error)', (command: string, args: GoList, inputs) =>
      run(command, args, inputs),
    ),
    envExec: goFunction(
      'func(map[string]any, string, []any, ...string) (string, error)',
      (env: GoMap, command: string, args: GoList, inputs: readonly string[]) => run(command, args, inputs, env),
    ),
  };
}

function variableFunctions({ env }: StackWorld): FunctionTable {
  const variable = (name: string): string => env[name] ?? '';
  return {
    env: goFunction('func(string) string', variable),
    expandenv: goFunction('func(string) string', (text: string) => expandVariables(text, variable)),
    requiredEnv: goFunction('func(string) (string, error)', (name: string) => {
      if (variable(name) === '') throw new GoError(`required env var \`${name}\` is not set`);
      return variable(name);
    }),
  };
}

const secretFunctions = (secrets: SecretReader): FunctionTable => ({
  fetchSecretValue: goFunction('func(string) (string, error)', (reference: string) => {
    const value = secrets.resolve(reference);
    if (typeof value !== 'string') throw new GoError(`expected ${goTypeOf(value)} to be string`);
    return value;
  }),
  expandSecretRefs: goFunction('func(map[string]any) (map[string]any, error)', (values: GoMap) =>
    secrets.resolve(values),
  ),
});

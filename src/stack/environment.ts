import { GoStruct } from '../go/struct.ts';
import type { GoMap, Value } from '../go/value.ts';
import { deepCopyOf, layer } from './value-maps.ts';

/** The environment that a state is read for: helmfile's environment.Environment. */
export interface Environment {
  readonly name: string;
  readonly kubeContext: string;
  readonly values: GoMap;
  /** The state's own `values:`. */
  readonly defaults: GoMap;
  /** `--state-values-set`: laid over the rest element by element. */
  readonly cliOverrides: GoMap;
}

export const newEnvironment = (name: string): Environment => ({
  name,
  kubeContext: '',
  values: new Map(),
  defaults: new Map(),
  cliOverrides: new Map(),
});

const copyOf = (environment: Environment): Environment => ({
  ...environment,
  values: deepCopyOf(environment.values),
  defaults: deepCopyOf(environment.defaults),
  cliOverrides: deepCopyOf(environment.cliOverrides),
});

/** One environment over another; either may be missing. */
export function mergeEnvironments(
  under: Environment | undefined,
  over: Environment | undefined,
): Environment | undefined {
  if (under === undefined) return over === undefined ? undefined : copyOf(over);
  const copy = copyOf(under);
  if (over === undefined) return copy;
  return {
    name: over.name || copy.name,
    kubeContext: over.kubeContext || copy.kubeContext,
    values: layer(copy.values, over.values),
    defaults: layer(copy.defaults, over.defaults),
    cliOverrides: layer(copy.cliOverrides, over.cliOverrides, 'by-element'),
  };
}

/** What templates see as `.Values`. */
export const mergedValues = ({ defaults, values, cliOverrides }: Environment): GoMap =>
  deepCopyOf(layer(layer(defaults, values), cliOverrides, 'by-element'));

/** `.Environment` of a template. */
export const environmentObject = (environment: Environment, values: GoMap = environment.values): GoStruct =>
  new GoStruct('environment.Environment', [
    ['Name', environment.name],
    ['KubeContext', environment.kubeContext],
    ['Values', values],
    ['Defaults', environment.defaults],
    ['CLIOverrides', environment.cliOverrides],
  ]);

/** The data of a state file's templates, and of those of its files of environment values. */
export function environmentData(environment: Environment, namespace: string, values: GoMap): Value {
  const seen = layer(environment.values, environment.cliOverrides, 'by-element');
  return new GoStruct('state.EnvironmentTemplateData', [
    ['Environment', environmentObject(environment, seen)],
    ['Namespace', namespace],
    ['Values', values],
    ['StateValues', values],
  ]);
}

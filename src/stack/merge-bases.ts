import { mergeStructs } from './fields.ts';
import { type EnvironmentSpec, type StateSpec, stateFields } from './schema.ts';

/** Bases and the file that names them, one over the other: lists are joined, environments with their values. */
export function mergeBases(layers: readonly StateSpec[]): StateSpec {
  const [first = {}, ...rest] = layers;
  return rest.reduce((merged, next) => {
    const { environments, ...others } = next;
    const joined = mergeStructs(stateFields, merged, others, { overrides: true, appends: true });
    if (environments === undefined) return joined;
    return { ...joined, environments: joinEnvironments(merged.environments ?? new Map(), environments) };
  }, first);
}

function joinEnvironments(
  before: ReadonlyMap<string, EnvironmentSpec>,
  after: ReadonlyMap<string, EnvironmentSpec>,
): ReadonlyMap<string, EnvironmentSpec> {
  const joined = new Map(before);
  for (const [name, environment] of after) {
    const known = joined.get(name);
    joined.set(name, known === undefined ? environment : joinEnvironment(known, environment));
  }
  return joined;
}

function joinEnvironment(before: EnvironmentSpec, after: EnvironmentSpec): EnvironmentSpec {
  const mergeStrategy = after.mergeStrategy ?? before.mergeStrategy;
  const [low, high] = mergeStrategy === 'fallback' ? [after, before] : [before, after];
  return {
    secrets: [...(before.secrets ?? []), ...(after.secrets ?? [])],
    kubeContext: after.kubeContext ?? before.kubeContext,
    missingFileHandler: after.missingFileHandler ?? before.missingFileHandler,
    missingFileHandlerConfig: after.missingFileHandlerConfig ?? before.missingFileHandlerConfig,
    mergeStrategy,
    values: [...(low.values ?? []), ...(high.values ?? [])],
  };
}

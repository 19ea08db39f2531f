import type { GoMap, Value } from '../go/value.ts';
import { type Environment, newEnvironment } from './environment.ts';
import { absolute, type Place, type Reading, resolveFiles } from './reading.ts';
import type { EnvironmentSpec, StateSpec } from './schema.ts';
import { layer, mergeValueMaps } from './value-maps.ts';
import { loadValues, readMap } from './values-files.ts';

export interface EnvironmentContext {
  readonly place: Place;
  /** What is known already: from earlier parts, from the outer file, from the command line. */
  readonly environment: Environment | undefined;
}

/** The environment that a part of a file is for, with what the part says of it (StateCreator.LoadEnvValues). */
export function loadEnvironment(spec: StateSpec, context: EnvironmentContext, reading: Reading): Environment {
  const { place, environment: known } = context;
  const { environment: name } = reading.request;
  const own = spec.environments?.get(name);
  const values = own === undefined ? new Map() : valuesOf(own, spec, context, reading);
  const fresh: Environment = { ...newEnvironment(name), values, kubeContext: own?.kubeContext ?? '' };
  const merged =
    known === undefined
      ? fresh
      : {
          name: known.name || name,
          kubeContext: known.kubeContext || fresh.kubeContext,
          defaults: layer(known.defaults, new Map()),
          values: layer(known.values, values),
          cliOverrides: layer(new Map(), known.cliOverrides, 'by-element'),
        };
  const defaults = loadValues({ entries: spec.values ?? [], place, part: 'values', environment: known }, reading);
  return { ...merged, defaults: mergeValueMaps(merged.defaults, defaults, { overrides: true, appends: false }) };
}

/** The values of an environment, and over them what its secrets say. */
function valuesOf(own: EnvironmentSpec, spec: StateSpec, context: EnvironmentContext, reading: Reading): GoMap {
  const { place, environment } = context;
  const missing = own.missingFileHandler ?? spec.missingFileHandler;
  const secrets = (own.secrets ?? []).flatMap((path) =>
    resolveFiles('environment values', path, { place, missing }, reading),
  );
  const entries: Value[] = own.values === undefined ? [] : [...own.values];
  const values = loadValues(
    { entries, place, part: 'environments', missing: own.missingFileHandler, environment, strategy: own.mergeStrategy },
    reading,
  );
  return secrets.reduce((merged, path) => {
    const text = reading.secrets.decryptFile(absolute(place, path));
    return mergeValueMaps(merged, readMap(text, path), { overrides: true, appends: false });
  }, values);
}

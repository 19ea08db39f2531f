import type { Environment } from './environment.ts';
import { mergeStructs } from './fields.ts';
import type { LoadedState } from './load-file.ts';
import { helmDefaultsFields, type RepositorySpec, type StateSpec } from './schema.ts';

/** What a nested file takes from the one that names it, by `inherits:`. */
export interface Inherited {
  readonly spec: StateSpec;
  readonly environment: Environment | undefined;
}

const ofState = ['repositories', 'helmDefaults', 'commonLabels', 'apiVersions', 'kubeVersion', 'templates'] as const;

export function inheritedFrom({ spec, environment }: LoadedState, wanted: readonly string[]): Inherited {
  const kept = ofState.filter((name) => wanted.includes(name)).map((name) => [name, spec[name]] as const);
  return {
    spec: Object.fromEntries(kept) as StateSpec,
    environment: wanted.includes('environments') ? environment : undefined,
  };
}

/** The nested file wins; the outer one fills what it does not say. */
export function withInherited(own: StateSpec, inherited: Inherited | undefined): StateSpec {
  if (inherited === undefined) return own;
  const { repositories, helmDefaults, commonLabels, apiVersions, kubeVersion, templates } = inherited.spec;
  const fill = { overrides: false, appends: false };
  return {
    ...own,
    repositories:
      repositories === undefined ? own.repositories : joined([...repositories, ...(own.repositories ?? [])]),
    helmDefaults:
      helmDefaults === undefined
        ? own.helmDefaults
        : mergeStructs(helmDefaultsFields, own.helmDefaults ?? {}, helmDefaults, fill),
    commonLabels: new Map([...(commonLabels ?? []), ...(own.commonLabels ?? [])]),
    templates: new Map([...(templates ?? []), ...(own.templates ?? [])]),
    apiVersions:
      apiVersions === undefined ? own.apiVersions : [...new Set([...apiVersions, ...(own.apiVersions ?? [])])],
    kubeVersion: own.kubeVersion ?? kubeVersion,
  };
}

/** Of repositories with one name, the last. */
const joined = (all: readonly RepositorySpec[]): readonly RepositorySpec[] =>
  all.filter(({ name }, index) => all.findLastIndex((other) => other.name === name) === index);

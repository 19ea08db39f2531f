import { TshelmError } from '../support/errors.ts';
import { groupBy } from '../support/group-by.ts';
import type { LoadedState } from './load-file.ts';
import type { Reading } from './reading.ts';
import { executeTemplates } from './release-templates.ts';
import type { ReleaseSpec, StateSpec } from './schema.ts';

/** A release as it is asked for. */
export const isWanted = ({ installed }: ReleaseSpec): boolean => installed ?? true;

/** `context/namespace/name`, as `needs` name it. */
export function releaseId({ kubeContext = '', namespace = '', name = '' }: ReleaseSpec): string {
  const context = kubeContext === '' ? '' : `${kubeContext}/`;
  if (namespace !== '') return `${context}${namespace}/${name}`;
  return kubeContext === '' ? name : `${context}/${name}`;
}

/** The releases of a file as all commands see them: templates carried out, overrides and labels in place. */
export function releasesOf(state: LoadedState, reading: Reading): readonly ReleaseSpec[] {
  const templated = executeTemplates(state, reading);
  const overridden = templated.map((release) => withOverrides(release, state.spec));
  warnOfMissing(overridden, reading);
  return overridden.map((release) => withLabels(release, state.spec));
}

function withOverrides(release: ReleaseSpec, spec: StateSpec): ReleaseSpec {
  const overridden = {
    ...release,
    kubeContext: spec.kubeContext ?? release.kubeContext,
    namespace: spec.namespace ?? release.namespace,
  };
  if (release.needs === undefined) return overridden;
  return { ...overridden, needs: release.needs.map((need) => needId(need, overridden)) };
}

/** `[[CONTEXT/]NAMESPACE/]NAME`, where what is left out is the release's own. */
export function needId(need: string, { namespace = '', kubeContext = '' }: ReleaseSpec): string {
  const parts = need.split('/');
  const name = parts.at(-1) as string;
  const space = parts.length > 1 ? (parts.at(-2) as string) : namespace;
  const context = parts.length > 2 ? parts.slice(0, -2).join('/') : kubeContext;
  if (context !== '') return `${context}/${space}/${name}`;
  return space === '' ? name : `${space}/${name}`;
}

function warnOfMissing(releases: readonly ReleaseSpec[], { world }: Reading): void {
  const wanted = new Set(releases.filter(isWanted).map((release) => releaseId(release)));
  const known = new Set(releases.map((release) => releaseId(release)));
  for (const release of releases.filter(isWanted)) {
    for (const need of release.needs ?? []) {
      if (wanted.has(need) || !known.has(need)) continue;
      const name = need.split('/').at(-1);
      const { name: own } = release;
      world.warn(
        `release ${own} needs ${name}, but ${name} is not installed due to installed: false. Either mark ${name} as installed or remove ${name} from ${own}'s needs`,
      );
    }
  }
}

function withLabels(release: ReleaseSpec, { commonLabels }: StateSpec): ReleaseSpec {
  const labels = new Map([
    ...(commonLabels ?? []),
    ...(release.labels ?? []),
    ['name', release.name ?? ''] as const,
    ['namespace', release.namespace ?? ''] as const,
    ['chart', (release.chart ?? '').split('/').at(-1) ?? ''] as const,
  ]);
  return { ...release, labels };
}

/** Fails with `stack-invalid` where two releases are one; `locate` says where the first of a name is in its file. */
export function refuseDuplicates(releases: readonly ReleaseSpec[], locate: (release: ReleaseSpec) => string): void {
  const same = groupBy(releases, ({ namespace = '', name, kubeContext = '' }) =>
    JSON.stringify([namespace, name, kubeContext]),
  );
  for (const [first, ...others] of same.values()) {
    if (first === undefined || others.length === 0) continue;
    const { name, namespace = '', kubeContext = '' } = first;
    const space = namespace === '' ? '' : ` in namespace "${namespace}"`;
    const context = kubeContext === '' ? '' : ` in kubecontext "${kubeContext}"`;
    const places = [...new Set([first, ...others].map(locate))].join(', ');
    const message = `duplicate release "${name}" found${space}${context}: there were ${others.length + 1} releases named "${name}" matching specified selector (${places}): rename one, or give one a condition or another namespace`;
    throw new TshelmError('stack-invalid', { message });
  }
}

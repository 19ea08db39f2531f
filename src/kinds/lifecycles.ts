import table from './lifecycles.txt?raw';

/** `apps/v1` and `Deployment` */
export interface VersionedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** When a version of a kind came, was deprecated and goes: versions of Kubernetes, by the number after `1.`. */
export interface Lifecycle extends VersionedKind {
  readonly introduced: number;
  readonly deprecated: number | undefined;
  readonly removed: number | undefined;
  /** What Kubernetes names in its place. */
  readonly replacement: VersionedKind | undefined;
  /** The client that Helm is built with does not have the type, so that its `lint` says nothing of it. */
  readonly isUnknownToHelm: boolean;
}

/** What is known of a version of one of Kubernetes' own kinds, or of its list; undefined for any other. */
export function lifecycleOf({ apiVersion, kind }: VersionedKind): Lifecycle | undefined {
  const own = lifecycles().get(`${apiVersion} ${kind}`);
  if (own !== undefined || !kind.endsWith('List')) return own;
  const items = lifecycles().get(`${apiVersion} ${kind.slice(0, -'List'.length)}`);
  const replacement = items?.replacement && { ...items.replacement, kind: `${items.replacement.kind}List` };
  return items === undefined ? undefined : { ...items, kind, replacement };
}

/**
 * What an API server of a version makes of it. `not-enabled`: it serves it only if it is told to, as all alpha versions
 * and, since 1.24, beta versions of what was not served before.
 */
export function stateIn(minor: number, lifecycle: Lifecycle): 'not-yet' | 'served' | 'not-enabled' | 'removed' {
  const { apiVersion, introduced, removed = Number.POSITIVE_INFINITY } = lifecycle;
  if (minor < introduced) return 'not-yet';
  if (minor >= removed) return 'removed';
  const isNewBeta = apiVersion.includes('beta') && introduced >= 24 && groupOf(apiVersion) !== firstBetaGroup;
  return apiVersion.includes('alpha') || isNewBeta ? 'not-enabled' : 'served';
}

/** Its beta versions were served from the start, so that those since 1.24 were, too. */
const firstBetaGroup = 'flowcontrol.apiserver.k8s.io';

/** What to write instead in a version of Kubernetes: what Kubernetes names, or else a stable version of the same kind. */
export function replacementIn(minor: number, lifecycle: Lifecycle): Lifecycle | undefined {
  const named = lifecycle.replacement && lifecycleOf(lifecycle.replacement);
  // Of networking.k8s.io/v1beta1 IngressClass, Kubernetes names the list.
  if (named !== undefined && named.kind !== `${lifecycle.kind}List`) {
    return stateIn(minor, named) === 'served' ? named : replacementIn(minor, named);
  }
  return [...lifecycles().values()].find(
    (other) =>
      other.kind === lifecycle.kind &&
      groupOf(other.apiVersion) === groupOf(lifecycle.apiVersion) &&
      stateIn(minor, other) === 'served' &&
      other.deprecated === undefined,
  );
}

/** What an API server of a version serves unless it is told otherwise. */
export const servedKinds = (minor: number): readonly VersionedKind[] =>
  [...lifecycles().values()].filter((lifecycle) => stateIn(minor, lifecycle) === 'served');

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

let read: ReadonlyMap<string, Lifecycle> | undefined;

/**
 * By `apps/v1 Deployment`. A line of the table is apiVersion, kind, the versions of Kubernetes that introduced, deprecated
 * and removed it, and the replacement; `-` is none. `not-helm`: unknown to Helm.
 */
function lifecycles(): ReadonlyMap<string, Lifecycle> {
  read ??= new Map(
    table
      .trim()
      .split('\n')
      .map((line) => {
        const [apiVersion = '', kind = '', introduced = '', deprecated, removed, replacement, mark] = line.split(' ');
        const lifecycle: Lifecycle = {
          apiVersion,
          kind,
          introduced: minorOf(introduced) ?? 0,
          deprecated: minorOf(deprecated),
          removed: minorOf(removed),
          replacement: versionedKind(replacement),
          isUnknownToHelm: mark === 'not-helm',
        };
        return [`${apiVersion} ${kind}`, lifecycle];
      }),
  );
  return read;
}

const minorOf = (text = '-'): number | undefined => (text === '-' ? undefined : Number(text.slice('1.'.length)));

/** `apps/v1/Deployment` */
function versionedKind(text = '-'): VersionedKind | undefined {
  const end = text.lastIndexOf('/');
  return text === '-' ? undefined : { apiVersion: text.slice(0, end), kind: text.slice(end + 1) };
}

import type { Type } from '../../kinds/field-types.ts';
import type { JsonObject } from '../../support/json.ts';

/** A kind at one version, as the API serves it. */
export interface Kind {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** The path segment: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
  /** Whether metadata.generation counts the changes of the specification. */
  readonly countsGenerations: boolean;
  /** The structure of its objects. */
  type(): Type;
  /** Only for kinds of a CustomResourceDefinition: that version's entry in spec.versions. */
  readonly custom?: JsonObject | undefined;
}

/** What the objects of a kind share over all its versions: the first half of their key in the store. */
export const storageKey = (kind: { readonly group: string; readonly plural: string }): string =>
  `${kind.group}/${kind.plural}`;

export const apiVersionOf = (kind: { readonly group: string; readonly version: string }): string =>
  kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;

export const hasStatus = (kind: Kind): boolean => kind.subresources.includes('status');

export interface Subresource {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

const subresourceKinds: Readonly<
  Record<string, readonly [group: string, version: string, kind: string, verbs: string]>
> = {
  scale: ['autoscaling', 'v1', 'Scale', 'get patch update'],
  eviction: ['policy', 'v1', 'Eviction', 'create'],
  binding: ['', '', 'Binding', 'create'],
  token: ['authentication.k8s.io', 'v1', 'TokenRequest', 'create'],
  log: ['', '', '', 'get'],
  attach: ['', '', 'PodAttachOptions', 'create get'],
  exec: ['', '', 'PodExecOptions', 'create get'],
  portforward: ['', '', 'PodPortForwardOptions', 'create get'],
  proxy: ['', '', '', 'create delete get patch update'],
  finalize: ['', '', '', 'update'],
};

/** A subresource as discovery lists it; group and version are '' where they are the kind's own. */
export function subresourceOf(kind: Kind, name: string): Subresource {
  const [group, version, other, verbs] = subresourceKinds[name] ?? ['', '', '', 'get patch update'];
  const proxied = name === 'proxy' ? `${kind.kind}ProxyOptions` : kind.kind;
  return { name, group, version, kind: other === '' ? proxied : other, verbs: verbs.split(' ') };
}

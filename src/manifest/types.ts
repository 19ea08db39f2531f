import type { FileLine } from '../support/file-line.ts';

/** A Kubernetes object as JSON; integers outside the safe range are bigint. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [key: string]: unknown;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  // null where a template has the key and nothing below it.
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  uid?: string;
  resourceVersion?: string | undefined;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  finalizers?: string[];
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[];
  managedFields?: unknown[];
  generateName?: string;
  [key: string]: unknown;
}

/** Names one object; `namespace` is '' for a cluster-scoped one or where it is not known yet. */
export interface ResourceId {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Which cluster it is, where a kubeconfig names several. */
export interface ClusterPlace {
  /** The context of the kubeconfig. */
  readonly context: string;
  /** The URL of the API server. */
  readonly server: string;
}

/** What keeps a document from being an object that a server could take, found without asking one. */
export interface Malformed {
  /** As Helm words it: `error validating "": error validating data: kind not set`. */
  readonly message: string;
  /** Where it is in the document: `metadata`, `labels`, `app`; a number is an item of a list. */
  readonly path: readonly (string | number)[];
  /** What is wrong there, for people: `is the number 1 and must be a string`. */
  readonly reason: string;
  /** It is no text and should be one: `true` and `1` need quotes. */
  readonly needsQuotes?: true | undefined;
}

/** One document of the rendered chart that is an ordinary resource of the release. */
export interface Manifest {
  /** Template path with charts before it: `parent/charts/sub/templates/x.yaml`. */
  readonly source: string;
  /** The document's text without the `# Source:` line and without `---`, as Helm stores it. */
  readonly text: string;
  readonly object: KubernetesObject;
  /** Whether a key occurs twice in a mapping of its text: the last one counts. */
  readonly repeatsKeys?: true;
  /** What keeps it from being an object; `object` is without it then. */
  readonly malformed?: readonly Malformed[] | undefined;
  /** Where those of its annotations are declared that no template has: by their keys. */
  readonly declaredAt?: Readonly<Record<string, FileLine>> | undefined;
}

/** Those of Helm 4. */
export const hookEvents: readonly HookEvent[] = [
  'pre-install',
  'post-install',
  'pre-delete',
  'post-delete',
  'pre-upgrade',
  'post-upgrade',
  'pre-rollback',
  'post-rollback',
  'test',
];
/** Helm's hook events; Helm 2's `crd-install` and `test-failure` are honoured too. */
export type HookEvent =
  | 'pre-install'
  | 'post-install'
  | 'pre-delete'
  | 'post-delete'
  | 'pre-upgrade'
  | 'post-upgrade'
  | 'pre-rollback'
  | 'post-rollback'
  | 'test'
  | 'crd-install'
  | 'test-failure';
export type HookDeletePolicy = 'before-hook-creation' | 'hook-succeeded' | 'hook-failed';
export type HookOutputLogPolicy = 'hook-succeeded' | 'hook-failed';

export interface Hook {
  readonly name: string;
  readonly kind: string;
  /** Template path, as {@link Manifest.source}. */
  readonly path: string;
  /** The document's text, as Helm stores it. */
  readonly manifest: string;
  readonly events: readonly HookEvent[];
  readonly weight: number;
  /** As Helm stores them: [] when the annotation is absent (then before-hook-creation applies). */
  readonly deletePolicies: readonly HookDeletePolicy[];
  readonly outputLogPolicies: readonly HookOutputLogPolicy[];
  readonly lastRun: HookExecution;
  /** As {@link Manifest.declaredAt}. */
  readonly declaredAt?: Manifest['declaredAt'];
}

export interface HookExecution {
  readonly startedAt?: string | undefined;
  readonly completedAt?: string | undefined;
  readonly phase: '' | 'Unknown' | 'Running' | 'Succeeded' | 'Failed';
}

/** The rendered chart, classified. */
export interface Classified {
  /** Ordinary resources in Helm's install order. */
  readonly manifests: readonly Manifest[];
  /** Hooks in the order Helm stores and prints them. */
  readonly hooks: readonly Hook[];
  /** Things Helm warns about on standard error ("skipping unknown hooks"). */
  readonly warnings: readonly string[];
  /** Hooks of events that nobody knows: they are left out. */
  readonly skipped?: readonly Manifest[] | undefined;
  /** The resources that occur several times under one kind, name and namespace. */
  readonly twice?: readonly (readonly Manifest[])[] | undefined;
}

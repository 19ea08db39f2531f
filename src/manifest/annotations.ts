/**
 * Every key of a resource's (or a chart's) annotations that means something to Helm or to tshelm.
 * Where a key has two spellings, the first is the legal one that is stored, the others are accepted as input.
 */
export const annotations = {
  hook: 'helm.sh/hook',
  hookWeight: 'helm.sh/hook-weight',
  hookDeletePolicy: 'helm.sh/hook-delete-policy',
  hookOutputLogPolicy: 'helm.sh/hook-output-log-policy',
  /** Seconds to wait until the old hook object is gone. */
  hookDeleteTimeout: 'helm.sh/hook-delete-timeout',
  /** Seconds to wait until the hook has run to its end, where that is less than `--timeout`. */
  hookTimeout: 'helm.sh/hook-timeout',
  /** `keep` protects a resource at uninstall, upgrade and rollback. */
  resourcePolicy: 'helm.sh/resource-policy',

  releaseName: 'meta.helm.sh/release-name',
  releaseNamespace: 'meta.helm.sh/release-namespace',

  resourceGroup: 'helm.sh/resource-group',
  dependsOnResourceGroups: 'depends-on.helm.sh/resource-groups',
  layer: 'helm.sh/layer',
  dependsOnLayer: 'dependson.helm.sh/layer',
  dependsOnChart: 'dependson.helm.sh/chart',
  weight: 'helm.sh/weight',
  readinessSuccess: 'helm.sh/readiness-success',
  readinessFailure: 'helm.sh/readiness-failure',

  /** CEL that says when it is ready, as JSON: `{"current": …, "inProgress": …, "failed": …}`. */
  readiness: 'tshelm.dev/readiness',
  /** What a resource waits for outside of the release; in Chart.yaml, what the whole release waits for. */
  needs: 'tshelm.dev/needs',

  /** What an upgrade or a rollback does where a field of the object cannot be changed: `replace`, `orphan` or `fail`. */
  onImmutable: 'tshelm.dev/on-immutable',

  /** In Chart.yaml: the subcharts that the chart's own resources wait for. */
  dependsOnSubcharts: 'helm.sh/depends-on/subcharts',
  /** In Chart.yaml: `false`, `otherChartsOnly` or `true`. */
  runHooksInParallel: 'helm.sh/run-hooks-in-parallel',

  /** `keep`: values that sops encrypted are deployed as they are, for a program that decrypts them. */
  encryptedValues: 'tshelm.dev/encrypted-values',

  /** Problems that `tshelm check` leaves out for this object, a line each: `code: reason`. */
  checkIgnore: 'tshelm.dev/check-ignore',

  /** Names a document's template while a post-renderer has it; never stored. */
  postRenderFilename: 'postrenderer.helm.sh/postrender-filename',
} as const;

/** Keys with two slashes, which the API server refuses, and the legal ones that replace them before anything is sent or stored. */
export const legalKeys: Readonly<Record<string, string>> = {
  'helm.sh/depends-on/resource-groups': annotations.dependsOnResourceGroups,
  'helm.sh/dependson/layer': annotations.dependsOnLayer,
  'helm.sh/dependson/chart': annotations.dependsOnChart,
};

/** The keys whose presence on a resource chooses `--wait=ordered` when the flag is omitted; input spellings. */
export const orderedWaitKeys: readonly string[] = [
  annotations.layer,
  'helm.sh/dependson/layer',
  'helm.sh/dependson/chart',
  annotations.dependsOnLayer,
  annotations.dependsOnChart,
  annotations.weight,
];

/** The value of `helm.sh/resource-policy` that keeps a resource. */
export const keepPolicy = 'keep';
/** The label that says who manages an object, and the value that Helm writes. */
export const managedByLabel = 'app.kubernetes.io/managed-by';
export const managedByHelm = 'Helm';

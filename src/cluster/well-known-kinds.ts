import type { ResourceMapping } from './types.ts';

/**
 * How a kind that every Kubernetes cluster serves is served; undefined for any other kind. It spares most commands
 * the discovery request: these group versions are stable and cannot change their plurals or scopes.
 */
export const wellKnownMapping = (apiVersion: string, kind: string): ResourceMapping | undefined =>
  mappings.get(`${apiVersion} ${kind}`);

/** All of them, for clusters in memory. */
export const wellKnownMappings = (): readonly ResourceMapping[] => [...mappings.values()];

// One line for each group version; `*` marks a cluster-scoped kind.
const served: Readonly<Record<string, string>> = {
  v1: `ConfigMap=configmaps Endpoints=endpoints Event=events LimitRange=limitranges Namespace=namespaces* Node=nodes*
    PersistentVolumeClaim=persistentvolumeclaims PersistentVolume=persistentvolumes* Pod=pods PodTemplate=podtemplates
    ReplicationController=replicationcontrollers ResourceQuota=resourcequotas Secret=secrets
    ServiceAccount=serviceaccounts Service=services`,
  'apps/v1': `ControllerRevision=controllerrevisions DaemonSet=daemonsets Deployment=deployments
    ReplicaSet=replicasets StatefulSet=statefulsets`,
  'autoscaling/v1': 'HorizontalPodAutoscaler=horizontalpodautoscalers',
  'batch/v1': 'CronJob=cronjobs Job=jobs',
  'networking.k8s.io/v1': 'IngressClass=ingressclasses* Ingress=ingresses NetworkPolicy=networkpolicies',
  'policy/v1': 'PodDisruptionBudget=poddisruptionbudgets',
  'rbac.authorization.k8s.io/v1': `ClusterRoleBinding=clusterrolebindings* ClusterRole=clusterroles*
    RoleBinding=rolebindings Role=roles`,
  'storage.k8s.io/v1': 'StorageClass=storageclasses*',
  'admissionregistration.k8s.io/v1': `MutatingWebhookConfiguration=mutatingwebhookconfigurations*
    ValidatingWebhookConfiguration=validatingwebhookconfigurations*`,
  'apiextensions.k8s.io/v1': 'CustomResourceDefinition=customresourcedefinitions*',
  'apiregistration.k8s.io/v1': 'APIService=apiservices*',
  'scheduling.k8s.io/v1': 'PriorityClass=priorityclasses*',
  'coordination.k8s.io/v1': 'Lease=leases',
};

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const mappings = new Map<string, ResourceMapping>(
  Object.entries(served).flatMap(([apiVersion, kinds]) =>
    kinds
      .split(/\s+/)
      .map((entry) => [`${apiVersion} ${entry.slice(0, entry.indexOf('='))}`, mappingOf(apiVersion, entry)] as const),
  ),
);

function mappingOf(apiVersion: string, entry: string): ResourceMapping {
  const [kind = '', plural = ''] = entry.split('=');
  const { group, version } = splitApiVersion(apiVersion);
  return {
    group,
    version,
    kind,
    plural: plural.replace('*', ''),
    singular: kind.toLowerCase(),
    namespaced: !plural.endsWith('*'),
    verbs,
  };
}

/** `apps/v1` is group `apps`, version `v1`; `v1` is the core group ''. */
export function splitApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash === -1
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

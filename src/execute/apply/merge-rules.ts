import { groupOf } from '../../manifest/resource-id.ts';

/** How Kubernetes merges a field, as the API's Go types say in their patchStrategy and patchMergeKey tags. */
export interface MergeRule {
  /** A list of objects that are matched by this field. */
  readonly key?: string | undefined;
  /** A list of plain values that is merged as a set. */
  readonly isSet?: boolean | undefined;
  /** What the manifest does not name is taken out, because the fields exclude one another. */
  readonly retainsKeys?: boolean | undefined;
  /** The manifest's value stands alone, whatever the live object has. */
  readonly isReplaced?: boolean | undefined;
}

const by = (key: string): MergeRule => ({ key });

const containerRules = {
  '': by('name'),
  '.env': by('name'),
  '.ports': by('containerPort'),
  '.volumeDevices': by('devicePath'),
  '.volumeMounts': by('mountPath'),
};

const podRules: Readonly<Record<string, MergeRule>> = {
  ...below('containers', containerRules),
  ...below('initContainers', containerRules),
  ...below('ephemeralContainers', containerRules),
  hostAliases: by('ip'),
  imagePullSecrets: by('name'),
  resourceClaims: { key: 'name', retainsKeys: true },
  schedulingGates: by('name'),
  topologySpreadConstraints: by('topologyKey'),
  volumes: { key: 'name', retainsKeys: true },
};

const rules: Readonly<Record<string, MergeRule>> = {
  'metadata.finalizers': { isSet: true },
  'metadata.ownerReferences': by('uid'),
  ...below('spec.', podRules),
  ...below('template.spec.', podRules),
  ...below('spec.template.spec.', podRules),
  ...below('spec.jobTemplate.spec.template.spec.', podRules),
};

/** Rules that hold for one kind only. */
const rulesOfKinds: Readonly<Record<string, Readonly<Record<string, MergeRule>>>> = {
  Service: { 'spec.ports': by('port') },
  ServiceAccount: { secrets: by('name') },
  PodDisruptionBudget: { 'spec.selector': { isReplaced: true } },
  Deployment: { 'spec.strategy': { retainsKeys: true } },
  MutatingWebhookConfiguration: { webhooks: by('name'), 'webhooks.matchConditions': by('name') },
  ValidatingWebhookConfiguration: { webhooks: by('name'), 'webhooks.matchConditions': by('name') },
  MutatingAdmissionPolicy: { 'spec.matchConditions': by('name') },
  ValidatingAdmissionPolicy: { 'spec.matchConditions': by('name'), 'spec.variables': by('name') },
};

function below(prefix: string, inner: Readonly<Record<string, MergeRule>>): Readonly<Record<string, MergeRule>> {
  return Object.fromEntries(Object.entries(inner).map(([path, rule]) => [prefix + path, rule]));
}

/** The rule of a field of a built-in kind; `path` has the fields' names with dots, without list indexes. */
export const mergeRuleOf = (kind: string, path: string): MergeRule => rulesOfKinds[kind]?.[path] ?? rules[path] ?? {};

const builtInGroups = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'extensions',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/** Whether a kind is one of Kubernetes' own; for others, nothing is known about how their lists are merged. */
export const isBuiltIn = (apiVersion: string): boolean => builtInGroups.has(groupOf(apiVersion));

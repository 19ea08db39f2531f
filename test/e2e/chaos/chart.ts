import { configMap, documents, hook, workload, writeChart } from '../support/charts.ts';

/**
 * A chart of 42 objects and eight hooks. `set` is `a` or `b`: most objects change with it, six are there with one of them
 * only. Every object carries the label `chaos: RELEASE`.
 */
export const chaosChart = (directory: string): string => writeChart(directory, 'chaos', files);

/** `Kind/NAME` of what a release of the chart consists of, without the release's name before NAME. */
export function objectsOf(set: 'a' | 'b'): readonly string[] {
  return [
    ...numbered('ConfigMap/setting', 12),
    ...numbered('ConfigMap/steady', 6),
    ...numbered(`ConfigMap/only-${set}`, 4),
    'ConfigMap/kept',
    ...numbered('Secret/key', 4),
    ...numbered('ServiceAccount/account', 2),
    ...numbered('Role/role', 2),
    ...numbered('RoleBinding/binding', 2),
    ...numbered('Service/service', 2),
    'Deployment/web',
    'StatefulSet/store',
    'LimitRange/limits',
    'NetworkPolicy/network',
    'PodDisruptionBudget/budget',
    'HorizontalPodAutoscaler/scaler',
    `ConfigMap/of-job-${set}`,
  ].sort();
}

/** The objects of hooks that stay once their event is over. */
export const hooksThatStay = ['ConfigMap/seed'];

/** What an uninstall leaves: what the resource policy protects, and the objects of hooks, as Helm does. */
export const leftByUninstall = ['ConfigMap/kept', ...hooksThatStay].sort();

/** The kinds of the chart's objects and hooks, by the apiVersion that lists them. */
export const chaosKinds = [
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['v1', 'ServiceAccount'],
  ['v1', 'Service'],
  ['v1', 'LimitRange'],
  ['v1', 'Pod'],
  ['rbac.authorization.k8s.io/v1', 'Role'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['policy/v1', 'PodDisruptionBudget'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
] as const;

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

const labels = '  labels: {chaos: {{ .Release.Name }}}\n';
const labelled = (text: string): string => text.replace(/^metadata:\n/m, `metadata:\n${labels}`);
const value = '{{ .Values.set }}';

const repeated = (count: number, text: string): string => `{{- range until ${count} }}\n---\n${text}{{- end }}\n`;
const inRange = (text: string): string =>
  text.replaceAll('{{ .Release', '{{ $.Release').replaceAll('{{ .Values', '{{ $.Values');
const several = (count: number, text: string): string => repeated(count, inRange(labelled(text)));

const simple = (apiVersion: string, kind: string, name: string, rest: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: {{ .Release.Name }}-${name}\n  annotations: {set: "${value}"}\n${rest}`;

const hookPod = (name: string, events: string, policy: string): string =>
  labelled(
    `apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}-${name}\n  annotations:\n` +
      `    helm.sh/hook: ${events}\n    helm.sh/hook-delete-policy: ${policy}\n    e2e.tshelm.dev/fate: complete\n` +
      'spec:\n  restartPolicy: Never\n  terminationGracePeriodSeconds: 0\n  containers:\n    - {name: main, image: example.com/hook:1}\n',
  );

const accessRules = several(
  2,
  documents(
    simple('v1', 'ServiceAccount', 'account-{{ . }}', ''),
    labelled(
      simple(
        'rbac.authorization.k8s.io/v1',
        'Role',
        'role-{{ . }}',
        'rules:\n  - {apiGroups: [""], resources: [pods], verbs: [get]}\n',
      ),
    ),
    labelled(
      simple(
        'rbac.authorization.k8s.io/v1',
        'RoleBinding',
        'binding-{{ . }}',
        'roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: "{{ .Release.Name }}-role-{{ . }}"}\n' +
          'subjects:\n  - {kind: ServiceAccount, name: "{{ .Release.Name }}-account-{{ . }}", namespace: "{{ .Release.Namespace }}"}\n',
      ),
    ),
  ),
);

const others = [
  simple('v1', 'LimitRange', 'limits', 'spec:\n  limits: [{type: PersistentVolumeClaim, max: {storage: 1Ti}}]\n'),
  simple('networking.k8s.io/v1', 'NetworkPolicy', 'network', 'spec:\n  podSelector: {}\n  policyTypes: [Ingress]\n'),
  simple(
    'policy/v1',
    'PodDisruptionBudget',
    'budget',
    'spec:\n  maxUnavailable: 1\n  selector: {matchLabels: {app: "{{ .Release.Name }}-web"}}\n',
  ),
  simple(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'scaler',
    'spec:\n  minReplicas: 1\n  maxReplicas: 2\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}\n',
  ),
  workload('Deployment', 'web', { annotations: { set: value } }),
  workload('StatefulSet', 'store', { annotations: { set: value } }),
].map(labelled);

const files: Readonly<Record<string, string>> = {
  'values.yaml': 'set: a\n',
  'templates/settings.yaml': several(12, configMap('setting-{{ . }}', value)),
  'templates/steady.yaml': several(6, configMap('steady-{{ . }}', 'always')),
  'templates/only.yaml': several(4, configMap(`only-${value}-{{ . }}`, value)),
  'templates/one.yaml': documents(
    labelled(configMap(`of-job-${value}`, value)),
    labelled(configMap('kept', value, { 'helm.sh/resource-policy': 'keep' })),
  ),
  'templates/keys.yaml': several(4, simple('v1', 'Secret', 'key-{{ . }}', `stringData: {key: "${value}"}\n`)),
  'templates/access.yaml': accessRules,
  'templates/services.yaml': several(
    2,
    simple('v1', 'Service', 'service-{{ . }}', 'spec:\n  selector: {app: none}\n  ports: [{port: 80}]\n'),
  ),
  'templates/others.yaml': documents(...others),
  'templates/hooks.yaml': documents(
    labelled(configMap('seed', 'once', hook('pre-install', { weight: -5 }))),
    labelled(configMap('mark', value, hook('pre-upgrade', { weight: -5, policy: 'hook-succeeded' }))),
    hookPod('prepare', 'pre-install,pre-upgrade', 'before-hook-creation,hook-succeeded'),
    hookPod('announce', 'post-install,post-upgrade', 'hook-succeeded'),
    hookPod('farewell', 'pre-delete', 'hook-succeeded'),
    hookPod('sweep', 'post-delete', 'before-hook-creation,hook-succeeded,hook-failed'),
  ),
};

import { quantityOf } from '../../../go/quantity.ts';
import {
  dns1035LabelProblem,
  dns1123LabelProblem,
  dns1123SubdomainProblem,
  labelKeyProblem,
  pathSegmentProblem,
  qualifiedDomainProblem,
} from '../../../kinds/names.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  numberOf,
  objectAt,
  objectsIn,
  plain,
  textOf,
} from '../../../support/json.ts';
import {
  duplicate,
  type FieldProblem,
  forbiddenField,
  invalidValue,
  required,
  unsupportedValue,
} from '../../status.ts';
import {
  between,
  bounded,
  every,
  forbiddenIf,
  format,
  invalidIf,
  invalidText,
  isEmpty,
  needed,
  neededFormat,
  neededOneOf,
  noDuplicates,
  notNegative,
  oneOf,
  requiredIf,
  shareOfAll,
  unsupportedUnless,
} from '../checks.ts';
import { type Check, enclosing, type Struct, type StructRules } from '../struct.ts';
import { containerResourceProblem, quantityProblems, quotaResourceProblem } from './container.ts';

/** Kinds of the whole cluster: pkg/apis/{rbac,policy,autoscaling,admissionregistration,storage,scheduling}/validation. */

const rbacGroup = 'rbac.authorization.k8s.io';

const policyRule: Check = (value, path, { above }) => {
  const { verbs, nonResourceURLs, apiGroups, resources, resourceNames } = value as JsonObject;
  const at = `${path}.nonResourceURLs`;
  const problems = requiredIf(isEmpty(verbs), `${path}.verbs`, 'verbs must contain at least one value');
  if (isEmpty(nonResourceURLs)) {
    return [
      ...problems,
      ...requiredIf(isEmpty(apiGroups), `${path}.apiGroups`, 'resource rules must supply at least one api group'),
      ...requiredIf(isEmpty(resources), `${path}.resources`, 'resource rules must supply at least one resource'),
    ];
  }
  const isMixed = [apiGroups, resources, resourceNames].some((each) => !isEmpty(each));
  return [
    ...problems,
    ...invalidIf(above?.name === 'Role', at, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'),
    ...invalidIf(isMixed, at, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'),
  ];
};

const roleRef: Check = (value, path, { above }) => {
  const { apiGroup, kind } = value as JsonObject;
  const known = above?.name === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...unsupportedUnless(apiGroup, `${path}.apiGroup`, rbacGroup),
    ...unsupportedUnless(kind, `${path}.kind`, ...known),
  ];
};

const subject: Check = (value, path, { above }) => {
  const { kind, name, namespace, apiGroup } = value as JsonObject;
  const problems = requiredIf(isEmpty(name), `${path}.name`);
  if (kind === 'ServiceAccount') {
    const isLost = above?.name === 'ClusterRoleBinding' && isEmpty(namespace);
    return [
      ...problems,
      ...format(dns1123SubdomainProblem)(name, `${path}.name`, {} as Struct),
      ...(isEmpty(apiGroup) ? [] : [unsupportedValue(`${path}.apiGroup`, apiGroup, [''])]),
      ...requiredIf(isLost, `${path}.namespace`),
    ];
  }
  const isPerson = kind === 'User' || kind === 'Group';
  const wrong = isPerson
    ? unsupportedUnless(apiGroup, `${path}.apiGroup`, rbacGroup)
    : [unsupportedValue(`${path}.kind`, kind ?? '', ['ServiceAccount', 'User', 'Group'])];
  return [...problems, ...wrong];
};

const budget: StructRules = {
  '': (value, path) => {
    const { minAvailable, maxUnavailable } = value as JsonObject;
    const isBoth = minAvailable !== undefined && maxUnavailable !== undefined;
    return invalidIf(isBoth, path, value, 'minAvailable and maxUnavailable cannot be both set');
  },
  minAvailable: shareOfAll,
  maxUnavailable: shareOfAll,
  selector: () => [],
  unhealthyPodEvictionPolicy: oneOf('AlwaysAllow', 'IfHealthyBudget'),
};

const minReplicas: Check = (value, path, { value: { metrics } }) => {
  const isFromZero = value === 0;
  const hasOther = objectsIn(metrics).some(({ type }) => type === 'Object' || type === 'External');
  const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
  return [
    ...invalidIf(typeof value === 'number' && value < 1, path, value, 'must be greater than or equal to 1'),
    ...forbiddenIf(isFromZero && !hasOther, path.replace(/minReplicas$/, 'metrics'), detail),
  ];
};

const maxReplicas: Check = (value, path, { value: { minReplicas: least } }) => {
  const most = numberOf(value) ?? 0;
  return [
    ...requiredIf(most === 0, path, 'must be set and greater than 0'),
    ...invalidIf(most < 0, path, most, 'must be greater than or equal to 1'),
    ...invalidIf(most < (numberOf(least) ?? most), path, most, 'must be greater than or equal to `minReplicas`'),
  ];
};

const metricSources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

/** A metric has the source of its type and no other. */
const metric: Check = (value, path) => {
  const spec = value as JsonObject;
  const expected = metricSources[textOf(spec.type) ?? ''];
  const given = Object.values(metricSources).filter((source) => spec[source] !== undefined);
  const types = Object.keys(metricSources);
  const missing = 'must populate information for the given metric source';
  return [
    ...requiredIf(isEmpty(spec.type), `${path}.type`, 'must specify a metric source type'),
    ...(expected === undefined ? [unsupportedValue(`${path}.type`, spec.type ?? '', types)] : []),
    ...requiredIf(expected !== undefined && !given.includes(expected), `${path}.${expected}`, missing),
    ...(given.length === 1 ? [] : given.filter((source) => source !== expected)).map((source) =>
      forbiddenField(`${path}.${source}`, 'must populate the given metric source only'),
    ),
  ];
};

/** What a source measures against: the values of which it needs one, and at most one. */
const target =
  (...fields: readonly string[]): Check =>
  (value, path) => {
    const given = fields.filter((field) => objectAt(value as JsonObject, 'target')?.[field] !== undefined);
    const last = fields.at(-1) as string;
    return [
      ...requiredIf(given.length === 0, `${path}.target.${fields[0]}`, 'must set a target'),
      ...forbiddenIf(given.length > 1, `${path}.target.${last}`, 'may not set both targets'),
    ];
  };

const aboveZero: Check = (value, path) =>
  invalidIf(value !== undefined && (quantityOf(value) ?? 0) <= 0, path, value, 'must be positive');

const metricTarget: StructRules = {
  type: (value, path) => {
    const isKnown = ['Utilization', 'Value', 'AverageValue'].includes(plain(value));
    return [
      ...requiredIf(isEmpty(value), path, 'must specify a metric target type'),
      ...invalidIf(!isKnown, path, value ?? '', 'must be either Utilization, Value, or AverageValue'),
    ];
  },
  value: aboveZero,
  averageValue: aboveZero,
  averageUtilization: bounded(1, Number.MAX_SAFE_INTEGER, 'must be greater than 0'),
};

const scalingRules: StructRules = {
  stabilizationWindowSeconds: bounded(0, 3600, 'must be less than or equal to 3600'),
  selectPolicy: oneOf('Disabled', 'Max', 'Min'),
};

/** Only the core group has no name, and nothing in it can be scaled but what is old. */
const targetVersion: Check = (value, path) => {
  const version = plain((value as JsonObject | undefined)?.apiVersion);
  const isCore = !version.includes('/') && (value as JsonObject | undefined)?.kind !== 'ReplicationController';
  return invalidIf(isCore, `${path}.apiVersion`, version, 'apiVersion must specify API group');
};

const anyNumber =
  (detail: string, most = Number.MAX_SAFE_INTEGER): Check =>
  (value, path, struct) =>
    bounded(1, most, detail)(value ?? 0, path, struct);

const webhook: StructRules = {
  name: neededFormat(qualifiedDomainProblem),
  clientConfig: (value, path) => {
    const { url, service } = (value ?? {}) as JsonObject;
    const isOne = (url === undefined) !== (service === undefined);
    return requiredIf(!isOne, path, 'exactly one of url or service is required');
  },
  rules: () => [],
  failurePolicy: oneOf('Fail', 'Ignore'),
  matchPolicy: oneOf('Equivalent', 'Exact'),
  sideEffects: (value, path) =>
    value === undefined
      ? [required(path, 'must specify one of None, NoneOnDryRun')]
      : unsupportedUnless(value, path, 'None', 'NoneOnDryRun'),
  timeoutSeconds: bounded(1, 30, 'the timeout value must be between 1 and 30 seconds'),
  reinvocationPolicy: oneOf('IfNeeded', 'Never'),
  admissionReviewVersions: (value, path) => reviewVersions(value, path, 'must specify one of v1, v1beta1'),
};

/** Versions of a review, among them one that the server knows. */
export function reviewVersions(value: Json | undefined, path: string, none = ''): FieldProblem[] {
  const given = Array.isArray(value) ? value.map(plain) : [];
  if (given.length === 0) return [required(path, none)];
  return [
    ...given.flatMap((version, index) =>
      given.indexOf(version) < index
        ? [invalidValue(`${path}[${index}]`, version, 'duplicate version')]
        : invalidText(`${path}[${index}]`, version, dns1035LabelProblem(version)),
    ),
    ...invalidIf(
      !given.some((each) => each === 'v1' || each === 'v1beta1'),
      path,
      given,
      'must include at least one of v1, v1beta1',
    ),
  ];
}

/** A list with `*` has nothing else. */
const aloneIfAll =
  (what: string): Check =>
  (value, path) => {
    const given = Array.isArray(value) ? value : [];
    const isMixed = given.length > 1 && given.includes('*');
    return [
      ...requiredIf(given.length === 0, path),
      ...invalidIf(isMixed, path, given, `if '*' is present, must not specify other ${what}`),
    ];
  };

const operations: Check = (value, path) =>
  (Array.isArray(value) ? value : []).flatMap((each, index) =>
    unsupportedUnless(each, `${path}[${index}]`, '*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'),
  );

const ruleWithOperations: StructRules = {
  operations: every(aloneIfAll('operations'), operations),
  apiGroups: aloneIfAll('API groups'),
  apiVersions: aloneIfAll('API versions'),
  resources: needed(),
  scope: oneOf('*', 'Cluster', 'Namespaced'),
};

const webhookPath = (path: string): string | undefined => {
  if (path === '' || path === '/') return undefined;
  if (!path.startsWith('/')) return "must start with a '/'";
  for (const [index, step] of path
    .replace(/^\/|\/$/g, '')
    .split('/')
    .entries()) {
    if (step === '') return `segment[${index}] may not be empty`;
    const problem = dns1123SubdomainProblem(step);
    if (problem !== undefined) return `segment[${index}]: ${problem}`;
  }
  return undefined;
};

const webhookUrl: Check = (value, path) => {
  if (typeof value !== 'string') return [];
  const form = '; desired format: https://host[/path]';
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(value);
  return [
    ...invalidIf(parts?.[1] !== 'https', path, parts?.[1] ?? '', `'https' is the only allowed URL scheme${form}`),
    ...invalidIf(!parts?.[2], path, '', `host must be specified${form}`),
  ];
};

/** Kubernetes swaps the two paths in its errors about webhooks: a missing name is reported at `namespace`. */
const neededByWebhook =
  (other: string): Check =>
  (value, path, { path: at, above }) =>
    requiredIf(isEmpty(value), above?.name === 'WebhookClientConfig' ? `${at}.${other}` : path);

const quantities =
  (rule: (name: string) => string | undefined): Check =>
  (value, path) =>
    quantityProblems(value, path, rule);

/** ValidateLimitRange. What no request is named for has that of the limit. */
const limitItem: StructRules = {
  type: neededOneOf('Container', 'PersistentVolumeClaim', 'Pod'),
  '': (value, path, { above }) => {
    const { type, default: given, defaultRequest } = value as JsonObject;
    const earlier = objectsIn(above?.value.limits).slice(0, Number(/\[(\d+)\]$/.exec(path)?.[1]));
    const isPod = type === 'Pod';
    const says = "may not be specified when `type` is 'Pod'";
    return [
      ...(earlier.some((other) => other.type === type) ? [duplicate(`${path}.type`, type ?? '')] : []),
      ...forbiddenIf(isPod && !isEmpty(given), `${path}.default`, says),
      ...forbiddenIf(isPod && !isEmpty(defaultRequest), `${path}.defaultRequest`, says),
      ...amountProblems(value as JsonObject, path),
    ];
  },
};

function amountProblems({ max, min, default: given, defaultRequest, type }: JsonObject, path: string): FieldProblem[] {
  const amounts = (list: Json | undefined): JsonObject => (isJsonObject(list) ? list : {});
  const usual = type === 'Pod' ? undefined : given;
  const asked = { ...amounts(usual), ...amounts(type === 'Pod' ? undefined : defaultRequest) };
  const names = new Set([max, min, usual, asked].flatMap((list) => Object.keys(amounts(list))));
  const isMore = (a: Json | undefined, b: Json | undefined): boolean =>
    a !== undefined && b !== undefined && (quantityOf(a) ?? 0) > (quantityOf(b) ?? 0);
  return [...names].flatMap((name) => {
    const [least, most, limit] = [min, max, usual].map((list) => amounts(list)[name]);
    const request = asked[name];
    const tooMuch = (what: string, amount: Json | undefined): string =>
      `${what} value ${plain(amount)} is greater than max value ${plain(most)}`;
    return [
      ...(type === 'PersistentVolumeClaim'
        ? []
        : invalidText(`${path}.max[${name}]`, name, containerResourceProblem(name))),
      ...invalidIf(isMore(least, most), `${path}.min[${name}]`, least, tooMuch('min', least)),
      ...invalidIf(
        isMore(request, most),
        `${path}.defaultRequest[${name}]`,
        request,
        tooMuch('default request', request),
      ),
      ...invalidIf(isMore(limit, most), `${path}.default[${name}]`, most, tooMuch('default', limit)),
    ];
  });
}

const quotaScopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];

const apiService: StructRules = {
  group: (value, path, { value: { version } }) =>
    isEmpty(value)
      ? requiredIf(version !== 'v1', path, 'only v1 may have an empty group and it better be legacy kube')
      : format(dns1123SubdomainProblem)(value, path, {} as Struct),
  version: (value, path) => invalidText(path, plain(value), dns1035LabelProblem(plain(value))),
  groupPriorityMinimum: anyNumber('must be positive and less than 20000', 20_000),
  versionPriority: anyNumber('must be positive and less than 1000', 1000),
  insecureSkipTLSVerify: (value, path, { value: { service, caBundle } }) => [
    ...invalidIf(
      value === true && service === undefined,
      path,
      value,
      'local APIServices may not have insecureSkipTLSVerify',
    ),
    ...invalidIf(
      value === true && service !== undefined && !isEmpty(caBundle),
      path,
      value,
      'may not be true if caBundle is present',
    ),
  ],
  caBundle: (value, path, { value: { service } }) =>
    invalidIf(!isEmpty(value) && service === undefined, path, '', 'local APIServices may not have a caBundle'),
};

const systemPrefix = 'system-';

/** The priority classes that every API server makes for itself, as IsKnownSystemPriorityClass compares them. */
const systemPriorities: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

const priorityClass: StructRules = {
  '': (value) => {
    const { metadata, value: priority, globalDefault } = value as JsonObject;
    const name = textOf((metadata as JsonObject | undefined)?.name) ?? '';
    const mistake = name.startsWith(systemPrefix) ? systemPriorityMistake(name, priority, globalDefault) : undefined;
    const most = 1_000_000_000;
    return [
      ...forbiddenIf(
        mistake !== undefined,
        'metadata.name',
        `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${mistake}`,
      ),
      ...forbiddenIf(
        !name.startsWith(systemPrefix) && (numberOf(priority) ?? 0) > most,
        'value',
        `maximum allowed value of a user defined priority is ${most}`,
      ),
    ];
  },
  preemptionPolicy: oneOf('PreemptLowerPriority', 'Never'),
};

function systemPriorityMistake(name: string, priority?: Json, globalDefault?: Json): string | undefined {
  const known = systemPriorities.get(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if ((numberOf(priority) ?? 0) !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

const ratio: Check = (value, path) =>
  requiredIf(
    isJsonObject(value) && isEmpty(value.clusterRoleSelectors),
    `${path}.clusterRoleSelectors`,
    'at least one clusterRoleSelector required if aggregationRule is non-nil',
  );

export const clusterStructs: Readonly<Record<string, StructRules>> = {
  PolicyRule: { '': policyRule },
  ClusterRole: { aggregationRule: ratio },
  RoleRef: { '': roleRef, name: neededFormat(pathSegmentProblem) },
  Subject: {
    '': (value, path, struct) => (enclosing(struct, 'FlowSchema') === undefined ? subject(value, path, struct) : []),
  },
  PodDisruptionBudgetSpec: budget,
  HorizontalPodAutoscalerSpec: { minReplicas, maxReplicas, scaleTargetRef: targetVersion, metrics: () => [] },
  CrossVersionObjectReference: { kind: neededFormat(pathSegmentProblem), name: neededFormat(pathSegmentProblem) },
  MetricSpec: { '': metric },
  ObjectMetricSource: {
    '': (value, path) =>
      target('averageValue', 'value')(value, path, {} as Struct)
        .slice(0, 1)
        .filter(({ reason }) => reason === 'FieldValueRequired'),
  },
  ExternalMetricSource: { '': target('averageValue', 'value') },
  PodsMetricSource: { '': target('averageValue') },
  ResourceMetricSource: {
    '': target('averageUtilization', 'averageValue'),
    name: needed('must specify a resource name'),
  },
  ContainerResourceMetricSource: {
    '': target('averageUtilization', 'averageValue'),
    name: neededFormat(containerResourceProblem),
    container: neededFormat(dns1123LabelProblem),
  },
  MetricTarget: metricTarget,
  MetricIdentifier: { name: neededFormat(pathSegmentProblem) },
  HPAScalingRules: scalingRules,
  HPAScalingPolicy: {
    type: (value, path) => unsupportedUnless(value, path, 'Percent', 'Pods'),
    value: anyNumber('must be greater than zero'),
    periodSeconds: anyNumber('must be less than or equal to 1800', 1800),
  },
  ValidatingWebhookConfiguration: { webhooks: noDuplicates('name') },
  MutatingWebhookConfiguration: { webhooks: noDuplicates('name') },
  ValidatingWebhook: webhook,
  MutatingWebhook: webhook,
  RuleWithOperations: ruleWithOperations,
  NamedRuleWithOperations: ruleWithOperations,
  WebhookClientConfig: { url: webhookUrl },
  ServiceReference: {
    name: neededByWebhook('namespace'),
    namespace: neededByWebhook('name'),
    path: format(webhookPath),
    port: between(1, 65535),
  },
  LimitRangeItem: limitItem,
  ResourceQuotaSpec: {
    hard: quantities(quotaResourceProblem),
    scopes: (value, path) =>
      (Array.isArray(value) ? value : []).flatMap((scope) =>
        invalidIf(!quotaScopes.includes(plain(scope)), path, value, 'unsupported scope'),
      ),
  },
  APIService: {
    '': (value) => {
      const { group, version } = objectAt(value as JsonObject, 'spec') ?? {};
      const name = plain(objectAt(value as JsonObject, 'metadata')?.name);
      const wanted = `${plain(version)}.${plain(group)}`;
      return invalidIf(
        name !== wanted,
        'metadata.name',
        name,
        `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`,
      );
    },
  },
  APIServiceSpec: apiService,
  PriorityClass: priorityClass,
  StorageClass: {
    provisioner: neededFormat((text) => labelKeyProblem(text.toLowerCase())),
    reclaimPolicy: oneOf('Delete', 'Retain'),
    volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
  },
  RuntimeClass: { handler: neededFormat(dns1123LabelProblem) },
  CSIDriverSpec: { fsGroupPolicy: oneOf('File', 'None', 'ReadWriteOnceWithFSType') },
  LeaseSpec: {
    leaseDurationSeconds: bounded(1, Number.MAX_SAFE_INTEGER, 'must be greater than 0'),
    leaseTransitions: notNegative,
  },
};

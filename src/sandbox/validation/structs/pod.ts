import {
  addressProblem,
  dns1123LabelProblem,
  dns1123SubdomainProblem,
  labelKeyProblem,
  labelValueProblem,
} from '../../../kinds/names.ts';
import { type JsonObject, numberOf, objectAt, objectsIn, plain, textMap, textOf } from '../../../support/json.ts';
import { trimSuffix } from '../../../support/text.ts';
import {
  duplicate,
  type FieldProblem,
  forbiddenField,
  invalidValue,
  required,
  unsupportedValue,
} from '../../status.ts';
import {
  bounded,
  eachText,
  every,
  forbiddenIf,
  format,
  invalidIf,
  invalidText,
  isEmpty,
  needed,
  neededOneOf,
  noDuplicates,
  oneOf,
  positive,
  problemsOfEach,
  requiredIf,
} from '../checks.ts';
import { annotationProblems, labelProblems } from '../metadata.ts';
import { type Check, enclosing, type StructRules } from '../struct.ts';
import { containerResourceProblem, quantityProblems } from './container.ts';
import { hostProcessOfPod, systemFields } from './windows.ts';

/** k8s.io/kubernetes/pkg/apis/core/validation: ValidatePodSpec and what it calls. */

/** Labels at any place that holds them. */
export const labels: Check = (value, path) => labelProblems(textMap(value), path);

export const labelKey: Check = (value, path) => invalidText(path, plain(value), labelKeyProblem(plain(value)));

/** Kubernetes leaves `metadata` out of the paths of a template's labels. */
const podTemplate: StructRules = {
  metadata: (value, path) => {
    const at = path.replace(/\.metadata$/, '');
    return [
      ...labelProblems(textMap((value as JsonObject | undefined)?.labels), `${at}.labels`),
      ...annotationProblems(textMap((value as JsonObject | undefined)?.annotations), `${at}.annotations`),
    ];
  },
  spec: (value, path) =>
    forbiddenIf(
      !isEmpty((value as JsonObject | undefined)?.ephemeralContainers),
      `${path}.ephemeralContainers`,
      'ephemeral containers not allowed in pod template',
    ),
};

/** Ports of the host: taken once, and on its network the container's own. */
const hostPorts: Check = (value, path) => {
  const { containers, hostNetwork } = value as JsonObject;
  const taken = new Set<string>();
  return problemsOfEach(containers, `${path}.containers`, (container, at) =>
    problemsOfEach(container.ports, `${at}.ports`, ({ hostPort, containerPort, protocol, hostIP }, place) => {
      if (isEmpty(hostPort) || hostPort === 0) return [];
      const key = `${plain(protocol)}/${plain(hostIP)}/${plain(hostPort)}`;
      const isTwice = taken.has(key);
      taken.add(key);
      const mustMatch = 'must match `containerPort` when `hostNetwork` is true';
      return [
        ...(isTwice ? [duplicate(`${place}.hostPort`, key)] : []),
        ...invalidIf(hostNetwork === true && hostPort !== containerPort, `${place}.hostPort`, hostPort, mustMatch),
      ];
    }),
  );
};

const dnsConfig: Check = (value, path, { value: spec }) => {
  const config = value as JsonObject | undefined;
  const servers = Array.isArray(config?.nameservers) ? config.nameservers : [];
  if (spec.dnsPolicy === 'None' && servers.length === 0) {
    return config === undefined
      ? [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
      : [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  return invalidIf(servers.length > 3, `${path}.nameservers`, servers, 'must not have more than 3 nameservers');
};

const searchProblem = (search: string): string | undefined =>
  search === '.' ? undefined : dns1123SubdomainProblem(trimSuffix(search, '.').replaceAll('_', 'a'));

const hostNamespaces: Check = (value, path) => {
  const { hostUsers, hostPID, hostIPC, hostNetwork, shareProcessNamespace } = value as JsonObject;
  const forbidden = (isSet: unknown, field: string): FieldProblem[] =>
    forbiddenIf(hostUsers === false && isSet === true, `${path}.${field}`, 'when `hostUsers` is false');
  return [
    ...invalidIf(
      shareProcessNamespace === true && hostPID === true,
      `${path}.securityContext.shareProcessNamespace`,
      true,
      'ShareProcessNamespace and HostPID cannot both be enabled',
    ),
    ...forbidden(hostNetwork, 'hostNetwork'),
    ...forbidden(hostPID, 'HostPID'),
    ...forbidden(hostIPC, 'HostIPC'),
  ];
};

/** Windows: processes of the host use its network. */
const hostProcesses: Check = (value, path) => {
  const { containers, initContainers, hostNetwork, securityContext } = value as JsonObject;
  const holders = [{ securityContext }, ...objectsIn(containers), ...objectsIn(initContainers)];
  const isAny = holders.some((each) => objectAt(each, 'securityContext', 'windowsOptions')?.hostProcess === true);
  const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
  return invalidIf(isAny && hostNetwork !== true, `${path}.hostNetwork`, false, detail);
};

/** Containers for debugging come later, by a request of their own. */
const debugContainers: Check = (value, path, struct) =>
  forbiddenIf(
    enclosing(struct, 'PodTemplateSpec') === undefined && !isEmpty((value as JsonObject).ephemeralContainers),
    `${path}.ephemeralContainers`,
    'cannot be set on create',
  );

const podSpec: StructRules = {
  '': every(hostPorts, hostNamespaces, hostProcesses, hostProcessOfPod, systemFields, debugContainers),
  volumes: () => [],
  containers: needed(),
  initContainers: () => [],
  restartPolicy: (value, path, struct) =>
    isEmpty(value) ? [] : oneOf('Always', 'OnFailure', 'Never')(value, path, struct),
  dnsPolicy: neededOneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'),
  nodeSelector: labels,
  securityContext: () => [],
  affinity: () => [],
  dnsConfig,
  schedulingGates: (value, path, struct) => [
    ...problemsOfEach(value, path, ({ name }, at) => labelKey(name, at, struct)),
    ...noDuplicates('name', '')(value, path, struct),
  ],
  serviceAccountName: format(dns1123SubdomainProblem),
  nodeName: format(dns1123SubdomainProblem),
  activeDeadlineSeconds: bounded(1, 2 ** 31 - 1, 'must be between 1 and 2147483647, inclusive'),
  hostname: (value, path, struct) => nameOfPod(value, path, struct),
  subdomain: (value, path, struct) => nameOfPod(value, path, struct),
  tolerations: () => [],
  hostAliases: () => [],
  priorityClassName: format(dns1123SubdomainProblem),
  runtimeClassName: format(dns1123SubdomainProblem),
  preemptionPolicy: (value, ...where) =>
    value === undefined ? [] : neededOneOf('PreemptLowerPriority', 'Never')(value, ...where),
  overhead: (value, path) => quantityProblems(value, `${path}.limits`, containerResourceProblem),
};

/** A StatefulSet names its pods itself. */
const nameOfPod: Check = (value, path, struct) =>
  enclosing(struct, 'StatefulSetSpec') === undefined ? format(dns1123LabelProblem)(value, path, struct) : [];

const effects = oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute');

const toleration: Check = (value, path, struct) => {
  const { key, operator, value: text, effect, tolerationSeconds } = value as JsonObject;
  const at = `${path}.operator`;
  const problems = [
    ...(isEmpty(key) ? [] : labelKey(key, `${path}.key`, struct)),
    ...invalidIf(
      isEmpty(key) && operator !== 'Exists',
      at,
      operator ?? '',
      'operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ),
    ...invalidIf(
      tolerationSeconds !== undefined && effect !== 'NoExecute',
      `${path}.effect`,
      effect ?? '',
      "effect must be 'NoExecute' when `tolerationSeconds` is set",
    ),
  ];
  if (operator === 'Exists') {
    problems.push(...invalidIf(!isEmpty(text), at, text, "value must be empty when `operator` is 'Exists'"));
  } else if (isEmpty(operator) || operator === 'Equal') {
    problems.push(...invalidText(at, plain(text), labelValueProblem(plain(text))));
  } else {
    problems.push(unsupportedValue(at, operator, ['Equal', 'Exists']));
  }
  return [...problems, ...(isEmpty(effect) ? [] : effects(effect, `${path}.effect`, struct))];
};

const selectorValues = (operator: unknown, values: unknown, path: string): FieldProblem[] => {
  const count = Array.isArray(values) ? values.length : 0;
  const isList = operator === 'In' || operator === 'NotIn';
  if (isList) return requiredIf(count === 0, path, "must be specified when `operator` is 'In' or 'NotIn'");
  return forbiddenIf(count > 0, path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
};

const labelValues: Check = (value, path, struct) => eachText(labelValueProblem)(value, path, struct);

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** A LabelSelector's expression (ValidateLabelSelectorRequirement). */
const requirement: Check = (value, path, struct) => {
  const { key, operator, values } = value as JsonObject;
  const isKnown = operators.includes(plain(operator));
  return [
    ...(isKnown
      ? selectorValues(operator, values, `${path}.values`)
      : [invalidValue(`${path}.operator`, operator ?? '', 'not a valid selector operator')]),
    ...labelKey(key, `${path}.key`, struct),
    ...labelValues(values, `${path}.values`, struct),
  ];
};

/** A node's labels, or its name (ValidateNodeSelectorRequirement, ValidateNodeFieldSelectorRequirement). */
const nodeRequirement: Check = (value, path, struct) => {
  const { key, operator, values } = value as JsonObject;
  const count = Array.isArray(values) ? values.length : 0;
  const unknown = [invalidValue(`${path}.operator`, operator ?? '', 'not a valid selector operator')];
  if (path.includes('.matchFields[')) {
    const isList = operator === 'In' || operator === 'NotIn';
    const onlyOne = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    return [
      ...(isList ? requiredIf(count !== 1, `${path}.values`, onlyOne) : unknown),
      ...invalidIf(key !== 'metadata.name', `${path}.key`, key ?? '', 'not a valid field selector key'),
    ];
  }
  const isNumeric = operator === 'Gt' || operator === 'Lt';
  const single = "must be specified single value when `operator` is 'Lt' or 'Gt'";
  const ofValues = isNumeric
    ? requiredIf(count !== 1, `${path}.values`, single)
    : selectorValues(operator, values, `${path}.values`);
  return [
    ...(isNumeric || operators.includes(plain(operator)) ? ofValues : unknown),
    ...labelKey(key, `${path}.key`, struct),
    ...(path.includes('.preference.') ? [] : labelValues(values, `${path}.values`, struct)),
  ];
};

const weight = (value: JsonObject, path: string): FieldProblem[] => {
  const given = numberOf(value.weight) ?? 0;
  return invalidIf(given < 1 || given > 100, `${path}.weight`, given, 'must be in the range 1-100');
};

/** Keys of labels beside a selector: they need one. */
const matchKeys: Check = (value, path, struct) => {
  if (isEmpty(value)) return [];
  if (objectAt(struct.value, 'labelSelector') === undefined) {
    return [forbiddenField(path, 'must not be specified when labelSelector is not set')];
  }
  return eachText(labelKeyProblem)(value, path, struct);
};

const affinityTerm: StructRules = {
  '': (value, path, struct) => {
    const { topologyKey } = value as JsonObject;
    const at = `${path}.topologyKey`;
    return [...requiredIf(isEmpty(topologyKey), at, 'can not be empty'), ...labelKey(topologyKey, at, struct)];
  },
  namespaces: (value, path) =>
    (Array.isArray(value) ? value : []).flatMap((name) =>
      invalidText(path.replace(/s$/, ''), plain(name), dns1123LabelProblem(plain(name))),
    ),
  matchLabelKeys: matchKeys,
  mismatchLabelKeys: matchKeys,
};

const spread: StructRules = {
  maxSkew: (value, path, struct) => positive(value ?? 0, path, struct),
  topologyKey: needed('can not be empty'),
  whenUnsatisfiable: (value, path, struct) => oneOf('DoNotSchedule', 'ScheduleAnyway')(value ?? '', path, struct),
  '': (value, path, struct) => {
    const { topologyKey, whenUnsatisfiable } = value as JsonObject;
    const later = objectsIn(struct.above?.value.topologySpreadConstraints).slice(
      1 + Number(/\[(\d+)\]$/.exec(path)?.[1]),
    );
    const isTwice = later.some(
      (each) => each.topologyKey === topologyKey && each.whenUnsatisfiable === whenUnsatisfiable,
    );
    const place = `${path}.{topologyKey, whenUnsatisfiable}`;
    return isTwice ? [duplicate(place, `{${plain(topologyKey)}, ${plain(whenUnsatisfiable)}}`)] : [];
  },
  minDomains: every(positive, (value, path, { value: constraint }) =>
    invalidIf(
      value !== undefined && constraint.whenUnsatisfiable !== 'DoNotSchedule',
      path,
      value,
      `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${plain(constraint.whenUnsatisfiable)}`,
    ),
  ),
  nodeAffinityPolicy: oneOf('Honor', 'Ignore'),
  nodeTaintsPolicy: oneOf('Honor', 'Ignore'),
  matchLabelKeys: matchKeys,
};

export const podStructs: Readonly<Record<string, StructRules>> = {
  PodTemplateSpec: podTemplate,
  PodSpec: podSpec,
  PodOS: {
    name: every(needed(), (value, path) =>
      isEmpty(value) || ['linux', 'windows'].includes(textOf(value) ?? '')
        ? []
        : [unsupportedValue(path.replace(/\.name$/, ''), value, ['linux', 'windows'])],
    ),
  },
  PodReadinessGate: { conditionType: labelKey },
  HostAlias: {
    ip: (value, path) => invalidText(path, plain(value), addressProblem(plain(value))),
    hostnames: eachText(dns1123SubdomainProblem),
  },
  PodDNSConfig: { nameservers: eachText(addressProblem), searches: eachText(searchProblem) },
  PodDNSConfigOption: {
    name: (value, path) => requiredIf(isEmpty(value), path.replace(/\.name$/, ''), 'must not be empty'),
  },
  Toleration: { '': toleration },
  LabelSelector: { matchLabels: labels },
  LabelSelectorRequirement: { '': requirement },
  NodeSelector: { nodeSelectorTerms: needed('must have at least one node selector term') },
  NodeSelectorRequirement: { '': nodeRequirement },
  PreferredSchedulingTerm: { '': (value, path) => weight(value as JsonObject, path) },
  WeightedPodAffinityTerm: { '': (value, path) => weight(value as JsonObject, path) },
  PodAffinityTerm: affinityTerm,
  TopologySpreadConstraint: spread,
};

import { quantityOf } from '../../../go/quantity.ts';
import {
  backstepProblem,
  configKeyProblem,
  descendingPathProblem,
  dns1123LabelProblem,
  dns1123SubdomainProblem,
  headerNameProblem,
  labelKeyProblem,
  portNameProblem,
  variableNameProblem,
} from '../../../kinds/names.ts';
import { fileFields, podFields, variableFields } from '../../../kinds/pod-fields.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  numberOf,
  objectAt,
  objectsIn,
  plain,
  textMap,
  textOf,
} from '../../../support/json.ts';
import {
  duplicate,
  type FieldProblem,
  invalidValue,
  missingReference,
  required,
  unsupportedValue,
} from '../../status.ts';
import {
  between,
  bounded,
  every,
  exactlyOne,
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
  problemsOfEach,
  requiredIf,
} from '../checks.ts';
import { type Check, enclosing, type Struct, type StructRules } from '../struct.ts';

/** k8s.io/kubernetes/pkg/apis/core/validation: validateContainers, validateInitContainers and what they call. */

const userId = bounded(0, 2 ** 31 - 1, 'must be between 0 and 2147483647, inclusive');

/** The path of the list that holds a struct: some rules of Kubernetes name it instead of the item. */
export const listPath = (path: string): string => path.replace(/\[\d+\]$/, '');

/** A port's number or name (ValidatePortNumOrName). */
export const portNumberOrName: Check = (value = 0, path, struct) =>
  typeof value === 'string' ? invalidText(path, value, portNameProblem(value)) : between(1, 65535)(value, path, struct);

const handlerFields = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];
const oneHandler = exactlyOne(handlerFields, 'may not specify more than 1 handler type', 'must specify a handler type');

const isSidecar = ({ value, path }: Struct): boolean =>
  !/\.initContainers\[\d+\]$/.test(path) || value.restartPolicy === 'Always';

/** Probes and hooks belong to containers that go on running. */
const sidecarsOnly: Check = (value, path, struct) =>
  forbiddenIf(
    value !== undefined && !isSidecar(struct),
    path,
    'may not be set for init containers without restartPolicy=Always',
  );

const oneSuccess: Check = (value, path) => {
  const count = isJsonObject(value) ? numberOf(value.successThreshold) : undefined;
  return invalidIf(count !== undefined && count !== 1, `${path}.successThreshold`, count, 'must be 1');
};

/** Names are unique among the containers, and an init container's among all. */
const uniqueName: Check = (value, path, { path: at, above }) => {
  const names = (field: string): (Json | undefined)[] => objectsIn(above?.value[field]).map(({ name }) => name);
  const index = Number(/\[(\d+)\]$/.exec(at)?.[1]);
  const isInit = at.includes('.initContainers[');
  const earlier = isInit
    ? [...names('containers'), ...names('initContainers').slice(0, index)]
    : names('containers').slice(0, index);
  return !isEmpty(value) && earlier.includes(value) ? [duplicate(path, value)] : [];
};

/** Only of a pod itself, not of a template (validateContainerOnlyForPod). */
const trimmedImage: Check = (value, path, struct) => {
  const isPod = enclosing(struct, 'PodSpec')?.above?.name === 'Pod';
  const text = plain(value);
  return invalidIf(isPod && text !== text.trim(), path, text, 'must not have leading or trailing whitespace');
};

const uniquePortNames: Check = (value, path) => {
  const valid = objectsIn(value).map((port) =>
    portNameProblem(textOf(port.name) ?? '') === undefined ? port : { ...port, name: '' },
  );
  return noDuplicates('name')(valid, path, {} as Struct);
};

const resizedResources = ['cpu', 'memory'];
const resizePolicies = ['NotRequired', 'RestartContainer'];

/** validateResizePolicy: of what an item says the whole list is named. */
const resizePolicy: Check = (value, path, struct) => {
  const isFinal = enclosing(struct, 'PodSpec')?.value.restartPolicy === 'Never';
  const seen = new Set<Json | undefined>();
  return problemsOfEach(value, path, ({ resourceName, restartPolicy }, at) => {
    const isTwice = seen.has(resourceName);
    seen.add(resourceName);
    return [
      ...(isTwice ? [duplicate(at, resourceName ?? '')] : []),
      ...neededOneOf(...resizedResources)(resourceName, path, struct),
      ...neededOneOf(...resizePolicies)(restartPolicy, path, struct),
      ...invalidIf(
        isFinal && restartPolicy !== 'NotRequired',
        path,
        restartPolicy,
        "must be 'NotRequired' when pod `restartPolicy` is 'Never'",
      ),
    ];
  });
};

export const container: StructRules = {
  name: every(neededFormat(dns1123LabelProblem), uniqueName),
  image: every(needed(), trimmedImage),
  terminationMessagePolicy: neededOneOf('FallbackToLogsOnError', 'File'),
  ports: uniquePortNames,
  env: () => [],
  envFrom: () => [],
  volumeMounts: () => [],
  volumeDevices: () => [],
  imagePullPolicy: neededOneOf('Always', 'IfNotPresent', 'Never'),
  resources: () => [],
  resizePolicy,
  securityContext: () => [],
  lifecycle: sidecarsOnly,
  livenessProbe: every(sidecarsOnly, oneSuccess),
  readinessProbe: sidecarsOnly,
  startupProbe: every(sidecarsOnly, oneSuccess),
  restartPolicy: oneOf('Always', 'Never', 'OnFailure'),
};

const probe: StructRules = {
  '': oneHandler,
  initialDelaySeconds: notNegative,
  timeoutSeconds: notNegative,
  periodSeconds: notNegative,
  successThreshold: notNegative,
  failureThreshold: notNegative,
  terminationGracePeriodSeconds: every(bounded(1, Number.MAX_SAFE_INTEGER, 'must be greater than 0'), (value, path) => {
    const isReadiness = path.endsWith('.readinessProbe.terminationGracePeriodSeconds');
    return invalidIf(isReadiness && value !== undefined, path, value, 'must not be set for readinessProbes');
  }),
};

const sleep: Check = (value, path, struct) => {
  const grace = numberOf(enclosing(struct, 'PodSpec')?.value.terminationGracePeriodSeconds);
  const seconds = numberOf(value) ?? 0;
  const isWrong = grace !== undefined && (seconds < 0 || seconds > grace);
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
  return invalidIf(isWrong, path.replace(/\.seconds$/, ''), seconds, detail);
};

const containerPort: StructRules = {
  name: format(portNameProblem),
  containerPort: (value, path, struct) =>
    value === undefined || value === 0 ? [required(path)] : between(1, 65535)(value, path, struct),
  hostPort: (value, path, struct) => (value === 0 ? [] : between(1, 65535)(value, path, struct)),
  protocol: neededOneOf('SCTP', 'TCP', 'UDP'),
};

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

const variableSource: Check = (value, path, { value: variable }) => {
  if (!isJsonObject(value)) return [];
  const count = sources.filter((source) => value[source] !== undefined).length;
  const none = `must specify one of: ${sources
    .slice(0, 4)
    .map((each) => `\`${each}\``)
    .join(', ')} or \`fileKeyRef\``;
  if (count === 0) return [invalidValue(path, '', none)];
  if (!isEmpty(variable.value)) return [invalidValue(path, '', 'may not be specified when `value` is not empty')];
  return invalidIf(count > 1, path, '', 'may not have more than one field specified at a time');
};

const variableSet: Check = (value, path) => {
  const { configMapRef, secretRef } = value as JsonObject;
  const count = [configMapRef, secretRef].filter((each) => each !== undefined).length;
  return [
    ...invalidIf(count === 0, listPath(path), '', 'must specify one of: `configMapRef` or `secretRef`'),
    ...invalidIf(count > 1, listPath(path), '', 'may not have more than one field specified at a time'),
  ];
};

const keyReference: StructRules = {
  // An empty name is refused by the rule for names, not as missing.
  name: (value, path) => invalidText(path, textOf(value) ?? '', dns1123SubdomainProblem(textOf(value) ?? '')),
  key: neededFormat(configKeyProblem),
};

/** What the downward API can tell: of a variable, or of a file in a volume (validateObjectFieldSelector). */
const fieldReference: Check = (value, path, { above }) => {
  const { apiVersion, fieldPath } = value as JsonObject;
  const text = textOf(fieldPath) ?? '';
  const at = `${path}.fieldPath`;
  if (text === '') return [required(at)];
  const isCurrent = isEmpty(apiVersion) || apiVersion === 'v1';
  const known = above?.name === 'EnvVarSource' ? variableFields : fileFields;
  const subscript = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/.exec(text);
  const isFound = subscript !== null || podFields.includes(text);
  if (!isCurrent || !isFound) {
    const why = isCurrent ? `field label not supported: ${text}` : `unsupported pod version: ${plain(apiVersion)}`;
    return [invalidValue(at, text, `error converting fieldPath: ${why}`)];
  }
  if (subscript !== null) return invalidText(path, subscript[2] as string, labelKeyProblem(subscript[2] as string));
  return known.includes(text) ? [] : [unsupportedValue(at, text, known)];
};

const resourceFields = ['limits', 'requests'].flatMap((each) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${each}.${name}`),
);

const resourceReference: StructRules = {
  containerName: (value, path, { above }) => requiredIf(isEmpty(value) && above?.name !== 'EnvVarSource', path),
  resource: (value, path) => {
    if (isEmpty(value)) return [required(path)];
    const isKnown = resourceFields.includes(plain(value)) || /^(limits|requests)\.hugepages-/.test(plain(value));
    return isKnown ? [] : [unsupportedValue(path, value, resourceFields)];
  },
};

const volumeMount: Check = (value, path, struct) => {
  const { name, mountPath, subPath, subPathExpr } = value as JsonObject;
  const list = listPath(path);
  const volumes = volumesOf(struct);
  const earlier = objectsIn(struct.above?.value.volumeMounts).slice(0, Number(/\[(\d+)\]$/.exec(path)?.[1]));
  const isTwice = !isEmpty(mountPath) && earlier.some((mount) => mount.mountPath === mountPath);
  return [
    ...requiredIf(isEmpty(name), `${path}.name`),
    ...(volumes.has(name) ? [] : [missingReference(`${path}.name`, name ?? '')]),
    ...requiredIf(isEmpty(mountPath), `${path}.mountPath`),
    ...invalidIf(isTwice, `${path}.mountPath`, mountPath, 'must be unique'),
    ...format(descendingPathProblem)(subPath, `${list}.subPath`, struct),
    ...invalidIf(
      !isEmpty(subPath) && !isEmpty(subPathExpr),
      `${path}.subPathExpr`,
      subPathExpr,
      'subPathExpr and subPath are mutually exclusive',
    ),
    ...format(descendingPathProblem)(subPathExpr, `${list}.subPathExpr`, struct),
    ...propagationProblems(struct, list),
  ];
};

const propagations = ['Bidirectional', 'HostToContainer', 'None'];
const readOnlyModes = ['Disabled', 'Enabled', 'IfPossible'];

function propagationProblems({ value, above }: Struct, list: string): FieldProblem[] {
  const { mountPropagation, recursiveReadOnly, readOnly } = value;
  const isPrivileged = objectAt(above?.value, 'securityContext')?.privileged === true;
  const place = `${list}.recursiveReadOnly`;
  const isRecursive = recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible';
  return [
    ...oneOf(...propagations)(mountPropagation, `${list}.mountPropagation`, {} as Struct),
    ...forbiddenIf(
      mountPropagation === 'Bidirectional' && !isPrivileged,
      `${list}.mountPropagation`,
      'Bidirectional mount propagation is available only to privileged containers',
    ),
    ...oneOf(...readOnlyModes)(recursiveReadOnly, place, {} as Struct),
    ...forbiddenIf(isRecursive && readOnly !== true, place, 'may only be specified when readOnly is true'),
  ];
}

/** The volumes that a container can mount: the right ones of its pod, and of the claims of its StatefulSet. */
function volumesOf(struct: Struct): Map<Json | undefined, JsonObject> {
  const claims = objectsIn(enclosing(struct, 'StatefulSetSpec')?.value.volumeClaimTemplates);
  const pod = enclosing(struct, 'PodSpec');
  const isRight = (index: number): boolean =>
    pod?.problems.some(({ field }) => field.startsWith(`${pod.path}.volumes[${index}]`)) !== true;
  return new Map([
    ...objectsIn(pod?.value.volumes)
      .filter((_volume, index) => isRight(index))
      .map((volume) => [volume.name, volume] as const),
    ...claims.map((claim) => [objectAt(claim, 'metadata')?.name, { persistentVolumeClaim: {} }] as const),
  ]);
}

const volumeDevice: Check = (value, path, struct) => {
  const { name, devicePath } = value as JsonObject;
  const volume = volumesOf(struct).get(name);
  const isClaim = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined;
  const onlyClaims = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  return [
    ...requiredIf(isEmpty(name), `${path}.name`),
    ...invalidIf(volume !== undefined && !isClaim, `${path}.name`, name, onlyClaims),
    ...(volume === undefined ? [missingReference(`${path}.name`, name ?? '')] : []),
    ...requiredIf(isEmpty(devicePath), `${path}.devicePath`),
    ...format(backstepProblem)(devicePath, `${path}.devicePath`, struct),
  ];
};

const securityContext: Check = (value, path) => {
  const { privileged, allowPrivilegeEscalation, capabilities } = value as JsonObject;
  if (allowPrivilegeEscalation !== false) return [];
  const added = isJsonObject(capabilities) && Array.isArray(capabilities.add) ? capabilities.add : [];
  const says = 'cannot set `allowPrivilegeEscalation` to false and';
  return [
    ...invalidIf(privileged === true, path, value, `${says} \`privileged\` to true`),
    ...invalidIf(added.includes('CAP_SYS_ADMIN'), path, value, `${says} \`capabilities.Add\` CAP_SYS_ADMIN`),
  ];
};

/** Seccomp and AppArmor profiles: only a local one has a path, and needs it. */
const localProfile =
  (what: string, rule: (path: string) => string | undefined): Check =>
  (value, path) => {
    const { type, localhostProfile } = value as JsonObject;
    const at = `${path}.localhostProfile`;
    const text = textOf(localhostProfile) ?? '';
    if (type !== 'Localhost') {
      return invalidIf(
        localhostProfile !== undefined,
        at,
        localhostProfile,
        `can only be set when ${what} type is Localhost`,
      );
    }
    if (localhostProfile === undefined) return [required(at, `must be set when ${what} type is Localhost`)];
    return invalidText(at, text, rule(text));
  };

const profileTypes = neededOneOf('Localhost', 'RuntimeDefault', 'Unconfined');

/** Quantities of resources with a name of a container's resource (ValidateContainerResourceRequirements). */
const resourceRequirements: Check = (value, path, struct) => {
  const { limits, requests } = value as JsonObject;
  const names = [limits, requests].flatMap((each) => Object.keys(textMap(each)));
  const isHuge = names.some(isHugePages);
  const isAlone = !names.includes('cpu') && !names.includes('memory');
  return [
    ...quantityProblems(limits, `${path}.limits`, containerResourceProblem),
    ...quantityProblems(requests, `${path}.requests`, containerResourceProblem),
    ...requestProblems(textMap(requests), textMap(limits), path),
    ...forbiddenIf(isHuge && isAlone, path, 'HugePages require cpu or memory'),
    ...claimProblems((value as JsonObject).claims, `${path}.claims`, struct),
  ];
};

function requestProblems(
  requests: Readonly<Record<string, string>>,
  limits: Readonly<Record<string, string>>,
  path: string,
): FieldProblem[] {
  return Object.entries(requests).flatMap(([name, request]) => {
    const limit = limits[name];
    const mayDiffer = isNative(name) && !isHugePages(name);
    if (limit === undefined) {
      return mayDiffer ? [] : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
    }
    const difference = (quantityOf(request) ?? 0) - (quantityOf(limit) ?? 0);
    const relation = mayDiffer ? 'less than or equal to' : 'equal to';
    const isWrong = mayDiffer ? difference > 0 : difference !== 0;
    return invalidIf(isWrong, `${path}.requests`, request, `must be ${relation} ${name} limit of ${limit}`);
  });
}

function claimProblems(claims: Json | undefined, path: string, struct: Struct): FieldProblem[] {
  const known = objectsIn(enclosing(struct, 'PodSpec')?.value.resourceClaims).map(({ name }) => name);
  return problemsOfEach(claims, path, ({ name }, at) => {
    if (isEmpty(name)) return [required(at)];
    return known.includes(name) ? [] : [missingReference(at, name)];
  });
}

/** Where a claim of a pod comes from; a message shows it as Go has it. */
const claimSource: Check = (value, path) => {
  const { name, resourceClaimName: own, resourceClaimTemplateName: made } = value as JsonObject;
  const shown = { Name: name ?? '', ResourceClaimName: own ?? null, ResourceClaimTemplateName: made ?? null };
  const [isTwice, isNone] = [own !== undefined && made !== undefined, own === undefined && made === undefined];
  return [
    ...invalidIf(
      isTwice,
      path,
      shown,
      'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
    ),
    ...invalidIf(isNone, path, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'),
  ];
};

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** What is wrong with quantities by name: the name itself by a rule, and what is negative or not whole. */
export const quantityProblems = (
  quantities: Json | undefined,
  path: string,
  nameRule: (name: string) => string | undefined,
): FieldProblem[] =>
  Object.entries(textMap(quantities)).flatMap(([name, quantity]) => {
    const at = `${path}[${name}]`;
    const amount = quantityOf(quantity) ?? 0;
    const isWhole = Number.isInteger(amount) || !isCounted(name);
    return [
      ...invalidText(at, name, nameRule(name)),
      ...invalidIf(amount < 0, at, quantity, 'must be greater than or equal to 0'),
      ...invalidIf(!isWhole, at, quantity, 'must be an integer'),
      ...invalidIf(
        isHugePages(name) && amount % (quantityOf(name.slice('hugepages-'.length)) ?? 1) !== 0,
        at,
        quantity,
        `must be a positive integer multiple of ${name.slice('hugepages-'.length)}`,
      ),
    ];
  });

const countedResources = new Set(
  'pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims services.nodeports services.loadbalancers'.split(
    ' ',
  ),
);
const isCounted = (name: string): boolean => countedResources.has(name) || !isNative(name);

const quotaResources = ['cpu', 'memory', 'ephemeral-storage'];
const standardResources = new Set([
  ...quotaResources,
  ...quotaResources.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...countedResources,
  'requests.storage',
  'storage',
]);

const resourceNameProblem = (name: string): string | undefined =>
  labelKeyProblem(name) ??
  (name.includes('/') || standardResources.has(name) || /^(requests\.)?hugepages-/.test(name)
    ? undefined
    : 'must be a standard resource type or fully qualified');

export const quotaResourceProblem = (name: string): string | undefined =>
  resourceNameProblem(name) ?? (name === 'storage' ? 'must be a standard resource for quota' : undefined);

export function containerResourceProblem(name: string): string | undefined {
  const problem = resourceNameProblem(name);
  if (problem !== undefined) return problem;
  if (name.includes('/')) {
    const isExtended = isNative(name) || !name.startsWith('requests.');
    return isExtended ? undefined : "doesn't follow extended resource name standard";
  }
  const isOfContainers = quotaResources.includes(name) || name.startsWith('hugepages-');
  return isOfContainers ? undefined : 'must be a standard resource for containers';
}

export const containerStructs: Readonly<Record<string, StructRules>> = {
  Container: container,
  ContainerPort: containerPort,
  ContainerRestartRule: { action: neededOneOf('Restart', 'RestartAllContainers') },
  PodResourceClaim: { name: neededFormat(dns1123LabelProblem), '': claimSource },
  Probe: probe,
  LifecycleHandler: { '': oneHandler },
  SleepAction: { seconds: sleep },
  ExecAction: { command: needed() },
  HTTPGetAction: {
    path: needed(),
    port: portNumberOrName,
    scheme: oneOf('HTTP', 'HTTPS'),
    httpHeaders: (value, path) =>
      objectsIn(value).flatMap(({ name }) => invalidText(path, plain(name), headerNameProblem(plain(name)))),
  },
  TCPSocketAction: { port: portNumberOrName },
  GRPCAction: { port: portNumberOrName },
  EnvVar: { name: neededFormat(variableNameProblem), valueFrom: variableSource },
  EnvFromSource: { '': variableSet, prefix: format(variableNameProblem) },
  ConfigMapEnvSource: { name: neededFormat(dns1123SubdomainProblem) },
  SecretEnvSource: { name: neededFormat(dns1123SubdomainProblem) },
  ConfigMapKeySelector: keyReference,
  SecretKeySelector: keyReference,
  FileKeySelector: {
    key: neededFormat(variableNameProblem),
    volumeName: neededFormat(dns1123LabelProblem),
    path: neededFormat(backstepProblem),
  },
  ObjectFieldSelector: { '': fieldReference },
  ResourceFieldSelector: resourceReference,
  VolumeMount: { '': volumeMount },
  VolumeDevice: { '': volumeDevice },
  ResourceRequirements: { '': resourceRequirements },
  SecurityContext: {
    '': securityContext,
    runAsUser: userId,
    runAsGroup: userId,
    procMount: oneOf('Default', 'Unmasked'),
  },
  SeccompProfile: { '': localProfile('seccomp', descendingPathProblem), type: profileTypes },
  AppArmorProfile: { '': localProfile('AppArmor', () => undefined), type: profileTypes },
  PodSecurityContext: {
    fsGroup: userId,
    runAsUser: userId,
    runAsGroup: userId,
    supplementalGroups: (value, path, struct) =>
      (Array.isArray(value) ? value : []).flatMap((item, index) => userId(item, `${path}[${index}]`, struct)),
    sysctls: noDuplicates('name'),
    fsGroupChangePolicy: oneOf('Always', 'OnRootMismatch'),
    supplementalGroupsPolicy: oneOf('Merge', 'Strict'),
    seLinuxChangePolicy: oneOf('MountOption', 'Recursive'),
  },
  Sysctl: {
    name: every(needed(), (value, path) =>
      invalidIf(
        !isEmpty(value) && !/^([a-z0-9][-_a-z0-9]*[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/.test(plain(value)),
        path,
        value,
        'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      ),
    ),
  },
};

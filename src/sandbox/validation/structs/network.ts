import { BlockList, isIP } from 'node:net';
import {
  addressProblem,
  cidrProblem,
  dns1123LabelProblem,
  dns1123SubdomainProblem,
  domainPathProblem,
  hostProblem,
  labelKeyProblem,
  pathSegmentProblem,
  portNameProblem,
} from '../../../kinds/names.ts';
import { defaultNodePorts } from '../../../kinds/node-ports.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsIn,
  plain,
  textMap,
  textOf,
} from '../../../support/json.ts';
import { splitOnce, trimSuffix } from '../../../support/text.ts';
import { duplicate, type FieldProblem, invalidValue, required, unsupportedValue } from '../../status.ts';
import {
  between,
  bounded,
  eachText,
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
  oneOf,
  problemsOfEach,
  requiredIf,
  unsupportedUnless,
} from '../checks.ts';
import { labelProblems } from '../metadata.ts';
import type { Check, Struct, StructRules } from '../struct.ts';
import { portNumberOrName } from './container.ts';

const mapped = (rules: StructRules, change: (check: Check) => Check): StructRules =>
  Object.fromEntries(Object.entries(rules).map(([field, check]) => [field, change(check)]));

/** k8s.io/kubernetes/pkg/apis/core/validation: validateService; pkg/apis/networking/validation. */

const isHeadless = (spec: JsonObject): boolean => spec.clusterIP === 'None';
const isExternal = (spec: JsonObject): boolean => spec.type === 'ExternalName';
const isBalanced = (spec: JsonObject): boolean => spec.type === 'LoadBalancer';

const onlyBalanced: Check = (value, path, { value: spec }) =>
  forbiddenIf(!isEmpty(value) && !isBalanced(spec), path, "may only be used when `type` is 'LoadBalancer'");

/** The default of the API server's flag. */
const notInRange = `provided port is not in the valid range. The range of valid ports is ${defaultNodePorts.from}-${defaultNodePorts.to}`;

const servicePorts: Check = (value, path, { value: spec }) => {
  const ports = objectsIn(value);
  const seen = new Set<string>();
  const nodePorts = new Set<string>();
  return [
    ...requiredIf(ports.length === 0 && !isHeadless(spec) && !isExternal(spec), path),
    ...noDuplicates('name')(value, path, {} as Struct),
    ...problemsOfEach(value, path, ({ name, port, protocol, nodePort }, at) => {
      const key = `${plain(protocol)} ${plain(port)}`;
      const nodeKey = `${plain(protocol)} ${plain(nodePort)}`;
      const hasNodePort = !isEmpty(nodePort) && nodePort !== 0;
      const problems = [
        ...requiredIf(ports.length > 1 && isEmpty(name), `${at}.name`),
        ...forbiddenIf(
          hasNodePort && spec.type === 'ClusterIP',
          `${at}.nodePort`,
          "may not be used when `type` is 'ClusterIP'",
        ),
        ...invalidIf(
          hasNodePort &&
            spec.type !== 'ClusterIP' &&
            (Number(nodePort) < defaultNodePorts.from || Number(nodePort) > defaultNodePorts.to),
          `${at}.nodePort`,
          nodePort,
          notInRange,
        ),
        ...(hasNodePort && nodePorts.has(nodeKey) ? [duplicate(`${at}.nodePort`, nodePort)] : []),
        ...(seen.has(key) ? [duplicate(at, { port: port ?? 0, protocol: protocol ?? '' })] : []),
      ];
      seen.add(key);
      nodePorts.add(nodeKey);
      return problems;
    }),
  ];
};

/** The service types without a cluster address of their own. */
const clusterAddresses: Check = (value, path, { value: spec }) => {
  const given = Array.isArray(value) ? value : [];
  const isWrong = isHeadless(spec) && (isBalanced(spec) || spec.type === 'NodePort');
  const detail = `may not be set to 'None' for ${plain(spec.type)} services`;
  if (isExternal(spec))
    return forbiddenIf(given.length > 0 || !isEmpty(spec.clusterIP), path, 'may not be set for ExternalName services');
  const addresses = given.length > 0 ? given : isEmpty(spec.clusterIP) ? [] : [spec.clusterIP as Json];
  return [
    ...invalidIf(isWrong, `${path}[0]`, 'None', detail),
    ...addresses.flatMap((each, index) =>
      each === 'None' || each === '' ? [] : invalidText(`${path}[${index}]`, plain(each), addressProblem(plain(each))),
    ),
  ];
};

const externalName: Check = (value, path, { value: spec }) => {
  const name = trimSuffix(textOf(value) ?? '', '.');
  if (!isExternal(spec)) return [];
  return name === '' ? [required(path)] : invalidText(path, name, dns1123SubdomainProblem(name));
};

const affinityConfig: Check = (value, path, { value: spec }) => {
  const detail = 'must not be set when session affinity is None';
  return forbiddenIf(value !== undefined && spec.sessionAffinity === 'None', path, detail);
};

/** What asks for a policy of traffic from outside (ExternallyAccessible). */
const isReachable = (spec: JsonObject): boolean =>
  isBalanced(spec) || spec.type === 'NodePort' || (spec.type === 'ClusterIP' && !isEmpty(spec.externalIPs));

const externalPolicy: Check = (value, path, { value: spec }) => {
  if (!isReachable(spec)) {
    return invalidIf(!isEmpty(value), path, value, 'may only be set for externally-accessible services');
  }
  return isEmpty(value) ? [] : unsupportedUnless(value, path, 'Cluster', 'Local');
};

const healthPort: Check = (value, path, { value: spec }) => {
  const isUsed = isBalanced(spec) && spec.externalTrafficPolicy === 'Local';
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return invalidIf(!isUsed && !isEmpty(value) && value !== 0, path, value, detail);
};

/** Kubernetes writes the field with a capital here. */
const sourceRanges: Check = (value, path, struct) => {
  const at = path.replace(/loadBalancerSourceRanges$/, 'LoadBalancerSourceRanges');
  return [...onlyBalanced(value, at, struct), ...eachText((text) => cidrProblem(text.trim()))(value, at, struct)];
};

const externalAddresses: Check = (value, path) =>
  (Array.isArray(value) ? value : []).flatMap((item, index) => {
    const text = plain(item);
    return invalidText(`${path}[${index}]`, text, addressProblem(text) ?? specialAddressProblem(text));
  });

function specialAddressProblem(address: string): string | undefined {
  if (address === '0.0.0.0' || address === '::') return `may not be unspecified (${address})`;
  if (address.startsWith('127.') || address === '::1') return 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
  if (address.startsWith('169.254.')) return 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
  return address.startsWith('224.0.0.')
    ? 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'
    : undefined;
}

const families: Check = (value, path, struct) => {
  if (isExternal(struct.value)) {
    return forbiddenIf(!isEmpty(value), path, 'may not be set for ExternalName services');
  }
  const given = Array.isArray(value) ? value : [];
  return given.flatMap((family, index) => [
    ...unsupportedUnless(family, `${path}[${index}]`, 'IPv4', 'IPv6'),
    ...invalidIf(
      family === 'IPv6' && given.length === 1,
      `${path}[${index}]`,
      family,
      'not configured on this cluster',
    ),
    ...(given.indexOf(family) < index ? [duplicate(`${path}[${index}]`, family)] : []),
  ]);
};

const familyPolicy: Check = (value, path, struct) =>
  isExternal(struct.value)
    ? forbiddenIf(value !== undefined, path, 'may not be set for ExternalName services')
    : [
        ...oneOf('PreferDualStack', 'RequireDualStack', 'SingleStack')(value, path, struct),
        ...invalidIf(
          value === 'RequireDualStack',
          path,
          value,
          'this cluster is not configured for dual-stack services',
        ),
      ];

const service: StructRules = {
  type: neededOneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'),
  clusterIPs: clusterAddresses,
  externalName,
  ports: servicePorts,
  selector: (value, path) => labelProblems(textMap(value), path),
  sessionAffinity: neededOneOf('ClientIP', 'None'),
  sessionAffinityConfig: affinityConfig,
  ipFamilies: families,
  ipFamilyPolicy: familyPolicy,
  externalIPs: externalAddresses,
  loadBalancerSourceRanges: sourceRanges,
  allocateLoadBalancerNodePorts: onlyBalanced,
  loadBalancerClass: every(onlyBalanced, format(labelKeyProblem)),
  externalTrafficPolicy: externalPolicy,
  healthCheckNodePort: healthPort,
  internalTrafficPolicy: oneOf('Cluster', 'Local'),
  trafficDistribution: oneOf('PreferClose', 'PreferSameZone', 'PreferSameNode'),
};

const servicePort: StructRules = {
  name: format(dns1123LabelProblem),
  port: (value, path, struct) => between(1, 65535)(value ?? 0, path, struct),
  protocol: neededOneOf('SCTP', 'TCP', 'UDP'),
  targetPort: portNumberOrName,
  // A pointer: an empty text is there.
  appProtocol: (value, path) => (typeof value === 'string' ? invalidText(path, value, labelKeyProblem(value)) : []),
};

const backend: Check = (value, path, { above }) => {
  const { service: toService, resource } = value as JsonObject;
  // A path without a type is judged no further.
  if (above?.name === 'HTTPIngressPath' && above.value.pathType === undefined) return [];
  if (toService !== undefined && resource !== undefined) {
    return [invalidValue(path, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return [];
  if (!isJsonObject(toService)) return [invalidValue(path, '', 'resource or service backend is required')];
  const { name, number } = objectAt(toService, 'port') ?? {};
  const [hasName, hasNumber] = [!isEmpty(name), !isEmpty(number) && number !== 0];
  const serviceName = textOf(toService.name) ?? '';
  const at = `${path}.service`;
  return [
    ...(serviceName === ''
      ? [required(`${at}.name`)]
      : invalidText(`${at}.name`, serviceName, dns1123LabelProblem(serviceName))),
    ...invalidIf(hasName && hasNumber, path, '', 'cannot set both port name & port number'),
    ...requiredIf(!hasName && !hasNumber, path, 'port name or number is required'),
    ...(hasName && !hasNumber ? invalidText(`${at}.port.name`, plain(name), portNameProblem(plain(name))) : []),
    ...(hasNumber && !hasName ? between(1, 65535)(number, `${at}.port.number`, {} as Struct) : []),
  ];
};

const badSequences = ['//', '/./', '/../', '%2f', '%2F'];
const badEndings = ['/..', '/.'];

const ingressPath: Check = (value, path) => {
  const { pathType, path: given } = value as JsonObject;
  const text = textOf(given) ?? '';
  const at = `${path}.path`;
  if (pathType === undefined) return [required(`${path}.pathType`, 'pathType must be specified')];
  if (pathType === 'ImplementationSpecific') {
    return invalidIf(text !== '' && !text.startsWith('/'), at, text, 'must be an absolute path');
  }
  if (pathType !== 'Exact' && pathType !== 'Prefix') {
    return [unsupportedValue(`${path}.pathType`, pathType, ['Exact', 'ImplementationSpecific', 'Prefix'])];
  }
  return [
    ...invalidIf(!text.startsWith('/'), at, text, 'must be an absolute path'),
    ...badSequences.flatMap((bad) => invalidIf(text.includes(bad), at, text, `must not contain '${bad}'`)),
    ...badEndings.flatMap((bad) => invalidIf(text.endsWith(bad), at, text, `cannot end with '${bad}'`)),
  ];
};

const ingress: StructRules = {
  '': (value, path) => {
    const { rules, defaultBackend } = value as JsonObject;
    const isNothing = objectsIn(rules).length === 0 && defaultBackend === undefined;
    return invalidIf(isNothing, path, undefined, 'either `defaultBackend` or `rules` must be specified');
  },
  defaultBackend: () => [],
  rules: () => [],
  tls: () => [],
  // A pointer: an empty name is a wrong one.
  ingressClassName: (value, path) =>
    typeof value === 'string' ? invalidText(path, value, dns1123SubdomainProblem(value)) : [],
};

const host: Check = (value, path) => {
  const text = textOf(value) ?? '';
  if (text === '') return [];
  return [
    ...invalidIf(isIP(text) !== 0, path, text, 'must be a DNS name, not an IP address'),
    ...invalidText(path, text, hostProblem(text)),
  ];
};

const typedReference: StructRules = {
  apiGroup: format(dns1123SubdomainProblem),
  kind: neededFormat(pathSegmentProblem),
  name: neededFormat(pathSegmentProblem),
};

const policyPort: StructRules = {
  protocol: oneOf('TCP', 'UDP', 'SCTP'),
  port: (value, path, struct) => (value === undefined ? [] : portNumberOrName(value, path, struct)),
  endPort: (value, path, { value: { port } }) => {
    if (typeof value !== 'number') return [];
    if (typeof port !== 'number') {
      const why = port === undefined ? '`port` is not specified' : '`port` is non-numeric';
      return [invalidValue(path, value, `may not be specified when ${why}`)];
    }
    return [
      ...invalidIf(value < port, path, port, 'must be greater than or equal to `port`'),
      ...between(1, 65535)(value, path, {} as Struct),
    ];
  },
};

const peer: Check = (value, path) => {
  const { ipBlock, podSelector, namespaceSelector } = value as JsonObject;
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  return [
    ...requiredIf(ipBlock === undefined && !hasSelector, path, 'must specify a peer'),
    ...forbiddenIf(ipBlock !== undefined && hasSelector, path, 'may not specify both ipBlock and another peer'),
  ];
};

/** What a block leaves out lies in it, and is smaller. */
const exceptions: Check = (value, path, { value: { cidr } }) => {
  const [network, bits] = splitOnce(plain(cidr), '/');
  if (cidrProblem(plain(cidr)) !== undefined) return [];
  const block = new BlockList();
  block.addSubnet(network, Number(bits), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  return (Array.isArray(value) ? value : []).flatMap((item, index): FieldProblem[] => {
    const at = `${path}[${index}]`;
    const text = plain(item);
    const problem = cidrProblem(text);
    if (problem !== undefined) return [invalidValue(at, text, problem)];
    const [inner, innerBits] = splitOnce(text, '/');
    const isInside = block.check(inner, isIP(inner) === 4 ? 'ipv4' : 'ipv6') && Number(innerBits) > Number(bits);
    return invalidIf(!isInside, at, text, 'must be a strict subset of `cidr`');
  });
};

/** A port of Endpoints; those of EndpointSlices may stand for all ports. */
const subsetPort: Check = (value, path, struct) => {
  const { port, protocol } = value as JsonObject;
  return [
    ...between(1, 65535)(port ?? 0, `${path}.port`, struct),
    ...(isEmpty(protocol) ? [] : unsupportedUnless(protocol, `${path}.protocol`, 'SCTP', 'TCP', 'UDP')),
  ];
};

const policyTypes: Check = (value, path) => {
  const given = Array.isArray(value) ? value : [];
  if (given.length > 2) return [invalidValue(path, given, 'may not specify more than two policyTypes')];
  return given.flatMap((each, index) => unsupportedUnless(each, `${path}[${index}]`, 'Ingress', 'Egress'));
};

export const networkStructs: Readonly<Record<string, StructRules>> = {
  EndpointSlice: { addressType: neededOneOf('FQDN', 'IPv4', 'IPv6'), ports: () => [], endpoints: () => [] },
  Endpoint: { addresses: needed('must contain at least 1 address') },
  EndpointPort: {
    '': (value, path, struct) => (struct.above?.name === 'EndpointSubset' ? subsetPort(value, path, struct) : []),
    name: format(dns1123LabelProblem),
  },
  EndpointSubset: {
    '': (value, path) => {
      const { addresses, notReadyAddresses } = value as JsonObject;
      const isMissing = isEmpty(addresses) && isEmpty(notReadyAddresses);
      return requiredIf(isMissing, path, 'must specify `addresses` or `notReadyAddresses`');
    },
    addresses: () => [],
    notReadyAddresses: () => [],
    ports: (value, path) => {
      const isMany = Array.isArray(value) && value.length > 1;
      return problemsOfEach(value, path, ({ name }, at) => requiredIf(isMany && isEmpty(name), `${at}.name`));
    },
  },
  EndpointAddress: {
    ip: (value, path) => {
      const text = plain(value);
      const problem = addressProblem(text);
      const special = problem === undefined ? specialAddressProblem(text) : 'must be a valid IP address';
      return [...invalidText(path, text, problem), ...invalidText(path, text, special)];
    },
    hostname: format(dns1123LabelProblem),
    nodeName: format(dns1123SubdomainProblem),
  },
  ServiceSpec: service,
  ServicePort: servicePort,
  ClientIPConfig: {
    timeoutSeconds: bounded(1, 86_400, 'must be greater than 0 and less than 86400'),
  },
  IngressSpec: ingress,
  IngressRule: { host },
  IngressTLS: { hosts: eachText(hostProblem), secretName: format(dns1123SubdomainProblem) },
  HTTPIngressRuleValue: { paths: needed() },
  HTTPIngressPath: { '': ingressPath },
  IngressBackend: { '': backend },
  // A claim's `dataSource` of an unknown kind is dropped unread.
  TypedLocalObjectReference: mapped(
    typedReference,
    (check) => (value, path, struct) =>
      struct.above?.name === 'PersistentVolumeClaimSpec' && struct.above.path === 'spec'
        ? []
        : check(value, path, struct),
  ),
  IngressClassSpec: { controller: neededFormat(domainPathProblem) },
  IngressClassParametersReference: { ...typedReference, scope: oneOf('Cluster', 'Namespace') },
  NetworkPolicyPort: policyPort,
  NetworkPolicyPeer: { '': peer },
  NetworkPolicySpec: { podSelector: () => [], ingress: () => [], egress: () => [], policyTypes },
  IPBlock: { cidr: neededFormat(cidrProblem), except: exceptions },
};

import type { Container } from '../../../kubernetes.ts';
import { badSetters, containersOf, distinct, listed, named, namesOf, type PodLike, plural } from './pod.ts';

/** What a check says against a pod: the reason, and what exactly. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** A check of the Pod Security Standards, in force from a minor version on (k8s.io/pod-security-admission/policy). */
export interface Check {
  readonly since: number;
  /** `minor`: the version of the policy. */
  readonly find: (pod: PodLike, minor: number) => Violation | undefined;
}

/** The checks of `baseline`, in the order of their names. */
export const baselineChecks: Readonly<Record<string, Check>> = {
  appArmorProfile: { since: 0, find: appArmorProfile },
  capabilities: { since: 0, find: capabilities },
  hostNamespaces: { since: 0, find: hostNamespaces },
  hostPathVolumes: { since: 0, find: hostPathVolumes },
  hostPorts: { since: 0, find: hostPorts },
  hostProbesAndHostLifecycle: { since: 34, find: probeHosts },
  privileged: { since: 0, find: privileged },
  procMount: { since: 0, find: (pod, minor) => (minor >= 35 && hasUserNamespace(pod) ? undefined : procMount(pod)) },
  seLinuxOptions: { since: 0, find: seLinuxOptions },
  seccompProfile: { since: 0, find: (pod, minor) => (minor < 19 ? seccompAnnotations(pod) : seccompProfile(pod)) },
  sysctls: { since: 0, find: sysctls },
  windowsHostProcess: { since: 0, find: windowsHostProcess },
};

/** A pod in a user namespace of its own may do more. */
export const hasUserNamespace = ({ spec }: PodLike): boolean => spec?.hostUsers === false;

const allowedProfiles: ReadonlySet<string> = new Set(['RuntimeDefault', 'Localhost']);

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const isAllowedAppArmor = (profile: string): boolean =>
  profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');

function appArmorProfile(pod: PodLike): Violation | undefined {
  const setters = badSetters(
    pod,
    (context) => context.appArmorProfile?.type,
    (type) => !allowedProfiles.has(type),
  );
  const annotations = Object.entries(pod.metadata?.annotations ?? {})
    .filter(([key, profile]) => key.startsWith(appArmorPrefix) && !isAllowedAppArmor(profile))
    .map(([key, profile]) => `${key}=${JSON.stringify(profile)}`);
  const values = [...distinct(setters?.values ?? []), ...distinct(annotations)];
  if (values.length === 0) return undefined;
  const who = [setters?.who, annotations.length > 0 ? plural('annotation', annotations.length) : undefined];
  const list = values.map((value) => `"${value}"`).join(', ');
  return {
    reason: plural('forbidden AppArmor profile', values.length),
    detail: `${who.filter((one) => one !== undefined).join(' and ')} must not set AppArmor profile type to ${list}`,
  };
}

const allowedCapabilities: ReadonlySet<string> = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);

function capabilities(pod: PodLike): Violation | undefined {
  const detail = addedCapabilities(pod, allowedCapabilities);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
}

/** The containers that add other capabilities than these. */
export function addedCapabilities(pod: PodLike, allowed: ReadonlySet<string>): string | undefined {
  const added = ({ securityContext }: Container): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.has(name));
  const bad = containersOf(pod).filter((container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  return `${named('container', namesOf(bad))} must not include ${listed(bad.flatMap(added))} in securityContext.capabilities.add`;
}

function hostNamespaces({ spec }: PodLike): Violation | undefined {
  const fields = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec?.[field] === true);
  if (fields.length === 0) return undefined;
  return { reason: 'host namespaces', detail: fields.map((field) => `${field}=true`).join(', ') };
}

function hostPathVolumes({ spec }: PodLike): Violation | undefined {
  const names = (spec?.volumes ?? []).flatMap(({ name = '', hostPath }) => (hostPath === undefined ? [] : [name]));
  return names.length === 0 ? undefined : { reason: 'hostPath volumes', detail: named('volume', names) };
}

const uses = (containers: readonly string[]): string =>
  `${named('container', containers)} ${containers.length === 1 ? 'uses' : 'use'}`;

function hostPorts(pod: PodLike): Violation | undefined {
  const portsOf = ({ ports = [] }: Container): string[] =>
    ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const bad = containersOf(pod).filter((container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = distinct(bad.flatMap(portsOf));
  return {
    reason: 'hostPort',
    detail: `${uses(namesOf(bad))} ${plural('hostPort', ports.length)} ${ports.join(', ')}`,
  };
}

/** Hosts of probes and of lifecycle handlers: the kubelet would ask them in the pod's name. */
function probeHosts(pod: PodLike): Violation | undefined {
  const hostsOf = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): string[] =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
      .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
      .filter((host): host is string => host !== undefined && host !== '');
  const bad = containersOf(pod).filter((container) => hostsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const reason = 'probe or lifecycle host';
  return { reason, detail: `${uses(distinct(namesOf(bad)))} ${named(reason, distinct(bad.flatMap(hostsOf)))}` };
}

function privileged(pod: PodLike): Violation | undefined {
  const bad = containersOf(pod).filter(({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${named('container', namesOf(bad))} must not set securityContext.privileged=true`,
  };
}

export function procMount(pod: PodLike): Violation | undefined {
  const typeOf = ({ securityContext }: Container): string => securityContext?.procMount ?? 'Default';
  const bad = containersOf(pod).filter((container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  return {
    reason: 'procMount',
    detail: `${named('container', namesOf(bad))} must not set securityContext.procMount to ${listed(bad.map(typeOf))}`,
  };
}

function seLinuxOptions(pod: PodLike, minor: number): Violation | undefined {
  const types = [
    '',
    'container_t',
    'container_init_t',
    'container_kvm_t',
    ...(minor >= 31 ? ['container_engine_t'] : []),
  ];
  const isBadType = (type = ''): boolean => !types.includes(type);
  const setters = badSetters(
    pod,
    (context) => context.seLinuxOptions,
    ({ type, user, role }) => isBadType(type) || Boolean(user) || Boolean(role),
  );
  if (setters === undefined) return undefined;
  const badTypes = distinct(setters.values.flatMap(({ type = '' }) => (isBadType(type) ? [type] : [])));
  const data = [
    ...(badTypes.length > 0 ? [named('type', badTypes)] : []),
    ...(setters.values.some(({ user }) => user) ? ['user may not be set'] : []),
    ...(setters.values.some(({ role }) => role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${setters.who} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
  };
}

const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';

function seccompAnnotations(pod: PodLike): Violation | undefined {
  const { annotations = {} } = pod.metadata ?? {};
  const keys = [seccompPod, ...namesOf(containersOf(pod)).map((name) => seccompContainer + name)];
  const isBad = (value: string): boolean =>
    value !== 'runtime/default' && value !== 'docker/default' && !value.startsWith('localhost/');
  const bad = keys.flatMap((key) => {
    const value = annotations[key];
    return value !== undefined && isBad(value) ? [`${key}=${JSON.stringify(value)}`] : [];
  });
  if (bad.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural('annotation', bad.length)} ${distinct(bad).join(', ')}`,
  };
}

export function seccompProfile(pod: PodLike): Violation | undefined {
  const setters = badSetters(
    pod,
    (context) => context.seccompProfile?.type,
    (type) => !allowedProfiles.has(type),
  );
  return (
    setters && {
      reason: 'seccompProfile',
      detail: `${setters.who} must not set securityContext.seccompProfile.type to ${listed(setters.values)}`,
    }
  );
}

/** The sysctls that are safe, with the minor version since which they count as such. */
const safeSysctls: Readonly<Record<string, number>> = {
  'kernel.shm_rmid_forced': 0,
  'net.ipv4.ip_local_port_range': 0,
  'net.ipv4.tcp_syncookies': 0,
  'net.ipv4.ping_group_range': 0,
  'net.ipv4.ip_unprivileged_port_start': 0,
  'net.ipv4.ip_local_reserved_ports': 27,
  'net.ipv4.tcp_keepalive_time': 29,
  'net.ipv4.tcp_fin_timeout': 29,
  'net.ipv4.tcp_keepalive_intvl': 29,
  'net.ipv4.tcp_keepalive_probes': 29,
  'net.ipv4.tcp_rmem': 32,
  'net.ipv4.tcp_wmem': 32,
};

function sysctls({ spec }: PodLike, minor: number): Violation | undefined {
  const isSafe = (name: string): boolean => Object.hasOwn(safeSysctls, name) && (safeSysctls[name] ?? 0) <= minor;
  const bad = (spec?.securityContext?.sysctls ?? []).flatMap(({ name = '' }) => (isSafe(name) ? [] : [name]));
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
}

function windowsHostProcess(pod: PodLike): Violation | undefined {
  const setters = badSetters(
    pod,
    (context) => context.windowsOptions?.hostProcess,
    (isSet) => isSet,
  );
  return (
    setters && {
      reason: 'hostProcess',
      detail: `${setters.who} must not set securityContext.windowsOptions.hostProcess=true`,
    }
  );
}

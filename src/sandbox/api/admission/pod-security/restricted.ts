import type { Container } from '../../../kubernetes.ts';
import {
  addedCapabilities,
  type Check,
  hasUserNamespace,
  procMount,
  seccompProfile,
  type Violation,
} from './baseline.ts';
import { badSetters, containersOf, distinct, named, namesOf, type PodLike } from './pod.ts';

/** A check of `restricted`, and the one of `baseline` whose place it takes. */
export interface RestrictedCheck extends Check {
  readonly insteadOf?: string;
}

/** Windows has none of these: its pods cannot set them, and need not. */
const unlessWindows =
  (since: number, find: (pod: PodLike) => Violation | undefined): Check['find'] =>
  (pod, minor) =>
    minor >= since && pod.spec?.os?.name === 'windows' ? undefined : find(pod);

const unlessUserNamespace =
  (find: (pod: PodLike) => Violation | undefined): Check['find'] =>
  (pod, minor) =>
    minor >= 35 && hasUserNamespace(pod) ? undefined : find(pod);

/** The checks that `restricted` adds, in the order of their names. */
export const restrictedChecks: readonly RestrictedCheck[] = [
  { since: 8, find: unlessWindows(25, allowPrivilegeEscalation) },
  { since: 22, find: unlessWindows(25, capabilities), insteadOf: 'capabilities' },
  { since: 35, find: procMount, insteadOf: 'procMount' },
  { since: 0, find: volumes, insteadOf: 'hostPathVolumes' },
  { since: 0, find: unlessUserNamespace(runAsNonRoot) },
  { since: 23, find: unlessUserNamespace(runAsUser) },
  { since: 19, find: unlessWindows(25, seccomp), insteadOf: 'seccompProfile' },
];

function allowPrivilegeEscalation(pod: PodLike): Violation | undefined {
  const bad = containersOf(pod).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${named('container', namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

const netBindService: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);

function capabilities(pod: PodLike): Violation | undefined {
  const keeps = ({ securityContext }: Container): boolean => !securityContext?.capabilities?.drop?.includes('ALL');
  const bad = containersOf(pod).filter(keeps);
  const details = [
    ...(bad.length > 0
      ? [`${named('container', namesOf(bad))} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...[addedCapabilities(pod, netBindService)].filter((detail) => detail !== undefined),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

function volumes({ spec }: PodLike): Violation | undefined {
  const typesOf = (volume: object): string[] =>
    Object.entries(volume).flatMap(([key, value]) => (key === 'name' || value === undefined ? [] : [key]));
  const bad = (spec?.volumes ?? []).filter((volume) => !typesOf(volume).some((type) => allowedVolumes.includes(type)));
  if (bad.length === 0) return undefined;
  const types = distinct(bad.map((volume) => typesOf(volume)[0] ?? 'unknown'));
  const verb = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'restricted volume types',
    detail: `${named(
      'volume',
      bad.map(({ name = '' }) => name),
    )} ${verb} ${named('restricted volume type', types)}`,
  };
}

function runAsNonRoot(pod: PodLike): Violation | undefined {
  const reason = 'runAsNonRoot != true';
  const setters = badSetters(
    pod,
    (context) => context.runAsNonRoot,
    (isSet) => !isSet,
  );
  if (setters !== undefined)
    return { reason, detail: `${setters.who} must not set securityContext.runAsNonRoot=false` };
  if (pod.spec?.securityContext?.runAsNonRoot === true) return undefined;
  const silent = containersOf(pod).filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${named('container', namesOf(silent))} must set securityContext.runAsNonRoot=true` };
}

function runAsUser(pod: PodLike): Violation | undefined {
  const setters = badSetters(
    pod,
    (context) => context.runAsUser,
    (user) => user === 0,
  );
  return setters && { reason: 'runAsUser=0', detail: `${setters.who} must not set runAsUser=0` };
}

function seccomp(pod: PodLike): Violation | undefined {
  const bad = seccompProfile(pod);
  if (bad !== undefined || pod.spec?.securityContext?.seccompProfile !== undefined) return bad;
  const silent = containersOf(pod).filter(({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  const who = `pod or ${named('container', namesOf(silent))}`;
  return {
    reason: 'seccompProfile',
    detail: `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

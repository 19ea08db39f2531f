import { dns1123SubdomainProblem } from '../../../kinds/names.ts';
import { type JsonObject, objectAt, objectsIn, plain } from '../../../support/json.ts';
import type { FieldProblem } from '../../status.ts';
import { forbiddenIf, format, invalidIf } from '../checks.ts';
import type { Check, StructRules } from '../struct.ts';

/** k8s.io/kubernetes/pkg/apis/core/validation: validateWindows, validateLinux, validateWindowsSecurityContextOptions. */

const linuxOnly = ['hostPID', 'hostIPC', 'hostUsers', 'shareProcessNamespace'];
const linuxOnlyOfPod = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
];
const linuxOnlyOfContainer = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** What a flag that is `false` leaves out counts for nothing; pointers count. */
const isSet = (value: unknown, field: string): boolean =>
  ['hostPID', 'hostIPC'].includes(field) ? value === true : value !== undefined;

/** Fields that the operating system of a pod does not have. */
export const systemFields: Check = (value, path) => {
  const spec = value as JsonObject;
  const system = objectAt(spec, 'os')?.['name'];
  if (system !== 'windows' && system !== 'linux') return [];
  const contexts = [
    { context: objectAt(spec, 'securityContext'), at: `${path}.securityContext`, fields: linuxOnlyOfPod },
    ...(['initContainers', 'containers'] as const).flatMap((list) =>
      objectsIn(spec[list]).map((container, index) => ({
        context: objectAt(container, 'securityContext'),
        at: `${path}.${list}[${index}].securityContext`,
        fields: linuxOnlyOfContainer,
      })),
    ),
  ];
  const forbidden = (holder: JsonObject | undefined, at: string, fields: readonly string[]): FieldProblem[] =>
    fields.flatMap((field) =>
      forbiddenIf(isSet(holder?.[field], field), `${at}.${field}`, 'cannot be set for a windows pod'),
    );
  if (system === 'windows')
    return [
      ...forbidden(spec, path, linuxOnly),
      ...contexts.flatMap(({ context, at, fields }) => forbidden(context, at, fields)),
    ];
  return contexts.flatMap(({ context, at }) =>
    forbiddenIf(
      context?.['windowsOptions'] !== undefined,
      `${at}.windowsOptions`,
      'windows options cannot be set for a linux pod',
    ),
  );
};

/** All containers of a pod are processes of the host, or none. */
export const hostProcessOfPod: Check = (value, path) => {
  const spec = value as JsonObject;
  const ofPod = objectAt(spec, 'securityContext', 'windowsOptions')?.['hostProcess'];
  return ['initContainers', 'containers'].flatMap((list) =>
    objectsIn(spec[list]).flatMap((container, index) => {
      const own = objectAt(container, 'securityContext', 'windowsOptions')?.['hostProcess'];
      const isUnlike = own !== undefined && ofPod !== undefined && own !== ofPod;
      const at = `${path}.${list}[${index}].securityContext.windowsOptions.hostProcess`;
      return invalidIf(
        isUnlike,
        at,
        own,
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      );
    }),
  );
};

const userName: Check = (value, path) => {
  if (typeof value !== 'string') return [];
  if (value === '') return invalidIf(true, path, value, 'runAsUserName cannot be an empty string');
  const user = value.split('\\').at(-1) ?? '';
  const detail = `runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`;
  return invalidIf(/["/\\:;|=,+*?<>@[\]]/.test(user), path, value, detail);
};

export const windowsStructs: Readonly<Record<string, StructRules>> = {
  WindowsSecurityContextOptions: {
    gmsaCredentialSpecName: (value, path, struct) =>
      value === ''
        ? invalidIf(true, path, value, dns1123SubdomainProblem('') ?? '')
        : format(dns1123SubdomainProblem)(value, path, struct),
    gmsaCredentialSpec: (value, path) =>
      invalidIf(value === '', path, plain(value), 'gmsaCredentialSpec cannot be an empty string'),
    runAsUserName: userName,
  },
};

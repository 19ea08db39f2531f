import { anyType, builtInType, isIn } from '../../kinds/field-types.ts';
import kindTable from './built-in.txt?raw';
import { apiVersionOf, type Kind } from './kind.ts';

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const kindsWithGeneration = new Set(
  (
    'Pod ReplicationController Deployment ReplicaSet StatefulSet DaemonSet Job CronJob Ingress IngressClass NetworkPolicy ' +
    'PodDisruptionBudget CustomResourceDefinition MutatingWebhookConfiguration ValidatingWebhookConfiguration ' +
    'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding ' +
    'EndpointSlice PriorityClass FlowSchema PriorityLevelConfiguration DeviceClass ResourceSlice DeviceTaintRule'
  ).split(' '),
);

/**
 * The kinds that every API server of a version has, in discovery's order. A line of the table is group, version, plural,
 * kind, scope, verbs, short names, categories, versions of Kubernetes, subresources. `-` is "none" (the core group, every
 * version); `all` is every verb, `no-deletecollection` every verb but that one; `34`: since 1.34, `-36`: until 1.36.
 */
export function builtInKinds(minor: number): Kind[] {
  return kindTable
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/) as readonly string[] as Columns)
    .filter((columns) => columns[8] === '-' || isIn(minor, columns[8]))
    .map((columns) => parseRow(columns, minor));
}

function parseRow(columns: Columns, minor: number): Kind {
  const [group, version, plural, kind, scope, verbs, shortNames, categories, , subresources] = columns;
  const names = { group: group === '-' ? '' : group, version, kind };
  return {
    ...names,
    plural,
    listKind: `${kind}List`,
    singular: kind.toLowerCase(),
    shortNames: words(shortNames),
    categories: words(categories),
    namespaced: scope === 'Namespaced',
    verbs:
      verbs === 'all' ? allVerbs : verbs === 'no-deletecollection' ? allVerbsBut('deletecollection') : words(verbs),
    subresources: words(subresources),
    countsGenerations: kindsWithGeneration.has(kind),
    type: () => builtInType(apiVersionOf(names), kind, minor) ?? anyType,
  };
}

type Columns = readonly [string, string, string, string, string, string, string, string, string, string];

const words = (column: string): string[] => (column === '-' ? [] : column.split(','));
const allVerbsBut = (verb: string): string[] => allVerbs.filter((other) => other !== verb);

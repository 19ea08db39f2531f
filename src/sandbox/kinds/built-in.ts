import { anyType, builtInType } from '../../kinds/field-types.ts';
import kindTable from './built-in.txt?raw';
import { apiVersionOf, type Kind } from './kind.ts';

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const kindsWithGeneration = new Set(
  (
    'Pod ReplicationController Deployment ReplicaSet StatefulSet DaemonSet Job CronJob Ingress IngressClass NetworkPolicy ' +
    'PodDisruptionBudget CustomResourceDefinition MutatingWebhookConfiguration ValidatingWebhookConfiguration ' +
    'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding ' +
    'EndpointSlice PriorityClass FlowSchema PriorityLevelConfiguration DeviceClass ResourceSlice'
  ).split(' '),
);

/**
 * The kinds that every API server has, as Kubernetes v1.36 serves them, in discovery's order. A line of the table is group,
 * version, plural, kind, scope, verbs, short names, categories, subresources. `-` is "none" (or the core group); `all` is
 * every verb, `no-deletecollection` every verb but that one.
 */
export function builtInKinds(): Kind[] {
  return kindTable
    .trim()
    .split('\n')
    .map((line) => parseRow(line.split(/ +/)));
}

function parseRow(columns: readonly string[]): Kind {
  const [group, version, plural, kind, scope, verbs, shortNames, categories, subresources] = columns as Columns;
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
    type: () => builtInType(apiVersionOf(names), kind) ?? anyType,
  };
}

type Columns = [string, string, string, string, string, string, string, string, string];

const words = (column: string): string[] => (column === '-' ? [] : column.split(','));
const allVerbsBut = (verb: string): string[] => allVerbs.filter((other) => other !== verb);

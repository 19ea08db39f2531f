import type { Kind } from '../../kinds/kind.ts';
import type { Pod } from '../../kubernetes.ts';
import type { Resource } from '../../resource.ts';
import { forbidden } from '../../status.ts';
import type { Environment } from '../environment.ts';

/** Admits a pod or refuses it with 403: ServiceAccount, Priority, RuntimeClass, DefaultTolerationSeconds. */
export function admitPod(environment: Environment, kind: Kind, object: Resource): Resource {
  const pod: Pod = object;
  const refuse = (why: string): Error => forbidden(kind, pod.metadata.generateName ?? pod.metadata.name, why);
  return {
    ...object,
    spec: {
      ...pod.spec,
      ...serviceAccountOf(environment, pod, refuse),
      ...priorityOf(environment, pod, refuse),
      ...runtimeOf(environment, pod, refuse),
      tolerations: tolerationsOf(pod),
    },
  } as Resource;
}

type Refuse = (why: string) => Error;

/** The namespace's controller makes `default` in a moment, for which the API server waits. */
function serviceAccountOf({ store }: Environment, { metadata: { namespace }, spec }: Pod, refuse: Refuse): object {
  const name = spec?.serviceAccountName || 'default';
  const account = store.get('/serviceaccounts', namespace, name);
  if (account === undefined && name !== 'default')
    throw refuse(`error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`);
  const imagePullSecrets = spec?.imagePullSecrets ?? account?.imagePullSecrets;
  return {
    serviceAccount: name,
    serviceAccountName: name,
    ...(imagePullSecrets !== undefined && { imagePullSecrets }),
  };
}

/** What a PriorityClass says beside its name. */
type PriorityClass = Resource & {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
};

function priorityOf({ store }: Environment, { spec }: Pod, refuse: Refuse): object {
  const classes: PriorityClass[] = store.list('scheduling.k8s.io/priorityclasses');
  const name = spec?.priorityClassName;
  const found = classes.find((one) => (name ? one.metadata.name === name : one.globalDefault === true));
  if (name && found === undefined) throw refuse(`no PriorityClass with name ${name} was found`);
  const priority = found?.value ?? 0;
  if (spec?.priority !== undefined && spec.priority !== priority)
    throw refuse(
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  return {
    ...(found !== undefined && { priorityClassName: found.metadata.name }),
    priority,
    preemptionPolicy: spec?.preemptionPolicy ?? found?.preemptionPolicy ?? 'PreemptLowerPriority',
  };
}

function runtimeOf({ store }: Environment, { spec }: Pod, refuse: Refuse): object {
  const name = spec?.runtimeClassName;
  const found = name === undefined ? undefined : store.get('node.k8s.io/runtimeclasses', undefined, name);
  if (name !== undefined && found === undefined) throw refuse(`pod rejected: RuntimeClass "${name}" not found`);
  return {};
}

function tolerationsOf({ spec }: Pod): object[] {
  const given = spec?.tolerations ?? [];
  const added = ['not-ready', 'unreachable'].map((name) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  return [...given, ...added.filter(({ key }) => !given.some((one) => one.key === key || one.key === undefined))];
}

import { type JsonObject, objectAt } from '../support/json.ts';
import { blamedPaths } from './api/admission/blamed-paths.ts';
import { decisionsOf } from './api/admission/by-policies.ts';
import { admitPod } from './api/admission/pod.ts';
import type { Decision } from './api/admission/policies.ts';
import type { Environment } from './api/environment.ts';
import { podFromTemplate } from './controllers/context.ts';
import { applyDefaults } from './defaults/defaults.ts';
import type { Kind } from './kinds/kind.ts';
import type { Resource } from './resource.ts';
import { StatusError } from './status.ts';

/** What a policy says of an object, or of the pods that controllers make of it. */
export interface Judgement extends Pick<Decision, 'verdict' | 'policy' | 'binding' | 'words'> {
  readonly isOfPods: boolean;
  /** The fields of the object that the expression reads, the items of lists that are at fault alone. */
  readonly paths: readonly (readonly (string | number)[])[];
}

/** A write as policies see it. */
interface Judged {
  readonly kind: Kind;
  readonly object: Resource;
  readonly old: Resource | undefined;
}

/** What the policies that are stored say of an object that is stored, enforced or not. */
export function judgementsOf(environment: Environment, judged: Judged): readonly Judgement[] {
  const own = judge(environment, judged, 'kubernetes-admin').map((one) => ({ ...one, isOfPods: false }));
  const pods = podsOf(environment, judged);
  if (pods === undefined) return own;
  const { pod, user, path } = pods;
  const ofPods = judge(environment, pod, user)
    .filter(({ policy, words }) => !own.some((one) => one.policy === policy && one.words === words))
    .map((one) => ({ ...one, isOfPods: true, paths: one.paths.map((each) => [...path, ...each]) }));
  return [...own, ...ofPods];
}

function judge(environment: Environment, { kind, object, old }: Judged, user: string) {
  const operation = old === undefined ? ('CREATE' as const) : ('UPDATE' as const);
  const decisions = (one: Resource): readonly Decision[] =>
    decisionsOf(environment, { operation, kind, object: one, oldObject: old }, user);
  return decisions(object).map(({ verdict, policy, binding, words, fields }) => {
    const isBad = (changed: Resource): boolean =>
      decisions(changed).some((one) => one.policy === policy && one.words === words && one.verdict === verdict);
    return { verdict, policy, binding, words, paths: blamedPaths(object, fields, isBad) };
  });
}

const controllers: Readonly<Record<string, string>> = {
  Deployment: 'replicaset-controller',
  ReplicaSet: 'replicaset-controller',
  StatefulSet: 'statefulset-controller',
  DaemonSet: 'daemon-set-controller',
  Job: 'job-controller',
  CronJob: 'job-controller',
};

/** A pod as the controller of a workload makes it. */
function podsOf(environment: Environment, { kind, object }: Judged) {
  const controller = kind.custom === undefined ? controllers[kind.kind] : undefined;
  if (controller === undefined) return undefined;
  const path = kind.kind === 'CronJob' ? ['spec', 'jobTemplate', 'spec', 'template'] : ['spec', 'template'];
  const { name, namespace } = object.metadata;
  const made = podFromTemplate(object, objectAt(object as JsonObject, ...path), {
    generateName: `${name}-`,
    name: `${name}-`,
    namespace,
  });
  const podKind = environment.kinds.builtIn('v1', 'Pod');
  const defaulted = applyDefaults(podKind, made as Resource);
  const pod = { kind: podKind, object: admitted(environment, podKind, defaulted), old: undefined };
  return { pod, path, user: `system:serviceaccount:kube-system:${controller}` };
}

/** A pod that admission refuses for another reason is judged as it was sent. */
function admitted(environment: Environment, kind: Kind, pod: Resource): Resource {
  try {
    return admitPod(environment, kind, pod);
  } catch (error) {
    if (error instanceof StatusError) return pod;
    throw error;
  }
}

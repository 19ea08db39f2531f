import type { FieldPath } from '../manifest/field-path.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { Quote } from './quote.ts';
import type { Remedy } from './remedy.ts';

/**
 * What keeps an object of a release from being ready. Read from fields, conditions, exit codes and reasons, and from what
 * the kubelet, the scheduler and the controllers write (foreign/).
 */
export type WorkloadFact = Circumstances & (PodCause | ObjectCause);

/**
 * What may be hoped for: `never` cannot recover without a change, `doubtful` recovers sometimes (an image that is pushed
 * late, a crash while a database starts), `open` is the way of things that take their time.
 */
export type Outlook = 'never' | 'doubtful' | 'open';

/** Where below the subject it is so, and what else is known of it. */
export interface Circumstances {
  readonly outlook: Outlook;
  /** The objects between the subject and what is at fault: `Deployment/web`, `ReplicaSet/web-7d`, `Pod/web-7d-x`. */
  readonly chain?: readonly string[] | undefined;
  /** The pod at fault, where the subject is not that pod. */
  readonly pod?: string | undefined;
  /** The container at fault; none where it is the pod as a whole. */
  readonly container?: string | undefined;
  /** It has to end before the others begin. */
  readonly isInit?: true | undefined;
  readonly exitCode?: number | undefined;
  readonly restarts?: number | undefined;
  /** How long it ran before it ended, by the kubelet's clock. */
  readonly ranMs?: number | undefined;
  /** How long the kubelet waits from its end until it starts it again. */
  readonly backOffMs?: number | undefined;
  /** How a Job says that it has ended. */
  readonly end?: JobEnd | undefined;
  /** What the pod needs besides and is not there: the kubelet names one at a time. */
  readonly alsoMissing?: readonly Reference[] | undefined;
  /** So long it was given, and nothing got better. */
  readonly noProgressMs?: number | undefined;
  /** The back-off ends after the timeout. */
  readonly isRestartTooLate?: true | undefined;
}

/** `BackoffLimitExceeded`, and the controller's sentence. */
export interface JobEnd {
  readonly reason: string;
  readonly words: Quote;
}

/** An object that a pod names, or one key of it. */
export interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  /** Unknown where the kubelet names the key alone. */
  readonly name?: string | undefined;
  readonly key?: string | undefined;
}

/** What is wrong with a pod or one of its containers. */
export type PodCause =
  /** The registry has no such image or tag. Use an image that exists, or push this image. */
  | ({ readonly code: 'image-not-found' } & Image)
  /** The registry refuses the credentials. Correct the Secret that imagePullSecrets names. */
  | ({ readonly code: 'image-denied' } & Image)
  /** There is no such repository, or it is private: the registry does not say which. Check the name of the image, then imagePullSecrets. */
  | ({ readonly code: 'image-not-found-or-denied' } & Image)
  /** The node cannot reach the registry. Check the registry's name and the node's network. */
  | ({ readonly code: 'registry-unreachable' } & Image)
  /** The registry limits how often images are pulled. Wait, log in to the registry, or use a mirror. */
  | ({ readonly code: 'registry-limit' } & Image)
  /** The image's name cannot be parsed. Correct the name. */
  | ({ readonly code: 'image-name-invalid' } & Image)
  /** The image is not on the node, and imagePullPolicy Never forbids pulling the image. Change imagePullPolicy, or load the image onto the node. */
  | ({ readonly code: 'image-not-on-node' } & Image)
  /** An image cannot be pulled. Read the message of the container runtime, then check the image's name and tag, whether the image was pushed, and whether the pull secret can read the image. */
  | ({ readonly code: 'image-pull-failed' } & Image)
  /** The Secret that imagePullSecrets names does not exist, so the registry refuses the image. Create the Secret. */
  | { readonly code: 'pull-secret-missing'; readonly secret: string; readonly image: string }
  /** A container used more memory than its limit. Raise the limit, or make the program use less memory. */
  | { readonly code: 'out-of-memory'; readonly reason: string; readonly limit?: string | undefined }
  /** A container's program ended. Read the container's log. */
  | { readonly code: 'program-ended'; readonly reason: string }
  /** The kubelet killed a container because its probe failed. Give the program more time, or correct the probe. */
  | {
      readonly code: 'killed-by-probe';
      readonly reason: string;
      readonly probe: ProbeFailure;
      readonly patience?: Patience | undefined;
    }
  /** A container's program could not be started. Correct the command of the container. */
  | {
      readonly code: 'program-not-started';
      readonly reason: string;
      /** The runtime's reason, where `reason` is the back-off: `StartError`. */
      readonly why?: string | undefined;
      readonly words?: Quote | undefined;
    }
  /** A container or a volume refers to a ConfigMap, a Secret or a key that does not exist. Create what `missing` lists, or correct the reference. */
  | {
      readonly code: 'reference-missing';
      readonly reason: string;
      readonly missing: Reference;
      readonly words: Quote;
    }
  /** The pod must not run as root, but its image does. Set runAsUser. */
  | { readonly code: 'root-refused'; readonly reason: string; readonly words: Quote }
  /** The kubelet does not start a container, for a reason that has no code of its own. Read the kubelet's message. */
  | { readonly code: 'container-held'; readonly reason: string; readonly words?: Quote | undefined }
  /** A container runs, but its probe fails. Correct the probe or the program. */
  | {
      readonly code: 'probe-failed';
      readonly probe: ProbeFailure;
      /** How often it is known to have failed. */
      readonly failures: number;
      readonly before?: PreviousExit | undefined;
    }
  /** A container runs but is not ready, and no probe has failed yet. Wait, or read the container's log. */
  | { readonly code: 'container-not-ready'; readonly before?: PreviousExit | undefined }
  /** The pod of a Job or a hook is still running. Raise the timeout, or read the pod's log. */
  | { readonly code: 'still-running' }
  /** No node can run the pod. Request less, or add a node that fits. */
  | {
      readonly code: 'pod-unschedulable';
      readonly reason: string;
      readonly words: Quote;
      readonly obstacles: readonly SchedulingObstacle[];
      readonly lacking: readonly Shortage[];
      /** What the pod asks of a node's labels: `disk=ssd`. */
      readonly nodeSelector?: readonly string[] | undefined;
    }
  /** A volume cannot be mounted. Fix the volume as the kubelet's message says. */
  | { readonly code: 'mount-failed'; readonly reason: string; readonly words: Quote }
  /** The whole pod has failed: it was evicted, it ran past its deadline, or its node was lost. Run the command again when the reason is gone. */
  | { readonly code: 'pod-failed'; readonly reason?: string | undefined; readonly words?: Quote | undefined }
  /** The pod has not started, and Kubernetes does not say why. Run `kubectl describe pod`. */
  | {
      readonly code: 'pod-pending';
      readonly phase: string;
      readonly reason?: string | undefined;
      readonly words?: Quote | undefined;
    }
  /** The claim that the pod mounts does not exist. Create the claim, or mount another one. */
  | { readonly code: 'claim-missing'; readonly claim: string }
  /** A claim has no volume. Check the storage class of the claim. */
  | {
      readonly code: 'claim-not-bound';
      readonly claim: string;
      readonly phase?: string | undefined;
      /** The event of the volume's controller: `ProvisioningFailed`. */
      readonly reason?: string | undefined;
      readonly words?: Quote | undefined;
    }
  /** The storage class of a claim creates the volume when a pod mounts the claim, and no pod does yet. Deploy a pod that mounts the claim. */
  | { readonly code: 'consumer-missing' }
  /** The claim's storage class does not exist. Use a storage class in `classes`, or create this one. */
  | {
      readonly code: 'storage-class-missing';
      readonly claim: string;
      readonly storageClass: string;
      readonly reason: string;
      readonly words: Quote;
      /** Those that there are, as far as they may be listed. */
      readonly classes?: readonly string[] | undefined;
    };

interface Image {
  /** '' where the pod does not say. */
  readonly image: string;
  /** The kubelet's reason: `ImagePullBackOff`. */
  readonly reason: string;
  readonly words?: Quote | undefined;
}

export type ProbeKind = 'liveness' | 'readiness' | 'startup';

/** What a probe got for an answer. */
export interface ProbeFailure {
  readonly kind: ProbeKind;
  readonly answer: 'status' | 'connection-refused' | 'other';
  readonly status?: number | undefined;
  /** The kubelet's sentence. */
  readonly words: Quote;
  /** What it asked, where the sentence does not name it: `GET :8080/ready`. */
  readonly asked?: Quote | undefined;
}

/** When the kubelet gives up on a probe. */
export interface Patience {
  readonly initialDelaySeconds: number;
  readonly failureThreshold: number;
  readonly periodSeconds: number;
}

/** How a container ended before its last restart. */
export interface PreviousExit {
  readonly exitCode: number;
  /** `OOMKilled`; none where the program ended by itself. */
  readonly reason?: string | undefined;
  readonly limit?: string | undefined;
}

export type SchedulingObstacle = 'node-selector' | 'taint' | 'pod-affinity' | 'topology-spread' | 'claim';

/** What the nodes have too little of. */
export interface Shortage {
  readonly resource: string;
  /** What each container of the pod requests of it. */
  readonly requested: readonly string[];
  /** The most that a node has. */
  readonly largest?: string | undefined;
  /** That would do, but other pods have taken it. */
  readonly isTaken?: boolean | undefined;
}

/** What is wrong with an object itself, or with what its controller may do. */
export type ObjectCause =
  /** A ResourceQuota leaves no room for the pods of the object. Request less, or raise the quota. */
  | ({
      readonly code: 'pods-exceed-quota';
      readonly quota?: string | undefined;
      readonly resource?: Requested;
    } & Refused)
  /** A ResourceQuota requires every container to set its resources. Set `resources` on each container. */
  | ({ readonly code: 'resources-unspecified'; readonly quota?: string | undefined } & Refused)
  /** An admission webhook, a policy or a limit refuses the pods of the object. Change what the message names. */
  | ({
      readonly code: 'pods-refused';
      /** What the sentence puts in quotation marks: a container, an image, a label. */
      readonly names: readonly string[];
      readonly isAboutResources?: true | undefined;
    } & Refused)
  /** The pods use a ServiceAccount that does not exist. Create the ServiceAccount, or use another one. */
  | ({ readonly code: 'service-account-missing'; readonly name: string } & Refused)
  /** The pods use a PriorityClass that does not exist. Create the PriorityClass, or use another one. */
  | ({ readonly code: 'priority-class-missing'; readonly name: string } & Refused)
  /** The pods cannot be created for another reason, which may be temporary. Read the message of the controller. */
  | ({ readonly code: 'pods-not-created' } & Refused)
  /** A Job has failed. Read the logs of the Job's pods. */
  | { readonly code: 'job-failed'; readonly reason: string; readonly words: Quote }
  /** A Deployment made no progress within progressDeadlineSeconds. Read the logs and events of the Deployment's pods. */
  | { readonly code: 'progress-deadline-exceeded'; readonly words?: Quote | undefined }
  /** The object is being deleted, and its finalizers may delay this. Check the controllers that own the finalizers in `finalizers`. */
  | { readonly code: 'being-deleted'; readonly finalizers: readonly string[] }
  /** A condition of the object reports a problem. Read the message of the condition. */
  | { readonly code: 'condition'; readonly reason: string; readonly words: Quote }
  /** No controller has reported the status of the object yet. Check that the controller of this kind is running. */
  | { readonly code: 'status-missing' }
  /** The object is paused, suspended, stopped or waits for a person, so it counts as ready. Resume the object when it should continue. */
  | {
      readonly code: 'paused';
      /** `spec.suspend`; none where a condition says so. */
      readonly field?: string | undefined;
      /** Of the field; or the condition's reason. */
      readonly value: string;
    }
  /** No pod has the labels that the Service selects. Correct the Service's selector, or the labels of the pods. */
  | {
      readonly code: 'no-pod-selected';
      /** `app=web` */
      readonly labels: readonly string[];
      /** The objects of the release whose pods have most of the labels, and what these have in place of the others. */
      readonly nearest?: readonly { readonly owner: string; readonly labels: readonly string[] }[] | undefined;
    }
  /** The Service sends to a named port that no container of its pods has. Use one of the ports in `names`. */
  | {
      readonly code: 'target-port-missing';
      readonly port: string;
      /** Those that the containers have. */
      readonly names: readonly string[];
    }
  /** The readiness rule of the object says that the object has failed or is not ready. Run `tshelm health KIND/NAME` to see the rule. */
  | { readonly code: 'not-ready'; readonly words: Quote }
  /** The object does not exist. Check whether somebody deleted the object. */
  | { readonly code: 'not-found' }
  /** The object could not be read, so the cause is unknown. Get permission to read the object. */
  | { readonly code: 'not-readable' }
  /** The object had a problem, but nothing is wrong any more. Run the command again. */
  | { readonly code: 'ready-now' };

interface Refused {
  /** The API server's sentence. */
  readonly words: Quote;
}

/** `requests.memory` of a quota: the resource, and whether its limits count. */
export interface Requested {
  readonly name: string;
  readonly of: 'requests' | 'limits' | 'count';
}

/** Where a fact is so: the object, and those of its fields that have to be changed, the likely one first. */
export interface FactPlace {
  readonly id: ResourceId;
  readonly fields: readonly FieldPath[];
  /** The keys of a ConfigMap or Secret that the pods ask for one by one. */
  readonly keysOf: (reference: Reference) => readonly string[];
}

/** What mostly helps against a cause; none where the log or the events have to be read. */
export function workloadRemedies(fact: WorkloadFact, place: FactPlace): readonly Remedy[] {
  const others = fact.code === 'pull-secret-missing' ? [] : (fact.alsoMissing ?? []);
  return [...remediesOf(fact, place), ...others.flatMap((one) => creating(one, place))];
}

type Change = (how: 'raise' | 'lower' | 'add' | 'correct', ...last: readonly string[]) => readonly Remedy[];

/** Of the first field that has to be changed; `last` are names of such fields. */
const changeIn =
  ({ id, fields }: FactPlace): Change =>
  (how, ...last) =>
    fields
      .filter((path) => last.length === 0 || last.includes(String(path.at(-1))))
      .slice(0, 1)
      .map((path) => ({ kind: 'change-field', object: id, path, how }));

function remediesOf(fact: WorkloadFact, place: FactPlace): readonly Remedy[] {
  const { id } = place;
  const change = changeIn(place);
  switch (fact.code) {
    case 'image-not-found':
      return [...change('correct', 'image'), { kind: 'outside', what: 'push-image', name: fact.image }];
    case 'image-name-invalid':
      return change('correct', 'image');
    case 'image-not-on-node':
      return change('correct', 'imagePullPolicy');
    case 'image-denied':
    case 'image-not-found-or-denied':
      return change('correct', 'imagePullSecrets', 'image');
    case 'registry-unreachable':
    case 'registry-limit':
      return [{ kind: 'outside', what: 'check-registry', name: fact.image }];
    case 'pull-secret-missing':
      return [object(id, 'Secret', fact.secret, 'kubernetes.io/dockerconfigjson')];
    case 'out-of-memory':
      return [...change('raise'), { kind: 'outside', what: 'fix-program' }];
    case 'pods-exceed-quota':
      return [...change('lower'), { kind: 'outside', what: 'raise-quota', name: fact.quota }];
    case 'resources-unspecified':
      return change('add');
    case 'pod-unschedulable': {
      const [lack] = fact.lacking;
      if (lack !== undefined) return [...change('lower'), { kind: 'outside', what: 'add-node', name: lack.resource }];
      return change('correct');
    }
    case 'storage-class-missing':
      return [...change('correct'), { kind: 'outside', what: 'create-storage-class', name: fact.storageClass }];
    case 'killed-by-probe':
      return change('raise');
    case 'probe-failed':
      return (fact.probe.status ?? 0) >= 500 ? [{ kind: 'outside', what: 'read-log' }] : change('correct');
    case 'program-not-started':
    case 'root-refused':
    case 'no-pod-selected':
      return change('correct');
    case 'reference-missing':
      return creating(fact.missing, place);
    case 'claim-not-bound':
      return [{ kind: 'outside', what: 'provide-volume', name: fact.claim }];
    case 'claim-missing':
      return [object(id, 'PersistentVolumeClaim', fact.claim)];
    case 'service-account-missing':
      return [object(id, 'ServiceAccount', fact.name)];
    case 'priority-class-missing':
      return [object({ ...id, namespace: '' }, 'PriorityClass', fact.name)];
    default:
      return [];
  }
}

const object = ({ namespace }: ResourceId, kind: string, name: string, type?: string): Remedy => ({
  kind: 'create-object',
  object: { kind, name, namespace },
  ...(type !== undefined && { type }),
});

/** A key that is missing is not made up: its ConfigMap or Secret is there. */
function creating(reference: Reference, { id, keysOf }: FactPlace): readonly Remedy[] {
  const { kind, name, key } = reference;
  if (name === undefined || key !== undefined) return [];
  const keys = keysOf(reference);
  const made = { kind, name, namespace: id.namespace };
  return [{ kind: 'create-object', object: made, ...(keys.length > 0 && { keys }) }];
}

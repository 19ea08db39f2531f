import { ApiError, isApiError } from '../../../cluster/api-error.ts';
import type { ApiFailure, Cluster } from '../../../cluster/types.ts';
import { valueAtPath } from '../../../manifest/field-path.ts';
import { listOf } from '../../../manifest/fields.ts';
import type { Service } from '../../../manifest/kubernetes.ts';
import type { KubernetesObject } from '../../../manifest/types.ts';
import { lacksDryRun, refusalFacts } from '../../../problem/foreign/api-status.ts';
import { pathInto } from '../../refused-fields.ts';
import type { Target } from '../targets.ts';

/** For people, of a trial that a policy refused: what it refuses may be the name. */
export function noteOfTrial(thrown: unknown, name: string): string | undefined {
  if (!isApiError(thrown)) return undefined;
  const isOfPolicy = refusalFacts(thrown.failure).some(
    ({ code }) => code === 'policy-denied' || code === 'admission-denied',
  );
  return isOfPolicy
    ? `it was tried beside the old one, under a name that begins with ${prefixOf(name)}: a policy for names may refuse that one alone`
    : undefined;
}

const prefixOf = (name: string): string => `${name.slice(0, longestPrefix)}-`;

export interface TrialOptions {
  readonly cluster: Cluster;
  readonly signal?: AbortSignal | undefined;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
}

/**
 * Tries a new object as a dry run before the old one is deleted, under a name of its own beside it, so that an object that
 * would not be accepted as a new one either is not lost. Returns it as the server would make it; undefined where the server
 * cannot tell while the old one is there. Errors: the server's refusal.
 */
export async function tryAsNew(
  { id, object }: Target,
  live: KubernetesObject,
  { cluster, signal, fieldValidation = 'Strict' }: TrialOptions,
): Promise<KubernetesObject | undefined> {
  const { name, ...metadata } = object.metadata;
  const named = { ...metadata, generateName: prefixOf(name) } as KubernetesObject['metadata'];
  const trial = { ...object, metadata: named };
  try {
    const made = await cluster.create(trial, { signal, fieldManager: 'helm', fieldValidation, dryRun: true });
    const { generateName: _trial, ...rest } = made.metadata;
    const namespace = id.namespace === '' ? {} : { namespace: id.namespace };
    return withoutAllocated({ ...made, metadata: { ...rest, ...namespace, name } }, object);
  } catch (error) {
    if (isApiError(error) && isAboutTheTrial(error.failure, object, live)) return undefined;
    throw isApiError(error) ? namedAs(name, error) : error;
  }
}

/** The refusal with the name of the object in place of the one that its trial was given. */
function namedAs(name: string, { failure }: ApiError): ApiError {
  const { named: given, message, causes } = failure;
  if (!given) return new ApiError(failure);
  const renamed = (text: string): string => text.replaceAll(given, name);
  return new ApiError({
    ...failure,
    named: name,
    message: renamed(message),
    causes: causes.map((cause) => ({ ...cause, ...(cause.message && { message: renamed(cause.message) }) })),
  });
}

/** CronJobs have the shortest names: 52 letters, of which the server adds five. */
const longestPrefix = 40;

/** Whether it is refused because the old one is still there, or because of its name. */
function isAboutTheTrial(refusal: ApiFailure, sent: KubernetesObject, live: KubernetesObject): boolean {
  if (lacksDryRun(refusal)) return true;
  if (refusalFacts(refusal).some(({ code }) => code === 'quota-exceeded')) return true;
  const fields = refusal.causes.map(({ field = '' }) => field);
  const isOfOther = (field: string): boolean => field === 'metadata.name' || isHeld(field, sent, live);
  return refusal.status === 422 && fields.length > 0 && fields.every(isOfOther);
}

/** Whether a Service asks for an address or a port that the old one has until it is gone. */
function isHeld(field: string, sent: KubernetesObject, live: KubernetesObject): boolean {
  if (sent.kind !== 'Service') return false;
  const [asked, held] = [sent, live].map(({ spec }: Service) => spec);
  const ports = new Set([held?.healthCheckNodePort, ...listOf(held?.ports).map(({ nodePort }) => nodePort)]);
  if (field.endsWith('odePort')) return ports.has(valueAtPath(sent, pathInto(sent, field)) as number);
  const addressesHeld = new Set<string | null | undefined>(held?.clusterIPs);
  const addresses = [asked?.clusterIP, ...(asked?.clusterIPs ?? [])].filter((address) => address !== undefined);
  return field.startsWith('spec.clusterIP') && addresses.every((address) => addressesHeld.has(address));
}

/** A dry run names an address and ports that the Service will not get. */
function withoutAllocated(made: KubernetesObject, sent: KubernetesObject): KubernetesObject {
  if (made.kind !== 'Service') return made;
  const [spec, own] = [made, sent].map((one) => (one['spec'] ?? {}) as Readonly<Record<string, unknown>>);
  const allocated = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'].filter((field) => own?.[field] === undefined);
  return {
    ...made,
    spec: Object.fromEntries(Object.entries(spec ?? {}).filter(([field]) => !allocated.includes(field))),
  };
}

import type { Context } from '../change/context.ts';
import { type ChosenRule, chooseRule, reasonOf, Unreported } from '../cluster/readiness.ts';
import type { Cluster, Readiness, ResourceMapping } from '../cluster/types.ts';
import { itemsOf } from '../manifest/items.ts';
import { parseManifest } from '../manifest/parse.ts';
import { apiVersionOf } from '../manifest/resource-id.ts';
import { splitDocuments } from '../manifest/split.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { TshelmError } from '../support/errors.ts';

/** How an object is judged in an ordered run. */
export interface ObjectHealth {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  /**
   * Whose rule judges it: the chart's annotations, the user's health checks, tshelm's own for the kind, or the conditions
   * and phases that most kinds have in common.
   */
  readonly rule: ChosenRule['source'];
  readonly state: Readiness['state'];
  /** Why it is not ready, or counts as ready although something is missing. */
  readonly reason?: string | undefined;
}

/** Which rule judges the objects of a kind that have no annotations. */
export type KindHealth = Pick<ObjectHealth, 'apiVersion' | 'kind' | 'rule'>;

/**
 * The objects of YAML documents, and of the lists among them, by what the documents say; `source` is what they are called
 * in messages. Errors: `invalid-manifest`, `health-target-not-found` where there is none.
 */
export function healthOfObjects(
  text: string,
  source: string,
  context: Pick<Context, 'userRules'>,
): readonly ObjectHealth[] {
  const objects = splitDocuments(text)
    .map((document) => parseManifest(document, source))
    .flatMap(({ object }) => itemsOf(object))
    .filter(({ apiVersion, kind }) => apiVersion !== '' && kind !== '');
  if (objects.length === 0) throw notFound(source, `${source} holds no object with an apiVersion and a kind`);
  return objects.map((object) => judged(object, context));
}

/** An object as it is in the cluster. Errors: `health-target-not-found`. */
export async function healthOfObject(
  { apiVersion, kind, name }: Pick<ObjectHealth, 'apiVersion' | 'kind' | 'name'>,
  context: Context,
): Promise<ObjectHealth> {
  const cluster = await context.cluster();
  const { namespace, signal } = context;
  const id = { apiVersion, kind, namespace, name };
  const object = await cluster.get(id, { signal });
  if (object === undefined) throw notFound(`${kind}/${name}`, `namespace ${namespace} has no ${kind}/${name}`);
  const unreported = await Unreported.of([id], cluster, { since: object.metadata.creationTimestamp, signal });
  return judged({ ...object, apiVersion, kind }, context, (state) => unreported.judge(id, object, state));
}

/** The same of a kind by its name, as of kindNamed. */
export async function healthOfNamed(kind: string, name: string, context: Context): Promise<ObjectHealth> {
  const mapping = await kindNamed(kind, await context.cluster(), context.signal);
  return healthOfObject({ apiVersion: apiVersionOf(mapping), kind: mapping.kind, name }, context);
}

/** `Widget.example.com` needs no cluster. Errors: as of kindNamed. */
export async function healthOfKind(text: string, context: Context): Promise<KindHealth> {
  const [kind = '', ...group] = text.split('.');
  const found =
    group.length > 0
      ? { kind, group: group.join('.'), version: 'v1' }
      : await kindNamed(text, await context.cluster(), context.signal);
  const of = { apiVersion: apiVersionOf(found), kind: found.kind };
  return { ...of, rule: judged({ ...of, metadata: { name: '' } }, context).rule };
}

function judged(
  object: KubernetesObject,
  { userRules }: Pick<Context, 'userRules'>,
  inCluster = (state: Readiness) => state,
): ObjectHealth {
  const { apiVersion, kind, metadata } = object;
  const { source, judge } = chooseRule(object, { strategy: 'ordered', waitForJobs: true, userRules });
  const verdict = inCluster(judge(object));
  const reason = reasonOf(verdict);
  const { namespace, name } = metadata;
  const said = { state: verdict.state, ...(reason !== undefined && { reason }) };
  return { apiVersion, kind, ...(namespace && { namespace }), name, rule: source, ...said };
}

/**
 * The kind that kubectl would take: `widget`, `widgets`, a short name, each with or without its group. A kind of
 * Kubernetes goes before another of its name. Errors: `health-target-not-found`.
 */
async function kindNamed(text: string, cluster: Cluster, signal: AbortSignal | undefined): Promise<ResourceMapping> {
  const [name = '', ...rest] = text.toLowerCase().split('.');
  const group = rest.join('.');
  const isMeant = (one: ResourceMapping): boolean =>
    [one.kind.toLowerCase(), one.plural, one.singular, ...(one.shortNames ?? [])].includes(name) &&
    (group === '' || one.group === group);
  const found = (await cluster.resources({ signal })).filter(isMeant);
  const [only, other] = found.filter(({ group: own }, index) => found.findIndex((one) => one.group === own) === index);
  if (only === undefined)
    throw notFound(text, `the cluster serves no kind ${text}; "kubectl api-resources" lists the kinds`);
  if (other === undefined || isOfKubernetes(only)) return only;
  throw notFound(text, `${text} may be ${only.kind}.${only.group} or ${other.kind}.${other.group}; name one of them`);
}

const isOfKubernetes = ({ group }: ResourceMapping): boolean => !group.includes('.') || group.endsWith('.k8s.io');

const notFound = (target: string, message: string): TshelmError =>
  new TshelmError('health-target-not-found', { message, details: { target } });

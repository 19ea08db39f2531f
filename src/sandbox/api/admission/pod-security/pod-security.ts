import { equalJson, type JsonObject, objectAt } from '../../../../support/json.ts';
import { compareText } from '../../../../support/order.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Pod } from '../../../kubernetes.ts';
import { type Resource } from '../../../resource.ts';
import { type FieldProblem, forbidden, invalid, invalidValue } from '../../../status.ts';
import type { Environment } from '../../environment.ts';
import { baselineChecks, type Violation } from './baseline.ts';
import type { PodLike } from './pod.ts';
import { restrictedChecks } from './restricted.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;
type Level = (typeof levels)[number];

/** A level of the Pod Security Standards, of one version. */
interface Rule {
  readonly level: Level;
  /** `latest` or `v1.25` */
  readonly version: string;
}

interface PodPolicy {
  readonly enforce: Rule;
  readonly warn: Rule;
  /** The labels that cannot be read. */
  readonly problems: readonly FieldProblem[];
}

/** A write: `object` is to be stored in place of `old`. */
interface Write {
  readonly kind: Kind;
  readonly object: Resource;
  readonly old: Resource | undefined;
  readonly subresource: string;
  readonly warn: ((text: string) => void) | undefined;
}

/** Refuses pods that break the Pod Security Standard of their namespace, and warns of workloads whose pods would. */
export function admitByPodSecurity(environment: Environment, write: Write): void {
  const { kind, subresource } = write;
  if (subresource !== '' && (kind.kind !== 'Pod' || subresource !== 'ephemeralcontainers')) return;
  if (kind.group === '' && kind.kind === 'Namespace') admitNamespace(environment, write);
  else {
    const path = kind.custom === undefined ? podPaths[`${kind.group}/${kind.kind}`] : undefined;
    if (path !== undefined) admitPod(environment, write, path);
  }
}

const template = ['spec', 'template'];

/** Where the kinds that make pods say what they make them of. */
const podPaths: Readonly<Record<string, readonly string[]>> = {
  '/Pod': [],
  '/PodTemplate': ['template'],
  '/ReplicationController': template,
  'apps/DaemonSet': template,
  'apps/Deployment': template,
  'apps/ReplicaSet': template,
  'apps/StatefulSet': template,
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
  'batch/Job': template,
};

function admitPod({ store }: Environment, { kind, object, old, warn }: Write, path: readonly string[]): void {
  const namespace = store.get('/namespaces', undefined, object.metadata.namespace ?? '');
  const { enforce, warn: warned } = policyOf(namespace);
  const isPod = path.length === 0;
  const pod = objectAt(object, ...path) as PodLike | undefined;
  if (pod === undefined || (isPod && old !== undefined && !isSignificant(object, old))) return;
  const broken = isPod ? violations(enforce, pod) : [];
  if (broken.length > 0)
    throw forbidden(kind, object.metadata.name, `violates PodSecurity "${ruleText(enforce)}": ${listOf(broken)}`);
  const doubtful = violations(warned, pod);
  if (doubtful.length > 0) warn?.(`would violate PodSecurity "${ruleText(warned)}": ${listOf(doubtful)}`);
}

/** Of what can be changed in a pod, images and new containers count. */
function isSignificant(pod: Pod, old: Pod): boolean {
  const images = ({ spec }: Pod): JsonObject[] =>
    [spec?.containers, spec?.initContainers, spec?.ephemeralContainers].map((list = []) =>
      Object.fromEntries(list.map(({ name = '', image }) => [name, image])),
    );
  return !equalJson(images(pod), images(old));
}

const listOf = (all: readonly Violation[]): string =>
  all.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

const ruleText = ({ level, version }: Rule): string => `${level}:${version}`;

/** The newest version that has checks of its own. */
const newestMinor = 35;

function violations({ level, version }: Rule, pod: PodLike): Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? newestMinor : Math.min(Number(version.slice('v1.'.length)), newestMinor);
  const restricted = level === 'restricted' ? restrictedChecks.filter(({ since }) => since <= minor) : [];
  const replaced = restricted.map(({ insteadOf }) => insteadOf);
  const baseline = Object.entries(baselineChecks).flatMap(([name, check]) =>
    check.since <= minor && !replaced.includes(name) ? [check] : [],
  );
  return [...baseline, ...restricted].flatMap(({ find }) => find(pod, minor) ?? []);
}

const prefix = 'pod-security.kubernetes.io/';

/** api.PolicyToEvaluate: what enforce asks for is warned of too, where nothing else is said. */
function policyOf(namespace: Resource | undefined): PodPolicy {
  const labels = namespace?.metadata.labels ?? {};
  const problems: FieldProblem[] = [];
  const read = (name: string, isValid: (value: string) => boolean, complaint: string): string | undefined => {
    const value = labels[prefix + name];
    if (value === undefined || isValid(value)) return value;
    problems.push(invalidValue(`metadata.labels[${prefix}${name}]`, value, complaint));
    return undefined;
  };
  const [enforce, , warn] = ['enforce', 'audit', 'warn'].map((mode) => ({
    level: read(mode, isLevel, `must be one of ${levels.join(', ')}`),
    version: read(`${mode}-version`, isVersion, 'must be "latest" or "v1.x"'),
  })) as [Labelled, Labelled, Labelled];
  const enforced = ruleOf(enforce, `${prefix}enforce` in labels ? 'restricted' : 'privileged');
  const isSaid = `${prefix}warn` in labels || enforce.level === undefined || enforce.level === 'privileged';
  const warned = isSaid
    ? ruleOf(warn, 'privileged')
    : { level: enforced.level, version: warn.version ?? enforced.version };
  return { enforce: enforced, warn: warned, problems };
}

interface Labelled {
  readonly level: string | undefined;
  readonly version: string | undefined;
}

const ruleOf = ({ level, version = 'latest' }: Labelled, otherwise: Level): Rule => ({
  level: (level ?? otherwise) as Level,
  version,
});

const isLevel = (value: string): boolean => levels.some((level) => level === value);
const isVersion = (value: string): boolean => value === 'latest' || /^v1\.(?:\d|[1-9]\d*)$/.test(value);

/** Labels must be readable; of a stricter level, the pods that break it are reported. */
function admitNamespace(environment: Environment, { kind, object, old, warn }: Write): void {
  const { enforce, problems } = policyOf(object);
  const before = policyOf(old);
  const { name } = object.metadata;
  if (problems.length > 0 && (old === undefined || !equalJson(problems, before.problems)))
    throw invalid(kind, name, problems);
  const isRelaxed = levels.indexOf(enforce.level) <= levels.indexOf(before.enforce.level);
  if (old === undefined || (enforce.version === before.enforce.version && isRelaxed)) return;
  const broken = brokenPods(environment, name, enforce);
  if (broken.size === 0) return;
  warn?.(`existing pods in namespace "${name}" violate the new PodSecurity enforce level "${ruleText(enforce)}"`);
  const lines = [...broken].map(([reasons, [first = '', ...others]]) => {
    const more = others.length === 0 ? '' : ` (and ${others.length} other pod${others.length === 1 ? '' : 's'})`;
    return `${first}${more}: ${reasons}`;
  });
  for (const line of lines.sort(compareText)) warn?.(line);
}

/** The names of the pods by what they break. */
function brokenPods({ store }: Environment, namespace: string, rule: Rule): Map<string, string[]> {
  const broken = new Map<string, string[]>();
  for (const pod of store.list('/pods', namespace)) {
    const reasons = violations(rule, pod as PodLike)
      .map(({ reason }) => reason)
      .join(', ');
    if (reasons !== '') broken.set(reasons, [...(broken.get(reasons) ?? []), pod.metadata.name]);
  }
  return broken;
}

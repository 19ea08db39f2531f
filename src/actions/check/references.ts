import type { Cluster } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { podSpecPath } from '../../execute/faulty-fields.ts';
import { faultyServices, grants } from '../../execute/unserved.ts';
import { type FieldPath, valueAtPath } from '../../manifest/field-path.ts';
import { listOf } from '../../manifest/fields.ts';
import { secretMadeOf } from '../../manifest/made-secrets.ts';
import { type Identified, keysOf, Reader, type Reference, referencesOf } from '../../manifest/references.ts';
import { groupOf, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, ResourceId } from '../../manifest/types.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';
import type { ReleaseFact } from '../../problem/release-fact.ts';
import type { Remedy } from '../../problem/remedy.ts';
import type { WorkloadFact } from '../../problem/workload-fact.ts';
import { nearest } from '../../support/near.ts';
import { splitOnce, trimPrefix } from '../../support/text.ts';
import { isBuiltIn } from './built-in-objects.ts';
import { containerProblems } from './containers.ts';
import { portProblems } from './ports.ts';

interface ReferenceOptions {
  /** The release's. */
  readonly name: string;
  readonly namespace: string;
  /** Is asked for what the release does not have. */
  readonly cluster?: Cluster | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Objects of the release whose kind is not known. */
  readonly unchecked?: readonly Identified[] | undefined;
}

/** What objects of the release refer to and is not there: other objects, and keys and ports of them. */
export async function referenceProblems(
  objects: readonly Target[],
  chartName: string,
  options: ReferenceOptions,
): Promise<readonly Problem[]> {
  const meant: NameMeant = (word, names) => nearestName(word, names, { release: options.name, chart: chartName });
  const release = new ReleaseObjects(objects, options.unchecked ?? [], meant);
  const problems: Problem[] = [];
  for (const target of objects)
    for (const reference of referencesOf(target)) {
      if (needsNoService(target, reference, release)) continue;
      const fact = await factOf(reference, release, options);
      if (fact !== undefined) problems.push(referenceProblem(target, reference, fact, release));
    }
  return [
    ...problems,
    ...containerProblems(objects),
    ...portProblems(objects),
    ...serviceProblems(objects, options.namespace, meant),
  ];
}

/**
 * A StatefulSet runs without the Service that it names: only one of nearly its name that selects its pods says that the name
 * is wrong.
 */
function needsNoService({ id, object }: Target, reference: Reference, release: ReleaseObjects): boolean {
  if (id.kind !== 'StatefulSet' || reference.path.at(-1) !== 'serviceName') return false;
  const meant = release.near(reference.id);
  const service = meant && release.get({ ...reference.id, name: meant.name });
  const selector = Object.entries(valueAtPath(service?.object, ['spec', 'selector']) ?? {});
  const labels = valueAtPath(object, ['spec', 'template', 'metadata', 'labels']) as Readonly<Record<string, unknown>>;
  return selector.length === 0 || !selector.every(([label, value]) => labels?.[label] === value);
}

type NameMeant = (word: string, names: readonly string[]) => Meant | undefined;

interface Meant {
  readonly name: string;
  /** As a template says it. */
  readonly written: string;
}

/**
 * The name that was probably meant. Where the chart's name is written out, that of the release is meant: a release is often
 * called as its chart, so `shop-web` works until somebody installs the chart by another name.
 */
function nearestName(
  word: string,
  names: readonly string[],
  { release, chart }: { readonly release: string; readonly chart: string },
): Meant | undefined {
  // What all names begin with says nothing: of `shop-web-tls` and `shop-web-backend` few letters differ.
  const rest = trimPrefix(word, `${release}-`);
  const near = nearest(
    rest,
    names.flatMap((name) =>
      rest === word || name.startsWith(`${release}-`) ? [name.slice(word.length - rest.length)] : [],
    ),
  );
  if (near !== undefined) {
    const name = `${word.slice(0, word.length - rest.length)}${near}`;
    return { name, written: name };
  }
  const own = names.filter((name) => name === release || name.startsWith(`${release}-`));
  const ofChart = new Map(own.map((name) => name.slice(release.length)).map((end) => [`${chart}${end}`, end]));
  const end = ofChart.get(word) ?? ofChart.get(nearest(word, ofChart.keys()) ?? '');
  return end === undefined ? undefined : { name: `${release}${end}`, written: `{{ .Release.Name }}${end}` };
}

const workloads: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet']);

class ReleaseObjects {
  readonly #byKey: ReadonlyMap<string, Target>;
  readonly #brought: ReadonlySet<string>;
  readonly #all: readonly Target[];

  readonly #meant: NameMeant;

  constructor(objects: readonly Target[], unchecked: readonly Identified[], meant: NameMeant) {
    this.#all = objects;
    this.#meant = meant;
    this.#byKey = new Map(objects.map((target) => [objectKey(target.id), target]));
    const made = [...objects, ...unchecked].flatMap((one) => secretMadeOf(one) ?? []);
    this.#brought = new Set([...made, ...objects.flatMap(secretsOfJob)].map(objectKey));
  }

  get(id: ResourceId): Target | undefined {
    return this.#byKey.get(objectKey(id));
  }

  /** Whether something of the release makes it: a Certificate its Secret, a Job the one that its arguments name. */
  isMadeByRelease(id: ResourceId): boolean {
    return this.#brought.has(objectKey(id));
  }

  /** Whether a Job of the release may make Secrets, whatever it calls them. */
  get mayMakeSecrets(): boolean {
    return (
      this.#all.some(({ id }) => id.kind === 'Job') && this.#all.some(({ object }) => grants(object, creatingSecrets))
    );
  }

  /** The name of an object of this kind and namespace that was probably meant. */
  near({ apiVersion, kind, namespace, name }: ResourceId): Meant | undefined {
    const alike = this.#all.filter(
      ({ id }) => id.kind === kind && id.namespace === namespace && groupOf(id.apiVersion) === groupOf(apiVersion),
    );
    const names = alike.map(({ id }) => id.name);
    const meant = this.#meant(name, names);
    if (meant !== undefined || !workloads.has(kind)) return meant;
    // What makes pods is no part of the cluster that a release comes to.
    const [longer, another] = names.filter((one) => one.startsWith(`${name}-`) || name.startsWith(`${one}-`));
    return longer === undefined || another !== undefined ? undefined : { name: longer, written: longer };
  }

  /** The only other namespace that has such an object of the release. */
  elsewhere({ apiVersion, kind, namespace, name }: ResourceId): string | undefined {
    const [found, another] = this.#all.filter(
      ({ id }) =>
        id.kind === kind && id.name === name && id.namespace !== '' && groupOf(id.apiVersion) === groupOf(apiVersion),
    );
    return another === undefined && found?.id.namespace !== namespace ? found?.id.namespace : undefined;
  }
}

const creatingSecrets = { resources: new Set(['secrets', '*']), verbs: new Set(['create', '*']) };

/** Secrets that a Job may make: ones that an argument names, as `--secret-name=shop-admission` of kube-webhook-certgen. */
function secretsOfJob({ id, object }: Target): readonly ResourceId[] {
  if (id.kind !== 'Job') return [];
  const reader = new Reader(object);
  const containers = ['initContainers', 'containers'].flatMap((list) => reader.items([...podSpecPath(object), list]));
  const words = containers.flatMap((path) => reader.items([...path, 'args']).map((arg) => reader.text(arg)));
  const names = words.flatMap((word) => splitOnce(word, '=').slice(word.startsWith('-') ? 1 : 0));
  return names.flatMap((name) => (name ? [{ apiVersion: 'v1', kind: 'Secret', namespace: id.namespace, name }] : []));
}

async function factOf(
  reference: Reference,
  release: ReleaseObjects,
  { cluster, signal }: ReferenceOptions,
): Promise<ReleaseFact | undefined> {
  const { id, key } = reference;
  const { kind, name } = id;
  const found = release.get(id);
  if (found !== undefined) return key === undefined ? undefined : missingKey(reference, found);
  if (release.isMadeByRelease(id) || isBuiltIn(id)) return undefined;
  const live = cluster === undefined ? 'unknown' : await stateIn(cluster, id, signal);
  if (live === 'there') return undefined;
  const meant = release.near(id);
  const elsewhere = meant === undefined ? release.elsewhere(id) : undefined;
  if (live === 'missing' && elsewhere === undefined)
    return kind === 'Secret' && release.mayMakeSecrets ? undefined : { code: 'object-missing', kind, name };
  if (elsewhere !== undefined) {
    const namespaces = { written: id.namespace, meant: elsewhere };
    return { code: 'reference-misspelt', kind, name, meant: name, namespaces };
  }
  return meant === undefined
    ? { code: 'reference-outside', kind, name }
    : { code: 'reference-misspelt', kind, name, meant: meant.name };
}

function missingKey({ id, key = '' }: Reference, { object }: Target): ReleaseFact | undefined {
  const keys = keysOf(object);
  const { kind, name } = id;
  return keys === undefined || keys.includes(key) ? undefined : { code: 'key-missing', kind, name, key, keys };
}

async function stateIn(
  cluster: Cluster,
  id: ResourceId,
  signal: AbortSignal | undefined,
): Promise<'there' | 'missing' | 'unknown'> {
  try {
    return (await cluster.get(id, { signal })) === undefined ? 'missing' : 'there';
  } catch {
    // It may not be read, or its kind is not served.
    return 'unknown';
  }
}

function referenceProblem(
  { id, source }: Target,
  { id: to, path }: Reference,
  fact: ReleaseFact,
  release: ReleaseObjects,
): Problem {
  const subject = objectSubject(id, source);
  const remedies = remediesOf(fact, release.near(to)?.written);
  const isOfNamespace = fact.code === 'reference-misspelt' && fact.namespaces !== undefined;
  const field = isOfNamespace ? [...path.slice(0, -1), 'namespace'] : path;
  return problemOf({ subject, cause: fact, places: [fieldPlace(subject, { path: field })], remedies });
}

function remediesOf(fact: ReleaseFact, written: string | undefined): readonly Remedy[] {
  switch (fact.code) {
    case 'reference-misspelt':
      if (fact.namespaces !== undefined)
        return [{ kind: 'use-name', name: fact.namespaces.meant, instead: fact.namespaces.written, isGuess: true }];
      return [{ kind: 'use-name', name: written ?? fact.meant, instead: fact.name, isGuess: true }];
    case 'key-missing': {
      const meant = nearest(fact.key, fact.keys);
      return meant === undefined ? [] : [{ kind: 'use-name', name: meant, instead: fact.key, isGuess: true }];
    }
    case 'object-missing':
      return [{ kind: 'create-object', object: { kind: fact.kind, name: fact.name } }];
    default:
      return [];
  }
}

/** Services that select no pod of the release, or send to a port that its pods do not have. */
function serviceProblems(objects: readonly Target[], namespace: string, meantName: NameMeant): readonly Problem[] {
  const services = objects.filter(({ id }) => id.kind === 'Service' && id.apiVersion === 'v1');
  const all = objects.map(({ object }) => object);
  return faultyServices(services, all, namespace).flatMap(({ target, fact, isOpen }) => {
    const subject = objectSubject(target.id, target.source);
    const place = fieldPlace(subject, fieldOf(fact, target.object));
    const meant = fact.code === 'no-pod-selected' ? meantSelector(target, all, meantName) : undefined;
    // Whoever makes pods makes them with other labels, but not with nearly the same.
    if (meant === undefined && isOpen && fact.code === 'no-pod-selected') return [];
    if (meant === undefined)
      return [problemOf({ subject, cause: fact, places: [place], remedies: portRemedies(fact) })];
    const { written, instead, selector } = meant;
    const remedies: readonly Remedy[] = [{ kind: 'use-name', name: written, instead, isGuess: true }];
    const spec = { ...(target.object['spec'] as object), selector };
    const meantService = { ...target, object: { ...target.object, spec } };
    const ofPorts = faultyServices([meantService], all, namespace).map((one) =>
      problemOf({ subject, cause: one.fact, places: [fieldPlace(subject, fieldOf(one.fact, target.object))] }),
    );
    return [problemOf({ subject, cause: fact, places: [place], remedies }), ...ofPorts];
  });
}

function portRemedies(fact: WorkloadFact): readonly Remedy[] {
  const name = fact.code === 'target-port-missing' ? nearest(fact.port, fact.names) : undefined;
  if (name === undefined || fact.code !== 'target-port-missing') return [];
  return [{ kind: 'use-name', name, instead: fact.port, isGuess: true }];
}

/** The field that is wrong: the port that no container has, or else the selector. */
function fieldOf(fact: WorkloadFact, { spec }: KubernetesObject): { readonly path: FieldPath } {
  if (fact.code === 'no-pod-selected') {
    const keys = new Set(fact.nearest?.flatMap(({ labels }) => labels.map((one) => splitOnce(one, '=')[0])));
    const [key] = keys.size === 1 ? keys : [];
    const { selector = {} } = spec as { readonly selector?: object };
    return { path: ['spec', 'selector', ...(key !== undefined && Object.hasOwn(selector, key) ? [key] : [])] };
  }
  if (fact.code !== 'target-port-missing') return { path: ['spec', 'selector'] };
  const { ports } = spec as { readonly ports?: readonly { readonly targetPort?: unknown }[] };
  const at = listOf(ports).findIndex(({ targetPort }) => targetPort === fact.port);
  return { path: ['spec', 'ports', at, 'targetPort'] };
}

/** The selector with one text that pods of the release have, and nearly what is asked for. */
function meantSelector({ object }: Target, all: readonly KubernetesObject[], meantName: NameMeant) {
  const { selector = {} } = object['spec'] as { readonly selector?: Readonly<Record<string, unknown>> };
  for (const [label, instead] of Object.entries(selector)) {
    if (typeof instead !== 'string') continue;
    const texts = all.flatMap((one) => {
      const text = valueAtPath(one, [...podSpecPath(one).slice(0, -1), 'metadata', 'labels', label]);
      return typeof text === 'string' ? [text] : [];
    });
    const meant = meantName(instead, texts);
    if (meant !== undefined) return { written: meant.written, instead, selector: { ...selector, [label]: meant.name } };
  }
  return undefined;
}

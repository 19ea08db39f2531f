import type { Cluster } from '../../cluster/types.ts';
import { isCrd, type Target } from '../../execute/apply/targets.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import { defaultMinor } from '../../kinds/field-types.ts';
import { lifecycleOf, replacementIn, stateIn } from '../../kinds/lifecycles.ts';
import type { Identified } from '../../manifest/references.ts';
import { groupOf, idOf, objectKey } from '../../manifest/resource-id.ts';
import type { Manifest, ResourceId } from '../../manifest/types.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import { isOfObject, isSameObject, type ObjectProblem, type Problem } from '../../problem/problem.ts';
import type { Remedy } from '../../problem/remedy.ts';
import type { Release } from '../../release/types.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { underWrittenName } from './as-meant.ts';
import { askedCluster, OwnServer } from './asked-server.ts';
import { clusterPolicies, missingCrds, namespacesOf, releaseAdditions } from './cluster-objects.ts';
import { type LiveServer, liveAnswer } from './live-answer.ts';
import { asAdmissionPolicies, isOtherPolicy } from './other-policies.ts';
import { notEvaluated, policyProblems, withPolicies } from './policies.ts';
import { refusalsOf } from './refusals.ts';
import type { Moved } from './repair.ts';
import { sortedOut, type Where } from './targets.ts';
import { Unanswered } from './unanswered.ts';

/** What is deployed. */
export interface Deployed {
  /** Those of the chart's folders crds/. */
  readonly crds: readonly Manifest[];
  /** Resources and hooks. */
  readonly manifests: readonly Manifest[];
}

interface AskOptions {
  readonly namespace: string;
  /** The version of the API server in this process: the number after `1.`. */
  readonly minor?: number | undefined;
  /** CRDs that are there beside those of the release. */
  readonly crds?: readonly Manifest[] | undefined;
  /** ValidatingAdmissionPolicies, their bindings, their parameters, and what these need. */
  readonly policies?: readonly Manifest[] | undefined;
  /** Its word goes before that of the API server in this process. */
  readonly cluster?: Cluster | undefined;
  readonly replaced?: Release | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Is awaited before each object. */
  readonly pause?: (() => Promise<void>) | undefined;
}

export interface Answers {
  readonly problems: readonly Problem[];
  /** The objects of the release, those of `crds/` left out. */
  readonly objects: readonly Target[];
  /** Objects of kinds that are gone or misspelt, as what replaces these: others refer to them. */
  readonly renewed: readonly Target[];
  /** What those of misspelt kinds are called in their templates, by the keys of what they were probably meant to be. */
  readonly written: ReadonlyMap<string, ResourceId>;
  /** Objects of kinds whose CRD nobody has: a Certificate still brings a Secret. */
  readonly unchecked: readonly Identified[];
  /** Fields of `objects` that are probably meant to be elsewhere. */
  readonly moved: ReadonlyMap<Target, readonly Moved[]>;
}

/** What an API server in this process, and the cluster where there is one, refuse of each object. Nothing stops at the first. */
export async function answersOf({ crds, manifests }: Deployed, options: AskOptions): Promise<Answers> {
  const { namespace, minor = defaultMinor, cluster, replaced, signal, pause } = options;
  const own = new OwnServer({ comparesRevisions: replaced !== undefined, minor });
  const unanswered = new Unanswered();
  const reader = cluster && { cluster, signal, unanswered };
  const server = cluster && askedCluster(cluster, signal);
  const where: Where = { own, live: server, namespace };
  const isOfCrds = ({ object }: Manifest): boolean => isCrd(object);
  const objects = [...manifests, ...(options.policies ?? [])];
  await seed(neededFor(objects, options.crds ?? []), { own, namespace });
  const definitions = await sortedOut([...crds, ...manifests.filter(isOfCrds)], where);
  const ofDefinitions = await allRefusals(definitions.targets, {
    own,
    live: server && { server, coming: new Set(), unanswered },
    pause,
  });
  const others = manifests.filter((manifest) => !isOfCrds(manifest));
  if (reader !== undefined) await own.sendAll(await missingCrds(others, own, reader));
  const sorted = await sortedOut(others, where);
  await createNamespaces(sorted.targets, own);
  if (reader !== undefined) await own.sendAll(await namespacesOf(sorted.targets, reader));
  const policies = [...(options.policies ?? []), ...others.filter(isOtherPolicy)];
  const given = await seed(policies.flatMap(asAdmissionPolicies), { own, namespace });
  const isOfPolicies = ({ id }: Target): boolean => id.kind.startsWith('ValidatingAdmissionPolicy');
  const broken = given.filter((target) => isOfPolicies(target) && own.storedOf([target]).size === 0);
  if (replaced !== undefined) await seed(readStoredManifest(replaced.manifest), { own, namespace: replaced.namespace });
  const old = own.storedOf(sorted.targets);
  const coming = reader && (await releaseAdditions([...definitions.targets, ...sorted.targets], reader));
  const live = server && coming && { server, coming, unanswered };
  const ofObjects = await allRefusals(sorted.targets, { own, live, pause });
  const meant = meantKinds(others, sorted.problems);
  const renewed = await sortedOut([...renewedKinds(others, minor), ...meant.map(({ manifest }) => manifest)], where);
  const ofRenewed = await allRefusals(reader === undefined ? renewed.targets : [], { own, live: undefined, pause });
  const ofCluster = reader && (await clusterPolicies(reader, own));
  const judged = policyProblems(sorted.targets, own, old);
  const written = writtenIds(meant, renewed.targets);
  const isOwn = ({ source }: Target): boolean => !crds.some((crd) => crd.source === source);
  return {
    problems: [
      ...definitions.problems,
      ...ofDefinitions.problems,
      ...sorted.problems,
      ...withPolicies(ofObjects.problems, judged, { answered: ofObjects.answered, ofCluster: ofCluster ?? new Set() }),
      ...ofRenewed.problems.map((problem) => underWrittenName(problem, written)),
      ...unanswered.problems(sorted.targets),
      ...(await Promise.all(broken.map((target) => brokenPolicy(target, policies, own)))).flat(),
    ],
    objects: [...definitions.targets.filter(isOwn), ...sorted.targets],
    renewed: renewed.targets,
    unchecked: sorted.unchecked,
    written,
    moved: new Map([...ofDefinitions.moved, ...ofObjects.moved]),
  };
}

/**
 * The CRDs that bear on the objects: those of their kinds, and of a kind that no CRD defines all of its group. A server
 * that need not know the others is not told of them.
 */
function neededFor(manifests: readonly Manifest[], crds: readonly Manifest[]): readonly Manifest[] {
  const defined = new Set(crds.map(({ object }) => kindOf(object.spec)));
  const asked = manifests.map(({ object }) => ({ group: groupOf(String(object.apiVersion ?? '')), kind: object.kind }));
  const wanted = new Set(asked.map(({ group, kind }) => `${group} ${kind}`));
  const groups = new Set(asked.filter(({ group, kind }) => !defined.has(`${group} ${kind}`)).map(({ group }) => group));
  return crds.filter(
    ({ object }) =>
      !isCrd(object) || wanted.has(kindOf(object.spec)) || groups.has(kindOf(object.spec).split(' ')[0] ?? ''),
  );
}

interface CrdSpec {
  readonly group?: string;
  readonly names?: { readonly kind?: string };
}

/** `monitoring.coreos.com Prometheus` */
const kindOf = (spec: unknown): string => {
  const { group, names } = (spec ?? {}) as CrdSpec;
  return `${group} ${names?.kind}`;
};

/** Objects of kinds that are gone as what replaces these, so that their other fields are mended at the same time. */
const renewedKinds = (manifests: readonly Manifest[], minor: number): readonly Manifest[] =>
  manifests.flatMap((manifest) => {
    const { object, malformed } = manifest;
    const lifecycle = malformed === undefined ? lifecycleOf(object) : undefined;
    const isGone = lifecycle !== undefined && stateIn(minor, lifecycle) === 'removed';
    const instead = isGone ? replacementIn(minor, lifecycle) : undefined;
    if (instead === undefined || instead.kind !== object.kind) return [];
    return [{ ...manifest, object: { ...object, apiVersion: instead.apiVersion } }];
  });

interface MeantKind {
  readonly manifest: Manifest;
  readonly written: ResourceId;
}

/** Objects of a kind that no server has, as the kind that was probably meant. */
const meantKinds = (manifests: readonly Manifest[], problems: readonly Problem[]): readonly MeantKind[] =>
  problems.flatMap((problem) => {
    if (!isOfObject(problem) || problem.cause.code !== 'kind-unknown') return [];
    const { id, template } = problem.subject;
    const manifest = manifests.find(({ object, source }) => source === template && isSameObject(idOf(object), id));
    const [meant] = problem.remedies.flatMap(kindOfRemedy);
    // Of a kind that is gone, what replaces it is known.
    if (manifest === undefined || meant === undefined || lifecycleOf(manifest.object) !== undefined) return [];
    return [{ manifest: { ...manifest, object: { ...manifest.object, ...meant } }, written: id }];
  });

function kindOfRemedy(remedy: Remedy): readonly Partial<Pick<ResourceId, 'apiVersion' | 'kind'>>[] {
  if (remedy.kind === 'use-name') return [{ kind: remedy.name }];
  const isVersion = remedy.kind === 'change-field' && remedy.value !== undefined && remedy.or === undefined;
  return isVersion ? [{ apiVersion: remedy.value }] : [];
}

function writtenIds(meant: readonly MeantKind[], targets: readonly Target[]): ReadonlyMap<string, ResourceId> {
  const found = meant.flatMap(({ manifest: { object, source }, written }) => {
    const { kind, metadata } = object;
    const isIt = ({ id, source: file }: Target): boolean =>
      file === source && id.kind === kind && id.name === metadata.name;
    const target = targets.find(isIt);
    return target === undefined ? [] : [[objectKey(target.id), written] as const];
  });
  return new Map(found);
}

/** Kyverno has functions of its own: what uses them is no mistake. */
async function brokenPolicy(
  target: Target,
  policies: readonly Manifest[],
  own: OwnServer,
): Promise<readonly ObjectProblem[]> {
  const { problems } = await refusalsOf(target, own);
  const isMade = policies
    .filter(isOtherPolicy)
    .flatMap(asAdmissionPolicies)
    .some(({ object }) => object.metadata.name === target.id.name);
  return isMade ? [notEvaluated(target)] : problems;
}

interface Refusals {
  readonly problems: readonly ObjectProblem[];
  /** The objects of which the cluster could say something. */
  readonly answered: ReadonlySet<Target>;
  readonly moved: Answers['moved'];
}

interface Asked extends Pick<AskOptions, 'pause'> {
  readonly own: OwnServer;
  readonly live: LiveServer | undefined;
}

/** The server in this process is asked in the order of the release, the cluster about several objects at a time. */
async function allRefusals(targets: readonly Target[], { own, live, pause }: Asked): Promise<Refusals> {
  const found: (readonly ObjectProblem[])[] = [];
  const moved = new Map<Target, readonly Moved[]>();
  for (const target of targets) {
    await pause?.();
    const refused = await refusalsOf(target, own);
    found.push(refused.problems);
    moved.set(target, refused.moved);
  }
  if (live === undefined) return { problems: found.flat(), answered: new Set(), moved };
  const limit = createLimiter(defaultConcurrency);
  const answers = await Promise.all(targets.map((target) => limit(() => liveAnswer(target, live))));
  return {
    problems: answers.flatMap((problems, index) => problems ?? found[index] ?? []),
    answered: new Set(targets.filter((_target, index) => answers[index] !== undefined)),
    moved,
  };
}

/** Namespaces that objects name, or the release is in, are there; those of the release are sent as they are. */
async function createNamespaces(targets: readonly Target[], own: OwnServer): Promise<void> {
  const sent = new Set(targets.filter(({ id }) => id.kind === 'Namespace').map(({ id }) => id.name));
  const named = new Set(targets.map(({ id }) => id.namespace).filter((name) => name !== '' && !sent.has(name)));
  await own.sendAll([...named].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
}

/** Puts objects there that the release finds. */
async function seed(manifests: readonly Manifest[], { own, namespace }: SeedPlace): Promise<readonly Target[]> {
  const { targets } = await sortedOut(manifests, { own, live: undefined, namespace });
  await createNamespaces(targets, own);
  await own.sendAll(targets.map(({ object }) => object));
  return targets;
}

type SeedPlace = { readonly own: OwnServer } & Pick<Where, 'namespace'>;

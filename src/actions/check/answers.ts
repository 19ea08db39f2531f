import type { Cluster } from '../../cluster/types.ts';
import { isCrd, type Target } from '../../execute/apply/targets.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import type { Manifest } from '../../manifest/types.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import type { Problem } from '../../problem/problem.ts';
import type { Release } from '../../release/types.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { type AskedServer, askedCluster, OwnServer } from './asked-server.ts';
import { liveAnswer } from './live-answer.ts';
import { refusalsOf } from './refusals.ts';
import { sortedOut, type Where } from './targets.ts';

/** What is deployed. */
export interface Deployed {
  /** Those of the chart's folders crds/. */
  readonly crds: readonly Manifest[];
  /** Resources and hooks. */
  readonly manifests: readonly Manifest[];
}

interface AskOptions {
  readonly namespace: string;
  /** Its word goes before that of the API server in this process. */
  readonly cluster?: Cluster | undefined;
  readonly replaced?: Release | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answers {
  readonly problems: readonly Problem[];
  /** The objects of the release, those of `crds/` left out. */
  readonly objects: readonly Target[];
}

/** What an API server in this process, and the cluster where there is one, refuse of each object. Nothing stops at the first. */
export async function answersOf({ crds, manifests }: Deployed, options: AskOptions): Promise<Answers> {
  const { namespace, cluster, replaced, signal } = options;
  const own = new OwnServer({ comparesRevisions: replaced !== undefined });
  const servers: Servers = { own, live: cluster && askedCluster(cluster, signal) };
  const where: Where = { ...servers, namespace };
  const isOfCrds = ({ object }: Manifest): boolean => isCrd(object);
  const definitions = await sortedOut([...crds, ...manifests.filter(isOfCrds)], where);
  const ofDefinitions = await allRefusals(definitions.targets, servers);
  const sorted = await sortedOut(
    manifests.filter((manifest) => !isOfCrds(manifest)),
    where,
  );
  await createNamespaces(sorted.targets, own);
  if (replaced !== undefined) await seed(replaced, own);
  const ofObjects = await allRefusals(sorted.targets, servers);
  const isOwn = ({ source }: Target): boolean => !crds.some((crd) => crd.source === source);
  return {
    problems: [...definitions.problems, ...ofDefinitions, ...sorted.problems, ...ofObjects],
    objects: [...definitions.targets.filter(isOwn), ...sorted.targets],
  };
}

interface Servers {
  readonly own: OwnServer;
  readonly live: AskedServer | undefined;
}

/** The server in this process is asked in the order of the release, the cluster about several objects at a time. */
async function allRefusals(targets: readonly Target[], { own, live }: Servers): Promise<readonly Problem[]> {
  const found: (readonly Problem[])[] = [];
  for (const target of targets) found.push(await refusalsOf(target, own));
  if (live === undefined) return found.flat();
  const limit = createLimiter(defaultConcurrency);
  const answers = await Promise.all(targets.map((target) => limit(() => liveAnswer(target, live))));
  return answers.flatMap((problems, index) => problems ?? found[index] ?? []);
}

/** Namespaces that objects name, or the release is in, are there; those of the release are sent as they are. */
async function createNamespaces(targets: readonly Target[], own: OwnServer): Promise<void> {
  const sent = new Set(targets.filter(({ id }) => id.kind === 'Namespace').map(({ id }) => id.name));
  const named = new Set(targets.map(({ id }) => id.namespace).filter((name) => name !== '' && !sent.has(name)));
  for (const name of named) await own.send({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/** Puts the objects of a revision there, so that the server compares the new ones with them. */
async function seed({ manifest, namespace }: Release, own: OwnServer): Promise<void> {
  const { targets } = await sortedOut(readStoredManifest(manifest), { own, live: undefined, namespace });
  await createNamespaces(targets, own);
  for (const { object } of targets) await own.send(object, 'Ignore');
}

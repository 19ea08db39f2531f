import type { ApplyOptions, Cluster } from '../../cluster/types.ts';
import { isCrd, type Target } from '../../execute/apply/targets.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import type { Problem } from '../../problem/problem.ts';
import type { Release } from '../../release/types.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { liveAnswer } from './live-answer.ts';
import { type OwnServer, openOwnServer } from './own-server.ts';
import { type AskedServer, refusalOf, refusalsOf } from './refusals.ts';
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
export async function answersOf(deployed: Deployed, options: AskOptions): Promise<Answers> {
  const server = await openOwnServer(options.namespace);
  try {
    return await answersOn(server, deployed, options);
  } finally {
    await server.close();
  }
}

async function answersOn(server: OwnServer, { crds, manifests }: Deployed, options: AskOptions): Promise<Answers> {
  const { namespace, cluster, replaced, signal } = options;
  const asked: AskedServer = {
    cluster: server.cluster,
    options: { fieldManager: 'helm', fieldValidation: 'Strict', force: true, signal },
  };
  const where: Where = { own: server.cluster, live: cluster, namespace, signal };
  const isOfCrds = ({ object }: Manifest): boolean => isCrd(object);
  const definitions = await sortedOut([...crds, ...manifests.filter(isOfCrds)], where);
  const found: Problem[] = [...definitions.problems, ...(await allRefusals(definitions.targets, asked, options))];
  await server.settle();
  const sorted = await sortedOut(
    manifests.filter((manifest) => !isOfCrds(manifest)),
    where,
  );
  found.push(...sorted.problems);
  await createNamespaces(sorted.targets, asked);
  if (replaced !== undefined) await seed(replaced, { ...where, live: undefined }, asked);
  found.push(...(await allRefusals(sorted.targets, asked, options)));
  const own = definitions.targets.filter(({ source }) => !crds.some((crd) => crd.source === source));
  return { problems: found, objects: [...own, ...sorted.targets] };
}

/** The server in this process is asked in the order of the release, the cluster about several at a time. */
async function allRefusals(
  targets: readonly Target[],
  asked: AskedServer,
  { cluster, signal }: AskOptions,
): Promise<readonly Problem[]> {
  const own: (readonly Problem[])[] = [];
  for (const target of targets) own.push(await refusalsOf(target, asked));
  if (cluster === undefined) return own.flat();
  const limit = createLimiter(defaultConcurrency);
  const live = await Promise.all(targets.map((target) => limit(() => liveAnswer(target, { cluster, signal }))));
  return live.flatMap((problems, index) => problems ?? own[index] ?? []);
}

/** Namespaces that objects name, or the release is in, are there; those of the release are sent as they are. */
async function createNamespaces(targets: readonly Target[], { cluster, options }: AskedServer): Promise<void> {
  const own = new Set(targets.filter(({ id }) => id.kind === 'Namespace').map(({ id }) => id.name));
  const named = new Set(targets.map(({ id }) => id.namespace).filter((name) => name !== '' && !own.has(name)));
  for (const name of named) await cluster.apply(namespaceOf(name), options);
}

const namespaceOf = (name: string): KubernetesObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

/** Puts the objects of a revision there, so that the server compares the new ones with them. */
async function seed({ manifest }: Release, where: Where, asked: AskedServer): Promise<void> {
  const { targets } = await sortedOut(readStoredManifest(manifest), where);
  await createNamespaces(targets, asked);
  const options: ApplyOptions = { ...asked.options, fieldValidation: 'Ignore' };
  await Promise.all(targets.map(({ object }) => refusalOf(object, { ...asked, options })));
}

import type { Context } from '../../change/context.ts';
import type { RenderSettings } from '../../change/rendering/render.ts';
import { connect } from '../../cluster/connect.ts';
import { loadDiagnosis } from '../../cluster/diagnosis.ts';
import type { UserRules } from '../../cluster/readiness.ts';
import type { Cluster } from '../../cluster/types.ts';
import { waitUntilEstablished } from '../../cluster/wait.ts';
import { declaredKinds } from '../../execute/apply/targets.ts';
import type { OnEvent } from '../../execute/events.ts';
import { executePlan } from '../../execute/execute.ts';
import { groupOf, kindInGroup } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { planInstall } from '../../plan/plan.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import { lastRevision } from '../../release/history.ts';
import { memoryStorage } from '../../release/memory-storage.ts';
import type { Release } from '../../release/types.ts';
import { type AnnotationRule, announcesStatus, openSandbox } from '../../sandbox/index.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { actionContext } from '../action-context.ts';
import { copySurroundings } from './surroundings.ts';

export interface StageOptions {
  readonly namespace: string;
  readonly rendering: RenderSettings;
  readonly userRules?: UserRules | undefined;
  /** When the simulated time begins. */
  readonly start: Date;
  readonly annotation: AnnotationRule;
  /** The cluster that the release is in, where there is one: what its pods need and it does not bring comes from there. */
  readonly live?: Cluster | undefined;
  readonly signal: AbortSignal;
}

/** A sandbox of its own on simulated time, in which actions run as they would in a cluster. */
export interface Stage {
  readonly cluster: Cluster;
  readonly nowMs: () => number;
  context(onEvent: OnEvent): Context;
  /** Puts a release there as it is: its revisions, and the objects of the one that counts, all of them ready. */
  seed(history: readonly Release[], current: Release): Promise<void>;
  /** Sees to it that what these name beside themselves is there: namespaces, and kinds that the sandbox does not know. */
  prepare(objects: readonly KubernetesObject[]): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const { namespace, rendering, userRules, start, annotation, live, signal } = options;
  // What is loaded from disk in the middle of a run would let simulated time run away.
  await loadDiagnosis();
  // Objects note their times in seconds.
  const time = new SimulatedTime(Math.trunc(start.getTime() / 1000) * 1000);
  let isSeeding = false;
  const sandbox = await openSandbox({
    clock: time,
    annotation: (word, chain, annotated) => (isSeeding ? seedingRule(word) : annotation(word, chain, annotated)),
  });
  const cluster = await connect({
    apiServer: sandbox.url,
    token: sandbox.token,
    namespace,
    env: { KUBECONFIG: '/dev/null' },
    timers: time,
    mayReport: announcesStatus,
    dial: () => sandbox.dial(() => time.noteActivity()),
  });
  const storage = memoryStorage(namespace);
  const clock = { now: () => new Date(time.now()) };
  const contextWith = (onEvent: OnEvent): Context => ({
    ...actionContext(cluster, { namespace, rendering, userRules, clock, signal, onEvent }),
    storage: async () => storage,
    // What is outside of the release is not on the stage.
    outside: undefined,
  });
  time.begin();
  const prepare = async (objects: readonly KubernetesObject[]): Promise<void> => {
    await prepareFor(objects, namespace, cluster);
    if (live !== undefined) await copySurroundings(objects, namespace, { live, stage: cluster });
  };
  return {
    cluster,
    nowMs: () => time.now(),
    context: contextWith,
    prepare,
    async seed(history, current) {
      isSeeding = true;
      const manifests = readStoredManifest(current.manifest);
      await prepare(manifests.map(({ object }) => object));
      const input = { release: current.name, namespace: current.namespace, strategy: 'hookOnly', hooks: [] } as const;
      await executePlan(planInstall({ ...input, manifests }), { cluster, signal });
      await sandbox.settle();
      for (const release of history) await storage.create(release);
      isSeeding = false;
    },
    async close() {
      time.end();
      cluster.close();
      await sandbox.close();
    },
  };
}

/** What was deployed before is ready at once. */
const seedingRule = (word: string): string | undefined => (word === 'ready-after' ? '0s' : undefined);

async function prepareFor(objects: readonly KubernetesObject[], namespace: string, cluster: Cluster): Promise<void> {
  const own = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  const namespaces = new Set([namespace, ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  for (const name of [...namespaces].filter((each) => !own.has(each))) {
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { fieldManager: 'rehearsal' });
  }
  const declared = declaredKinds(objects.map((object): Manifest => ({ source: '', text: '', object })));
  const unknown = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const { apiVersion, kind } = object;
    // A version that Kubernetes itself no longer has is missing in every cluster: no definition can bring it.
    const isOfKubernetes = !groupOf(apiVersion).includes('.');
    if (isOfKubernetes || declared.has(kindInGroup({ apiVersion, kind }))) continue;
    if ((await cluster.mapping(apiVersion, kind)) === undefined) unknown.set(`${apiVersion} ${kind}`, object);
  }
  const definitions = [...unknown.values()].map(definitionOf);
  for (const definition of definitions) await cluster.apply(definition, { fieldManager: 'rehearsal' });
  await waitUntilEstablished(
    cluster,
    definitions.map(({ metadata }) => metadata.name),
  );
}

/** A definition for a kind that the cluster would have: any content is valid. */
function definitionOf({ apiVersion, kind }: KubernetesObject): KubernetesObject {
  const group = groupOf(apiVersion);
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [
        {
          name: apiVersion.slice(group.length + 1),
          served: true,
          storage: true,
          schema,
          subresources: { status: {} },
        },
      ],
    },
  };
}

/** The revision whose objects are in the cluster: the deployed one, or the last. */
export const currentOf = (name: string, history: readonly Release[]): Release =>
  history.findLast(({ info }) => info.status === 'deployed') ?? lastRevision(name, history);

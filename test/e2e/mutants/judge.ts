import { setTimeout as delay } from 'node:timers/promises';
import { type AskedServer, askedCluster } from '../../../src/actions/check/asked-server.ts';
import { sortedOut } from '../../../src/actions/check/targets.ts';
import { type CheckOptions, type CheckResult, check, type Finding, unrendered } from '../../../src/actions/check.ts';
import { givenCapabilities } from '../../../src/actions/rendering/given-capabilities.ts';
import { crdManifests } from '../../../src/change/deploy/crds.ts';
import { prepareForRelease, renderForRelease } from '../../../src/change/rendering/render.ts';
import type { BufferedFile } from '../../../src/chart/files.ts';
import type { Chart } from '../../../src/chart/types.ts';
import { isApiError } from '../../../src/cluster/api-error.ts';
import { connect } from '../../../src/cluster/connect.ts';
import type { ApiFailure, Cluster } from '../../../src/cluster/types.ts';
import { isCrd, type Target } from '../../../src/execute/apply/targets.ts';
import type { GoMap } from '../../../src/go/value.ts';
import { hasObject } from '../../../src/manifest/parse.ts';
import type { KubernetesObject, ResourceId } from '../../../src/manifest/types.ts';
import { manifestOfHook } from '../../../src/plan/arrange.ts';
import { isOfObject, isSameObject, type Problem, placeToChange } from '../../../src/problem/problem.ts';
import { createLimiter } from '../../../src/support/concurrency.ts';
import { type ChartFiles, chartOf, mutatedFiles, sourcesOf } from './chart-sources.ts';
import type { Mutation, Source } from './mutation.ts';

export const namespace = 'mutants';
const release = { name: 'rel', namespace, revision: 1, isInstall: true } as const;
const now = new Date('2026-01-01T00:00:00Z');
const renderSettings = { now: () => now, randomBytes: (count: number) => new Uint8Array(count).fill(7) };

/** An object as it is sent. */
export interface Sent {
  readonly target: Target;
  readonly json: string;
}

/** The objects of a chart that a server can be asked about. Errors: those of rendering. */
export async function objectsOf(chart: Chart, values: GoMap, server: AskedServer): Promise<readonly Sent[]> {
  const prepared = await prepareForRelease(chart, values, { isInstall: true, warnsOfCrds: false });
  const request = { knowHelm2Events: true, legalAnnotations: true, release, declaredCrds: [] };
  const settings = { ...renderSettings, capabilities: givenCapabilities({}) };
  const rendered = await renderForRelease(prepared, values, request, settings);
  const manifests = [
    ...crdManifests(prepared.crds),
    ...rendered.manifests.filter(hasObject),
    ...rendered.hooks.map(manifestOfHook),
  ];
  const { targets } = await sortedOut(manifests, { own: server, live: undefined, namespace });
  return targets.map((target) => ({ target, json: `${target.source} ${jsonOf(target.object)}` }));
}

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `${item}n` : item));

const checked = (chart: Chart, values: GoMap, options: Pick<CheckOptions, 'policies'> = {}): Promise<CheckResult> =>
  check(chart, values, { name: release.name, namespace, ...renderSettings, ...options });

/** What the server and `check` say of all objects of a chart. CRDs and namespaces are there for real, the rest is not. */
export async function judgedObjects(
  chart: Chart,
  values: GoMap,
  options: Pick<CheckOptions, 'policies'>,
): Promise<readonly Judged[]> {
  await prepareCluster(await objectsOf(chart, values, dryRunOf(await connect())));
  const server = dryRunOf(await connect());
  const { findings } = await checked(chart, values, options);
  return judgedAll(await objectsOf(chart, values, server), server, findings);
}

/** A server whose CRDs are those of the charts: these are created rather than changed. */
export function dryRunOf(cluster: Cluster): AskedServer {
  const asked = askedCluster(cluster, undefined);
  return {
    ...asked,
    async send(object) {
      if (!isCrd(object)) return asked.send(object);
      try {
        await cluster.create(object, { fieldManager: 'helm', fieldValidation: 'Strict', dryRun: true });
        return undefined;
      } catch (error) {
        if (!isApiError(error)) throw error;
        // It is looked at before anybody sees that it is there.
        return error.failure.reason === 'AlreadyExists' ? undefined : error.failure;
      }
    },
  };
}

/** What the server and `check` say of an object. */
export interface Judged {
  readonly id: ResourceId;
  readonly object: KubernetesObject;
  /** The server's sentence. */
  readonly refused?: string | undefined;
  readonly errors: readonly Problem[];
}

export type Verdict =
  /** The mistake changes no object. */
  | { readonly kind: 'same' }
  | { readonly kind: 'unrendered'; readonly files: readonly BufferedFile[]; readonly findings: readonly Finding[] }
  | { readonly kind: 'judged'; readonly objects: readonly Judged[]; readonly findings: readonly Finding[] };

/** What the objects of the chart without the mistake are. */
export interface Baseline {
  readonly files: ChartFiles;
  /** What the user sets. */
  readonly values: GoMap;
  readonly sources: readonly Source[];
  readonly server: AskedServer;
  readonly sent: ReadonlySet<string>;
  /** What `check` says of the chart as it is. */
  readonly known: ReadonlySet<string>;
}

/** CRDs and namespaces are there for real, the rest is not. Errors: those of rendering. */
export async function baselineOf(files: ChartFiles, values: GoMap): Promise<Baseline> {
  await prepareCluster(await objectsOf(files.chart, values, dryRunOf(await connect())));
  // It knows the kinds of these CRDs.
  const server = dryRunOf(await connect());
  const sent = await objectsOf(files.chart, values, server);
  const { findings } = await checked(files.chart, values);
  const wrote = new Set(sent.map(({ target }) => target.source ?? ''));
  return {
    files,
    values,
    sources: sourcesOf(files, wrote),
    server,
    sent: new Set(sent.map(({ json }) => json)),
    known: new Set(findings.map(findingKey)),
  };
}

async function prepareCluster(sent: readonly Sent[]): Promise<void> {
  const cluster = await connect();
  const namespaces = new Set([namespace, ...sent.map(({ target }) => target.id.namespace).filter(Boolean)]);
  for (const name of namespaces) await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const crds = sent.filter(({ target }) => isCrd(target.object));
  for (const { target } of crds) await cluster.apply(target.object, { fieldManager: 'mutants', force: true });
  // The API server serves a kind a moment after its definition is stored.
  if (crds.length > 0) await delay(1500);
}

export async function judge(baseline: Baseline, mutation: Mutation): Promise<Verdict> {
  const { values, server } = baseline;
  const files = mutatedFiles(baseline.files, mutation);
  let chart: Chart;
  let sent: readonly Sent[];
  try {
    chart = chartOf(baseline.files, files);
  } catch (error) {
    return { kind: 'unrendered', files, findings: unrendered(error).findings };
  }
  try {
    sent = await objectsOf(chart, values, server);
  } catch (cause) {
    const { isRendered, findings } = await checked(chart, values);
    const at = `${mutation.file}:${mutation.line}: ${mutation.after}`;
    if (isRendered) throw new Error(`check renders what cannot be rendered: ${at}`, { cause });
    return { kind: 'unrendered', files, findings };
  }
  const changed = sent.filter(({ json }) => !baseline.sent.has(json));
  if (changed.length === 0 && sent.length === baseline.sent.size) return { kind: 'same' };
  const { findings } = await checked(chart, values);
  const news = findings.filter((finding) => !baseline.known.has(findingKey(finding)));
  return { kind: 'judged', objects: await judgedAll(changed, server, findings), findings: news };
}

async function judgedAll(
  sent: readonly Sent[],
  server: AskedServer,
  findings: readonly Finding[],
): Promise<readonly Judged[]> {
  const limit = createLimiter(8);
  const objects = await Promise.all(sent.map(({ target }) => limit(() => judged(target, server, findings))));
  return objects.flatMap((one) => one ?? []);
}

/** Undefined of an object that only the cluster at hand is asked about: one in a namespace that is not there. */
async function judged(
  { id, object }: Target,
  server: AskedServer,
  findings: readonly Finding[],
): Promise<Judged | undefined> {
  const ofObject = findings.filter(({ problem }) => isOfObject(problem) && isSameObject(problem.subject.id, id));
  if (ofObject.some(({ problem }) => problem.code === 'kind-not-checked')) return undefined;
  const refusal = await server.send(object);
  if (refusal !== undefined && dependsOnCluster(refusal, id)) return undefined;
  const isOfServer = ({ code }: Problem): boolean => !code.startsWith('order-') && !code.startsWith('hook-');
  const errors = ofObject.filter(({ level, problem }) => level === 'error' && isOfServer(problem));
  return { id, object, refused: refusal?.message, errors: errors.map(({ problem }) => problem) };
}

/** `Forbidden` of a pod: its account or class is not there. */
const dependsOnCluster = ({ status, about, reason }: ApiFailure, { kind }: ResourceId): boolean =>
  (status === 404 && about === 'namespaces') ||
  reason === 'AlreadyExists' ||
  status === 429 ||
  (kind === 'Pod' && status === 403);

const findingKey = ({ problem }: Finding): string =>
  jsonOf([problem.code, problem.cause, isOfObject(problem) && problem.subject.id]);

/** Whether a problem names the line: as the first place to change, or among others. */
export function namesLine(problem: Problem, chart: ChartFiles, { file, line }: Mutation): 'first' | 'among' | 'no' {
  const aliases = (chart.chart.metadata.dependencies ?? []).filter(({ alias }) => alias !== undefined && alias !== '');
  const isFile = (name = ''): boolean => {
    const own = aliases.reduce((text, one) => text.replace(`/charts/${one.alias}/`, `/charts/${one.name}/`), name);
    return [`${chart.name}/${file}`, `${chart.path}/${file}`, file].includes(own);
  };
  const isIt = (
    place: { readonly file?: string | undefined; readonly line?: number | undefined } | undefined,
  ): boolean => isFile(place?.file) && place?.line === line;
  const first = placeToChange(problem);
  if (isIt(first) || isIt(first.value)) return 'first';
  const all = problem.places.flatMap((place) =>
    place.kind === 'field' ? [...(place.lines ?? []), ...(place.values ?? [])] : [place],
  );
  return all.some(isIt) ? 'among' : 'no';
}

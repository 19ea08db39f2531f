import type { CrdFile } from '../../chart/types.ts';
import { isApiError } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import { isCrd } from '../../execute/apply/targets.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import { remark } from '../../execute/remark.ts';
import { decodeText } from '../../go/text.ts';
import { hasObject, parseManifest } from '../../manifest/parse.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import { splitDocuments } from '../../manifest/split.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { crdDifferences, crdLosses } from '../../plan/crd-changes.ts';
import type { Sentence } from '../../problem/sentence.ts';
import type { PreparedChart } from '../../render/release.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { ClusterKnowledge } from '../last-phase.ts';
import type { ChartOptions, CrdMode } from './deploy-options.ts';

/** The objects of the CRD files, in their order. Errors: `crd-failed` for a file without any, `invalid-manifest`. */
export const crdManifests = (crds: readonly CrdFile[]): readonly Manifest[] => crds.flatMap(manifestsOfFile);

/** By what is in the file: releases of one chart have the same. */
const known = new WeakMap<Uint8Array, readonly Manifest[]>();

function manifestsOfFile(crd: CrdFile): readonly Manifest[] {
  const manifests = known.get(crd.data) ?? readManifests(crd);
  known.set(crd.data, manifests);
  return manifests;
}

function readManifests(crd: CrdFile): readonly Manifest[] {
  const manifests = splitDocuments(decodeText(crd.data))
    .map((document) => parseManifest(document, crd.filename))
    .filter(hasObject);
  if (manifests.length > 0) return manifests;
  throw new TshelmError('crd-failed', {
    message: `failed to install CRD ${crd.name}: resources are empty`,
    details: { file: crd.filename },
  });
}

/** The objects of a chart's CRD files. Those that are not to be sent anyway may be wrong: a note says so. */
export function chartCrds({ crds }: PreparedChart, mode: CrdMode, context: Context): readonly Manifest[] {
  try {
    return crdManifests(crds);
  } catch (error) {
    if (mode !== 'skip') throw error;
    context.onEvent?.({ kind: 'note', text: `the chart's CRDs could not be read: ${messageOf(error)}` });
    return [];
  }
}

/** What the options say, or else what is usual for the action. */
export const crdModeOf = ({ crds, skipCrds }: ChartOptions, usual: CrdMode): CrdMode =>
  skipCrds ? 'skip' : (crds ?? usual);

/** The CRDs of a chart against those of the cluster. */
export interface CrdChange {
  /** What is to be sent. */
  readonly manifests: readonly Manifest[];
  /** Keys of those among them that are there already. */
  readonly existing: ReadonlySet<string>;
}

export const noCrds: CrdChange = { manifests: [], existing: new Set() };

/** What is asked of a chart's CRDs, and how much of the cluster counts. */
interface CrdRequest {
  readonly mode: CrdMode;
  readonly sight: ClusterKnowledge;
  readonly options: Pick<ChartOptions, 'crds' | 'skipCrds' | 'concurrency'>;
}

/**
 * Compares a chart's CRDs with the cluster's and says which will be sent. Those that differ, and will stay as they are,
 * are reported in one warning. Errors: `crd-upgrade-refused`, naming everything that an update would lose.
 */
export async function compareCrds(
  manifests: readonly Manifest[],
  request: CrdRequest,
  context: Context,
): Promise<CrdChange> {
  const { mode, sight } = request;
  if (manifests.length === 0) return noCrds;
  const live = sight === 'nothing' ? undefined : await liveCrds(manifests, request, context);
  if (live === undefined) return mode === 'skip' ? noCrds : { manifests, existing: new Set() };
  const liveOf = ({ object }: Manifest): KubernetesObject | undefined => live.get(object.metadata.name);
  const isStale = (manifest: Manifest): boolean => differencesOf(manifest, liveOf(manifest)).length > 0;
  const stale = manifests.filter((manifest) => isCrd(manifest.object) && isStale(manifest));
  const missing = manifests.filter((manifest) => !isCrd(manifest.object) || liveOf(manifest) === undefined);
  if (mode !== 'upgrade') {
    warnAboutSkippedCrds({ stale, missing, liveOf }, request, context);
    return mode === 'skip' ? noCrds : { manifests: missing, existing: new Set() };
  }
  refuseLosses(stale, liveOf);
  const sent = manifests.filter((manifest) => missing.includes(manifest) || stale.includes(manifest));
  return { manifests: sent, existing: new Set(stale.map(({ object }) => objectKey(idOf(object)))) };
}

type LiveOf = (manifest: Manifest) => KubernetesObject | undefined;

const differencesOf = ({ object }: Manifest, live: KubernetesObject | undefined): readonly string[] =>
  live === undefined ? [] : crdDifferences(object, live);

/** Says which CRDs are left as they are, or out: the second only where nobody asked for it. */
function warnAboutSkippedCrds(
  { stale, missing, liveOf }: { stale: readonly Manifest[]; missing: readonly Manifest[]; liveOf: LiveOf },
  { mode, options }: CrdRequest,
  context: Context,
): void {
  const isUnasked = mode === 'skip' && !options.skipCrds && options.crds === undefined;
  if (isUnasked && missing.length > 0) context.onEvent?.(remark('note', missingText(missing)));
  if (stale.length > 0) context.onEvent?.(remark('warning', staleText(stale, liveOf)));
}

/** Who may not read CRDs learns that they were not compared; to update them, they must be read. */
async function liveCrds(
  manifests: readonly Manifest[],
  { mode, options: { concurrency = defaultConcurrency } }: CrdRequest,
  context: Context,
): Promise<ReadonlyMap<string, KubernetesObject> | undefined> {
  const cluster = await context.cluster();
  const limit = createLimiter(concurrency);
  const crds = manifests.map(({ object }) => object).filter(isCrd);
  try {
    const found = await Promise.all(crds.map((crd) => limit(() => liveCrd(cluster, crd, context.signal))));
    return new Map(found.flatMap((crd) => (crd === undefined ? [] : [[crd.metadata.name, crd]])));
  } catch (error) {
    if (mode === 'upgrade' || !isApiError(error, 'Forbidden')) throw error;
    const text = `the chart's CRDs could not be compared with those of the cluster: ${messageOf(error)}`;
    context.onEvent?.({ kind: 'note', text });
    return undefined;
  }
}

async function liveCrd(
  cluster: Cluster,
  crd: KubernetesObject,
  signal: AbortSignal | undefined,
): Promise<KubernetesObject | undefined> {
  if ((await cluster.mapping(crd.apiVersion, crd.kind, { signal })) === undefined) return undefined;
  return cluster.get({ ...idOf(crd), namespace: '' }, { signal });
}

function staleText(stale: readonly Manifest[], liveOf: LiveOf): Sentence {
  const list = stale.map((manifest) => {
    const [first, ...others] = differencesOf(manifest, liveOf(manifest));
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${manifest.object.metadata.name} (${first}${more})`;
  });
  const update = { option: 'crds', value: 'upgrade' };
  return [`CRDs in the cluster differ from the chart's: ${list.join(', ')}; `, update, ' updates them'];
}

const missingText = (missing: readonly Manifest[]): Sentence => [
  `CRDs of the chart are missing from the cluster: ${missing.map(({ object }) => object.metadata.name).join(', ')}; `,
  { option: 'crds', value: 'create' },
  ' creates them',
];

function refuseLosses(stale: readonly Manifest[], liveOf: LiveOf): void {
  const losses = stale.flatMap((manifest) =>
    crdLosses(manifest.object, liveOf(manifest) as KubernetesObject).map(
      (loss) => `${manifest.object.metadata.name}: ${loss}`,
    ),
  );
  if (losses.length === 0) return;
  throw new TshelmError('crd-upgrade-refused', {
    message:
      `refused to upgrade CRDs because this would lose data or break clients:\n${losses.map((loss) => `  ${loss}\n`).join('')}` +
      'Migrate the stored objects and apply these CRDs yourself, or keep the current ones.',
    details: { losses, remedies: [{ kind: 'set-option', option: 'crds', value: 'create' }] },
  });
}

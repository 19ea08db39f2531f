import type { CrdFile } from '../../chart/types.ts';
import { isApiError } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/types.ts';
import { isCrd } from '../../execute/apply/targets.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import { executePlan } from '../../execute/execute.ts';
import { hasObject, parseManifest } from '../../manifest/parse.ts';
import { idOf, objectKey } from '../../manifest/resource-id.ts';
import { splitDocuments } from '../../manifest/split.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { crdDifferences, crdLosses } from '../../plan/crd-changes.ts';
import { planCrds } from '../../plan/plan.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { decodeText } from '../../support/text.ts';
import type { Context, PreparedChart } from '../context.ts';
import { type ChartOptions, type CrdMode, executionContext, isDryRun, strategyOf } from './deploy-options.ts';

/** The objects of the CRD files, in their order. Errors: `crd-failed` for a file without any, `invalid-manifest`. */
const crdManifests = (crds: readonly CrdFile[]): readonly Manifest[] => crds.flatMap(manifestsOfFile);

function manifestsOfFile(crd: CrdFile): readonly Manifest[] {
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

const noChange: CrdChange = { manifests: [], existing: new Set() };

/**
 * Compares a chart's CRDs with the cluster's and says which will be sent. Those that differ, and will stay as they are,
 * are told in one warning. Errors: `crd-upgrade-refused`, naming everything that an update would lose.
 */
export async function compareCrds(
  manifests: readonly Manifest[],
  mode: CrdMode,
  options: ChartOptions,
  context: Context,
): Promise<CrdChange> {
  if (manifests.length === 0) return noChange;
  if (options.dryRun === 'client') return mode === 'skip' ? noChange : { manifests, existing: new Set() };
  const live = await liveCrds(manifests, mode, options, context);
  if (live === undefined) return mode === 'skip' ? noChange : { manifests, existing: new Set() };
  const liveOf = ({ object }: Manifest): KubernetesObject | undefined => live.get(object.metadata.name);
  const isStale = (manifest: Manifest): boolean => differencesOf(manifest, liveOf(manifest)).length > 0;
  const stale = manifests.filter((manifest) => isCrd(manifest.object) && isStale(manifest));
  const missing = manifests.filter((manifest) => !isCrd(manifest.object) || liveOf(manifest) === undefined);
  if (mode !== 'upgrade') {
    const isUnasked = mode === 'skip' && !options.skipCrds && options.crds === undefined;
    if (isUnasked && missing.length > 0) context.onEvent?.({ kind: 'note', text: missingText(missing) });
    if (stale.length > 0) context.onEvent?.({ kind: 'warning', text: staleText(stale, liveOf) });
    return mode === 'skip' ? noChange : { manifests: missing, existing: new Set() };
  }
  refuseLosses(stale, liveOf);
  const sent = manifests.filter((manifest) => missing.includes(manifest) || stale.includes(manifest));
  return { manifests: sent, existing: new Set(stale.map(({ object }) => objectKey(idOf(object)))) };
}

type LiveOf = (manifest: Manifest) => KubernetesObject | undefined;

const differencesOf = ({ object }: Manifest, live: KubernetesObject | undefined): readonly string[] =>
  live === undefined ? [] : crdDifferences(object, live);

/** Who may not read CRDs learns that they were not compared; to update them, they must be read. */
async function liveCrds(
  manifests: readonly Manifest[],
  mode: CrdMode,
  { concurrency = defaultConcurrency }: ChartOptions,
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

function staleText(stale: readonly Manifest[], liveOf: LiveOf): string {
  const list = stale.map((manifest) => {
    const [first, ...others] = differencesOf(manifest, liveOf(manifest));
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${manifest.object.metadata.name} (${first}${more})`;
  });
  return `CRDs in the cluster differ from the chart's: ${list.join(', ')}; --crds=upgrade updates them`;
}

const missingText = (missing: readonly Manifest[]): string =>
  `CRDs of the chart that the cluster does not have: ${missing.map(({ object }) => object.metadata.name).join(', ')}; --crds=create creates them`;

function refuseLosses(stale: readonly Manifest[], liveOf: LiveOf): void {
  const losses = stale.flatMap((manifest) =>
    crdLosses(manifest.object, liveOf(manifest) as KubernetesObject).map(
      (loss) => `${manifest.object.metadata.name}: ${loss}`,
    ),
  );
  if (losses.length === 0) return;
  throw new TshelmError('crd-upgrade-refused', {
    message:
      `refused to upgrade CRDs, because this would lose data or break clients:\n${losses.map((loss) => `  ${loss}\n`).join('')}` +
      'Migrate what is stored and apply these CRDs yourself, or leave them as they are with --crds=create.',
    details: { losses },
  });
}

/** Sends CRDs and waits until their kinds are served. Errors: `crd-failed`. */
export async function installCrds(
  { manifests, existing }: CrdChange,
  target: { readonly release: string; readonly namespace: string; readonly applyMethod: 'ssa' | 'csa' },
  options: ChartOptions,
  context: Context,
): Promise<void> {
  if (isDryRun(options) || manifests.length === 0) return;
  const { applyMethod, ...where } = target;
  const plan = planCrds({ ...where, strategy: strategyOf(options), hooks: [], crds: manifests });
  await executePlan(plan, { ...(await executionContext(options, context)), applyMethod, existing });
}

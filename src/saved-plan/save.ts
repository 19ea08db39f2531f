import type { ReleaseOutline, ReleaseReview } from '../actions/comparison/review.ts';
import type { Context, DecidedChange } from '../change/context.ts';
import type { RenderAgain, Rendered } from '../change/rendering/render.ts';
import type { Chart } from '../chart/types.ts';
import type { ValueFlags, ValueOptions } from '../chart/value-options.ts';
import { writeJson } from '../go/json/json.ts';
import type { GoMap } from '../go/value.ts';
import type { Release } from '../release/types.ts';
import { tshelmVersion } from '../support/version.ts';
import { witnessesOf } from './cluster-identity.ts';
import { liveObjects, savedObjects } from './found.ts';
import { hiddenInDocument } from './hidden-parts.ts';
import { keptTexts } from './kept-values.ts';
import { proofOf, sha256 } from './proof.ts';
import { partsOf } from './rendered-parts.ts';
import { type Key, seal } from './seal.ts';
import { type Mask, maskOf } from './secrets.ts';
import { completeReview } from './shown-review.ts';
import { type PlanText, writePlan } from './steps.ts';
import type {
  LeftOut,
  SavedAction,
  SavedInputs,
  SavedMove,
  SavedPlan,
  SavedRelease,
  SavedRevision,
  SavedStack,
  SavedText,
  Sealed,
} from './types.ts';

/** A change that is decided, and what it was decided from. */
export interface ChangeToSave {
  readonly action: SavedAction;
  readonly name: string;
  /** What the action is called with. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly decided: DecidedChange;
  /** What was rendered for it; undefined where no chart was. */
  readonly rendered?: Rendered | undefined;
  /** The same chart and values once more. */
  readonly renderAgain?: RenderAgain | undefined;
  readonly chart?: GivenChart | undefined;
  readonly history: readonly Release[];
  readonly kubeContext?: string | undefined;
  /** In a stack. */
  readonly id?: string | undefined;
  readonly needs?: readonly string[] | undefined;
}

/** A chart and values as the user named them, and what they are. */
export interface GivenChart {
  readonly reference: string;
  readonly access: Readonly<Record<string, unknown>>;
  readonly chart: Chart;
  readonly given: ValueOptions;
  readonly values: GoMap;
  readonly postRenderer?: SavedInputs['postRenderer'];
}

export interface SaveOptions {
  /** What the change does, for people (actions/diff.ts, diffDecidedChange). */
  readonly review: ReleaseReview;
  /** With one, what was rendered is kept, encrypted. */
  readonly key?: Key | undefined;
  /** What is secret beside what the change itself tells, such as what sops decrypted. */
  readonly secrets?: ReadonlySet<string> | undefined;
  readonly context: Context;
}

/** What a file keeps of one change. Errors: `plan-of-other-cluster`, `plan-key`, those of a diff. */
export async function savedRelease(
  change: ChangeToSave,
  { review, key, secrets, context }: SaveOptions,
): Promise<SavedRelease> {
  const { action, options, decided, history, chart, rendered, id, kubeContext, needs = [] } = change;
  const { plan, release } = decided;
  const cluster = await context.cluster();
  const mask = maskOf(decided, {
    read: new Set([...(secrets ?? []), ...(context.secrets?.decrypted ?? [])]),
    words: context.secrets,
  });
  const { steps, texts } = writePlan(plan);
  const live = await liveObjects(decided, { cluster, signal: context.signal });
  const sealed = key && chart && rendered && (await seal(sealedText(chart, rendered), key));
  const saved = {
    action,
    name: release.name,
    namespace: release.namespace,
    id,
    kubeContext,
    needs,
    cluster: await witnessesOf(release.name, release.namespace, cluster),
    options: plainOptions(options),
    inputs: chart && savedInputs(chart, mask),
    history: history.slice(-keptRevisions).map(savedRevision),
    plan: steps,
    texts: await Promise.all(texts.map((text) => savedText(text, mask))),
    values: await proofOf(writeJson(release.config)),
    found: await savedObjects(live, mask),
    review: maskedReview(review, mask.text),
    sealed,
  };
  return { ...saved, review: completeReview(saved) };
}

/**
 * A warning where templates print something else each time: without a key nothing that was rendered is kept, and apply would
 * refuse the plan as out of date.
 */
export async function randomWarnings({ rendered, renderAgain }: ChangeToSave): Promise<readonly string[]> {
  if (rendered === undefined || renderAgain === undefined) return [];
  const [one, other] = [partsOf(rendered), partsOf(await renderAgain('same'))];
  const differing = one.filter(({ text }, index) => text !== other[index]?.text);
  const templates = [...new Set(differing.map(({ source }) => source))];
  if (templates.length === 0) return [];
  return [
    `${templates.join(', ')} ${templates.length === 1 ? 'renders' : 'render'} something different each time (randAlphaNum, genCA, now, …), so apply will refuse this plan as out of date; save it encrypted to keep the rendered manifests in the plan`,
  ];
}

const keptRevisions = 10;

export const savedRevision = ({ version, info }: Release): SavedRevision => ({
  revision: version,
  status: info.status,
});

/** The whole of a file. */
export const savedPlan = (
  releases: readonly SavedRelease[],
  { now, createdBy, expiresInMs, stack, move }: SavedFacts,
): SavedPlan => ({
  tshelm: tshelmVersion,
  createdAt: now.toISOString(),
  createdBy,
  expiresAt: new Date(now.getTime() + expiresInMs).toISOString(),
  releases,
  ...(stack === undefined ? {} : { stack }),
  ...(move === undefined ? {} : { move }),
});

/** What a file says of itself. */
interface SavedFacts {
  readonly now: Date;
  readonly createdBy: string;
  readonly expiresInMs: number;
  readonly stack?: SavedStack | undefined;
  readonly move?: SavedMove | undefined;
}

/** What a file can hold, and what belongs to the run alone is not among it. */
function plainOptions({ dryRun: _dryRun, ...options }: Readonly<Record<string, unknown>>): SavedRelease['options'] {
  return JSON.parse(JSON.stringify(options)) as SavedRelease['options'];
}

async function savedText({ source, text }: PlanText, mask: Mask): Promise<SavedText> {
  const shown = mask.document(text, source);
  if (shown === text) return { source, text };
  return { source, text: shown, proof: await proofOf(text, hiddenInDocument(shown, text, source)) };
}

const credentials = ['password', 'username'];

export function savedInputs(
  { reference, access, chart, given, postRenderer }: GivenChart,
  mask: Pick<Mask, 'text'>,
): SavedInputs {
  const { base: _base, ...flags } = given;
  const entries = Object.entries(flags) as [keyof ValueFlags, readonly string[] | undefined][];
  const isOpen = (text: unknown): boolean => typeof text !== 'string' || mask.text(text) === text;
  const texts = entries.map(([option, all = []]) => [option, keptTexts(option, all, mask.text)] as const);
  const leftOut: readonly LeftOut[] = texts.flatMap(([, one]) => one.leftOut);
  return {
    reference: mask.text(chart.pinnedUrl ?? reference),
    chart: chart.metadata.name,
    version: chart.metadata.version,
    ...(chart.signature && { signature: chart.signature }),
    access: Object.fromEntries(
      Object.entries(access).filter(([name, value]) => !credentials.includes(name) && isOpen(value)),
    ),
    files: chartDigests(chart),
    values: Object.fromEntries(texts.map(([option, { kept }]) => [option, kept])),
    leftOut: isOpen(access['repoUrl']) ? leftOut : [...leftOut, { option: 'repoUrl' }],
    postRenderer: postRenderer && { command: postRenderer.command, args: postRenderer.args.map(mask.text) },
  };
}

/** SHA-256 of each file of a chart and of its subcharts. */
export function chartDigests(chart: Chart, prefix = ''): SavedInputs['files'] {
  const own = chart.raw.map(({ name, data }): [string, string] => [`${prefix}${name}`, sha256(data)]);
  const inside = chart.dependencies.map((one) => chartDigests(one, `${prefix}charts/${one.metadata.name}/`));
  return Object.assign(Object.fromEntries(own), ...inside) as SavedInputs['files'];
}

function sealedText({ values }: GivenChart, { manifests, hooks, notes, warnings }: Rendered): string {
  const texts = manifests.map(({ source, text }) => ({ source, text }));
  const sealed: Sealed = { values: writeJson(values), manifests: texts, hooks, notes, warnings };
  return JSON.stringify(sealed);
}

/** The same data with all of its texts masked. */
export function maskedReview<R extends ReleaseOutline>(review: R, mask: (text: string) => string): R {
  const shown = (_key: string, value: unknown): unknown => (typeof value === 'string' ? mask(value) : value);
  return JSON.parse(JSON.stringify(review, shown)) as R;
}

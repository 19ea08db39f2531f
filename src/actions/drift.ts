import type { Context } from '../change/context.ts';
import { learnFromObjects, learnFromRecordedTemplates, learnFromReleases } from '../change/learn-secrets.ts';
import { rememberedRules } from '../change/record/remembered-fields.ts';
import { ownershipProblem } from '../execute/apply/ownership.ts';
import { inServedVersions } from '../execute/apply/targets.ts';
import { type Preview, previewApply } from '../execute/preview/preview.ts';
import { quantityOf } from '../go/quantity.ts';
import { annotations, managedByLabel } from '../manifest/annotations.ts';
import { type FieldDifference, fieldDifferences } from '../manifest/field-differences.ts';
import { type FieldRule, isOfManagers, isWithin, readFieldRules, rulesOf } from '../manifest/field-rules.ts';
import { type FieldWriter, writersOf } from '../manifest/field-writers.ts';
import { maskField } from '../manifest/mask-secrets.ts';
import { idOf, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../manifest/types.ts';
import { withoutServerState } from '../manifest/without-server-state.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import { deployedRevision, lastRevision } from '../release/history.ts';
import type { Release } from '../release/types.ts';
import { lastOfEach } from '../support/group-by.ts';
import { compareText } from '../support/order.ts';
import { SecretWords } from '../support/secret-words.ts';
import { type Autoscaler, findAutoscalers } from './comparison/autoscalers.ts';
import { findRelease } from './find-release.ts';
import type { DriftOptions } from './options/readings.ts';

/** A field that the chart sets and that has another value now; undefined where it is gone. */
export interface FieldDrift {
  readonly path: string;
  readonly recorded: unknown;
  readonly live: unknown;
  /** Who wrote the value that it has now; [] when the server does not tell, as for what is gone. */
  readonly writers: readonly FieldWriter[];
  /** Why the difference is expected: it then does not count as drift. */
  readonly explanation?: string | undefined;
}

export interface ObjectDrift {
  readonly id: ResourceId;
  /** `foreign`: it does not belong to the release (any more). */
  readonly state: 'missing' | 'foreign' | 'changed' | 'unknown';
  /** Of what has changed; [] of what is missing. */
  readonly fields: readonly FieldDrift[];
  /** How it is missing, whom it belongs to, or why nothing is known. */
  readonly reason?: string | undefined;
  /** For an object: as of a field. */
  readonly explanation?: string | undefined;
  /** Why the server refuses to have it as the revision says. */
  readonly refused?: string | undefined;
  readonly notes: readonly string[];
}

export interface ReleaseDrift {
  readonly release: string;
  readonly namespace: string;
  readonly revision: number;
  /** Whether anything has drifted that nothing explains. */
  readonly isDrifted: boolean;
  /** How many objects the release has. */
  readonly compared: number;
  /** Those that have drifted or have notes, by namespace, kind and name. */
  readonly objects: readonly ObjectDrift[];
}

/**
 * What in the cluster is not as a revision's manifest says. Each object is sent once more as a dry run that takes every
 * conflict: what that would change back has drifted; what the server defaults, and fields that the chart does not set,
 * are none of it. Hooks are left out. Errors: `release-not-found`.
 */
export const drift = async (options: DriftOptions, context: Context): Promise<ReleaseDrift> =>
  (await compareWithRecord(options, context)).found;

/** What has drifted, and what it was compared with. */
export interface ComparedRelease {
  readonly found: ReleaseDrift;
  readonly release: Release;
  readonly history: readonly Release[];
  /** An object each, in the versions that are served. */
  readonly manifests: readonly Manifest[];
  readonly rules: readonly FieldRule[];
}

/** The same with what it was found by. */
export async function compareWithRecord(options: DriftOptions, context: Context): Promise<ComparedRelease> {
  const { release, history } = await revisionOf(options, context);
  const rules = [
    ...rememberedRules(history),
    ...readFieldRules(options.ignore ?? [], { otherwise: 'ignore', place: 'ignore' }),
  ];
  const cluster = await context.cluster();
  const owner = { release: release.name, namespace: release.namespace };
  const recorded = readStoredManifest(release.manifest).filter(({ object }) => object.metadata.name !== '');
  const where = { cluster, namespace: release.namespace, signal: context.signal };
  // What is rendered twice is as the last one says.
  const manifests = lastOfEach(await inServedVersions(recorded, where), ({ object }) =>
    objectKey(idOf(object, release.namespace)),
  );
  const { concurrency } = options;
  const previews = await previewApply(manifests, {
    cluster,
    owner,
    applyMethod: release.applyMethod ?? 'csa',
    forceConflicts: true,
    takeOwnership: true,
    fieldValidation: 'Ignore',
    concurrency,
    signal: context.signal,
  });
  const scaled = previews.filter((preview) => differencesOf(preview).some(isReplicas)).map(({ id }) => id.namespace);
  const autoscalers = await findAutoscalers(cluster, scaled, context.signal);
  const { showSecrets } = options;
  const { secrets = new SecretWords() } = context;
  if (!showSecrets) {
    learnFromReleases([release], secrets);
    learnFromRecordedTemplates(release, secrets);
    learnFromObjects(
      previews.map(({ live }) => live),
      secrets,
    );
  }
  const objects = previews.flatMap((preview) =>
    driftOf(preview, owner, { autoscalers, rules: rulesOf(preview.id, rules) }, { showSecrets, secrets }),
  );
  const found = {
    release: release.name,
    namespace: release.namespace,
    revision: release.version,
    isDrifted: hasDrift(objects),
    compared: previews.length,
    objects: objects.sort((a, b) => compareText(sortKey(a), sortKey(b))),
  };
  return { found, release, history, manifests, rules };
}

/** Whether anything has drifted that nothing explains. */
const hasDrift = (objects: readonly ObjectDrift[]): boolean =>
  objects.some(
    ({ state, fields, explanation }) =>
      explanation === undefined && (state !== 'changed' || fields.some((field) => field.explanation === undefined)),
  );

/** What the cluster is compared with, and the revisions that are there. */
async function revisionOf(
  { name, revision }: DriftOptions,
  context: Context,
): Promise<{ readonly release: Release; readonly history: readonly Release[] }> {
  const history = await (await context.storage()).revisions(name);
  if (history.length === 0 || (revision !== undefined && revision > 0))
    return { release: await findRelease(name, revision, context), history };
  return { release: deployedRevision(history) ?? lastRevision(name, history), history };
}

const sortKey = ({ id }: ObjectDrift): string => [id.namespace, id.kind, id.name].join('\0');

/** What explains differences: autoscalers, and the rules for the fields of an object. */
interface Expected {
  readonly autoscalers: readonly Autoscaler[];
  readonly rules: readonly FieldRule[];
}

interface ShownFields {
  readonly showSecrets: boolean | undefined;
  readonly secrets: SecretWords;
}

function driftOf(
  preview: Preview,
  owner: { readonly release: string; readonly namespace: string },
  expected: Expected,
  options: ShownFields,
): readonly ObjectDrift[] {
  const { id, live, result, notes, problem, refusal } = preview;
  if (live === undefined) {
    const state = problem === undefined || refusal !== undefined ? 'missing' : 'unknown';
    const reason = problem ?? (preview.isGoing && 'it is being deleted');
    return [{ id, state, fields: [], reason, explanation: whyMissing(result), refused: problem, notes: [] }];
  }
  const fields = differencesOf(preview).map((field) => fieldDrift(field, { id, live, ...expected }, options));
  const foreign = ownershipProblem(live, owner);
  if (foreign !== undefined) {
    return [
      { id, state: 'foreign', fields: fields.filter(({ path }) => !ownershipPaths.has(path)), reason: foreign, notes },
    ];
  }
  if (fields.length > 0)
    return [
      { id, state: 'changed', fields, refused: problem, notes: problem === undefined ? notes : [...notes, problem] },
    ];
  return problem === undefined ? [] : [{ id, state: 'unknown', fields, reason: problem, notes }];
}

const ownershipPaths = new Set([
  `metadata.labels["${managedByLabel}"]`,
  `metadata.annotations["${annotations.releaseName}"]`,
  `metadata.annotations["${annotations.releaseNamespace}"]`,
]);

function whyMissing({ kind, spec }: KubernetesObject): string | undefined {
  const seconds =
    kind === 'Job' ? (spec as { ttlSecondsAfterFinished?: number } | undefined)?.ttlSecondsAfterFinished : undefined;
  return seconds === undefined ? undefined : `finished Jobs are deleted after ${seconds} s (ttlSecondsAfterFinished)`;
}

/** Before: as it is now; after: as the chart sets it. */
function differencesOf({ live, result, notes }: Preview): readonly FieldDifference[] {
  if (live === undefined) return [];
  const found = fieldDifferences(withoutServerState(live), withoutServerState(result));
  // Where the server has not said what it makes of the manifest, its usual way of writing things counts for nothing.
  return notes.length === 0 ? found : found.filter((field) => !isEquivalent(field));
}

function isEquivalent({ before, after }: FieldDifference): boolean {
  if (before === undefined) return isEmpty(after);
  const quantity = quantityOf(before);
  return quantity !== undefined && quantity === quantityOf(after);
}

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const isReplicas = ({ path }: FieldDifference): boolean => path === 'spec.replicas';

function fieldDrift(
  field: FieldDifference,
  { id, live, ...expected }: { readonly id: ResourceId; readonly live: KubernetesObject } & Expected,
  { showSecrets, secrets }: ShownFields,
): FieldDrift {
  const place = { kind: id.kind, parts: field.parts };
  const writers = writersOf(live, field.parts);
  const shown = (value: unknown): unknown => (showSecrets ? value : maskField(place, value, secrets));
  return {
    path: field.path,
    recorded: shown(field.after),
    live: shown(field.before),
    writers,
    explanation:
      whyLeft(field, writers, expected.rules) ?? (isReplicas(field) ? whyScaled(id, expected.autoscalers) : undefined),
  };
}

/** The last rule for a field decides; what is left to others, or ignored, is expected to change. */
function whyLeft(
  { parts }: FieldDifference,
  writers: readonly FieldWriter[],
  rules: readonly FieldRule[],
): string | undefined {
  const managers = writers.map(({ manager }) => manager);
  const rule = rules.findLast((one) => isWithin(parts, one.path) && isOfManagers(managers, one));
  switch (rule?.action) {
    case 'leave':
      return `left to others (${rule.text})`;
    case 'ignore':
      return `ignored (${rule.text})`;
    default:
      return undefined;
  }
}

function whyScaled(id: ResourceId, autoscalers: readonly Autoscaler[]): string | undefined {
  const autoscaler = autoscalers.find(
    ({ namespace, kind, target }) => namespace === id.namespace && kind === id.kind && target === id.name,
  );
  if (autoscaler === undefined) return undefined;
  const { name, min, max } = autoscaler;
  return `HorizontalPodAutoscaler/${name} scales it between ${min} and ${max}; an upgrade resets it unless the chart leaves out spec.replicas`;
}

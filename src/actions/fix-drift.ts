import type { Context } from '../change/context.ts';
import { noCrds } from '../change/deploy/crds.ts';
import type { Rendered } from '../change/phases.ts';
import { withLock } from '../change/record/with-lock.ts';
import { runPhases } from '../change/run-phases.ts';
import { type FieldRule, readPath } from '../manifest/field-rules.ts';
import { groupOf, objectKey } from '../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../manifest/types.ts';
import type { Plan } from '../plan/types.ts';
import type { Release } from '../release/types.ts';
import { unreachable } from '../support/errors.ts';
import { type ComparedRelease, compareWithRecord, type ObjectDrift } from './drift.ts';
import type { FixOptions } from './options/readings.ts';

export interface FixResult {
  /** The revision whose state is brought back; none is added. */
  readonly release: Release;
  readonly plan: Plan;
  /** What has drifted and is not brought back, with the reason. */
  readonly warnings: readonly string[];
}

/**
 * Brings objects that have drifted back to what their revision says, each with one request: fields that others have changed
 * are taken over, and missing objects are created. Fields whose change is explained, and objects that belong to somebody
 * else, stay as they are. No revision is added, since the release says the same as before, and no hooks run.
 * Errors: `release-not-found`, those of sending.
 */
export async function fixDrift(options: FixOptions, context: Context): Promise<FixResult> {
  const { dryRun, ...others } = options;
  if (dryRun !== undefined && dryRun !== 'none')
    return fixed(fixChange(await compareWithRecord(options, context), options, 'decided'), context);
  return withLock('fix', others, context, async (locked) =>
    fixed(fixChange(await compareWithRecord(options, locked), options, 'finished'), locked),
  );
}

async function fixed(change: Rendered, context: Context): Promise<FixResult> {
  const outcome = await runPhases(change, context);
  const { release, plan } = outcome;
  switch (outcome.kind) {
    case 'shown':
    case 'done':
      return { release, plan, warnings: plan.warnings };
    case 'stopped':
      throw outcome.error;
    default:
      return unreachable(outcome);
  }
}

/** Only what has drifted is sent, by rules that leave what is explained. */
function fixChange(
  { found, release, history, manifests, rules }: ComparedRelease,
  { name, ...options }: FixOptions,
  lastPhase: Rendered['lastPhase'],
): Rendered {
  const drifted = sentOf(found.objects);
  const isMeant = ({ object }: Manifest): boolean =>
    drifted.some(({ id }) => isObjectOf(object, id, release.namespace));
  const { sequencing: _order, operation: _run, ...plain } = release;
  return {
    action: 'fix',
    plannedAs: 'fix',
    options: { name, concurrency: options.concurrency },
    lastPhase,
    sight: 'served',
    namespace: release.namespace,
    history,
    replaced: release,
    release: plain,
    recordedAs: undefined,
    manifests: manifests.filter(isMeant),
    hooks: [],
    order: { strategy: 'hookOnly', warnings: [] },
    crds: noCrds,
    isWeighed: false,
    warnings: found.objects.filter((one) => !drifted.includes(one)).flatMap(unfixed),
    execution: {
      applyMethod: release.applyMethod ?? 'csa',
      fieldValidation: 'Ignore',
      forceConflicts: true,
      fieldRules: [...rules.map(asLeft), ...drifted.flatMap(explainedFields)],
      existing: new Set(drifted.filter(({ state }) => state === 'changed').map(({ id }) => objectKey(id))),
      originals: new Map(
        drifted.flatMap(({ id }) => {
          const own = manifests.find(({ object }) => isObjectOf(object, id, release.namespace));
          return own === undefined ? [] : [[objectKey(id), own.object] as const];
        }),
      ),
    },
  };
}

const isFixed = ({ state, explanation, fields }: ObjectDrift): boolean =>
  (state === 'missing' && explanation === undefined) ||
  (state === 'changed' && fields.some((field) => field.explanation === undefined));

/** What the server refuses keeps the others from nothing; where it refuses all, that is reported as of any change. */
function sentOf(objects: readonly ObjectDrift[]): readonly ObjectDrift[] {
  const drifted = objects.filter(isFixed);
  const accepted = drifted.filter(({ refused }) => refused === undefined);
  return accepted.length > 0 ? accepted : drifted;
}

/** What differs and is not sent: it is somebody else's, could not be compared, or is refused. */
function unfixed(one: ObjectDrift): readonly string[] {
  const { id, state, reason, refused } = one;
  const why = state === 'foreign' || state === 'unknown' ? reason : isFixed(one) ? refused : undefined;
  return why === undefined ? [] : [`${id.kind}/${id.name} is not brought back: ${why}`];
}

const isObjectOf = ({ apiVersion, kind, metadata }: KubernetesObject, id: ResourceId, namespace: string): boolean =>
  kind === id.kind &&
  metadata.name === id.name &&
  groupOf(apiVersion) === groupOf(id.apiVersion) &&
  (id.namespace === '' || (metadata.namespace || namespace) === id.namespace);

/** What drift ignores stays; what must not be taken from others in an upgrade is what a fix is about. */
const asLeft = (rule: FieldRule): FieldRule => ({
  ...rule,
  action: rule.action === 'leave' || rule.action === 'ignore' ? 'leave' : 'take',
});

const explainedFields = ({ id, fields }: ObjectDrift): readonly FieldRule[] =>
  fields.flatMap(({ path, explanation }) => {
    const steps = explanation === undefined ? undefined : readPath(path);
    if (steps === undefined) return [];
    const text = `${id.kind}/${id.name}:${path}=leave`;
    return [{ text, namespace: id.namespace, kind: id.kind, name: id.name, path: steps, action: 'leave' }];
  });

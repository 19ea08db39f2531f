import type { Chart } from '../../chart/types.ts';
import { planInstall, planUpgrade } from '../../plan/plan.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import type { Plan } from '../../plan/types.ts';
import { releaseNotFound } from '../../release/record.ts';
import type { OperationRecord, Release } from '../../release/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { formatTime } from '../../support/time.ts';
import type { GoMap } from '../../support/value.ts';
import type { Context } from '../context.ts';
import { type DeployOptions, strategyOf } from '../deploy/deploy-options.ts';
import { hookModesOf } from '../deploy/hook-modes.ts';
import { storedOrder } from '../deploy/order.ts';
import { leftBehind } from './dead-runs.ts';
import { inputsOf } from './inputs.ts';
import { operationRecord } from './with-lock.ts';

/** The rest of an install or upgrade that did not come to its end. */
export interface Resumption {
  /** A new revision with what the failed one was to bring: nothing is rendered again. */
  readonly release: Release;
  readonly plan: Plan;
  /** What the failed revision has finished already. */
  readonly done: ReadonlySet<string>;
}

type ResumeOptions = DeployOptions & {
  readonly name: string;
  readonly rollbackOnFailure?: boolean | undefined;
};

/**
 * What is left to do of the last revision, which failed. `current` is what it was to replace; `values` are the user's, with
 * those that are reused. Errors: `release-not-found`, `nothing-to-resume`, `cannot-resume` when chart or values are others.
 */
export function resumption(
  { chart, values }: { readonly chart: Chart; readonly values: GoMap },
  { history, current }: { readonly history: readonly Release[]; readonly current: Release },
  options: ResumeOptions,
  context: Context,
): Resumption {
  const last = lastFailed(options.name, history);
  refuseOtherInputs(last, last.operation, chart, values);
  const { operation } = last;
  const order = storedOrder(last, history, options.wait, strategyOf(options));
  const isInstall = operation.action === 'install';
  const release: Release = {
    ...last,
    version: last.version + 1,
    info: {
      ...last.info,
      lastDeployed: formatTime(context.clock.now()),
      status: isInstall ? 'pending-install' : 'pending-upgrade',
      description: `Resuming revision ${last.version}`,
    },
    operation: { ...operation, ...operationRecord(options, context) },
  };
  const input = {
    release: release.name,
    namespace: release.namespace,
    strategy: order.strategy,
    unit: order.unit,
    manifests: readStoredManifest(release.manifest),
    leftBehind: leftBehind(history),
    hooks: release.hooks,
    runHooks: !options.noHooks,
    hookModeOf: hookModesOf(chart),
    warnings: [],
  };
  const plan = isInstall
    ? planInstall(input)
    : planUpgrade({
        ...input,
        current: readStoredManifest(current.manifest),
        currentUnit: order.unit && storedOrder(current, history, 'ordered').unit,
      });
  return { release, plan, done: new Set(operation.done) };
}

type Resumable = Release & {
  readonly operation: OperationRecord & { readonly inputs: NonNullable<OperationRecord['inputs']> };
};

function lastFailed(name: string, history: readonly Release[]): Resumable {
  const last = history.at(-1);
  if (last === undefined) throw releaseNotFound(name);
  if (isResumable(last)) return last;
  const { version, info } = last;
  const why =
    info.status === 'failed'
      ? 'it failed, but does not say how far it had come: tshelm did not write it, or it was no install or upgrade'
      : `its status is ${info.status}`;
  throw new TshelmError('nothing-to-resume', {
    message: `release "${name}" has nothing to resume: its last revision is ${version}, and ${why}; upgrade without --resume`,
    details: { release: name, revision: version, status: info.status },
  });
}

const isResumable = (release: Release): release is Resumable =>
  release.info.status === 'failed' && release.operation?.inputs !== undefined;

function refuseOtherInputs(last: Release, { inputs }: OperationRecord, chart: Chart, values: GoMap): void {
  const now = inputsOf(chart, values);
  const others = (['chart', 'values'] as const).filter((name) => now[name] !== inputs?.[name]);
  if (others.length === 0) return;
  throw new TshelmError('cannot-resume', {
    message:
      `revision ${last.version} of release "${last.name}" cannot be resumed: the ${others.join(' and the ')} ` +
      `${others.includes('values') ? 'are' : 'is'} not the same; give those that it was started with, or upgrade without --resume`,
    details: { release: last.name, revision: last.version, differ: others },
  });
}

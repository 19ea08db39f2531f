import { differingKeys } from '../chart/differing-keys.ts';
import type { Chart } from '../chart/types.ts';
import type { GoMap } from '../go/value.ts';
import { hookModesOf } from '../plan/hook-modes.ts';
import { readStoredManifest } from '../plan/stored-manifest.ts';
import { storedOrder } from '../plan/stored-order.ts';
import { releaseNotFound } from '../release/record.ts';
import type { OperationRecord, Release } from '../release/types.ts';
import { TshelmError } from '../support/errors.ts';
import { formatTime } from '../support/time.ts';
import { keysText } from '../words/value.ts';
import type { Context } from './context.ts';
import { noCrds } from './deploy/crds.ts';
import { strategyOf } from './deploy/deploy-options.ts';
import type { Opened, Rendered } from './phases.ts';
import { inputsOf } from './record/inputs.ts';
import { rememberingFields } from './record/remembered-fields.ts';
import { operationRecord } from './record/with-lock.ts';

/** An upgrade with --resume, opened; `replaced` is what the failed revision was to replace. */
export interface ResumeOpened extends Opened {
  readonly action: 'upgrade';
  readonly chart: Chart;
  /** The user's, with those that are reused. */
  readonly values: GoMap;
  readonly replaced: Release;
}

/**
 * What is left to do of the last revision, which failed, as a new one: nothing is rendered again, and what is finished is
 * passed over. Errors: `release-not-found`, `nothing-to-resume`, `cannot-resume` when chart or values are others.
 */
export function resumeRelease(opened: ResumeOpened, context: Context): Rendered {
  const { options, history, chart, values } = opened;
  const last = lastFailed(options.name, history);
  refuseOtherInputs(last, last.operation, chart, values);
  const { operation } = last;
  const done = new Set(operation.done);
  const isInstall = operation.action === 'install';
  const status = isInstall ? 'pending-install' : 'pending-upgrade';
  const release: Release = {
    ...rememberingFields(last, options.takeFields, history),
    version: last.version + 1,
    info: {
      ...last.info,
      lastDeployed: formatTime(context.clock.now()),
      status,
      description: `Resuming revision ${last.version}`,
    },
    operation: { ...operation, ...operationRecord(options, context) },
  };
  return {
    ...opened,
    namespace: release.namespace,
    plannedAs: isInstall ? 'install' : 'upgrade',
    release,
    recordedAs: status,
    manifests: readStoredManifest(release.manifest),
    hooks: release.hooks,
    order: storedOrder(last, history, options.wait, strategyOf(options)),
    hookModeOf: hookModesOf(chart),
    crds: noCrds,
    warnings: [],
    isWeighed: false,
    done,
    note: `revision ${release.version} continues where revision ${last.version} failed; already finished: ${done.size}`,
  };
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
      ? 'it failed, but does not record how far it got: tshelm did not write it, or it was not an install or upgrade'
      : `its status is ${info.status}`;
  throw new TshelmError('nothing-to-resume', {
    message: `release "${name}" has nothing to resume: its last revision is ${version}, and ${why}; upgrade without resuming`,
    details: { release: name, revision: version, status: info.status },
  });
}

const isResumable = (release: Release): release is Resumable =>
  release.info.status === 'failed' && release.operation?.inputs !== undefined;

function refuseOtherInputs(last: Release, { inputs }: OperationRecord, chart: Chart, values: GoMap): void {
  const now = inputsOf(chart, values);
  const others = (['chart', 'values'] as const).filter((name) => now[name] !== inputs?.[name]);
  if (others.length === 0) return;
  const keys = others.includes('values') ? differingKeys(last.config, values).map(keysText) : [];
  throw new TshelmError('cannot-resume', {
    message:
      `revision ${last.version} of release "${last.name}" cannot be resumed: the ${others.join(' and the ')} ` +
      `${others.includes('values') ? 'are' : 'is'} not the same as in that revision${shownKeys(keys)}; use the same as before, or upgrade without resuming`,
    details: { release: last.name, revision: last.version, differ: others, keys },
  });
}

const mostKeys = 10;

function shownKeys(keys: readonly string[]): string {
  if (keys.length === 0) return '';
  const more = keys.length > mostKeys ? ` and ${keys.length - mostKeys} more` : '';
  return ` (${keys.slice(0, mostKeys).join(', ')}${more})`;
}

import { type ChartOptions, chartFlags } from '../../change/deploy/deploy-options.ts';
import { type LockOptions, lockFlags } from '../../change/lock-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';

interface MovingOptions extends LockOptions {
  /** Changes nothing; the result says what would be done. Default false. */
  readonly dryRun?: boolean | undefined;
}

interface ToOtherRelease extends MovingOptions {
  readonly name: string;
  /** The release that the objects belong to afterwards. */
  readonly to: string;
  /** The namespace of that release. Default: the one of the release that the objects come from. */
  readonly toNamespace?: string | undefined;
  /** A release, or objects, that do not exist are no error: there is nothing to move then. Default false. */
  readonly ignoreNotFound?: boolean | undefined;
  /** Creates the namespace of that release if it does not exist. Default false. */
  readonly createNamespace?: boolean | undefined;
}

export interface MoveOptions extends ToOtherRelease {
  /** `KIND/NAME`, or `KIND.GROUP/NAME`, or `NAMESPACE/KIND/NAME`. */
  readonly objects: readonly string[];
}

export interface RenameOptions extends ToOtherRelease {}

export interface AdoptOptions extends MovingOptions, Pick<ChartOptions, 'skipSchemaValidation'> {
  readonly name: string;
  /** As of {@link MoveOptions}. */
  readonly objects: readonly string[];
  /** Adopts objects of other releases too. Default false. */
  readonly takeOwnership?: boolean | undefined;
}

const dryRun = {
  'dry-run': { type: 'bool', option: 'dryRun', description: 'print what would be changed, and change nothing' },
} satisfies FlagRows<MovingOptions>;

const toOtherRelease = {
  'to-namespace': {
    type: 'string',
    option: 'toNamespace',
    description: 'the namespace of that release (default: the namespace of RELEASE)',
  },
  'create-namespace': {
    type: 'bool',
    option: 'createNamespace',
    description: 'create the namespace of that release if it does not exist',
  },
  'ignore-not-found': {
    type: 'bool',
    option: 'ignoreNotFound',
    description: 'exit with code 0 if there is nothing to move, because it has been moved before or does not exist',
  },
} satisfies FlagRows<ToOtherRelease>;

/** The flags that are a move's options. */
export const moveFlags = {
  to: { type: 'string', option: 'to', description: 'the release to move the objects to' },
  ...toOtherRelease,
  ...dryRun,
  ...lockFlags,
} satisfies FlagRows<MoveOptions>;

/** The flags that are a rename's options. */
export const renameFlags = { ...toOtherRelease, ...dryRun, ...lockFlags } satisfies FlagRows<RenameOptions>;

/** The flags that are an adoption's options. */
export const adoptFlags = {
  ...dryRun,
  ...lockFlags,
  'skip-schema-validation': chartFlags['skip-schema-validation'],
  'take-ownership': {
    type: 'bool',
    option: 'takeOwnership',
    description: 'adopt the objects even if they belong to another release',
  },
} satisfies FlagRows<AdoptOptions>;

import type { NameOptions } from '../../actions/name-and-chart.ts';
import { chartFlags, type recordFlags } from '../../change/deploy/deploy-options.ts';
import { boolOf, type FlagRows, type FlagSpec, type FlagsOf } from '../../change/option-rows.ts';
import type { WaitMode } from '../../plan/types.ts';
import { TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';
import type { Io } from '../terminal/io.ts';
import type { DryRunMode } from './flags.ts';

export const postRendererFlags = {
  'post-renderer': {
    type: 'string',
    once: 'cannot specify --post-renderer flag more than once',
    description:
      'the name of a post-renderer plugin, or an executable that reads the rendered manifests from standard input and prints the manifests to deploy',
  },
  'post-renderer-args': { type: 'stringArray', description: 'an argument to the post-renderer (can specify multiple)' },
} satisfies Record<string, FlagSpec>;

/** Where a release's name comes from when it is no argument. */
export const nameFlags = {
  'generate-name': {
    type: 'bool',
    option: 'generateName',
    short: 'g',
    description: 'generate the name (and omit the NAME parameter)',
  },
  'name-template': {
    type: 'string',
    option: 'nameTemplate',
    description: 'specify template used to name the release',
  },
} satisfies FlagRows<NameOptions>;

/** What flags say together that they cannot say together. Errors: `bad-flag`. */
export function refuseContradictions(flags: ContradictingFlags): void {
  refuseBothForces(flags);
  const { timeout = 0, readinessTimeout, skipCrds, crds } = flags;
  if (readinessTimeout !== undefined && timeout > 0 && readinessTimeout > timeout)
    throw badFlag('--readiness-timeout must not be above --timeout, which limits every wait; raise --timeout too');
  if (skipCrds && crds !== undefined && crds !== 'skip')
    throw badFlag(`--skip-crds and --crds=${crds} cannot be used together`);
}

/** Health checks are for waits that ask them. Errors: `bad-flag`. */
export function refuseIdleHealth(health: string | undefined, wait: WaitMode | undefined): void {
  if (health === undefined || (wait !== 'hookOnly' && wait !== 'legacy')) return;
  throw badFlag('--health needs --wait or --wait=ordered: without them nothing is judged by its checks');
}

type ContradictingFlags = Partial<
  Pick<
    FlagsOf<typeof chartFlags & typeof recordFlags>,
    'crds' | 'force' | 'forceConflicts' | 'forceReplace' | 'readinessTimeout' | 'skipCrds' | 'timeout'
  >
>;

function refuseBothForces({ force, forceReplace, forceConflicts }: ContradictingFlags): void {
  if (!forceConflicts || !(force || forceReplace)) return;
  const name = forceReplace ? 'force-replace' : 'force';
  const given = [name, 'force-conflicts'].sort(compareText).join(' ');
  throw badFlag(
    `if any flags in the group [${name} force-conflicts] are set none of the others can be; [${given}] were all set`,
  );
}

const badFlag = (message: string): TshelmError => new TshelmError('bad-flag', { message });

/** Helm's reading of --dry-run: alone and as a boolean it is deprecated, and says so. Follows cmdGetDryRunFlagStrategy. */
export function dryRunMode(text: string, io: Io, { isTemplate = false } = {}): DryRunMode {
  const warn = (message: string): void => io.stderr.write(`level=WARN msg=${JSON.stringify(message)}\n`);
  if (text === 'unset') {
    warn("--dry-run is deprecated and should be replaced with '--dry-run=client'");
    return 'client';
  }
  if (text === 'client' || text === 'server') return text;
  const isTrue = boolOf(text) === true;
  const isFalse = boolOf(text) === false;
  if (isTemplate && (isFalse || text === 'none')) throw invalidDryRun(text, 'Must be "server" or "client"');
  if (text === 'none') return 'none';
  if (!isTrue && !isFalse) throw invalidDryRun(text, 'Must be "none", "server", or "client"');
  const mode = isTrue ? 'client' : 'none';
  warn(`boolean '--dry-run=${text}' flag is deprecated and must be replaced with '--dry-run=${mode}'`);
  return mode;
}

const invalidDryRun = (text: string, rule: string): TshelmError =>
  new TshelmError('bad-flag', { message: `invalid dry-run value (${JSON.stringify(text)}). ${rule}` });

import { resolve } from 'node:path';
import { accessFlags, valueFlags } from '../../actions/options/chart.ts';
import type { FlagsOf } from '../../change/option-rows.ts';
import type { Key } from '../../saved-plan/seal.ts';
import type { LeftOut, SavedMove, SavedStack } from '../../saved-plan/types.ts';
import { type ReviewedChange, savePlan } from '../../session/saved-plan.ts';
import type { CliContext } from '../context.ts';
import { nextPlainCommand, withHidden } from '../errors/next-command.ts';
import { type saveFlags, signKeyOf } from '../flags/saved-plan-flags.ts';
import { secondsTime } from '../output/time.ts';

interface Writing {
  readonly out: string;
  readonly key?: Key | undefined;
  readonly stack?: SavedStack | undefined;
  readonly move?: SavedMove | undefined;
  readonly secrets?: ReadonlySet<string> | undefined;
}

/** Writes a plan to its file, and says how it is applied and what has to be given then. */
export async function writePlan(
  changes: readonly ReviewedChange[],
  { out, stack, ...writing }: Writing,
  flags: FlagsOf<Pick<typeof saveFlags, 'expires-in' | 'sign-key'>> & { readonly passphraseFile?: string | undefined },
  context: CliContext,
): Promise<void> {
  const { io } = context;
  const { plan, warnings } = await savePlan(changes, {
    ...writing,
    path: resolve(io.cwd, out),
    expiresInMs: flags.expiresIn,
    signKey: await signKeyOf(flags, io),
    stack,
    env: io.env,
    now: io.now(),
  });
  for (const text of warnings) io.stderr.write(`warning: ${text}\n`, 'folded');
  if (warnings.length > 0)
    io.stderr.write('  fix    plan again with --passphrase-file FILE or --encrypt-to RECIPIENT\n', 'folded');
  io.stderr.write(`The plan is saved in ${out} and can be applied until ${secondsTime(plan.expiresAt)}:\n`, 'folded');
  const leftOut = [...(stack?.leftOut ?? []), ...(writing.move?.inputs?.leftOut ?? [])];
  for (const { sealed, inputs } of plan.releases) if (sealed === undefined) leftOut.push(...(inputs?.leftOut ?? []));
  const opened = flags.passphraseFile === undefined ? [] : [`--passphrase-file=${flags.passphraseFile}`];
  const line = await nextPlainCommand(['apply', out, ...opened], context);
  // Whole, as a shell takes it.
  io.stderr.write(`  ${withHidden(line, leftOut.map(againText))}\n`);
  for (const one of leftOut)
    io.stderr.write(
      `${flagText(one)} contains a secret, and the file does not store secrets; pass it again to tshelm apply\n`,
      'folded',
    );
}

/** `--set auth.password=…,auth.user=…`, `--repo` */
const againText = ({ option, key }: LeftOut): string =>
  flagText({ option, key: option.startsWith('set') ? key?.replaceAll(/(?<=[^}])(?=,|$)/g, '=…') : key });

/** `--set auth.password`, `--repo` */
function flagText({ option, key }: LeftOut): string {
  const [flag] = Object.entries({ ...valueFlags, ...accessFlags }).find(([, row]) => row.option === option) ?? [option];
  return [`--${flag}`, key ?? []].flat().join(' ');
}

import { Command } from 'commander';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { Verification } from '../../source/chart-access.ts';
import type { CliContext } from '../context.ts';
import { requireArguments } from '../flags/arguments.ts';
import { addFlags } from '../flags/flags.ts';
import type { GlobalFlags } from '../settings.ts';

const verifyFlags = {
  keyring: { type: 'string', description: "keyring containing public keys (default: GnuPG's own)" },
} satisfies Record<string, FlagSpec>;

export interface VerifyRequest {
  readonly path: string;
  readonly flags: GlobalFlags & FlagsOf<typeof verifyFlags>;
}

export const verifyCommand = (context: CliContext, run = runVerify): Command =>
  addFlags(new Command('verify'), verifyFlags)
    .description('verify that a chart at the given path has been signed and is valid')
    .argument('[path...]')
    .usage('PATH [flags]')
    .action(async (words: string[], _flags, command: Command) => {
      requireArguments(command, words, { exactly: 1 });
      await run({ path: words[0] as string, flags: command.optsWithGlobals<VerifyRequest['flags']>() }, context);
    });

async function runVerify({ path, flags }: VerifyRequest, { io }: CliContext): Promise<void> {
  const { verifyArchive } = await import('../../source/provenance/verify.ts');
  const { defaultKeyring } = await import('../../source/provenance/keyring.ts');
  const { baseName, slashes } = await import('../../go/path.ts');
  const keyring = flags.keyring ?? defaultKeyring(io.env);
  const verification = await verifyArchive({
    archive: path,
    provenance: `${path}.prov`,
    name: baseName(slashes(path)),
    keyring,
  });
  io.stdout.write(verificationText(verification));
}

const verificationText = ({ identities, fingerprint, fileHash }: Verification): string =>
  [
    ...identities.map((name) => `Signed by: ${name}\n`),
    `Using Key With Fingerprint: ${fingerprint}\n`,
    `Chart Hash Verified: ${fileHash}\n`,
  ].join('');

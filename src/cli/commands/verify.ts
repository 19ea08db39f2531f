import { Command } from 'commander';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { Verification } from '../../source/chart-access.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';

const verifyFlags = {
  keyring: { type: 'string', description: "keyring containing public keys (default: GnuPG's own)" },
} satisfies Record<string, FlagSpec>;

export interface VerifyRequest {
  readonly path: string;
  readonly flags: GivenFlags<typeof verifyFlags>;
}

export const command = (context: CliContext, run = runVerify): Command =>
  flagCommand('verify', verifyFlags, { usage: 'PATH [flags]', words: { exactly: 1 } }, ([path = ''], flags) =>
    run({ path, flags }, context),
  ).description('verify that a chart at the given path has been signed and is valid');

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

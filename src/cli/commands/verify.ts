import { Command } from 'commander';
import { signerFlags, verifyFlag } from '../../actions/options/chart.ts';
import type { FlagSpec } from '../../change/option-rows.ts';
import type { Verification } from '../../source/chart-access.ts';
import { verificationText } from '../../source/trust/text.ts';
import type { CliContext } from '../context.ts';
import { flagCommand, type GivenFlags } from '../flags/flag-command.ts';

const verifyFlags = {
  ...signerFlags,
  verify: verifyFlag('how the signature is checked: "true" by PGP'),
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

async function runVerify(request: VerifyRequest, context: CliContext): Promise<void> {
  const isSigstore = request.flags.verify === 'sigstore';
  const verification = isSigstore ? await verifiedBySigstore(request, context) : await verifiedByPgp(request, context);
  context.io.stdout.write(verificationText(verification, 'Chart'));
}

async function verifiedBySigstore({ path, flags }: VerifyRequest, context: CliContext): Promise<Verification> {
  const { sourcesOf } = await import('../sources/sources.ts');
  const { bundleOnDisk } = await import('../../source/archive-signatures.ts');
  const { readBytes } = await import('../../go/files.ts');
  const archive = { name: path, bytes: readBytes(path), signatures: await bundleOnDisk(path) };
  return sourcesOf(flags, context).signerOf(archive, flags);
}

async function verifiedByPgp({ path, flags }: VerifyRequest, { io }: CliContext): Promise<Verification> {
  const { verifyArchive } = await import('../../source/provenance/verify.ts');
  const { defaultKeyring } = await import('../../source/provenance/keyring.ts');
  const { baseName, slashes } = await import('../../go/path.ts');
  const keyring = flags.keyring ?? defaultKeyring(io.env);
  return verifyArchive({
    archive: path,
    provenance: `${path}.prov`,
    name: baseName(slashes(path)),
    keyring,
  });
}

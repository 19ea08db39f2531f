import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { packageChart } from '../../actions/package.ts';
import { goPathError } from '../../go/path-error.ts';
import { checkTls } from '../../session/sources.ts';
import { sourceDateEpoch } from '../../source/package/stamp.ts';
import { defaultKeyring } from '../../source/provenance/keyring.ts';
import { openSigner, type Signer, signingKey } from '../../source/provenance/signer.ts';
import { TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { PackageRequest } from '../flags/package-flags.ts';
import { noticesPrinter } from './notices.ts';
import { passphraseFrom } from './passphrase.ts';

/** What `package` does and prints. */
export async function runPackageOf({ paths, flags }: PackageRequest, context: CliContext): Promise<void> {
  const { io } = context;
  await checkTls(flags);
  const epoch = sourceDateEpoch(io.env);
  const signer = signerOf(flags, context);
  const signFile = flags.sign === 'sigstore' ? await fileSigner(flags, context) : undefined;
  for (const path of paths) {
    checkIsThere(path);
    if (flags.dependencyUpdate) await updateFirst(resolve(path), flags, context);
    const archive = await packageChart(path, {
      version: flags.version,
      appVersion: flags.appVersion,
      destination: flags.destination === '.' ? process.cwd() : flags.destination,
      epoch,
      now: io.now(),
      signer,
      signFile,
      onNotice: noticesPrinter(context),
    });
    io.stdout.write(`Successfully packaged chart and saved it to: ${archive}\n`);
  }
}

async function fileSigner(flags: PackageRequest['flags'], context: CliContext): Promise<(bytes: Uint8Array) => string> {
  const { sigstoreKey } = await import('./sigstore-key.ts');
  const { signFile } = await import('../../sigstore/sign.ts');
  const key = await sigstoreKey(flags, context);
  return (archive) => signFile(archive, key);
}

/** Opened with the first archive; the passphrase is asked for once. Go: Package.Clearsign. */
function signerOf(flags: PackageRequest['flags'], context: CliContext): (() => Promise<Signer>) | undefined {
  if (!flags.sign || flags.sign === 'sigstore') return undefined;
  const { key = '', keyring = defaultKeyring(context.io.env) } = flags;
  if (key === '') throw new TshelmError('bad-flag', { message: '--key is required for signing a package' });
  if (keyring === '') throw new TshelmError('bad-flag', { message: '--keyring is required for signing a package' });
  let signer: Promise<Signer> | undefined;
  return () => {
    signer ??= signingKey(keyring, key).then((found) =>
      openSigner(found, passphraseFrom(flags.passphraseFile, context)),
    );
    return signer;
  };
}

async function updateFirst(path: string, flags: PackageRequest['flags'], context: CliContext): Promise<void> {
  const { updateDependencies } = await import('../../source/dependency/manager.ts');
  const { withDependencyTools } = await import('./dependencies.ts');
  await withDependencyTools({ ...flags, verifying: 'never', messageStream: 'nowhere' }, context, (tools) =>
    updateDependencies(path, tools),
  );
}

function checkIsThere(path: string): void {
  try {
    statSync(path);
  } catch (cause) {
    throw new TshelmError('chart-not-found', { message: goPathError('stat', path, cause).message, cause });
  }
}

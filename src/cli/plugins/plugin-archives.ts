import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errnoOf, goPathError } from '../../go/path-error.ts';
import { pluginDescription } from '../../plugin/description.ts';
import { loadPlugin } from '../../plugin/find.ts';
import { bundleOnDisk } from '../../source/archive-signatures.ts';
import type { Verification } from '../../source/chart-access.ts';
import { folderArchive } from '../../source/package/folder-archive.ts';
import { defaultKeyring, readKeyring } from '../../source/provenance/keyring.ts';
import { openSigner, type Signer, signingKey } from '../../source/provenance/signer.ts';
import { checkSigned } from '../../source/provenance/verify.ts';
import { verificationText } from '../../source/trust/text.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { PluginPackageRequest, PluginVerifyRequest } from '../flags/plugin-flags.ts';
import { passphraseFrom } from '../sources/passphrase.ts';
import { sourcesOf } from '../sources/sources.ts';

/** Writes `NAME-VERSION.tgz`, and its signature beside it. Errors: `plugin-refused`. Go: pluginPackageOptions.run. */
export async function packagePlugin({ path, flags }: PluginPackageRequest, context: CliContext): Promise<void> {
  const { stdout } = context.io;
  const { destination, sign } = flags;
  if (!statsOf(path).isDirectory()) throw refused('plugin package only supports directories, not tarballs');
  const plugin = failing('invalid plugin directory', () => loadPlugin(path));
  failing('', () => mkdirSync(destination, { recursive: true }));
  const signer = sign ? await signerOf(flags, context) : undefined;
  if (signer === undefined)
    stdout.write('WARNING: Skipping plugin signing. This is not recommended for plugins intended for distribution.\n');
  const name = `${plugin.name}-${plugin.version}.tgz`;
  const archive = await folderArchive(path, plugin.name);
  const target = join(destination, name);
  write(target, archive);
  if (signer !== undefined) {
    write(`${target}.prov`, await signer.signDescribed(archive, name, pluginDescription(plugin)));
    stdout.write(`Successfully signed. Signature written to: ${target}.prov\n`);
  }
  stdout.write(`Successfully packaged plugin and saved it to: ${target}\n`);
}

async function signerOf(flags: PluginPackageRequest['flags'], context: CliContext): Promise<Signer> {
  const { key = '', keyring = defaultKeyring(context.io.env), passphraseFile } = flags;
  const found = await signingKey(keyring, key).catch((cause: unknown) => {
    throw refused(`error reading from keyring: ${messageOf(cause)}`, cause);
  });
  if (key === '') throw refused('private key not found; name it with --key');
  return openSigner(found, passphraseFrom(passphraseFile, context));
}

function write(path: string, data: string | Uint8Array): void {
  try {
    writeFileSync(path, data, { mode: 0o644 });
  } catch (cause) {
    throw refused(`failed to create tarball: ${goPathError('open', path, cause).message}`, cause);
  }
}

/** Tells who has signed a packed plugin. Errors: `plugin-refused`, `verification-failed`. Go: pluginVerifyOptions.run. */
export async function verifyPlugin({ path, flags }: PluginVerifyRequest, context: CliContext): Promise<void> {
  const { io } = context;
  if (statsOf(path).isDirectory())
    throw refused('directory verification not supported - only plugin tarballs can be verified');
  if (!path.endsWith('.gz') && !path.endsWith('.tgz'))
    throw refused('plugin file must be a gzipped tarball (.tar.gz or .tgz)');
  if (flags.verify === 'sigstore') {
    const archive = { name: path, bytes: readFileSync(path), signatures: await bundleOnDisk(path) };
    const signer = await sourcesOf(flags, context).signerOf(archive, flags);
    io.stdout.write(verificationText(signer, 'Plugin'));
    return;
  }
  const provenance = readIfThere(`${path}.prov`);
  if (provenance === undefined) {
    const message = `could not find provenance file ${path}.prov: stat ${path}.prov: no such file or directory`;
    throw refused(message);
  }
  const keyring = flags.keyring ?? defaultKeyring(io.env);
  const signed = { archive: readFileSync(path), provenance, name: basename(path) };
  io.stdout.write(verificationText(await verified(signed, keyring), 'Plugin'));
}

/** Who has signed a packed plugin. Errors: `verification-failed`. */
export async function verified(
  signed: { readonly archive: Uint8Array; readonly provenance: Uint8Array; readonly name: string },
  keyring: string,
): Promise<Verification> {
  const keys = await readKeyring(keyring).catch((cause: unknown) => {
    if (cause instanceof TshelmError) throw cause;
    throw new TshelmError('verification-failed', { message: messageOf(cause), cause });
  });
  return checkSigned(signed, keys);
}

/** The file; undefined where there is none. */
export function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

function statsOf(path: string) {
  try {
    return statSync(path);
  } catch (cause) {
    throw refused(goPathError('stat', path, cause).message, cause);
  }
}

function failing<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw refused(`${prefix === '' ? '' : `${prefix}: `}${messageOf(cause)}`, cause);
  }
}

const refused = (message: string, cause?: unknown): TshelmError =>
  new TshelmError('plugin-refused', { message, cause });

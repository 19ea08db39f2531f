import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { unpack } from '../../chart/archive.ts';
import {
  type InstallPlace,
  installArchive,
  openArchive,
  type PluginSource,
  type UnpackedFile,
} from '../../plugin/install.ts';
import type { Plugin } from '../../plugin/types.ts';
import { verifyArchive } from '../../session/sources.ts';
import { type ArchiveSignatures, bundleBeside, bundleOnDisk, noSignatures } from '../../source/archive-signatures.ts';
import { defaultKeyring } from '../../source/provenance/keyring.ts';
import { checkTrust } from '../../source/trust/check.ts';
import { verificationText } from '../../source/trust/text.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { trimSuffix } from '../../support/text.ts';
import type { CliContext } from '../context.ts';
import type { InstallFlags } from '../flags/plugin-flags.ts';
import { sourcesOf } from '../sources/sources.ts';
import { readIfThere, verified } from './plugin-archives.ts';

type PackedSource = Extract<PluginSource, { readonly kind: 'archive' | 'url' | 'oci' }>;

interface Packed {
  /** The file that it was signed as. */
  readonly name: string;
  /** The folder that it becomes. */
  readonly folder: string;
  readonly archive: Uint8Array;
  readonly provenance: Uint8Array | undefined;
  /** What a trust policy knows it by; undefined for a file of this machine. */
  readonly origin: string | undefined;
  signatures(): Promise<ArchiveSignatures>;
}

/** Installs a packed plugin, of this machine, of the web or of a registry. Errors: `plugin-refused`, `verification-failed`. */
export async function installPackedPlugin(
  source: PackedSource,
  flags: InstallFlags,
  place: InstallPlace,
  context: CliContext,
): Promise<Plugin> {
  const { stdout } = context.io;
  stdout.write(flags.verify ? 'Verifying plugin signature...\n' : 'WARNING: Skipping plugin signature verification\n');
  const packed = await fetched(source, flags, context);
  const { folder, archive: data, provenance } = packed;
  const check = () => checked(packed, flags, context);
  return installArchive({ folder, data, provenance, unpack: filesIn, check }, place);
}

/** Errors: `trust-refused` where the trust policy asks for a signature of what can have none. */
export async function checkUnsigned(url: string, flags: InstallFlags, context: CliContext): Promise<void> {
  const bytes = new Uint8Array();
  const none = { name: url, folder: '', archive: bytes, provenance: undefined, origin: url };
  await checkTrusted({ ...none, signatures: async () => noSignatures }, { ...flags, verify: false }, context);
}

/** By what --verify asks for, and by the trust policy. */
async function checked(packed: Packed, flags: InstallFlags, context: CliContext): Promise<void> {
  await checkTrusted(packed, flags, context);
  if (flags.verify && flags.verify !== 'sigstore') await checkedByPgp(packed, flags, context);
}

async function checkTrusted(packed: Packed, flags: InstallFlags, context: CliContext): Promise<void> {
  const { name, origin, archive: bytes } = packed;
  const sources = await sourcesOf(flags, context).open(flags);
  const subject = {
    ...packed,
    url: origin ?? name,
    origin: origin ?? '',
    bytes,
    provenance: async () => packed.provenance ?? Buffer.alloc(0),
  };
  const trustPolicy = origin === undefined ? undefined : sources.trustPolicy;
  const verification = await checkTrust(subject, { ...flags, trustPolicy }, { sources, verify: verifyArchive });
  if (verification !== undefined) context.io.stdout.write(verificationText(verification, 'Plugin'));
}

async function checkedByPgp(
  { name, archive, provenance }: Packed,
  flags: InstallFlags,
  { io }: CliContext,
): Promise<void> {
  const failed = (reason: string, cause?: unknown): TshelmError =>
    new TshelmError('plugin-refused', { message: `plugin verification failed: ${reason}`, cause });
  if (provenance === undefined || provenance.length === 0) throw failed('no provenance file (.prov) found');
  const keyring = flags.keyring ?? defaultKeyring(io.env);
  const verification = await verified({ archive, provenance, name }, keyring).catch((cause: unknown) => {
    throw failed(messageOf(cause), cause);
  });
  io.stdout.write(verificationText(verification, 'Plugin'));
}

async function fetched(source: PackedSource, flags: InstallFlags, context: CliContext): Promise<Packed> {
  switch (source.kind) {
    case 'archive': {
      const { path } = source;
      const name = basename(path);
      return {
        name,
        folder: folderOf(name),
        archive: readFileSync(path),
        provenance: readIfThere(`${path}.prov`),
        origin: undefined,
        signatures: () => bundleOnDisk(path),
      };
    }
    case 'url': {
      const { get } = await import('../../source/http/get.ts');
      const http = sourcesOf(flags, context).http();
      const { url } = source;
      const name = basename(url);
      const archive = await get(http, source.url).catch((cause: unknown) => {
        if (!flags.verify || cause instanceof DOMException) throw cause;
        const message = `failed to get verification data: failed to download plugin: ${messageOf(cause)}`;
        throw new TshelmError('plugin-refused', { message, cause });
      });
      return {
        name,
        folder: folderOf(name),
        archive,
        provenance: await get(http, `${url}.prov`).catch(none),
        origin: url,
        signatures: () => bundleBeside(url, (file) => get(http, file)),
      };
    }
    case 'oci':
      return fromRegistry(source.url, flags, context);
  }
}

const none = (): undefined => undefined;

/** `name-1.2.3.tgz` is `name`. */
const folderOf = (name: string): string =>
  trimSuffix(trimSuffix(name, '.tgz'), '.tar.gz').replace(/(.*)-\d+\..*/, '$1');

async function fromRegistry(url: string, flags: InstallFlags, context: CliContext): Promise<Packed> {
  const { pullPlugin } = await import('../../source/oci/pull-plugin.ts');
  const { registry } = await sourcesOf(flags, context).open(flags);
  const pulled = await pullPlugin(url, flags.version ?? '', registry).catch((cause: unknown) => {
    if (cause instanceof DOMException) throw cause;
    const why = flags.verify ? 'failed to get verification data: ' : '';
    const message = `${why}failed to pull plugin from ${url}: ${messageOf(cause)}`;
    throw new TshelmError('plugin-refused', { message, cause });
  });
  const { name: folder, archive } = pulled;
  const { name, version } = (await openArchive(archive, filesIn, folder)).plugin;
  return { ...pulled, name: `${name}-${version}.tgz`, folder };
}

/** The files of an archive with their modes. Errors: `plugin-refused` for what is no file. */
async function filesIn(archive: Uint8Array): Promise<readonly UnpackedFile[]> {
  const files: UnpackedFile[] = [];
  for (const { name, type, mode, data } of unpack(archive)) {
    if (type === 'directory') continue;
    if (type !== 'file') {
      const message = `failed to extract archive: unknown type: ${type} in ${name}`;
      throw new TshelmError('plugin-refused', { message });
    }
    files.push({ path: name, data, mode });
  }
  return files;
}

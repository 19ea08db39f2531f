import { readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { readBytes } from '../go/files.ts';
import { withPathErrors } from '../go/path-error.ts';
import { quote } from '../go/strconv/strconv.ts';
import { hasCode, TshelmError } from '../support/errors.ts';
import { bundleOnDisk } from './archive-signatures.ts';
import { writeFileAtomically } from './atomic-file.ts';
import type { ChartAccess, ChartSources, Verification, VerifyArchive } from './chart-access.ts';
import type { LocatedArchive } from './chart-scheme.ts';
import { ContentCache, sha256Hex } from './content-cache.ts';
import { asGitUrl } from './git/reference.ts';
import { locateArchive } from './locate-archive.ts';
import { locateOffline } from './locate-offline.ts';
import { schemeAt } from './schemes.ts';
import { checkTrust } from './trust/check.ts';
import type { TrustSources } from './trust/public-root.ts';
import { knownSignatures, verifySignedArchive } from './trust/signatures.ts';
import { verifyInTemporaryFolder } from './verify-in-temporary-folder.ts';

/** A chart on this machine. */
export interface ChartOnDisk {
  /** A folder or an archive. */
  readonly path: string;
  /** Of one that was fetched: see `LocatedArchive`. */
  readonly pinnedUrl?: string | undefined;
  /** Who has signed it, where that was checked. */
  readonly verification?: Verification | undefined;
}

export interface FetchTools {
  readonly sources: ChartSources;
  readonly verify?: VerifyArchive | undefined;
}

/**
 * What a reference to a chart means where that is on this machine: a folder or an archive; undefined where it has to be
 * fetched. Go: ChartPathOptions.LocateChart. Fails with `chart-not-found`.
 */
export async function chartOnDisk(
  reference: string,
  access: ChartAccess,
  { verify, sources }: { readonly verify: FetchTools['verify']; readonly sources: TrustSources },
): Promise<ChartOnDisk | undefined> {
  const name = reference.trim();
  if (access.repoUrl) return undefined;
  if (statSync(name, { throwIfNoEntry: false }) === undefined) {
    if (name !== '' && !isAbsolute(name) && !name.startsWith('.')) return undefined;
    throw new TshelmError('chart-not-found', { message: `path ${quote(name)} not found`, details: { path: name } });
  }
  if (access.verify === 'sigstore') {
    const bytes = readBytes(name);
    const signatures = await bundleOnDisk(name);
    const verification = await verifySignedArchive({ name, bytes, signatures }, access, sources);
    return { path: name, verification };
  }
  if (access.verify) {
    const archive = resolve(name);
    const verification = await needed(verify)({
      archive,
      provenance: `${archive}.prov`,
      name: basename(archive),
      keyring: access.keyring ?? '',
    });
    return { path: name, verification };
  }
  return { path: name };
}

/**
 * Fetches the archive that a reference means into the content cache, where it is not there already, and says where it is.
 * Go: ChartDownloader.DownloadToCache. Fails with `offline`, and as downloads fail.
 */
export async function fetchIntoCache(reference: string, access: ChartAccess, tools: FetchTools): Promise<ChartOnDisk> {
  const { sources, verify } = tools;
  const cache = new ContentCache(sources.paths.contentCache);
  const kept = await inCache(await located(reference, access, sources), cache);
  const found: ChartOnDisk = { path: kept.path, pinnedUrl: kept.located.pinnedUrl };
  const trusted = await trustIn(kept.located, readFileSync(kept.path), access, tools);
  if (!isPgp(access)) return { ...found, verification: trusted };
  const known = cache.find(kept.key, '.prov');
  const provenance = known ?? (await fetchProvenance(kept, cache));
  try {
    const signed = { archive: kept.path, provenance, name: kept.name, keyring: access.keyring ?? '' };
    return { ...found, verification: await needed(verify)(signed) };
  } catch (error) {
    // What a server gives instead of a signature is not kept.
    if (known === undefined) rmSync(provenance, { force: true });
    throw error;
  }
}

const isPgp = ({ verify }: ChartAccess): boolean => verify !== undefined && verify !== false && verify !== 'sigstore';

/** What --verify=sigstore and the trust policy ask for; nothing is read where they ask for nothing. */
async function trustIn(
  located: LocatedArchive,
  bytes: Uint8Array,
  access: ChartAccess,
  { sources, verify }: FetchTools,
): Promise<Verification | undefined> {
  const { trustPolicy = sources.trustPolicy } = access;
  const subject = {
    ...located,
    bytes,
    provenance: () => provenanceOf(located),
    signatures: () => knownSignatures(located, bytes, sources),
  };
  return checkTrust(subject, { ...access, trustPolicy }, { sources, verify: (files) => needed(verify)(files) });
}

function needed(verify: FetchTools['verify']): VerifyArchive {
  if (verify === undefined) throw new Error('internal: nothing to verify with');
  return verify;
}

interface Kept {
  readonly key: string;
  readonly name: string;
  readonly path: string;
  readonly located: LocatedArchive;
}

/** Where a chart is; offline, in the cache. */
export async function located(named: string, access: ChartAccess, sources: ChartSources): Promise<LocatedArchive> {
  const reference = asGitUrl(named);
  if (!sources.isOffline) return locateArchive(reference, access, sources);
  const versions = access.repoUrl ? undefined : schemeAt(reference, sources.http.getters)?.versions;
  const asksNobody = versions !== undefined && versions.cached === undefined;
  return asksNobody ? versions.locate(reference, access, sources) : locateOffline(reference, access, sources);
}

async function inCache(located: LocatedArchive, cache: ContentCache): Promise<Kept> {
  const { key, name } = located;
  const path = key === '' ? undefined : cache.find(key, '.chart');
  if (path !== undefined) return { key, name, path, located };
  const bytes = await located.fetch();
  const ownKey = sha256Hex(bytes);
  const stored = cache.find(ownKey, '.chart') ?? cache.put(ownKey, bytes, '.chart');
  // A chart that its manifest's digest names is kept by that digest too, as in Helm.
  if (key === '' || key === ownKey) return { key: ownKey, name, path: stored, located };
  return { key, name, path: cache.put(key, bytes, '.chart'), located };
}

async function fetchProvenance({ located, key }: Kept, cache: ContentCache): Promise<string> {
  return cache.put(key, await provenanceOf(located), '.prov');
}

async function provenanceOf(located: LocatedArchive): Promise<Uint8Array> {
  try {
    return await located.fetchProvenance();
  } catch (cause) {
    if (cause instanceof DOMException || hasCode(cause, 'offline')) throw cause;
    const url = `${located.url}.prov`;
    throw new TshelmError('download-failed', {
      message: `failed to fetch provenance ${quote(url)}`,
      details: { url },
      cause,
    });
  }
}

/** What is to come with an archive: nothing, its provenance file, or that and its verification. */
export type ProvenanceMode = 'none' | 'fetch' | 'verify';

export interface FetchedFile {
  readonly path: string;
  /** Where it is from. */
  readonly url: string;
  readonly verification: Verification | undefined;
  /** Why there is no provenance file where one was wanted but not needed. */
  readonly missingProvenance: unknown;
}

/**
 * Fetches an archive into a folder, from the content cache where its digest is known. Go: ChartDownloader.DownloadTo.
 * What cannot be verified does not come there.
 */
export async function fetchIntoFolder(
  reference: string,
  folder: string,
  request: { readonly access: ChartAccess; readonly provenance: ProvenanceMode },
  { sources, verify }: FetchTools,
): Promise<FetchedFile> {
  const { access, provenance } = request;
  const archive = await located(reference, access, sources);
  const cache = new ContentCache(sources.paths.contentCache);
  const kept = archive.key === '' ? undefined : cache.find(archive.key, '.chart');
  const bytes = kept === undefined ? await archive.fetch() : readFileSync(kept);
  const path = join(folder, archive.name);
  const wanted = provenance === 'verify' && !isPgp(access) ? 'none' : provenance;
  const signed = wanted === 'none' ? undefined : await provenanceFor(archive, cache, wanted);
  const trusted = await trustIn(archive, bytes, access, { sources, verify });
  const verification =
    provenance === 'verify' && isPgp(access)
      ? await verifyInTemporaryFolder(
          { name: archive.name, bytes, signed: signed as Uint8Array, keyring: access.keyring },
          needed(verify),
        )
      : trusted;
  write(path, bytes);
  if (signed instanceof Uint8Array) {
    cache.own.keep(archive.key === '' ? sha256Hex(bytes) : archive.key, signed, '.prov');
    write(`${path}.prov`, signed);
  }
  return { path, url: archive.url, verification, missingProvenance: signed instanceof Uint8Array ? undefined : signed };
}

/** The provenance file, or why there is none where none is needed. */
async function provenanceFor(archive: LocatedArchive, cache: ContentCache, mode: ProvenanceMode): Promise<unknown> {
  const kept = archive.key === '' ? undefined : cache.find(archive.key, '.prov');
  if (kept !== undefined) return readFileSync(kept);
  if (mode === 'verify') return provenanceOf(archive);
  return archive.fetchProvenance().catch((cause: unknown) => {
    if (cause instanceof DOMException || hasCode(cause, 'offline')) throw cause;
    return cause;
  });
}

/** Into a folder that is there: it is not made, as in Helm. */
function write(path: string, bytes: Uint8Array): void {
  withPathErrors('open', path, () => statSync(dirname(path)));
  writeFileAtomically(path, bytes);
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTemporaryFolder } from '../support/directories.ts';
import { messageOf } from '../support/errors.ts';
import { DownloadHTTPError, publicSigstore, type TrustedRoot, Updater } from './packages.ts';
import { trustedRootOf } from './trusted-root.ts';

const mirror = 'https://tuf-repo-cdn.sigstore.dev';
const target = 'trusted_root.json';

export interface TufOptions {
  /** A folder for the metadata that TUF compares the next time. */
  readonly folder: string;
  /** The file at a URL; undefined where the server has none. */
  readonly read: (url: string, maxBytes: number) => Promise<Uint8Array | undefined>;
}

/**
 * The trusted root of the public sigstore by The Update Framework: from the root that is built in, over every newer one.
 * Nothing is asked while the metadata that is there has not run out. Throws an Error.
 */
export async function fetchPublicRoot({ folder, read }: TufOptions): Promise<TrustedRoot> {
  mkdirSync(join(folder, 'targets'), { recursive: true });
  const seed = publicSigstore[mirror];
  const first = join(folder, 'root.json');
  if (!existsSync(first)) writeFileSync(first, Buffer.from(seed['root.json'], 'base64'));
  try {
    // `forceCache` alone would ask for what is missing without looking for newer roots, which come first (TUF, 5.3).
    return await rootIn(folder, { forceCache: true, fetcher: fetcherBy(nothing) });
  } catch {
    return rootIn(folder, { forceCache: false, fetcher: fetcherBy(read) }).catch((cause: unknown) => {
      throw new Error(`the sigstore trusted root cannot be fetched: ${messageOf(cause)}`, { cause });
    });
  }
}

const nothing = (): Promise<never> => Promise.reject(new Error('nothing is asked'));

type Settings = Pick<ConstructorParameters<typeof Updater>[0], 'forceCache' | 'fetcher'>;

async function rootIn(folder: string, settings: Settings): Promise<TrustedRoot> {
  const updater = new Updater({
    metadataBaseUrl: mirror,
    targetBaseUrl: `${mirror}/targets`,
    metadataDir: folder,
    targetDir: join(folder, 'targets'),
    ...settings,
  });
  const info = await updater.getTargetInfo(target);
  if (info === undefined) throw new Error(`${mirror} has no ${target}`);
  const path = (await updater.findCachedTarget(info)) ?? (await updater.downloadTarget(info));
  return trustedRootOf(readFileSync(path));
}

/** The one that was fetched and checked the last time; undefined where there is none. */
export function keptPublicRoot(folder: string): TrustedRoot | undefined {
  const path = join(folder, 'targets', target);
  return existsSync(path) ? trustedRootOf(readFileSync(path)) : undefined;
}

function fetcherBy(read: TufOptions['read']): NonNullable<Settings['fetcher']> {
  const downloadBytes = async (url: string, maxLength: number): Promise<Buffer> => {
    const bytes = await read(url, maxLength);
    // The newest root is known by the next one's absence.
    if (bytes === undefined) throw new DownloadHTTPError(`${url}: not found`, 404);
    return Buffer.from(bytes);
  };
  return {
    downloadBytes,
    downloadFile: async (url, maxLength, handler) => {
      const bytes = await downloadBytes(url, maxLength);
      return withTemporaryFolder('tshelm-', async (temporary) => {
        const file = join(temporary, 'file');
        writeFileSync(file, bytes);
        return handler(file);
      });
    },
  };
}

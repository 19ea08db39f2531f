import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { TshelmError } from '../support/errors.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { offlineError } from './http/client.ts';
import { shownUrl } from './http/shown-url.ts';

export interface KeptFileOptions {
  readonly cacheHome: string;
  readonly isOffline: boolean;
  /** Undefined where nothing fetches the scheme. */
  readonly read: () => Promise<Uint8Array | undefined>;
}

/**
 * The path of a file that is fetched each time, and offline that of the last time. It has its own name, since that says
 * what is in it (`values.yaml.gotmpl`). Fails with `scheme-unsupported`, `offline`, and as downloads fail.
 */
export async function keptFile(url: string, { cacheHome, isOffline, read }: KeptFileOptions): Promise<string> {
  const folder = createHash('sha256').update(url).digest('hex');
  const name = posix.basename(new URL(url).pathname) || 'file';
  const path = join(cacheHome, 'files', folder, name);
  if (isOffline && existsSync(path)) return path;
  if (isOffline) throw offlineError(url);
  const bytes = await read();
  if (bytes === undefined) {
    const message = `nothing fetches ${shownUrl(url)}: use https://, http://, oci:// or git+https://`;
    throw new TshelmError('scheme-unsupported', { message, details: { url: shownUrl(url) } });
  }
  writeFileAtomically(path, bytes);
  return path;
}

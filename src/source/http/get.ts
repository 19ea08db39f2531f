import { schemeAt } from '../schemes.ts';
import type { HttpClient } from './client.ts';
import type { GetOptions } from './get-options.ts';
import { webScheme } from './web-scheme.ts';

/** The bytes of the file at a URL, whatever its scheme. Errors: `download-failed`. */
export async function get(client: HttpClient, url: string, options: GetOptions = {}): Promise<Uint8Array> {
  // HTTP's own failure names a scheme that nothing fetches.
  const read = schemeAt(url, client.getters)?.read ?? webScheme.read;
  if (read === undefined) throw new Error('internal: files are read over HTTP');
  return read(url, options, client);
}

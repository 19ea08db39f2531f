import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GoError } from '../go/value.ts';
import { writeFileAtomically } from './atomic-file.ts';

export type CachedKind = '.chart' | '.prov' | '.sigstore';

/** Downloaded charts by their SHA-256 (hexadecimal): the folder that Helm uses too. Go: downloader.DiskCache. */
export class ContentCache {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** What tshelm keeps beside what Helm would. */
  get own(): ContentCache {
    return new ContentCache(join(this.root, 'tshelm'));
  }

  /** The path of what is kept under a key; undefined where there is nothing. */
  find(key: string, kind: CachedKind): string | undefined {
    const path = this.#path(key, kind);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size > 0 ? path : undefined;
  }

  /** What is kept under a key that is the content's own digest; what was spoiled on the disk is not there. */
  readProved(key: string): Uint8Array | undefined {
    const path = this.find(key, '.chart');
    const bytes = path === undefined ? undefined : readFileSync(path);
    return bytes !== undefined && sha256Hex(bytes) === key ? bytes : undefined;
  }

  put(key: string, bytes: Uint8Array, kind: CachedKind): string {
    const path = this.#path(key, kind);
    writeFileAtomically(path, bytes);
    return path;
  }

  /** As `put`, where the cache can be written to. */
  keep(key: string, bytes: Uint8Array, kind: CachedKind): void {
    try {
      this.put(key, bytes, kind);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
    }
  }

  #path(key: string, kind: CachedKind): string {
    return join(this.root, key.slice(0, 2), key + kind);
  }
}

export const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { goPathError } from '../go/path-error.ts';
import { releaseOfJson } from '../release/codec.ts';
import { memoryStorage } from '../release/memory-storage.ts';
import type { Release, ReleaseStorage } from '../release/types.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { readPlainYaml } from '../yaml/index.ts';
import type { Settings } from './settings.ts';
import type { Io } from './terminal/io.ts';

/** Releases for a test, and a cluster that ends with this process. */
export interface MemoryDriver {
  readonly settings: Settings;
  storage(namespace: string): ReleaseStorage;
  close(): void;
}

/**
 * What HELM_DRIVER=memory works on where $HELM_MEMORY_DRIVER_DATA names files: the releases that they list, in YAML, and
 * a cluster of its own, so that nothing is sent to any other. Errors: `corrupt-release`. Go: loadReleasesInMemory.
 */
export function openMemoryDriver(settings: Settings, files: string): MemoryDriver {
  const releases = files.split(delimiter).flatMap(releasesOf);
  const directory = mkdtempSync(join(tmpdir(), 'tshelm-memory-'));
  return {
    settings: { ...settings, sandboxDirectory: directory },
    storage: (namespace) => memoryStorage(namespace, releases),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The files that the driver is to read; undefined for any other driver, and for a sandbox that keeps its own. */
export const memoryData = ({ driver, sandboxDirectory }: Settings, env: Io['env']): string | undefined =>
  driver === 'memory' && sandboxDirectory === undefined ? env['HELM_MEMORY_DRIVER_DATA'] || undefined : undefined;

function releasesOf(file: string): readonly Release[] {
  const failed = (doing: string, cause: unknown): TshelmError =>
    new TshelmError('corrupt-release', {
      message: `Unable to ${doing} memory driver data: ${messageOf(cause)}`,
      cause,
    });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw failed('read', goPathError('open', file, cause));
  }
  try {
    const listed = readPlainYaml(text) ?? [];
    if (!Array.isArray(listed)) throw new Error(`${file} is not a list of releases`);
    return listed.map(releaseOfJson);
  } catch (cause) {
    throw failed('unmarshal', cause);
  }
}

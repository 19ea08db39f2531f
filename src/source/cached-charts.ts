import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions, looseVersion } from '../go/semver.ts';
import { namesIn } from '../support/directories.ts';
import { parseJson } from '../support/exact-json.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { type ContentCache, sha256Hex } from './content-cache.ts';

/** A chart that has been fetched: --offline goes by it. */
export interface CachedChart {
  /** '' for an archive that was named by its URL. */
  readonly version: string;
  /** The key of its archive in the content cache. */
  readonly key: string;
  /** The archive's name, as a provenance file has it. */
  readonly name: string;
  /** The manifest's digest in a registry; '' elsewhere. */
  readonly digest: string;
}

/**
 * Which versions of a chart the content cache holds, by the chart's source: `oci://HOST/PATH`, a repository's URL with a
 * name, or an archive's own URL. It is beside Helm's files in a folder of tshelm's; Helm looks at none but its own.
 */
export class CachedCharts {
  readonly #cache: ContentCache;

  constructor(cache: ContentCache) {
    this.#cache = cache;
  }

  /** Failing to is no failure of the command: the cache may be read-only. */
  remember(source: string, chart: CachedChart): void {
    const path = join(this.#folder(source), `${sha256Hex(Buffer.from(chart.version || chart.digest))}.json`);
    try {
      const { version, key, name, digest } = chart;
      const text = `${JSON.stringify({ version, key, name, digest })}\n`;
      if (textOf(path) !== text) writeFileAtomically(path, text);
    } catch {
      // What was fetched is there, it is only not known to be.
    }
  }

  /** Those whose archives are still there, the newest first. */
  of(source: string): readonly CachedChart[] {
    const folder = this.#folder(source);
    return namesIn(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => chartIn(textOf(join(folder, name))) ?? [])
      .filter(({ key }) => this.#cache.find(key, '.chart') !== undefined)
      .sort((a, b) => byVersion(b.version, a.version));
  }

  #folder(source: string): string {
    return join(this.#cache.root, 'tshelm', sha256Hex(Buffer.from(source)));
  }
}

function byVersion(a: string, b: string): number {
  const [first, second] = [looseVersion(a), looseVersion(b)];
  if (first === undefined || second === undefined) return Number(first !== undefined) - Number(second !== undefined);
  return compareVersions(first, second);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Another process removed it, or it is not readable: then the chart counts as not fetched.
    return undefined;
  }
}

function chartIn(text: string | undefined): CachedChart | undefined {
  try {
    const { version, key, name, digest } = parseJson(text ?? '') as Partial<CachedChart>;
    if (version === undefined || key === undefined || name === undefined || digest === undefined) return undefined;
    return { version, key, name, digest };
  } catch {
    // Written by another version, or cut off: then the chart counts as not fetched.
    return undefined;
  }
}

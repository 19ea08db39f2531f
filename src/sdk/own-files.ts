import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HelmPaths, helmPaths } from '../source/paths.ts';
import type { TshelmOptions } from './options.ts';

/** Helm's files of one `Tshelm`: where its options say, or in a folder of its own, which is made when it is needed. */
export class OwnFiles {
  readonly #options: Pick<TshelmOptions, 'environment' | 'files'>;
  #folder: string | undefined;

  constructor(options: Pick<TshelmOptions, 'environment' | 'files'>) {
    this.#options = options;
  }

  paths(): HelmPaths {
    const { environment, files } = this.#options;
    if (environment !== undefined) return helmPaths(environment, files);
    this.#folder ??= mkdtempSync(join(tmpdir(), 'tshelm-'));
    const home = this.#folder;
    return helmPaths({ HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home }, files);
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

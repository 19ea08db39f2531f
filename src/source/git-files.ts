import type { GetOptions } from './http/get-options.ts';

/** A chart in a git repository. */
export interface GitChart {
  /** `web-1.2.3.tgz` */
  readonly archiveName: string;
  /** '' for an archive in the repository, which nobody has looked into. */
  readonly version: string;
  /** Names the commit. */
  readonly url: string;
  readonly commit: string;
  /** As an archive, with its dependencies. */
  fetch(): Promise<Uint8Array>;
}

/** What git repositories hold, by URLs such as `git+https://example.com/charts.git@shop?ref=v1`. */
export interface GitFiles {
  /**
   * The bytes of a file. `index.yaml` of a folder of charts and `NAME-VERSION.tgz` of a chart in it or below it are made
   * where they are not there, as by the plugin helm-git. Fails with `bad-git-url`, `git-failed`, `git-ref-not-found`,
   * `git-not-found`, `git-submodule`, `git-lfs`, `git-link`, `offline`.
   */
  read(url: string, options?: GetOptions): Promise<Uint8Array>;
  /**
   * The path on this machine of a file or a folder, beside all other files of its commit but submodules, links that lead
   * out of the repository, and what Git LFS keeps. Fails as `read`.
   */
  folder(url: string, options?: GetOptions): Promise<string>;
  /** The chart of a folder, or an archive as `read` finds it. Fails as `read`. */
  chart(url: string, options?: GetOptions): Promise<GitChart>;
}

import type { ArchiveSignatures } from './archive-signatures.ts';
import type { CachedChart } from './cached-charts.ts';
import type { ChartAccess, ChartSources } from './chart-access.ts';
import type { HttpClient } from './http/client.ts';
import type { GetOptions } from './http/get-options.ts';

/** An archive whose place is known, not yet fetched. */
export interface LocatedArchive {
  /** The key in the content cache that is known before anything is fetched; '' for none. */
  readonly key: string;
  /** `demo-0.1.0.tgz`. */
  readonly name: string;
  /** As messages name it. */
  readonly url: string;
  /** What a trust policy knows it by: `oci://HOST/PATH/NAME`, a repository's URL with `/NAME`, or the archive's URL. */
  readonly origin: string;
  /** The URL that means just this, where what the user wrote means something else tomorrow. */
  readonly pinnedUrl?: string | undefined;
  /** Keeps what it fetches in the content cache, where that can be written to. */
  fetch(): Promise<Uint8Array>;
  fetchProvenance(): Promise<Uint8Array>;
  /** Its sigstore signatures; none where there are none. */
  fetchSignatures(): Promise<ArchiveSignatures>;
}

/** An archive and its provenance file on a server. */
export interface ChartFiles {
  archive(): Promise<Uint8Array>;
  provenance(): Promise<Uint8Array>;
  signatures(): Promise<ArchiveSignatures>;
}

/** An archive that an index or a user names by its URL. */
export interface ArchiveUrl {
  readonly url: string;
  /** As the index says; '' where no index names it. */
  readonly version: string;
  readonly options: GetOptions;
}

/** How charts come from URLs of one scheme. */
export interface ChartScheme {
  /** A file at a URL: an index, an archive. Undefined where URLs of the scheme name no files. */
  read?(url: string, options: GetOptions, http: HttpClient): Promise<Uint8Array>;
  /** A values file at a URL; without it, what `read` gives. */
  values?(url: string, sources: ChartSources): Promise<Uint8Array>;
  /** Whether an archive must be what an index says of it; a plugin may pack the chart at each fetch. */
  readonly keepsArchives: boolean;
  /** A repository's URL as a lock file keeps it, by the URL of an archive in its index. Default: as it is. */
  pinned?(repositoryUrl: string, archiveUrl: string): string;
  files(place: ArchiveUrl, sources: ChartSources): ChartFiles;
  /** Where a reference of the user and --version choose among the charts at a URL; without it the URL is an archive's. */
  readonly versions?: ChartVersions | undefined;
}

export interface ChartVersions {
  locate(reference: string, access: ChartAccess, sources: ChartSources): Promise<LocatedArchive>;
  /**
   * The name under which `CachedCharts` knows the versions, and which of them is meant, for --offline. Without it,
   * `locate` asks nobody then.
   */
  cached?(reference: string, wanted: string): CachedVersions;
}

export interface CachedVersions {
  readonly source: string;
  /** Undefined: the newest that fits `version`. */
  readonly isExactly?: ((chart: CachedChart) => boolean) | undefined;
  readonly version: string;
}

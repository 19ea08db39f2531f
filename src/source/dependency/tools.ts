import type { Notify } from '../../chart/notice.ts';
import type { ChartSources, TrustOptions } from '../chart-access.ts';
import type { HttpClient } from '../http/client.ts';
import type { HelmPaths } from '../paths.ts';
import type { Refreshed } from '../repository/update.ts';

/** What `dependency build` and `dependency update` tell as they go; the terminal words it. */
export type DependencyEvent =
  | { readonly kind: 'refreshing'; readonly isUnmanaged: boolean }
  | { readonly kind: 'refreshed'; readonly refreshed: Refreshed }
  | { readonly kind: 'all-refreshed' }
  | { readonly kind: 'saving'; readonly count: number }
  | { readonly kind: 'in-charts'; readonly name: string }
  | { readonly kind: 'archiving'; readonly name: string; readonly repository: string }
  | { readonly kind: 'downloading' | 'downloaded-already'; readonly name: string; readonly repository: string }
  | { readonly kind: 'unverified'; readonly reference: string; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cleaning' }
  | { readonly kind: 'kept'; readonly path: string; readonly error: unknown }
  | { readonly kind: 'subchart'; readonly path: string };

/** Whether archives are to be verified; `if-signed` takes those without a provenance file. */
export type Verifying = 'never' | 'if-signed' | 'always';

/** What the dependencies of a chart are fetched with. */
export interface DependencyTools {
  readonly paths: Pick<HelmPaths, 'repositoryConfig' | 'repositoryCache' | 'contentCache' | 'cacheHome'>;
  readonly http: HttpClient;
  /** Opened where a dependency is in a registry. */
  readonly sources: () => Promise<ChartSources>;
  readonly verifying: Verifying;
  readonly trust: TrustOptions;
  /** Uses the cached indexes as they are. */
  readonly skipRefresh: boolean;
  /** The time that the files of archives made here are to have (SOURCE_DATE_EPOCH). */
  readonly epoch: Date | undefined;
  readonly now: () => Date;
  readonly onEvent: (event: DependencyEvent) => void;
  readonly onNotice?: Notify | undefined;
}

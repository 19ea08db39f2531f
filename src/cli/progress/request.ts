export type ProgressMode = 'auto' | 'tty' | 'plain' | 'json' | 'none';

/** How a run is to be shown while it goes, and which files are written about it. */
export interface ProgressRequest {
  readonly mode: ProgressMode;
  /** Whether `auto` shows anything: not with `-o json`, not in dry runs. */
  readonly isShown: boolean;
  /** Warnings alone are reported, whatever the mode is. */
  readonly isQuiet?: boolean | undefined;
  readonly junit?: string | undefined;
  /** Whether traces and metrics are sent, as $OTEL_* say. */
  readonly otel?: boolean | undefined;
}

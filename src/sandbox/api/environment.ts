import type { Clock } from '../clock.ts';
import type { KindRegistry } from '../kinds/registry.ts';
import type { Store } from '../store/store.ts';

/** What the verbs of the API work on. */
export interface Environment {
  readonly store: Store;
  readonly kinds: KindRegistry;
  readonly clock: Clock;
}

/** How a write was asked for. */
export interface WriteOptions {
  readonly fieldManager: string;
  readonly dryRun?: boolean;
  readonly fieldValidation?: FieldValidation;
  readonly force?: boolean;
  /** '' for the object itself. */
  readonly subresource?: string;
  /** Told about what the API server would put into a Warning header. */
  readonly warn?: (text: string) => void;
}

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

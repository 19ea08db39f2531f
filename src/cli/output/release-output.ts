import { releaseJson } from '../../release/codec.ts';
import type { Release } from '../../release/types.ts';
import { compareText } from '../../support/order.ts';
import { formatted } from '../terminal/format.ts';

export interface ReleaseOutputOptions {
  /** `status` leaves the chart out. */
  readonly withoutChart?: boolean | undefined;
  /** The live objects, by `VERSION/KIND`, below `info.resources`. */
  readonly resources?: ReadonlyMap<string, readonly unknown[]> | undefined;
}

/** A release as `-o json` and `-o yaml` print it: the fields that Helm knows, and of an ordered one its `sequencing`. */
export function releaseOutput(release: Release, format: 'json' | 'yaml', options: ReleaseOutputOptions = {}): string {
  const record = JSON.parse(releaseJson({ ...release, operation: undefined, renamedFrom: undefined })) as {
    info: Record<string, unknown>;
    chart?: unknown;
  };
  if (options.withoutChart) delete record.chart;
  if (options.resources !== undefined && options.resources.size > 0) {
    record.info['resources'] = sortedKeys(Object.fromEntries(options.resources));
  }
  return formatted(record, format);
}

/** The same data with the keys of all its objects in order, as Go writes maps. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortedKeys(item)]));
}

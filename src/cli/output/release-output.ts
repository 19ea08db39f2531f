import type { KubernetesObject } from '../../manifest/types.ts';
import { releaseJson } from '../../release/codec.ts';
import type { Release } from '../../release/types.ts';
import { formatted } from './format.ts';

export interface ReleaseOutputOptions {
  /** `status` leaves the chart out. */
  readonly withoutChart?: boolean | undefined;
  /** The live objects, by `VERSION/KIND`, below `info.resources`. */
  readonly resources?: ReadonlyMap<string, readonly KubernetesObject[]> | undefined;
}

/** A release as `-o json` and `-o yaml` print it: the record's own fields. */
export function releaseOutput(release: Release, format: 'json' | 'yaml', options: ReleaseOutputOptions = {}): string {
  const record = JSON.parse(releaseJson(release)) as { info: Record<string, unknown>; chart?: unknown };
  if (options.withoutChart) delete record.chart;
  if (options.resources !== undefined && options.resources.size > 0) {
    record.info['resources'] = Object.fromEntries([...options.resources].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return formatted(record, format);
}

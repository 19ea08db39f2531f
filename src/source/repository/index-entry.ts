import { metadataType, type RawMetadata, RepeatedDependency, validateMetadata } from '../../chart/metadata.ts';
import { type FieldType, type StructType, structFromJson, structFromYaml } from '../../chart/struct-decoder.ts';
import type { ChartMetadata, Dependency } from '../../chart/types.ts';
import type { Value } from '../../go/value.ts';

/** One version of a chart in an index. Go: repo.ChartVersion. */
export interface IndexEntry {
  readonly metadata: ChartMetadata;
  readonly urls: readonly string[];
  /** When it was added: an RFC 3339 text. */
  readonly created: string;
  readonly removed: boolean;
  /** The SHA-256 of the archive; '' where the index tells none. */
  readonly digest: string;
  /** Fields of Helm 2, which nobody reads; they stay where they are. */
  readonly outdated: Readonly<Record<string, string>>;
}

const text: FieldType = { kind: 'string' };
const outdatedNames = ['checksum', 'engine', 'tillerVersion', 'url'] as const;

const indexEntryType: StructType = {
  kind: 'struct',
  goType: 'v1.ChartVersion',
  fields: {
    ...metadataType.fields,
    urls: { name: 'urls', type: { kind: 'list', of: text, goType: '[]string' } },
    created: { name: 'created', type: { kind: 'time' } },
    removed: { name: 'removed', type: { kind: 'bool' } },
    digest: { name: 'digest', type: text },
    ...Object.fromEntries(outdatedNames.map((name) => [name, { name, type: text }])),
  },
};

/** A version as it is in an index, not validated. */
export type RawIndexEntry = RawMetadata & {
  readonly urls?: readonly string[];
  readonly created?: string;
  readonly removed?: boolean;
  readonly digest?: string;
} & { readonly [name in (typeof outdatedNames)[number]]?: string };

/** A version that was read from YAML, with unknown keys refused, or from JSON. Throws GoError. */
export const rawEntry = (value: Value, format: 'yaml' | 'json'): RawIndexEntry | undefined =>
  (format === 'yaml'
    ? structFromYaml(value, indexEntryType, { strict: true })
    : structFromJson(value, indexEntryType)) as RawIndexEntry | undefined;

/** A version that Helm takes too. Throws GoError (`validation: chart.metadata.name is required`). Go: loadIndex. */
export function validEntry(raw: RawIndexEntry): IndexEntry {
  const { urls = [], created = '0001-01-01T00:00:00Z', removed = false, digest = '', ...rest } = raw;
  const { checksum, engine, tillerVersion, url, ...metadata } = rest;
  const outdated = Object.entries({ checksum, engine, tillerVersion, url }).filter(([, value]) => value);
  return {
    metadata: validated({ ...metadata, apiVersion: metadata.apiVersion || 'v1' }),
    urls,
    created,
    removed,
    digest,
    outdated: Object.fromEntries(outdated) as Record<string, string>,
  };
}

/** Some servers drop the aliases, so that one name occurs twice: no reason to hide a version (loadIndex). */
function validated(raw: RawMetadata): ChartMetadata {
  try {
    return validateMetadata(raw);
  } catch (cause) {
    if (!(cause instanceof RepeatedDependency)) throw cause;
    const { dependencies = [], ...rest } = raw;
    return { ...validateMetadata(rest), dependencies: dependencies as readonly Dependency[] };
  }
}

import { createHash } from 'node:crypto';
import { metadataValue } from '../../chart/metadata-value.ts';
import { readStruct, type StructType } from '../../chart/struct-decoder.ts';
import type { ChartMetadata } from '../../chart/types.ts';
import { GoError, type Value } from '../../go/value.ts';
import { writeYaml } from '../../yaml/index.ts';

/** The end of a YAML document: its start, three dashes, would be escaped in a signed text. */
const separator = '\n...\n';

/** `sha256:…` of an archive. */
export const digestOf = (data: Uint8Array): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;

/** What is signed: Chart.yaml, then the digest of the archive. Go: provenance.messageBlock. */
export const provenanceText = (archive: Uint8Array, name: string, metadata: ChartMetadata): string =>
  describedText(archive, name, writeYaml(metadataValue(metadata)));

/** The same of anything that YAML describes: what plugins are signed with. */
export function describedText(archive: Uint8Array, name: string, description: string): string {
  const files = new Map<string, Value>([[name, digestOf(archive)]]);
  return `${description}${separator}${writeYaml(new Map<string, Value>([['files', files]]))}`;
}

const sumsType: StructType = {
  kind: 'struct',
  goType: 'provenance.SumCollection',
  fields: {
    files: { name: 'files', type: { kind: 'string-map' } },
    images: { name: 'images', type: { kind: 'string-map' } },
  },
};

/** The digests that a signed text names, by file. Go: parseMessageBlock. Throws GoError. */
export function signedDigests(text: string): Readonly<Record<string, string>> {
  const [, sums] = text.split(separator);
  if (sums === undefined) throw new GoError('message block must have at least two parts');
  return (readStruct(sums, sumsType)?.['files'] ?? {}) as Record<string, string>;
}

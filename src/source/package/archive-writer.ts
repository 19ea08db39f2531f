import { deflateRawSync } from 'node:zlib';
import type { BufferedFile } from '../../chart/files.ts';
import { packTar } from '../../chart/tar.ts';
import type { Chart } from '../../chart/types.ts';
import { baseName } from '../../go/path.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { encodeText } from '../../go/text.ts';
import { GoError } from '../../go/value.ts';
import { crc32 } from '../../support/crc32.ts';
import { chartYaml, lockYaml } from './chart-yaml.ts';

/**
 * A chart as an archive: its own files in Helm's order, then its subcharts unpacked below `charts/`. The same chart
 * gives the same bytes. Go: chartutil.writeTarContents. Throws GoError.
 */
export async function chartArchive(chart: Chart, now: Date): Promise<Uint8Array> {
  return gzipped(await packTar(tarFiles(chart, '', now)));
}

function tarFiles(chart: Chart, prefix: string, now: Date): BufferedFile[] {
  const { metadata, lock, schema } = chart;
  if (baseName(metadata.name) !== metadata.name) throw new GoError(`${quote(metadata.name)} is not a valid chart name`);
  const base = `${prefix}${metadata.name}`;
  const file = (name: string, data: Uint8Array, modifiedAt: Date | undefined): BufferedFile => ({
    name: `${base}/${name}`,
    data,
    modifiedAt: isSet(modifiedAt) ? modifiedAt : now,
  });
  const listed = [...chart.templates, ...chart.files];
  return [
    file('Chart.yaml', encodeText(chartYaml(chart)), chart.modifiedAt),
    ...(metadata.apiVersion === 'v2' && lock !== undefined
      ? [file('Chart.lock', encodeText(lockYaml(lock)), new Date(lock.generated))]
      : []),
    ...chart.raw
      .filter(({ name }) => name === 'values.yaml')
      .map(({ name, data, modifiedAt }) => file(name, data, modifiedAt)),
    ...(schema === undefined ? [] : [file('values.schema.json', checkedJson(schema), chart.schemaModifiedAt)]),
    ...listed.map(({ name, data, modifiedAt }) => file(name, data, modifiedAt)),
    ...chart.dependencies.flatMap((child) => tarFiles(child, `${base}/charts/`, now)),
  ];
}

/** Go's zero time is before year 1: as good as none. */
const isSet = (time: Date | undefined): time is Date => time !== undefined && time.getUTCFullYear() > 1;

function checkedJson(schema: Uint8Array): Uint8Array {
  try {
    JSON.parse(Buffer.from(schema).toString('utf8'));
    return schema;
  } catch (cause) {
    throw new GoError('invalid JSON in values.schema.json', { cause });
  }
}

// Helm's header: a field of its own (RFC 1952, 2.3.1.1) and the comment "Helm"; no time, no system.
const extra = Buffer.from('rr\x28\x00aHR0cHM6Ly95b3V0dS5iZS96OVV6MWljandyTQo=', 'latin1');
const fields = { extra: 0x04, comment: 0x10 };

function gzipped(data: Uint8Array): Uint8Array {
  const head = Buffer.from([0x1f, 0x8b, 8, fields.extra | fields.comment, 0, 0, 0, 0, 0, 0xff]);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(extra.length);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(data), 0);
  tail.writeUInt32LE(data.length % 2 ** 32, 4);
  return Buffer.concat([head, length, extra, Buffer.from('Helm\0', 'latin1'), deflateRawSync(data), tail]);
}

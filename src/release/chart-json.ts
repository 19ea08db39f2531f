import { recordedLock, recordedMetadata } from '../chart/metadata.ts';
import { lockJson, metadataJson } from '../chart/metadata-json.ts';
import type { ChartFile } from '../chart/types.ts';
import { writeJson } from '../go/json/json.ts';
import { jsonList, jsonObject, jsonText, omitEmpty } from '../go/json/struct-text.ts';
import { asObject, type Fields } from '../support/json.ts';
import { formatUtcTime } from '../support/time.ts';
import { bytesField, listField, objectField, textField, toValue, valuesField } from './json-fields.ts';
import { recordedTime } from './time.ts';
import type { RecordedChart } from './types.ts';

const written = new WeakMap<RecordedChart, string>();

/**
 * A chart as Helm records it (chart/v2.Chart): fields in Go's order, files as base64, absent lists as null.
 * Remembered for each chart, because one deploy writes its record several times.
 */
export function chartJson(chart: RecordedChart): string {
  const known = written.get(chart);
  if (known !== undefined) return known;
  const json = writeChart(chart);
  written.set(chart, json);
  return json;
}

const writeChart = (chart: RecordedChart): string =>
  jsonObject([
    ['metadata', metadataJson(chart.metadata)],
    ['lock', chart.lock === undefined ? 'null' : lockJson(chart.lock)],
    ['templates', filesJson(chart.templates)],
    ['values', writeJson(chart.values)],
    ['schema', chart.schema === undefined ? 'null' : bytesJson(chart.schema)],
    ['schemamodtime', jsonText(timeText(chart.schemaModifiedAt) ?? '0001-01-01T00:00:00Z')],
    ['files', filesJson(chart.files)],
    ['modtime', omitEmpty(timeText(chart.modifiedAt))],
  ]);

const filesJson = (files: readonly ChartFile[]): string =>
  files.length === 0 ? 'null' : jsonList(files.map(fileJson));

const fileJson = (file: ChartFile): string =>
  jsonObject([
    ['name', jsonText(file.name)],
    ['data', bytesJson(file.data)],
    ['modtime', omitEmpty(timeText(file.modifiedAt))],
  ]);

const bytesJson = (bytes: Uint8Array): string =>
  `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`;

const timeText = (time: Date | undefined): string | undefined => (time === undefined ? undefined : formatUtcTime(time));

/** The chart of a record. Fields that Helm does not know are dropped, as Helm does. */
export function readChart(json: Fields): RecordedChart {
  return {
    metadata: recordedMetadata(toValue(objectField(json, 'metadata'))),
    lock: json['lock'] ? recordedLock(toValue(json['lock'])) : undefined,
    templates: listField(json, 'templates').map(readFile),
    values: valuesField(json, 'values'),
    schema: json['schema'] ? bytesField(json, 'schema') : undefined,
    schemaModifiedAt: timeField(json, 'schemamodtime'),
    files: listField(json, 'files').map(readFile),
    modifiedAt: timeField(json, 'modtime'),
  };
}

function readFile(entry: unknown): ChartFile {
  const json = asObject(entry);
  return { name: textField(json, 'name'), data: bytesField(json, 'data'), modifiedAt: timeField(json, 'modtime') };
}

function timeField(json: Fields, key: string): Date | undefined {
  const text = recordedTime(json[key]);
  return text === undefined ? undefined : new Date(text);
}

import type { SchemaMistake } from '../../chart/schema-mistakes.ts';
import { hasCode } from '../../support/errors.ts';
import type { OnDisk } from './chart-file.ts';
import { frameText } from './excerpt.ts';
import { labelled } from './fault-text.ts';

/** Where a values.schema.json is wrong itself, what is wrong there, and the way out; '' where none is. */
export function brokenSchemasText(failure: unknown, onDisk: OnDisk): string {
  const { brokenSchemas = [] } = hasCode(failure, 'values-schema') ? failure.details : {};
  if (brokenSchemas.length === 0) return '';
  const told = brokenSchemas.map((mistake) => mistakeText(mistake, onDisk));
  return [...told, `  ${labelled('fix', 'or go on without checking values: --skip-schema-validation')}`].join('\n\n');
}

function mistakeText({ place, text, fix }: SchemaMistake, onDisk: OnDisk): string {
  const { line, column } = place;
  const file = onDisk(place.file);
  if (line === undefined) return `  ${labelled('where', `${file}: ${text}`)}`;
  const lines = [
    labelled('where', `${file}:${line}:${column}: ${text}`),
    ...(fix === undefined ? [] : [labelled('fix', fix)]),
  ];
  return `${lines.map((each) => `  ${each}`).join('\n')}\n\n${frameText({ ...place, line }).replace(/\n$/, '')}`;
}

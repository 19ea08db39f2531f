import type { FieldDrift, ObjectDrift, ReleaseDrift } from '../../actions/drift.ts';
import type { FieldWriter } from '../../manifest/field-writers.ts';
import { kindAndName } from '../../manifest/resource-id.ts';
import { countOf } from '../../support/text.ts';
import { tableText } from '../table.ts';

/** What has drifted: a line for each field or missing object, explanations and notes below. */
export function driftText(
  { release, namespace, revision, compared, objects, isDrifted }: ReleaseDrift,
  table: TableOf = tableText,
): string {
  const count = countOf(compared, 'object');
  const title = `${release} in ${namespace}, revision ${revision}: `;
  if (objects.length === 0) return `${title}no drift in ${count}\n`;
  const header = ['OBJECT', 'FIELD', 'RECORDED', 'LIVE', 'CHANGED BY'];
  const remarks = objects.flatMap(remarksOf);
  const expected = isDrifted ? '' : ', and no drift: all of it is explained below';
  return `${title}${objects.length} of ${count} not as recorded${expected}\n\n${table([header, ...objects.flatMap(rowsOf)])}${
    remarks.length === 0 ? '' : `\n${remarks.map((line) => `${line}\n`).join('')}`
  }`;
}

/** The same of the releases of a stack: many without drift are a number. */
export function stackDriftText(drifts: readonly ReleaseDrift[], table: TableOf = tableText): string {
  const textOf = (drift: ReleaseDrift): string => driftText(drift, table);
  const same = drifts.filter(({ objects }) => objects.length === 0);
  if (same.length <= mostWithoutDrift) return drifts.map(textOf).join('\n');
  const telling = drifts.filter(({ objects }) => objects.length > 0);
  return [...telling.map(textOf), `no drift in ${same.length} releases\n`].join('\n');
}

type TableOf = (rows: readonly (readonly string[])[]) => string;

const mostWithoutDrift = 10;

function rowsOf(object: ObjectDrift): readonly string[][] {
  const fields = object.fields.map((field) => [
    kindAndName(object.id),
    `${field.path}${field.explanation === undefined ? '' : ' *'}`,
    valueText(field.recorded),
    valueText(field.live),
    field.writers.map(writerText).join(', '),
  ]);
  if (object.state === 'changed') return fields;
  return [
    [kindAndName(object.id), '', '', `${object.state}${object.explanation === undefined ? '' : ' *'}`, ''],
    ...fields,
  ];
}

/** `kubectl-edit (Update, 2026-01-02T03:04:05Z)` */
const writerText = ({ manager, operation, subresource, time }: FieldWriter): string =>
  `${manager} (${[operation, subresource, time].filter((part) => part !== undefined && part !== '').join(', ')})`;

const longestValue = 60;

function valueText(value: unknown): string {
  if (value === undefined) return '-';
  const text = typeof value === 'string' && !/[\n\t]/.test(value) && value !== '' ? value : JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}

function remarksOf(object: ObjectDrift): readonly string[] {
  const name = kindAndName(object.id);
  const explained = object.fields.filter(
    (field): field is FieldDrift & { explanation: string } => field.explanation !== undefined,
  );
  return [
    ...(object.reason === undefined ? [] : [`${name}: ${object.reason}`]),
    ...(object.explanation === undefined ? [] : [`* ${name}: ${object.explanation}`]),
    ...explained.map(({ path, explanation }) => `* ${name}, ${path}: ${explanation}`),
    ...object.notes.map((note) => `${name}: note: ${note}`),
  ];
}

/** What `drift -o json|yaml` prints. */
export const driftData = ({ release, namespace, revision, isDrifted, compared, objects }: ReleaseDrift) => ({
  release,
  namespace,
  revision,
  drifted: isDrifted,
  compared,
  objects: objects.map(({ id, state, reason, explanation, fields, notes }) => ({
    apiVersion: id.apiVersion,
    kind: id.kind,
    namespace: id.namespace || undefined,
    name: id.name,
    state,
    reason,
    explanation,
    notes: notes.length === 0 ? undefined : notes,
    fields: fields.map((field) => ({
      path: field.path,
      recorded: field.recorded,
      live: field.live,
      explanation: field.explanation,
      changedBy: field.writers.map(({ manager, operation, subresource, time }) => ({
        manager,
        operation,
        subresource,
        time,
      })),
    })),
  })),
});

import { subchartsOfFile } from '../chart/template-text.ts';
import type { ObjectOrigin } from '../execute/faults.ts';
import type { GoMap } from '../go/value.ts';
import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { Again } from '../render/again.ts';
import { type DocumentTrace, documentsOf } from '../render/document-trace.ts';
import type { ReadField, Scope } from '../render/influences.ts';

/** The documents that a template renders, with other values or the same. */
export function tracedDocuments(again: Again, file: string, values?: GoMap): readonly DocumentTrace[] {
  const trace = again.trace(file, values);
  return trace === undefined ? [] : documentsOf(trace);
}

/** Whether a document is an object of this kind and name. */
export const isOf = ({ object }: DocumentTrace, { kind, name }: Pick<ResourceId, 'kind' | 'name'>): boolean =>
  textAt(object, ['kind']) === kind && textAt(object, ['metadata', 'name']) === name;

const textAt = (object: unknown, path: FieldPath): string => String(valueAtPath(object, path) ?? '');

/** The values around an object's template. */
export const scopeOf = ({ chart, values }: Again, { template: file }: ObjectOrigin): Scope => ({
  chart,
  values,
  subcharts: subchartsOfFile(file),
});

/** What the field of the object says with other values. Under another name it is the document in the same place. */
export function readingOf(again: Again, { id, template: file }: ObjectOrigin, path: FieldPath): ReadField {
  const before = tracedDocuments(again, file);
  const index = before.findIndex((one) => isOf(one, id));
  return (values) => {
    const documents = tracedDocuments(again, file, values);
    const same = documents.length === before.length ? documents[index] : undefined;
    // Most changes leave it where it was: the others need not be read then.
    const document = same !== undefined && isOf(same, id) ? same : (documents.find((one) => isOf(one, id)) ?? same);
    const value = document && valueAtPath(document.object, path);
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
  };
}

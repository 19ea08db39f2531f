import { readOrderFile } from '../../chart/order-file.ts';
import { parsedValuesFile } from '../../chart/values-file.ts';
import { encodeText } from '../../go/text.ts';
import { addedDetail, causesOf, hasCode, messageOf, TshelmError } from '../../support/errors.ts';
import { YamlError } from '../../yaml/index.ts';
import type { Mark } from './marks.ts';

/** What is wrong in a file by itself; `file` is what its marks name. */
type FileCheck = (file: string, text: string) => readonly Mark[];

const mark = (file: string, code: string, at: { readonly line: number; readonly message: string }): Mark => ({
  file,
  line: Math.max(1, at.line),
  words: [],
  level: 'error',
  code,
  title: at.message,
  message: at.message,
  related: [],
});

/** A failure as a mark: at the place that it names, in whichever file, or at the first line of this one. */
export function failureMark(file: string, failure: unknown, fileOf = (named: string): string => named): Mark {
  const place = addedDetail(failure, 'place');
  const yaml = causesOf(failure).findLast((cause): cause is YamlError => cause instanceof YamlError);
  const code = failure instanceof TshelmError ? failure.code : 'failed';
  const message = messageOf(failure);
  if (place !== undefined) return mark(fileOf(place.file), code, { line: place.line, message });
  return mark(file, code, { line: yaml?.line ?? 1, message });
}

/** What is wrong in a file of values, whether or not its chart can be read. */
export const valuesMarks: FileCheck = (file, text) => {
  try {
    parsedValuesFile(file, encodeText(text));
    return [];
  } catch (failure) {
    return [failureMark(file, failure, () => file)];
  }
};

/** Every mistake in an order file, at its line. */
export const orderMarks: FileCheck = (file, text) => {
  try {
    readOrderFile(text, file);
    return [];
  } catch (failure) {
    if (!hasCode(failure, 'order-file-invalid')) return [failureMark(file, failure)];
    const { mistakes, lines = [] } = failure.details;
    return mistakes.map((message, index) => mark(file, failure.code, { line: lines[index] ?? 1, message }));
  }
};

import { templateText } from '../chart/template-text.ts';
import type { Chart } from '../chart/types.ts';
import { annotationLine, type Declared } from '../manifest/document-line.ts';
import { inputSpellings } from './declarations.ts';

/** The line of a template on which a resource has a key, in any of its spellings; `source` has the charts before it. */
export const keyLine = (chart: Chart, source: string, key: string, of: Declared): number | undefined =>
  keyLineIn(templateText(chart, source), key, of);

/** The same in a template's text; `value` tells the lines apart where several have the key. */
export function keyLineIn(text: string | undefined, key: string, of: Declared, value = ''): number | undefined {
  const lines = inputSpellings(key).map((spelling) => annotationLine(text ?? '', spelling, value, of));
  return lines.find((line) => line !== undefined);
}

import { fileText } from '../chart/file-text.ts';
import type { Chart } from '../chart/types.ts';
import { chartNamesOf } from './chart-path.ts';
import { inputSpellings } from './declarations.ts';
import { annotationLine, type Declared, resourceLine } from './source-lines.ts';

/** The line of a template on which a resource has a key, in any of its spellings; `source` has the charts before it. */
export function keyLine(chart: Chart, source: string, key: string, of?: Declared): number | undefined {
  const text = templateText(chart, source);
  if (text === undefined) return undefined;
  return inputSpellings(key)
    .map((spelling) => annotationLine(text, spelling, '', of))
    .find((line) => line !== undefined);
}

/** The line of a template on which a resource begins. */
export function declarationLine(chart: Chart, source: string, of: Declared): number | undefined {
  const text = templateText(chart, source);
  return text === undefined ? undefined : resourceLine(text, of);
}

function templateText(chart: Chart, source: string): string | undefined {
  const [first, ...names] = chartNamesOf(source);
  let owner: Chart | undefined = chart;
  for (const name of names) owner = owner?.dependencies.find(({ metadata }) => metadata.name === name);
  return fileText(owner, source.slice([first, ...names].join('/charts/').length + 1));
}

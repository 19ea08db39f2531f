import type { Chart } from '../chart/types.ts';
import { documentLine } from '../manifest/document-line.ts';
import { addedDetail, TshelmError } from '../support/errors.ts';

/** Of a chart that was just loaded its subcharts are known, of a recorded one they are not. */
type Templates = Pick<Chart, 'metadata' | 'templates'> & { readonly dependencies?: readonly Templates[] };

/** The same failure; its objects' sources say at which line of their templates they begin, where the chart tells. */
export function withTemplateLines(failure: unknown, chart: Templates): unknown {
  const sources = addedDetail(failure, 'sources') ?? [];
  if (!(failure instanceof TshelmError) || sources.length === 0) return failure;
  const located = sources.map((source) => {
    const text = templateText(chart, source.file);
    return text === undefined ? source : { ...source, line: documentLine(text, source.id) };
  });
  return failure.wrapped({ message: failure.message, details: { sources: located } });
}

/** The template that a source names: `shop/charts/db/templates/web.yaml`. */
function templateText(chart: Templates, source: string): string | undefined {
  const [, ...path] = source.split('/');
  let at: Templates | undefined = chart;
  while (at !== undefined && path[0] === 'charts') {
    const [, name] = path.splice(0, 2);
    at = at.dependencies?.find(({ metadata }) => metadata.name === name);
  }
  const file = at?.templates.find((template) => template.name === path.join('/'));
  return file === undefined ? undefined : new TextDecoder().decode(file.data);
}

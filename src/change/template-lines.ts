import { type Templates, templateText } from '../chart/template-text.ts';
import { documentLine } from '../manifest/document-line.ts';
import { addedDetail, TshelmError } from '../support/errors.ts';

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

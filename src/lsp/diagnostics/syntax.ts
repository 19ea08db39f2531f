import { isHandlebars } from '../../render/engine.ts';
import { nearest } from '../../support/near.ts';
import { TemplateError } from '../../template/error.ts';
import { parseTemplate } from '../../template/parser.ts';
import { type ChartView, functions, language } from '../chart-view.ts';
import type { Mark } from './marks.ts';

/** What keeps templates from being parsed, each by itself; of one template, or of all. */
export function syntaxMarks(view: ChartView, only?: string): readonly Mark[] {
  const files = only === undefined ? view.templates() : [only];
  return files.filter((file) => !isHandlebars(file)).flatMap((file) => syntaxMark(file, view.text(file) ?? '') ?? []);
}

function syntaxMark(file: string, text: string): Mark | undefined {
  try {
    parseTemplate({ name: file, text }, language);
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const unknown = error.fact?.kind === 'unknown-function' ? error.fact.name : undefined;
    const meant = unknown === undefined ? undefined : nearest(unknown, functions);
    return {
      file,
      line: Math.max(1, error.line),
      words: unknown === undefined ? [] : [unknown],
      level: 'error',
      code: unknown === undefined ? 'template-failed' : 'function-unknown',
      message: error.message,
      related: [],
      ...(meant !== undefined && unknown !== undefined && { replacement: { from: unknown, to: meant } }),
    };
  }
}

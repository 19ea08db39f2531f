import { isHandlebars } from '../../render/engine.ts';
import { nearest } from '../../support/near.ts';
import { TemplateError } from '../../template/error.ts';
import { parseTemplate } from '../../template/parser.ts';
import { type ChartView, functions, language } from '../chart-view.ts';
import { actionsIn } from '../template/mended.ts';
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
    const open = openedBefore(text, error.line);
    if (open !== undefined) return { ...syntaxError(file, open, error.message), code: 'action-not-closed' };
    const meant = unknown === undefined ? undefined : nearest(unknown, functions);
    if (unknown === undefined) return syntaxError(file, error.line, error.message);
    return {
      ...syntaxError(file, error.line, error.message),
      words: [unknown],
      code: 'function-unknown',
      ...(meant !== undefined && { replacement: { from: unknown, to: meant } }),
    };
  }
}

const syntaxError = (file: string, line: number, message: string): Mark => ({
  file,
  line: Math.max(1, line),
  words: [],
  level: 'error',
  code: 'template-failed',
  title: message,
  message,
  related: [],
});

/** The line of an action without its end, which the parser reads on into the lines below: it stumbles there. */
function openedBefore(text: string, line: number): number | undefined {
  const open = actionsIn(text).find(({ isWhole }) => !isWhole);
  const own = open && text.slice(0, open.from).split('\n').length;
  return own !== undefined && own < line ? own : undefined;
}

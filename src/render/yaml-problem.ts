import type { ChartFact } from '../problem/chart-fact.ts';
import type { ValuePlace } from '../problem/place.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import type { Remedy } from '../problem/remedy.ts';
import { addedDetail, causesOf, hasCode, type SourcePlace, TshelmError } from '../support/errors.ts';
import { YamlError, type YamlMistake } from '../yaml/index.ts';
import { openQuoteIn, wrongLines } from './misindented.ts';

interface YamlPlaces {
  /** Where the reader of YAML stumbles. */
  readonly place?: SourcePlace | undefined;
  readonly rendered?: SourcePlace | undefined;
  readonly culprit?: YamlCulprit | undefined;
  /** What is printed where the reader stumbles, where no line is known to be at fault. */
  readonly values?: readonly ValuePlace[] | undefined;
}

/** The line that is wrong: it is too deep or not deep enough, or its quote is open. */
export interface YamlCulprit extends Pick<SourcePlace, 'file' | 'line'> {
  readonly code: 'yaml-indent' | 'yaml-quote-open' | 'yaml-colon-missing';
  /** By how many columns it has to move. */
  readonly by?: number | undefined;
}

/** A text that is no YAML: a file of the chart, one of the user, or what a template renders (then `rendered` is the line in that). */
export function yamlProblem(
  error: TshelmError,
  subject: { readonly kind: 'template' | 'file'; readonly file: string },
  { place, rendered, culprit, values = [] }: YamlPlaces = {},
): Problem {
  const [mistake] = causesOf(error).flatMap((cause) => (cause instanceof YamlError ? (cause.mistake ?? []) : []));
  const short = place && shortIndent(place, rendered);
  const words = new Quote(error.message);
  const isFound = isOfIndentation(mistake) || culprit?.code === mistake;
  const known = short === undefined && isFound ? culprit : undefined;
  const code = known?.code ?? mistake;
  const cause: ChartFact = short?.cause ?? (code === undefined ? { code: 'yaml-invalid', words } : { code });
  const { line, column } = place ?? {};
  const stumble = { ...subject, line, column };
  const own = known === undefined ? stumble : { kind: subject.kind, file: known.file, line: known.line };
  return problemOf({
    subject,
    cause,
    places: [...(own.file === stumble.file && own.line === stumble.line ? [stumble] : [own, stumble]), ...values],
    remedies: short === undefined ? culpritRemedies(known, place) : [short.remedy],
    evidence: cause.code === 'yaml-invalid' ? [] : [{ kind: 'message', lines: [words] }],
  });
}

/** A file of the chart or of the user that is no YAML, with that as its problem. */
export function withYamlProblem(failure: unknown): unknown {
  const origin = causesOf(failure).findLast((cause) => hasCode(cause, 'chart-invalid', 'values-invalid'));
  const place = addedDetail(failure, 'place');
  if (!hasCode(failure, 'chart-invalid', 'values-invalid') || origin === undefined || place === undefined)
    return failure;
  const { file, text, line } = place;
  const found = wrongLines(text, line);
  const by = found !== undefined && 'by' in found ? found.by : undefined;
  const culprit = found && { file, line: found.from, code: found.code, by };
  const problems = [yamlProblem(origin as TshelmError, { kind: 'file', file }, { place, culprit })];
  return failure.wrapped({ message: failure.message, details: { problems } });
}

/** Mistakes that a reader finds where lines are not as deep as those around. */
const isOfIndentation = (mistake: YamlMistake | undefined): boolean =>
  ['yaml-indent', 'yaml-list-item', 'yaml-colon-missing', 'yaml-nested-mapping'].includes(mistake ?? '');

/** How the line that is wrong has to be written, where its file is the one that was read. */
function culpritRemedies(culprit: YamlCulprit | undefined, place: SourcePlace | undefined): readonly Remedy[] {
  if (culprit === undefined || culprit.file !== place?.file) return [];
  const { file, line, code, by } = culprit;
  const written = (place.text.split('\n')[line - 1] ?? '').trimEnd();
  const from = written.trimStart();
  switch (code) {
    case 'yaml-quote-open': {
      const quote = openQuoteIn(withoutActions(written));
      return quote === undefined ? [] : [{ kind: 'change-text', file, line, from, to: `${from}${quote}` }];
    }
    case 'yaml-colon-missing': {
      const [, key, rest] = /^((?:- )?[A-Za-z][\w./-]*)((?: .*)?)$/.exec(from) ?? [];
      return key === undefined ? [] : [{ kind: 'change-text', file, line, from, to: `${key}:${rest}` }];
    }
    case 'yaml-indent':
      return by === undefined ? [] : indentRemedies({ file, line, by }, written);
  }
}

/** Quotes in actions are not those of YAML. */
const withoutActions = (line: string): string => line.replace(/\{\{.*?\}\}/g, '');

type Move = Pick<SourcePlace, 'file' | 'line'> & { readonly by: number };

function indentRemedies({ file, line, by }: Move, written: string): readonly Remedy[] {
  const call = indentCallIn(written);
  if (call !== undefined)
    return [{ kind: 'change-text', file, line, from: call.text, to: call.withIndent(call.by + by) }];
  const [from = '', margin = ''] = /^( *)[^\s{]+/.exec(written) ?? [];
  if (from === '' || margin.length + by < 0) return [];
  return [{ kind: 'change-text', file, line, from, to: ' '.repeat(margin.length + by) + from.trimStart() }];
}

/** What indents in a line of a template: `nindent 4`. */
export function indentCallIn(line: string) {
  const [text, name, by] = /\b(n?indent)\s+(\d+)/.exec(line) ?? [];
  return text === undefined ? undefined : { text, by: Number(by), withIndent: (to: number) => `${name} ${to}` };
}

/** A text of several lines that a template indents too little for its block. */
function shortIndent(place: SourcePlace, rendered: SourcePlace | undefined) {
  const call = indentCallIn(place.text.split('\n')[place.line - 1] ?? '');
  const lines = rendered?.text.split('\n') ?? [];
  const before = lines.slice(0, (rendered?.line ?? 1) - 1).findLast((one) => one.trim() !== '') ?? '';
  const [, margin, key, block] = /^( *(?:- +)*)([^\s:]+):\s*([|>][-+\d]*)?\s*$/.exec(before) ?? [];
  if (call === undefined || margin === undefined || key === undefined) return undefined;
  // The items of a list may appear as far out as its key.
  const isItem = block === undefined && /^ *- /.test(lines[(rendered?.line ?? 1) - 1] ?? '');
  if (isItem ? call.by >= margin.length : call.by > margin.length) return undefined;
  const remedy: Remedy = {
    kind: 'change-text',
    file: place.file,
    line: place.line,
    from: call.text,
    to: call.withIndent(margin.length + 2),
  };
  return { cause: { code: 'block-left', key } as const, remedy };
}

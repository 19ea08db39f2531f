import { type TemplateOptions, templateChart } from '../actions/template.ts';
import { type ChartFiles, chartFromMap } from '../chart/file-map.ts';
import { assigned } from '../chart/set/set-options.ts';
import type { Chart } from '../chart/types.ts';
import { parsedValuesFile } from '../chart/values-file.ts';
import { slogLine } from '../go/slog.ts';
import type { GoMap } from '../go/value.ts';
import type { Place } from '../problem/place.ts';
import { utf8Bytes } from '../support/bytes.ts';
import { addedDetail, messageOf, problemsOf } from '../support/errors.ts';
import { withDebugHint } from '../words/debug-hint.ts';
import { factText } from '../words/fact.ts';
import { detailLines, detailTexts, mergedLines } from '../words/problem.ts';
import { type DrawnOrder, drawnOrder } from './drawn-order.ts';

/** A chart, and what `tshelm template` is given beside it. */
export interface Question extends Pick<TemplateOptions, Flags> {
  readonly files: ChartFiles;
  /** The file of `-f values.yaml`. */
  readonly values: string;
  readonly release: string;
  readonly namespace: string;
  /** What `--set` gives. */
  readonly set?: readonly string[] | undefined;
  /** `--kube-version`; '' for the default. */
  readonly kubeVersion: string;
}

type Flags = 'apiVersions' | 'includeCrds' | 'isUpgrade' | 'noHooks' | 'skipTests' | 'showOnly' | 'debug';

/** What the command prints, and what a page shows beside it. */
export interface Answer {
  readonly output: string;
  /** Of standard error: what is warned of, then the failure. */
  readonly errors: string;
  /** Lines of the user's files that are wrong: paths as in {@link Question.files}, or {@link valuesFile}. */
  readonly places: readonly AnswerPlace[];
  /** What is wrong and what to do about it. */
  readonly help: readonly string[];
  /** Absent where the chart fails. */
  readonly order?: OrderAnswer | undefined;
}

/** An order that cannot be kept, as a cycle, does not keep `template` from printing. */
export type OrderAnswer = DrawnOrder | { readonly problem: string };

export interface AnswerPlace {
  readonly file: string;
  readonly line: number;
}

/** The name that the values of the user have in messages. */
export const valuesFile = 'my-values.yaml';

/** What `tshelm template RELEASE CHART -f my-values.yaml` prints for these files, and the order of `tshelm plan`. */
export async function answer(question: Question): Promise<Answer> {
  const notices: string[] = [];
  let chart: Chart | undefined;
  try {
    const values = valuesOf(question);
    chart = chartFromMap(question.files, ({ level, message, attributes }) =>
      notices.push(slogLine(level, message, attributes)),
    );
    if (isDeprecated(chart)) notices.push(slogLine('WARN', 'this chart is deprecated'));
    const options = given(question);
    const { output, warnings } = await templateChart(chart, values, options);
    const order = await drawnOrder(chart, values, options).catch((cause: unknown) => ({ problem: messageOf(cause) }));
    const errors = [...notices, ...warnings].map((line) => `${line}\n`).join('');
    return { output, errors, places: [], help: [], order };
  } catch (thrown) {
    return failed(thrown, { notices, chart, isDebug: question.debug === true });
  }
}

const given = ({
  files: _chart,
  values: _given,
  set: _set,
  release,
  kubeVersion,
  ...flags
}: Question): TemplateOptions => ({
  ...flags,
  name: release,
  kubeVersion: kubeVersion === '' ? undefined : kubeVersion,
});

const valuesOf = ({ values, set }: Question): GoMap =>
  assigned(parsedValuesFile(valuesFile, utf8Bytes(values)), { set });

const isDeprecated = ({ metadata }: Chart): boolean =>
  metadata.deprecated === true && metadata.type?.toLowerCase() !== 'library';

interface Run {
  readonly notices: readonly string[];
  readonly chart: Chart | undefined;
  readonly isDebug: boolean;
}

function failed(thrown: unknown, { notices, chart, isDebug }: Run): Answer {
  const lines = [...notices, ...(addedDetail(thrown, 'warnings') ?? [])].map((line) => `${line}\n`).join('');
  const problems = problemsOf(thrown);
  return {
    output: addedDetail(thrown, 'output') ?? '',
    errors: `${lines}Error: ${messageOf(withDebugHint(thrown, isDebug))}\n`,
    places: placesOf(thrown, chart),
    help: problems.flatMap((problem) => [
      factText(problem.cause),
      ...detailTexts(mergedLines(detailLines(problem, (file) => file))),
    ]),
  };
}

function lineOf(place: Place): AnswerPlace | undefined {
  if (place.kind === 'field' || place.file === undefined || place.line === undefined) return undefined;
  return { file: place.file, line: place.line };
}

/** Where the failure is, in the user's files; messages name a file of the chart with the chart's name before it. */
function placesOf(thrown: unknown, chart: Chart | undefined): readonly AnswerPlace[] {
  const prefix = `${chart?.metadata.name ?? ''}/`;
  const places = [addedDetail(thrown, 'place'), ...problemsOf(thrown).flatMap((problem) => problem.places.map(lineOf))];
  const found = new Map<string, AnswerPlace>();
  for (const place of places) {
    if (place === undefined) continue;
    const file = place.file.startsWith(prefix) ? place.file.slice(prefix.length) : place.file;
    found.set(`${file}:${place.line}`, { file, line: place.line });
  }
  return [...found.values()];
}

import type { IgnoreRule } from '../../actions/check/ignored.ts';
import { type CheckOptions, check, type Finding, unrendered } from '../../actions/check.ts';
import { decodeText } from '../../go/text.ts';
import type { GoMap } from '../../go/value.ts';
import type { ProblemCode } from '../../problem/problem.ts';
import { TshelmError } from '../../support/errors.ts';
import { lineOfKeys } from '../../yaml/index.ts';
import { type ChartView, release } from '../chart-view.ts';
import { type GivenFile, type Mark, marksOf } from './marks.ts';
import { syntaxMarks } from './syntax.ts';

/** How a chart is checked while somebody writes it. */
export interface CheckSettings {
  /** `1.34`; default: the version that `tshelm check` takes. */
  readonly kubeVersion?: string | undefined;
  /** What .tshelmcheck leaves out. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** Is awaited again and again: lets other work in, and fails where nobody wants the result any more. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * What `tshelm check` finds in a chart with its values, and with those of each file of ci/. Templates that cannot be parsed
 * are told each, and keep nothing else from being looked at. Errors: those of `pause`.
 */
export async function checkChart(view: ChartView, settings: CheckSettings = {}): Promise<readonly Mark[]> {
  const broken = syntaxMarks(view);
  const { whole } = view;
  const files = new Set(broken.map(({ file }) => file));
  const marks = await checkedWith(new Map(), undefined, { whole, settings });
  for (const [name, values] of view.ciValues()) {
    await settings.pause?.();
    marks.push(...(await checkedWith(values, givenFile(view, name), { whole, settings })));
  }
  return distinct([...broken, ...marks.filter(({ file }) => !files.has(file))]);
}

/**
 * What is wrong in one template and its objects, with the chart's own values. What has to do with the rest of the release
 * is left out. Errors: those of `pause`.
 */
export async function checkTemplate(
  view: ChartView,
  file: string,
  settings: CheckSettings = {},
): Promise<readonly Mark[]> {
  const broken = syntaxMarks(view, file);
  if (broken.length > 0) return broken;
  const { whole } = view;
  const crds = ifReadable(() => whole.crds()) ?? [];
  const marks = await checkedWith(new Map(), undefined, { whole, settings }, { only: file, skipCrds: true, crds });
  return distinct(marks.filter((mark) => !isOfRelease(mark)));
}

/** Whether a mark can only be told by all objects of the release. */
export const isOfRelease = ({ code }: Pick<Mark, 'code'>): boolean => ofRelease.has(code);

const ofRelease: ReadonlySet<string> = new Set<ProblemCode>([
  'reference-outside',
  'reference-misspelt',
  'key-missing',
  'service-port-missing',
  'probe-port-missing',
  'target-port-missing',
  'no-pod-selected',
  'object-duplicate',
  'namespace-missing',
  'kind-not-checked',
  'value-unread',
  'order-hazard',
  'order-group-isolated',
  'order-undeclared',
  'order-edge-dropped',
  'order-cycle',
  'order-group-unknown',
  'order-lost',
]);

interface Checking {
  readonly whole: ChartView;
  readonly settings: CheckSettings;
}

async function checkedWith(
  values: GoMap,
  given: GivenFile | undefined,
  { whole, settings }: Checking,
  options: Partial<CheckOptions> = {},
): Promise<Mark[]> {
  const { kubeVersion, ignore, pause } = settings;
  const { name, namespace } = release;
  const { parsed } = whole;
  const common = { name, namespace, parsed, kubeVersion, ignore, pause };
  const { findings } = await check(whole.chart, values, { ...common, ...options }).catch(asResult);
  return findings.flatMap((finding: Finding) => marksOf(finding, whole.name, given));
}

/** A chart that fails before it is rendered: its values do not fit together, or Chart.yaml asks for another version. */
const asResult = (error: unknown): ReturnType<typeof unrendered> => {
  if (error instanceof TshelmError) return unrendered(error);
  throw error;
};

function givenFile(view: ChartView, name: string): GivenFile {
  const text = decodeText(view.chart.raw.find((file) => file.name === name)?.data ?? new Uint8Array());
  return { file: `${view.name}/${name}`, lineOf: (keys) => lineOfKeys(text, keys) };
}

function ifReadable<R>(read: () => R): R | undefined {
  try {
    return read();
  } catch {
    // The check of the whole chart tells it.
    return undefined;
  }
}

/** What is found with several values is reported once. */
function distinct(marks: readonly Mark[]): readonly Mark[] {
  const keyOf = ({ file, line, code, title }: Mark): string => `${file} ${line} ${code} ${title}`;
  return [...new Map(marks.toReversed().map((mark) => [keyOf(mark), mark])).values()].toReversed();
}

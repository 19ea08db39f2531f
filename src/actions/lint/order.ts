import { chartAnnotationLine, fileLine, fileText } from '../../chart/file-text.ts';
import { ignoreNotices } from '../../chart/notice.ts';
import { placedCharts } from '../../chart/paths.ts';
import { templateText } from '../../chart/template-text.ts';
import type { Chart } from '../../chart/types.ts';
import { extension } from '../../go/path.ts';
import { decodeText } from '../../go/text.ts';
import { annotations } from '../../manifest/annotations.ts';
import { type Declared, documentLine } from '../../manifest/document-line.ts';
import { readNames } from '../../manifest/name-list.ts';
import type { Classified } from '../../manifest/types.ts';
import { chooseStrategy, plainWait } from '../../plan/choice.ts';
import { hazardsOf } from '../../plan/hazards/hazards.ts';
import { hookModesOf } from '../../plan/hook-modes.ts';
import { keyLine } from '../../plan/key-line.ts';
import { misspeltAnnotations } from '../../plan/misspelt-keys.ts';
import { orderAnnotations } from '../../plan/order-annotations.ts';
import { examineOrder } from '../../plan/ordered.ts';
import { planInstall } from '../../plan/plan.ts';
import { byPlace, mistakeText, type OrderProblem, orderProblem, placeOf } from '../../plan/problems.ts';
import type { Unit } from '../../plan/types.ts';
import { type FileLine, fileLineText } from '../../support/file-line.ts';
import { splitOnce } from '../../support/text.ts';
import { readYaml } from '../../yaml/index.ts';
import { mistakesInHooks } from './hooks.ts';
import { Findings, type LintMessage } from './message.ts';
import { hookModeProblems, ignoredOrderKeys } from './order-keys.ts';
import type { LintSubject } from './subject.ts';
import { classifiedIfValid, prepare, render, withoutNotes } from './templates.ts';

/**
 * What runs when: mistakes in hooks, and the order that the chart and its subcharts declare, with every mistake, what is
 * ignored, and the hazards of its plan. A chart that declares no order is looked at for one only with `--wait=ordered`.
 */
export async function orderRule(subject: LintSubject): Promise<readonly LintMessage[]> {
  return (await orderMessages(subject)).map((message) => ({ ...message, isOwn: true }));
}

async function orderMessages(subject: LintSubject): Promise<readonly LintMessage[]> {
  const quiet = { ...subject, notify: ignoreNotices, skipSchemaValidation: true };
  // A chart that cannot be loaded has been reported by Helm's rules.
  const chart = await subject.chart({ isQuiet: true }).catch(() => undefined);
  if (chart === undefined || !(plainWait(subject.wait) === 'ordered' || mentionsOrder(chart))) return [];
  const found = new Findings();
  const warn = (problem: OrderProblem): boolean => found.warning(pathOf(placeOf(problem)), mistakeText(problem));
  orderFileProblems(chart).forEach(warn);
  const prepared = prepare(chart, quiet);
  // What cannot be rendered or read, the rule for templates tells.
  const files = prepared && (await render(prepared, quiet).then(withoutNotes, () => undefined));
  const classified = files && classifiedIfValid(files);
  if (prepared === undefined || files === undefined || classified === undefined) return found.messages;
  const misspelt = misspeltAnnotations(prepared.chart, classified);
  [...mistakesInHooks(prepared.chart, files), ...misspelt].sort(byPlace).forEach(warn);
  if (!isOrderRequested(prepared.chart, classified, subject)) return found.messages;
  return [...found.messages, ...findingsOf(chart, prepared.chart, classified, subject)];
}

/** Helm's label with the chart's name and the policy that keeps a resource stand in charts that speak of neither. */
const orderKey = /helm\.sh\/(?!chart\b|resource-policy\b)|tshelm\.dev\/needs|depends-on:|runHooksInParallel:/;

/** Whether a file of the chart, or of a chart inside it, speaks of an order or of hooks at all. */
const mentionsOrder = ({ raw, templates, dependencies }: Chart): boolean =>
  [...raw, ...templates].some(({ name, data }) => isText(name) && orderKey.test(decodeText(data))) ||
  dependencies.some(mentionsOrder);

const isText = (name: string): boolean =>
  ['.yaml', '.yml', '.tpl', '.hbs'].includes(extension(name)) && !name.startsWith('charts/');

const isOrderRequested = (chart: Chart, { manifests }: Classified, { wait }: LintSubject): boolean =>
  plainWait(wait) === 'ordered' ||
  chooseStrategy(undefined, 'hookOnly', manifests, chart).note !== undefined ||
  manifests.some(({ object }) => hasReadiness(object.metadata.annotations ?? {}));

const hasReadiness = (given: Readonly<Record<string, string>>): boolean =>
  annotations.readinessSuccess in given || annotations.readinessFailure in given;

function findingsOf(chart: Chart, prepared: Chart, classified: Classified, subject: LintSubject) {
  const found = new Findings();
  const { unit, problems, warnings } = examineOrder(chart, prepared, classified.manifests, {
    lostOrder: plainWait(subject.wait) === 'ordered' ? 'refuse' : 'warn',
    derives: subject.wait === 'auto',
  });
  const mistakes = [...problems, ...hookModeProblems(prepared)];
  for (const problem of mistakes.sort(byPlace)) found.error(pathOf(placeOf(problem)), mistakeText(problem));
  for (const warning of [...warnings, ...ignoredOrderKeys(prepared, classified)].sort(byPlace))
    found.warning(pathOf(placeOf(warning)), mistakeText(warning));
  if (problems.length > 0) return found.messages;
  for (const { kind, source, resource, message } of hazardsOf(planOf(unit, prepared, classified, subject))) {
    const [objectKind, name = ''] = splitOnce(resource, '/');
    const of = { kind: objectKind, name };
    if (kind === 'one-sided-readiness')
      found.error(pathOf({ file: source, line: readinessLine(prepared, source, of) }), message);
    else found.warning(pathOf({ file: source, line: documentLine(templateText(prepared, source) ?? '', of) }), message);
  }
  return found.messages;
}

const planOf = (unit: Unit, prepared: Chart, { manifests, hooks }: Classified, { namespace }: LintSubject) =>
  planInstall({
    release: 'test-release',
    namespace,
    strategy: 'ordered',
    unit,
    manifests,
    hooks,
    hookModeOf: hookModesOf(prepared),
  });

const readinessLine = (chart: Chart, source: string, of: Declared): number | undefined =>
  keyLine(chart, source, annotations.readinessSuccess, of) ?? keyLine(chart, source, annotations.readinessFailure, of);

/** `templates/web.yaml:7`: as Helm's rules have it, without the chart's own name. */
const pathOf = (place: FileLine): string => fileLineText(place).slice(place.file.indexOf('/') + 1);

/**
 * What Helm makes of the order in a Chart.yaml, and in those below it: fields that it drops when it packages or records
 * the chart, with the annotation that stays, and annotations that it cannot load.
 */
const orderFileProblems = (root: Chart): readonly OrderProblem[] =>
  placedCharts(root).flatMap(({ chart, path }) => {
    const file = `${path}/Chart.yaml`;
    return [...droppedFields(chart, file), ...listAnnotation(chart, file)];
  });

const droppedFields = (chart: Chart, file: string): readonly OrderProblem[] =>
  Object.entries(orderAnnotations(chart)).map(([key, value]) => {
    const isMode = key === annotations.runHooksInParallel;
    const field = isMode ? 'runHooksInParallel' : 'depends-on';
    const index = chart.metadata.dependencies?.findIndex(({ dependsOn }) => dependsOn !== undefined);
    const line = fileLine(chart, 'Chart.yaml', isMode ? [field] : ['dependencies', String(index), field]);
    return orderProblem({ code: 'order-field-dropped', field, key, value }, { file, line });
  });

/** The subcharts' annotation as a list in YAML. */
function listAnnotation(chart: Chart, file: string): readonly OrderProblem[] {
  const key = annotations.dependsOnSubcharts;
  const text = fileText(chart, 'Chart.yaml') ?? '';
  const document = text.includes(key) ? readYaml(text) : undefined;
  const given = document instanceof Map ? document.get('annotations') : undefined;
  const list = given instanceof Map ? given.get(key) : undefined;
  if (!Array.isArray(list)) return [];
  const value = JSON.stringify(readNames(list));
  return [orderProblem({ code: 'order-annotation-list', key, value }, { file, line: chartAnnotationLine(chart, key) })];
}

import { prepareForRelease, renderForRelease } from '../change/rendering/render.ts';
import { placeOfWord } from '../change/template-lines.ts';
import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import { readOrderFile } from '../chart/order-file.ts';
import type { Chart } from '../chart/types.ts';
import { fieldPlace } from '../execute/faults.ts';
import type { GoMap } from '../go/value.ts';
import { hasObject } from '../manifest/parse.ts';
import type { Classified } from '../manifest/types.ts';
import { type ChartTree, chartTree } from '../plan/chart-tree.ts';
import { ObjectIndex } from '../plan/derived/object-index.ts';
import { examineOrder } from '../plan/ordered.ts';
import { withOrderFile } from '../plan/outside-order.ts';
import { evidenceIn } from '../plan/suggested/evidence.ts';
import { type MeasuredRun, RunEvidence } from '../plan/suggested/measured-run.ts';
import { orderText, type Written } from '../plan/suggested/order-text.ts';
import { type Suggestion, suggestionOf } from '../plan/suggested/suggestion.ts';
import type { Evidence } from '../plan/suggested/types.ts';
import { validateReleaseName } from '../release/name.ts';
import { withOutsideOrder } from '../render/outside-order.ts';
import type { RenderReleaseOptions } from '../render/release.ts';
import type { ObjectOrigins } from '../render/value-origins.ts';
import { type GivenCapabilities, givenCapabilities } from './rendering/given-capabilities.ts';

export interface SuggestOptions extends GivenCapabilities, Pick<RenderReleaseOptions, 'now'> {
  readonly name: string;
  readonly namespace: string;
  /** A run of the release of this name. */
  readonly run?: MeasuredRun | undefined;
}

export interface SuggestedOrder {
  /** An order file, with a comment for each edge. */
  readonly text: string;
  readonly warnings: readonly string[];
}

/** An order for a chart that declares none, from what its workloads say of each other (docs/ordering.md, 10). Errors: those of rendering the chart. */
export async function suggestOrder(chart: Chart, values: GoMap, options: SuggestOptions): Promise<SuggestedOrder> {
  const { name, namespace } = options;
  checkInstallable(chart);
  checkDependencies(chart);
  validateReleaseName(name);
  const capabilities = givenCapabilities(options);
  const prepared = await prepareForRelease(chart, values, { isInstall: true, warnsOfCrds: false });
  const release = { name, namespace, revision: 1, isInstall: true };
  const request = { ...options, legalAnnotations: true, release };
  const rendered = await renderForRelease(prepared, values, request, { ...options, capabilities });
  const manifests = rendered.manifests.filter(hasObject);
  const objects = new ObjectIndex(manifests);
  const tree = chartTree(chart, prepared.chart);
  const run = options.run && new RunEvidence(options.run);
  const written: Written = {
    release: name,
    run,
    workloads: objects.all,
    placeOf: placesIn({ chart, again: rendered.again, config: values }),
    declared: (path, subchart) =>
      treeAt(tree, path)?.dependsOn.flatMap((one) => (one.name === subchart ? one.waitsFor : [])) ?? [],
  };
  const evidence = evidenceIn(objects, namespace).map((one) => run?.confirmed(one) ?? one);
  const text = acyclicText(suggestionOf(evidence), written, (order) =>
    isAcyclic(chart, prepared.chart, { ...rendered, manifests }, order),
  );
  return { text, warnings: rendered.warnings };
}

/** What the chart declares itself may close a cycle with what is suggested: then the last suggestions yield. */
function acyclicText(suggestion: Suggestion, written: Written, isAccepted: (text: string) => boolean): string {
  const { chosen, mutual } = suggestion;
  const textOf = (count: number): string =>
    orderText({ ...suggestion, chosen: chosen.slice(0, count), mutual: [...mutual, ...chosen.slice(count)] }, written);
  const isFine = (count: number): boolean => count === 0 || isAccepted(textOf(count));
  if (isFine(chosen.length)) return textOf(chosen.length);
  let [fine, bad] = [0, chosen.length];
  while (bad - fine > 1) {
    const middle = Math.floor((fine + bad) / 2);
    if (isFine(middle)) fine = middle;
    else bad = middle;
  }
  return textOf(fine);
}

function isAcyclic(chart: Chart, prepared: Chart, classified: Classified, text: string): boolean {
  const order = readOrderFile(text, 'order');
  const { manifests } = withOutsideOrder(classified, order);
  const { problems } = examineOrder(withOrderFile(chart, order), prepared, manifests, { lostOrder: 'allow' });
  return !problems.some(({ cause }) => cause.code === 'order-cycle');
}

/** Where a text is written; the template where rendering it again does not tell. */
const placesIn =
  (origins: ObjectOrigins) =>
  ({ holder, path, word }: Evidence): string => {
    const { source } = holder.manifest;
    const field = fieldPlace({ id: holder.id, template: source }, { path, word: word || undefined });
    const place = placeOfWord(field, origins);
    if (place === undefined) return source;
    return place.file === undefined && 'keys' in place
      ? `value ${place.keys.join('.')}`
      : `${place.file}:${place.line}`;
  };

function treeAt(tree: ChartTree, path: string): ChartTree | undefined {
  const names = path === '.' ? [] : path.split('/');
  return names.reduce<ChartTree | undefined>((at, name) => at?.children.find((child) => child.name === name), tree);
}

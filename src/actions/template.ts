import { keepingWarnings, withLoggedStep, withStepPrefix } from '../change/failure.ts';
import {
  prepareForRelease,
  type Rendered,
  type RenderRequest,
  type RenderSettings,
  renderForRelease,
} from '../change/rendering/render.ts';
import { checkDependencies, checkInstallable } from '../chart/checks.ts';
import type { Chart, CrdFile } from '../chart/types.ts';
import type { Cluster } from '../cluster/types.ts';
import { findAdoptable } from '../execute/apply/ownership.ts';
import { declaredKinds, resolveTargets } from '../execute/apply/targets.ts';
import { defaultConcurrency } from '../execute/context.ts';
import { decodeText } from '../go/text.ts';
import type { GoMap } from '../go/value.ts';
import { hasObject } from '../manifest/parse.ts';
import { trimSpace } from '../manifest/split.ts';
import type { Hook, Manifest } from '../manifest/types.ts';
import { plainWait } from '../plan/choice.ts';
import type { WaitMode } from '../plan/types.ts';
import { refuseSystemLabels } from '../release/labels.ts';
import { validateReleaseName } from '../release/name.ts';
import { documentText, hookDocument, manifestText } from '../render/manifest-text.ts';
import type { RenderReleaseOptions } from '../render/release.ts';
import { createLimiter } from '../support/concurrency.ts';
import { TshelmError } from '../support/errors.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { givenCapabilities } from './rendering/given-capabilities.ts';
import type { OutputDocument } from './rendering/output-directory.ts';
import { showOnly, templateNotFound } from './rendering/show-only.ts';
import type { TemplateOrder } from './rendering/template-order.ts';

export interface TemplateOptions extends Pick<RenderReleaseOptions, RenderFlags> {
  /** The release's name; from nameAndChart, where `template` has `release-name` as default. */
  readonly name: string;
  readonly namespace: string;
  /** `--kube-version`; only without a cluster. */
  readonly kubeVersion?: string | undefined;
  /** Beside the default ones; only without a cluster. */
  readonly apiVersions?: readonly string[] | undefined;
  readonly isUpgrade?: boolean | undefined;
  /** Leaves out the hooks that are tests. Default false. */
  readonly skipTests?: boolean | undefined;
  /** Leaves out all hooks. Default false. */
  readonly noHooks?: boolean | undefined;
  /** Only what comes from these templates: paths below the chart, or patterns. */
  readonly showOnly?: readonly string[] | undefined;
  /** Writes files instead of printing. */
  readonly outputDirectory?: string | undefined;
  /** Puts the release's name between the output directory and the chart's. */
  readonly useReleaseName?: boolean | undefined;
  /** `ordered` prints the resources as they are deployed then: batch by batch, with annotations that a cluster takes. */
  readonly wait?: WaitMode | undefined;
  /** With `ordered`: takes charts as they are whose order Helm evidently dropped. Default false. */
  readonly allowLostOrder?: boolean | undefined;
  /** Refuses a plan with hazards. */
  readonly strictPlan?: boolean | undefined;
  /** On failure, `details.output` of the error is what was rendered until then, to be printed before it. */
  readonly debug?: boolean | undefined;
  /** Of the release that an install would make: Helm's own names are refused. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Does not warn of the chart's CRDs where the cluster is asked. */
  readonly skipCrds?: boolean | undefined;
  /** What the chart is rendered for and checked against (`--dry-run=server`, `--validate`). */
  readonly cluster?: Cluster | undefined;
  /** `lookup` finds nothing, though there is a cluster. */
  readonly noLookup?: boolean | undefined;
  /** Learns what `lookup` reads of Secrets. */
  readonly secrets?: SecretWords | undefined;
  /** Looks at what was rendered. */
  readonly afterRender?: RenderSettings['afterRender'];
  readonly signal?: AbortSignal | undefined;
}

type RenderFlags =
  | 'includeCrds'
  | 'skipSchemaValidation'
  | 'enableDns'
  | 'postRenderer'
  | 'postRenderStrategy'
  | 'downloadSchema'
  | 'now'
  | 'randomBytes'
  | 'rsaKey'
  | 'timeZone';

export interface TemplateResult {
  /** For standard output. */
  readonly output: string;
  /** Lines for standard error. */
  readonly warnings: readonly string[];
}

/**
 * What `helm template` prints: the resources in install order, then the hooks.
 * Errors: `invalid-kube-version`, `dependency-cycle`, `invalid-ordering`, `plan-hazards`, those of validateReleaseName, prepareChart and renderRelease,
 * `template-not-found`, and with a cluster `no-matches-for-kind` and `ownership-conflict`.
 */
export async function templateChart(chart: Chart, values: GoMap, options: TemplateOptions): Promise<TemplateResult> {
  checkInstallable(chart);
  checkDependencies(chart);
  await withLoggedStep('release name check failed', async () =>
    withStepPrefix(`release name "${options.name}"`, async () => validateReleaseName(options.name)),
  );
  const rendered = await renderFor(chart, values, options);
  const warnings = [...rendered.warnings, ...rendered.order.warnings];
  return keepingWarnings(warnings, async () => {
    if (options.cluster !== undefined) await checkAgainst(options.cluster, rendered, options);
    return { output: await outputOf(rendered, options), warnings };
  });
}

interface RenderedInOrder extends Rendered {
  readonly crds: readonly CrdFile[];
  readonly order: TemplateOrder;
}

async function renderFor(chart: Chart, values: GoMap, options: TemplateOptions): Promise<RenderedInOrder> {
  const { cluster, name, namespace, isUpgrade = false } = options;
  const capabilities = givenCapabilities(options);
  const warnsOfCrds = cluster !== undefined && !options.skipCrds;
  const prepared = await prepareForRelease(chart, values, { isInstall: true, warnsOfCrds });
  await keepingWarnings(prepared.warnings ?? [], async () => refuseSystemLabels(options.labels ?? {}));
  try {
    const request: RenderRequest = {
      ...options,
      legalAnnotations: plainWait(options.wait) === 'ordered',
      release: { name, namespace, revision: 1, isInstall: !isUpgrade },
    };
    const rendered = await renderForRelease(prepared, values, request, { ...options, capabilities });
    const order = await orderOf(chart, prepared.chart, rendered, options);
    return { ...rendered, order, crds: options.includeCrds === true ? prepared.crds : [] };
  } catch (error) {
    throw withOutput(error, options);
  }
}

/** Loaded when it is asked for: what prints a chart unordered need not know of orders. */
async function orderOf(
  chart: Chart,
  prepared: Chart,
  rendered: Rendered,
  options: TemplateOptions,
): Promise<TemplateOrder> {
  if (plainWait(options.wait) !== 'ordered' && !options.strictPlan) return { warnings: [] };
  const { templateOrder } = await import('./rendering/template-order.ts');
  return templateOrder(chart, prepared, rendered, options);
}

/** A failure after the render began: with --debug it comes with what there is. */
function withOutput(error: unknown, { debug = false, showOnly: templates = [] }: TemplateOptions): unknown {
  if (!debug || !(error instanceof TshelmError) || error.details.rendered === undefined || error.code === 'bad-flag')
    return error;
  const output = `${trimSpace(error.details.rendered)}\n`;
  const details = { output: templates.length === 0 ? output : shownOf(output, templates) };
  return error.wrapped({ message: error.message, details });
}

/** Nothing where one of the templates is not among what was rendered: that may be for the failure. */
function shownOf(output: string, templates: readonly string[]): string {
  try {
    return showOnly(output, templates);
  } catch {
    // The template is not among what was rendered until the failure.
    return '';
  }
}

/** Refuses a release that the cluster would refuse: kinds it does not serve, objects that belong to another release. */
async function checkAgainst(cluster: Cluster, { manifests }: RenderedInOrder, options: TemplateOptions): Promise<void> {
  const { name, namespace, isUpgrade = false, signal } = options;
  const objects = manifests.filter(hasObject);
  const targets = await withStepPrefix('unable to build kubernetes objects from release manifest', () =>
    resolveTargets(objects, { cluster, namespace, signal }, declaredKinds(objects)),
  );
  if (isUpgrade) return;
  const limit = createLimiter(defaultConcurrency);
  await withStepPrefix('unable to continue with install', () =>
    findAdoptable(targets, { release: name, namespace }, { cluster, limit, signal }),
  );
}

async function outputOf(rendered: RenderedInOrder, options: TemplateOptions): Promise<string> {
  const hooks = printedHooks(rendered.hooks, options);
  const { outputDirectory = '', showOnly: templates = [] } = options;
  if (outputDirectory !== '') {
    const messages = await writeFiles(rendered, hooks, outputDirectory, options);
    // As in Helm everything is in files then, and nothing is left to show.
    if (templates[0] !== undefined) throw templateNotFound(templates[0], messages);
    // Helm ends its messages with the empty manifest that it would have printed.
    return `${messages}\n`;
  }
  const isWhole = templates.length === 0;
  const text = `${trimSpace(await printedManifest(rendered, isWhole))}\n${hooks.map(hookDocument).join('')}`;
  return isWhole ? text : showOnly(text, templates);
}

/** In the order of the deploy, where one is asked for and the chart has one; the CRDs of `crds/` come first. */
async function printedManifest({ manifest, crds, order }: RenderedInOrder, showGroups: boolean): Promise<string> {
  const { unit } = order;
  if (unit === undefined) return manifest;
  const { isOneBatch, manifestsOf } = await import('../plan/arrange.ts');
  if (isOneBatch(unit)) return manifest;
  const { orderedText } = await import('./rendering/ordered-text.ts');
  return manifestText([], crds) + (showGroups ? orderedText(unit) : manifestText(manifestsOf(unit)));
}

function printedHooks(
  hooks: readonly Hook[],
  { noHooks = false, skipTests = false }: TemplateOptions,
): readonly Hook[] {
  if (noHooks) return [];
  return skipTests ? hooks.filter(({ events }) => !events.includes('test')) : hooks;
}

async function writeFiles(
  { crds, manifests }: RenderedInOrder,
  hooks: readonly Hook[],
  directory: string,
  { name, useReleaseName = false }: TemplateOptions,
): Promise<string> {
  const { writeDocuments } = await import('./rendering/output-directory.ts');
  const below = useReleaseName ? `${directory}/${name}` : directory;
  const messages = [
    await writeDocuments(directory, crds.map(crdDocument)),
    await writeDocuments(below, manifests.map(resourceDocument)),
    await writeDocuments(below, hooks.map(hookFile), { append: true }),
  ];
  return messages.join('');
}

const crdDocument = ({ filename, data }: CrdFile): OutputDocument => document(filename, decodeText(data));
const resourceDocument = ({ source, text }: Manifest): OutputDocument => document(source, text);
const hookFile = ({ path, manifest }: Hook): OutputDocument => document(path, manifest);
const document = (path: string, text: string): OutputDocument => ({ path, text: documentText(path, text) });

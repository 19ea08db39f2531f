import { checkKubeVersion } from '../chart/checks.ts';
import { coalesceValues } from '../chart/coalesce.ts';
import { processDependencies } from '../chart/dependencies.ts';
import { misspeltKeys } from '../chart/dependency-notices.ts';
import { type ChartNotice, type Notify, warn } from '../chart/notice.ts';
import { crdFiles } from '../chart/paths.ts';
import { templateText } from '../chart/template-text.ts';
import type { Chart, CrdFile } from '../chart/types.ts';
import { type SchemaCheck, validateValues, validateValuesSync } from '../chart/validate-values.ts';
import { slogLine } from '../go/slog.ts';
import { GoError, type GoMap } from '../go/value.ts';
import { classify } from '../manifest/classify.ts';
import { documentLine } from '../manifest/document-line.ts';
import type { KnownDocuments } from '../manifest/parse.ts';
import type { Classified, Manifest } from '../manifest/types.ts';
import { hasCode, type KnownDetails, messageOf, type SourcePlace, TshelmError } from '../support/errors.ts';
import { sortedEntries } from '../support/order.ts';
import type { RunTrace } from '../template/trace.ts';
import { defaultCapabilities } from './capabilities.ts';
import { type Rendering, templateProblem } from './chart-problems.ts';
import { type DocumentTrace, documentsOf } from './document-trace.ts';
import { refuseEncryptedValues } from './encrypted-values.ts';
import { loadHandlebars, type RenderOptions, renderChart } from './engine.ts';
import { withGlobals } from './field-values.ts';
import { constraintVersion } from './kube-version.ts';
import { type FetchObject, renderWithLookups } from './lookup.ts';
import { documentText, manifestText } from './manifest-text.ts';
import { wrongLines } from './misindented.ts';
import { type NotesAndFiles, takeNotes } from './notes.ts';
import { withOutsideOrder } from './outside-order.ts';
import { type PostRenderStrategy, postRender } from './post-render.ts';
import type { PostRenderer } from './post-renderer.ts';
import { type ReRenderer, reRendererOf } from './re-renderer.ts';
import { extentOfLine, type MakerPlace, makerOfLine, readsBetween, type TemplatePlace } from './template-place.ts';
import { valuePlace } from './value-origins.ts';
import { type YamlCulprit, yamlProblem } from './yaml-problem.ts';

/** A chart of which only what its values switch on is left. */
export interface PreparedChart {
  readonly chart: Chart;
  /** The files of `crds/`, subcharts included. */
  readonly crds: readonly CrdFile[];
  /** What Helm logs on the way here. */
  readonly warnings?: readonly string[] | undefined;
}

export interface RenderReleaseOptions extends Omit<RenderOptions, 'values' | 'lookup' | 'handlebars'> {
  /** Answers `lookup`; without it, nothing is found. */
  readonly fetchObject?: FetchObject | undefined;
  readonly skipSchemaValidation?: boolean | undefined;
  readonly renderSubchartNotes?: boolean | undefined;
  /** Puts the files of `crds/` before the manifest. */
  readonly includeCrds?: boolean | undefined;
  readonly hideSecrets?: boolean | undefined;
  /** Takes Helm 2's `crd-install` and `test-failure` as hooks. */
  readonly knowHelm2Events?: boolean | undefined;
  /** Makes ordering annotations legal that the API server would refuse. */
  readonly legalAnnotations?: boolean | undefined;
  /** Documents that other renders have read. */
  readonly documents?: KnownDocuments | undefined;
  readonly postRenderer?: PostRenderer | undefined;
  readonly postRenderStrategy?: PostRenderStrategy | undefined;
  /** Reads a schema that a values.schema.json refers to by URL. */
  readonly downloadSchema?: ((url: string) => Promise<Uint8Array>) | undefined;
}

/** A chart rendered for a release, before anything of it is sent. */
export interface RenderedRelease extends Classified {
  /** The manifest as Helm stores and prints it. */
  readonly manifest: string;
  readonly notes: string;
  /** Renders its templates again, to tell what made a part of them. */
  readonly again: ReRenderer;
}

/**
 * Leaves out the subcharts that conditions and tags switch off, and imports values. Fails with `invalid-values`.
 */
export function prepareChart(chart: Chart, userValues: GoMap): PreparedChart {
  const warnings: string[] = [];
  try {
    misspeltKeys(chart).forEach(collecting(warnings));
    const prepared = processDependencies(chart, userValues, collecting(warnings));
    return { chart: prepared, crds: crdFiles(prepared), warnings };
  } catch (cause) {
    const details = { chart: chart.metadata.name, warnings };
    throw new TshelmError('invalid-values', { message: messageOf(cause), details, cause });
  }
}

/** With a warning where the chart has CRDs: the cluster that is asked does not know their kinds. */
export function withCrdWarning<P extends Pick<PreparedChart, 'crds' | 'warnings'>>(prepared: P): P {
  if (prepared.crds.length === 0) return prepared;
  const text = 'This chart or one of its subcharts contains CRDs. Rendering may fail or contain inaccuracies.';
  return { ...prepared, warnings: [...(prepared.warnings ?? []), slogLine('WARN', text)] };
}

/**
 * Renders a prepared chart with the user's values, as Helm's install and upgrade do: values, schema, templates, notes,
 * post-renderer, hooks and resources (action.renderResources).
 * Fails with `values-schema`, `kube-version-incompatible`, `template-error`, `post-renderer-failed` or `invalid-manifest`; of
 * the last four, `details.rendered` is the text that there was, for `--debug`; of all, `details.warnings` what was warned of.
 */
export async function renderRelease(
  prepared: PreparedChart,
  userValues: GoMap,
  options: RenderReleaseOptions,
): Promise<RenderedRelease> {
  const warnings = [...(prepared.warnings ?? [])];
  try {
    return await renderedWith(warnings, prepared, userValues, options);
  } catch (error) {
    throw withDetails(error, { warnings });
  }
}

/** Adds to `warnings` what is warned of on the way. */
async function renderedWith(
  warnings: string[],
  { chart, crds }: PreparedChart,
  userValues: GoMap,
  options: RenderReleaseOptions,
): Promise<RenderedRelease> {
  const values = coalesceValues(chart, userValues, collecting(warnings));
  if (options.skipSchemaValidation !== true) {
    await validateValues(chart, values, { onNotice: collecting(warnings), download: options.downloadSchema });
  }
  const handlebars = await loadHandlebars(chart);
  const again = reRendererOf(chart, { ...options, values, handlebars });
  const rendering = { chart, again, config: userValues };
  const { notes, files } = await partiallyRendered(new Map(), async () => {
    checkCapabilities(chart, options);
    const rendered = await renderFiles(chart, values, { ...options, handlebars }).catch((error: unknown) => {
      throw withProblems(error, rendering);
    });
    return postRendered(takeNotesOf(chart, rendered, options), options);
  });
  const classified = await partiallyRendered(files, async () => classifiedFiles(files, rendering, options));
  refuseEncryptedValues(classified, rendering);
  return { ...releaseOf(classified, notes, { crds, warnings }, options), again };
}

/** What a render that waits for nothing can do: no cluster, no program, no download; Handlebars is loaded before. */
export interface RenderReleaseSyncOptions
  extends Omit<RenderReleaseOptions, 'fetchObject' | 'postRenderer' | 'postRenderStrategy' | 'downloadSchema'> {
  readonly checkSchema: SchemaCheck;
  readonly handlebars?: RenderOptions['handlebars'];
}

/** The same as {@link renderRelease}, at once. */
export function renderReleaseSync(
  { chart, crds, warnings: earlier = [] }: PreparedChart,
  userValues: GoMap,
  options: RenderReleaseSyncOptions,
): RenderedRelease {
  const warnings = [...earlier];
  let rendered: ReadonlyMap<string, string> | undefined;
  try {
    const values = coalesceValues(chart, userValues, collecting(warnings));
    if (options.skipSchemaValidation !== true) validateValuesSync(chart, values, options.checkSchema);
    rendered = new Map();
    checkCapabilities(chart, options);
    const again = reRendererOf(chart, { ...options, values });
    const rendering = { chart, again, config: userValues };
    const { notes, files } = takeNotesOf(chart, filesWith(rendering, { ...options, values }), options);
    rendered = files;
    const classified = classifiedFiles(files, rendering, options);
    refuseEncryptedValues(classified, rendering);
    return { ...releaseOf(classified, notes, { crds, warnings }, options), again };
  } catch (error) {
    throw withDetails(error, { ...(rendered !== undefined && { rendered: textOfFiles(rendered) }), warnings });
  }
}

type ReadOptions = Pick<RenderReleaseOptions, 'knowHelm2Events' | 'legalAnnotations' | 'documents'>;

/** The files of a chart as resources and hooks; with an order file, what it declares is part of them. */
function classifiedIn({ order }: Chart, files: ReadonlyMap<string, string>, options: ReadOptions): Classified {
  if (order === undefined) return classify(files, options);
  return withOutsideOrder(classify(files, { ...options, legalAnnotations: true }), order);
}

function classifiedFiles(
  files: ReadonlyMap<string, string>,
  rendering: Rendering,
  { knowHelm2Events, legalAnnotations, documents }: ReadOptions,
): Classified {
  const { again } = rendering;
  try {
    const classified = classifiedIn(again.chart, files, { knowHelm2Events, legalAnnotations, documents });
    const warnings = [...classified.warnings];
    classified.twice?.forEach((manifests) => collecting(warnings)(duplicateNotice(manifests, again.chart)));
    return { ...classified, warnings };
  } catch (error) {
    throw withTemplateOfYamlError(error, rendering);
  }
}

/** Objects of one kind and name: Helm applies them in turn, so that the last one stays. */
function duplicateNotice(manifests: readonly Manifest[], chart: Chart): ChartNotice {
  const { kind, metadata } = (manifests[0] as Manifest).object;
  const places = manifests.map(({ source }) => {
    const line = documentLine(templateText(chart, source) ?? '', { kind, name: metadata.name });
    return line === undefined ? source : `${source}:${line}`;
  });
  const object = `${kind}/${metadata.name}`;
  return warn('an object is rendered more than once; the last one wins', { object, in: places.join(', ') });
}

/** Text that is no YAML: the line of the template that made the one at fault, where that can be told. */
function withTemplateOfYamlError(error: unknown, rendering: Rendering): unknown {
  const { again } = rendering;
  if (!hasCode(error, 'invalid-manifest')) return error;
  const { message, details } = error;
  const { source, place: rendered } = details;
  if (source === undefined || templateText(again.chart, source) === undefined) return error;
  const makers = rendered && makersOf(again, source, rendered);
  const maker = makers?.stumble;
  const text = maker && templateText(again.chart, maker.file);
  const { file = source } = maker ?? {};
  const subject = { kind: 'template', file } as const;
  if (rendered === undefined || maker === undefined || text === undefined)
    return error.wrapped({ message, details: { problems: [yamlProblem(error, subject)] } });
  const isAsWritten = lineIn(text, maker.line) === lineIn(rendered.text, rendered.line);
  const place = { file, line: maker.line, text, ...(isAsWritten && { column: rendered.column }) };
  const values = (makers?.values ?? []).flatMap((keys) => valuePlace(keys, rendering) ?? []);
  const problems = [yamlProblem(error, subject, { place, rendered, culprit: makers?.culprit, values })];
  return error.wrapped({ message, details: { problems, place, ...(!isAsWritten && { renderedPlace: rendered }) } });
}

interface Makers {
  /** Of the line where the reader of YAML stumbles. */
  readonly stumble: TemplatePlace | undefined;
  readonly culprit: YamlCulprit | undefined;
  /** What is printed there and in the line above, where no line is known to be at fault. */
  readonly values: readonly (readonly string[])[];
}

/** What is wrong at the end of a text begins in its last line that says something. */
function makersOf({ trace, values }: ReRenderer, source: string, { text, line }: SourcePlace): Makers | undefined {
  try {
    const printed = trace(source);
    const lines = text.split('\n');
    const lastTextLine = lines.findLastIndex((one, index) => index < line && one.trim() !== '');
    const document = printed && sameDocument(printed, text, lastTextLine);
    if (printed === undefined || document === undefined) return undefined;
    const before = document.line - 1;
    const makerOf = (one: number): MakerPlace | undefined => makerOfLine(printed, before + one);
    const includerOf = (one: number): TemplatePlace | undefined => makerOf(one)?.includedFrom;
    const found = wrongLines(text, lastTextLine + 1, (one) => {
      const includer = includerOf(one);
      return includer && `${includer.file}:${includer.line}`;
    });
    const culprit = found && (found.isBlock ? includerOf(found.from) : makerOf(found.from));
    return {
      stumble: makerOf(lastTextLine + 1),
      culprit: culprit && { ...culprit, code: found.code, by: 'by' in found ? found.by : undefined },
      values: culprit === undefined ? printedValues(printed, before + lastTextLine + 1, values) : [],
    };
  } catch {
    // The template fails when it is rendered again, or differs: the error goes without its place.
    return undefined;
  }
}

/** Values of which all that is printed is in a line or in the text above it. */
function printedValues(printed: RunTrace, line: number, values: GoMap): readonly (readonly string[])[] {
  const { from, until } = extentOfLine(printed.text, line);
  const textAbove = printed.text.slice(0, from).trimEnd().lastIndexOf('\n') + 1;
  const { whole } = readsBetween(printed, textAbove, until);
  const keys = [...whole].map((read) => withGlobals(read, values).keys ?? []);
  return keys.filter((one) => one.length > 0);
}

/** A document in what a template prints again: passwords and certificates in it may be other ones now. */
function sameDocument(printed: RunTrace, text: string, wrongLine: number): DocumentTrace | undefined {
  const documents = documentsOf(printed);
  const lines = text.split('\n');
  const isAlike = (one: readonly string[]): boolean =>
    one.length === lines.length && one[wrongLine] === lines[wrongLine];
  const [first, another] = documents.filter((one) => isAlike(one.text.split('\n')));
  return documents.find((one) => one.text === text) ?? (another === undefined ? first : undefined);
}

const lineIn = (text: string, line: number): string | undefined => text.split('\n')[line - 1];

function checkCapabilities(chart: Chart, { capabilities }: Pick<RenderOptions, 'capabilities'>): void {
  const { kubeVersion } = capabilities ?? defaultCapabilities;
  checkKubeVersion(chart, constraintVersion(kubeVersion), kubeVersion.version);
}

function releaseOf(
  classified: Classified,
  notes: string,
  { crds, warnings }: { readonly crds: readonly CrdFile[]; readonly warnings: readonly string[] },
  options: Pick<RenderReleaseOptions, 'includeCrds' | 'hideSecrets'>,
): Omit<RenderedRelease, 'again'> {
  const manifest = manifestText(classified.manifests, options.includeCrds === true ? crds : [], options);
  return { ...classified, notes, manifest, warnings: [...warnings, ...classified.warnings] };
}

const collecting =
  (warnings: string[]): Notify =>
  ({ level, message, attributes }) =>
    warnings.push(slogLine(level, message, attributes));

async function renderFiles(
  chart: Chart,
  values: GoMap,
  { fetchObject, ...options }: RenderReleaseOptions & Pick<RenderOptions, 'handlebars'>,
): Promise<ReadonlyMap<string, string>> {
  const render = (lookup: RenderOptions['lookup']) => renderChart(chart, { ...options, values, lookup }).files;
  return fetchObject === undefined ? render(undefined) : renderWithLookups(render, fetchObject);
}

function filesWith(rendering: Rendering, options: RenderOptions): ReadonlyMap<string, string> {
  try {
    return renderChart(rendering.again.chart, options).files;
  } catch (error) {
    throw withProblems(error, rendering);
  }
}

/** What is wrong is looked for where it is printed: the template runs again for it. */
const withProblems = (error: unknown, rendering: Rendering): unknown =>
  hasCode(error, 'template-error')
    ? withDetails(error, { findProblems: once(() => [templateProblem(error, rendering)]) })
    : error;

function once<R>(find: () => R): () => R {
  let found: { readonly result: R } | undefined;
  return () => {
    found ??= { result: find() };
    return found.result;
  };
}

const takeNotesOf = (
  chart: Chart,
  files: ReadonlyMap<string, string>,
  options: Pick<RenderReleaseOptions, 'renderSubchartNotes'>,
): NotesAndFiles => takeNotes(files, chart.metadata.name, options.renderSubchartNotes === true);

async function postRendered(
  { notes, files }: NotesAndFiles,
  { postRenderer, postRenderStrategy = 'combined' }: RenderReleaseOptions,
): Promise<NotesAndFiles> {
  if (postRenderer === undefined) return { notes, files };
  return { notes, files: await postRender(files, postRenderer, postRenderStrategy) };
}

/** Runs a step; its failure gets the text that was rendered until then. */
async function partiallyRendered<R>(files: ReadonlyMap<string, string>, step: () => Promise<R>): Promise<R> {
  try {
    return await step();
  } catch (error) {
    throw withDetails(error, { rendered: textOfFiles(files) });
  }
}

function withDetails(error: unknown, added: KnownDetails): unknown {
  if (error instanceof GoError)
    return new TshelmError('invalid-values', { message: error.message, details: added, cause: error });
  if (!(error instanceof TshelmError)) return error;
  return error.wrapped({ message: error.message, details: added });
}

const textOfFiles = (files: ReadonlyMap<string, string>): string =>
  sortedEntries(files)
    .filter(([, text]) => text.trim() !== '')
    .map(([path, text]) => documentText(path, text))
    .join('');

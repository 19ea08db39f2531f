import { deepCopy } from '../chart/tables.ts';
import type { Chart } from '../chart/types.ts';
import type { GoFunction, GoMap } from '../go/value.ts';
import { isPartial } from '../manifest/classify.ts';
import { hasCode, TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import { TemplateError, templateFact } from '../template/error.ts';
import type { BranchListener } from '../template/execution.ts';
import type { FunctionTable } from '../template/function.ts';
import { Origins } from '../template/origin.ts';
import { type ParsedSources, TemplateSet } from '../template/template-set.ts';
import type { RunTrace } from '../template/trace.ts';
import type { FailureTrace, Watch } from '../template/watch.ts';
import { type Capabilities, defaultCapabilities } from './capabilities.ts';
import { type ReleaseInfo, type Renderable, renderables } from './chart-scope.ts';
import { type EngineFunctionOptions, engineFunctions, templateFunctions, withoutNoValue } from './engine-functions.ts';
import { type EnvironmentOptions, environmentOf } from './environment.ts';
import { execErrorText, parseErrorText } from './exec-error.ts';
import { originRules } from './functions/origin-rules.ts';
import { boundFunctions, fixedFunctions } from './functions/table.ts';
import type { HandlebarsRenderer, handlebarsRenderer } from './handlebars.ts';
import { type KnownNames, meantName } from './near-misses.ts';
import { asValues } from './values-object.ts';

export interface RenderOptions extends EngineFunctionOptions, EnvironmentOptions {
  /** The chart's values, coalesced; the render works on a copy. */
  readonly values: GoMap;
  readonly release: ReleaseInfo;
  readonly capabilities?: Capabilities | undefined;
  /** A missing key is an error. */
  readonly strict?: boolean | undefined;
  /** Renders templates whose name ends in `.hbs`; from {@link loadHandlebars}. */
  readonly handlebars?: typeof handlebarsRenderer | undefined;
  /** Templates that other renders have parsed. */
  readonly parsed?: ParsedSources | undefined;
  readonly branches?: BranchListener | undefined;
  /** The only template whose output is wanted: what the others print is not made, but for those that may set values. */
  readonly only?: string | undefined;
}

/** What each template printed, by its full path: NOTES.txt included, partials not. */
export interface RenderedChart {
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Renders every template of a chart and its subcharts; dependencies must have been processed. Follows Helm's engine.Render.
 * Templates whose name ends in `.hbs` need `handlebars` (see {@link loadHandlebars}).
 * Fails with `template-error`, worded as Helm words it.
 */
export function renderChart(chart: Chart, options: RenderOptions): RenderedChart {
  const { sorted, set, about, handlebars } = parsedChart(chart, options);
  const { only } = options;
  const files = new Map<string, string>();
  for (const [path, template] of sorted) {
    if (isPartial(path)) continue;
    if (only !== undefined && path !== only && !setsValues.test(template.source)) continue;
    const dot = dotOf(path, template);
    const text = isHandlebars(path)
      ? handlebars({ path, source: template.source }, dot)
      : executed(about, path, () => set.execute(path, dot));
    files.set(path, withoutNoValue(text));
  }
  return { files };
}

/**
 * What one template of the chart prints, and where each part of it comes from; undefined where the chart has no such
 * template, or Handlebars renders it. Fails as {@link renderChart}.
 */
export function traceTemplate(chart: Chart, options: RenderOptions, path: string): RunTrace | undefined {
  const { sorted, set, about, values } = parsedChart(chart, options);
  const at = sorted.findIndex(([name]) => name === path);
  const template = sorted[at]?.[1];
  if (template === undefined || isHandlebars(path)) return undefined;
  const settingBefore = sorted.slice(0, at).filter(([name, { source }]) => !isPartial(name) && setsValues.test(source));
  for (const [name, one] of settingBefore) if (!isHandlebars(name)) set.execute(name, dotOf(name, one));
  const watch = { origins: new Origins(values), rules: originRules };
  return executed(about, path, () => set.trace(path, dotOf(path, template), watch));
}

/** The runs of all templates that are of Go's language, one after the other; those that fail are left out. */
export function* traceTemplates(chart: Chart, options: RenderOptions): Generator<RunTrace> {
  const { sorted, set, values } = parsedChart(chart, options);
  const watch = { origins: new Origins(values), rules: originRules };
  for (const [path, template] of sorted) {
    if (isPartial(path) || isHandlebars(path)) continue;
    try {
      yield set.trace(path, dotOf(path, template), watch);
    } catch {
      // It asks the cluster, which a trace does not.
    }
  }
}

/** Templates see what those before them have set: `set $ "Values" $merged`, as istio's charts do with their profiles. */
const setsValues = /\b(?:un)?set \(?[$.]/;

/** What the template had in hand that failed; undefined where it does not fail so again. */
export function traceFailure(chart: Chart, options: RenderOptions, error: unknown): FailureTrace | undefined {
  const path = hasCode(error, 'template-error') ? error.details.rendering : undefined;
  const { sorted, set, values } = parsedChart(chart, options);
  const template = sorted.find(([name]) => name === path)?.[1];
  if (path === undefined || template === undefined || isHandlebars(path)) return undefined;
  const watch: Watch = { origins: new Origins(values), rules: originRules };
  try {
    set.trace(path, dotOf(path, template), watch);
    return undefined;
  } catch (again) {
    return execErrorText(again as Error) === (error as Error).message ? watch.failure : undefined;
  }
}

/** The names of the functions that templates may call. */
export const functionNames = (): ReadonlySet<string> => new Set(helmFunctions().keys());

/** The functions that templates may call, bound to nothing. */
export function helmFunctions(): ReadonlyMap<string, GoFunction> {
  const set = new TemplateSet({ functions: {}, missingKey: 'zero' });
  const functions = { ...boundFunctions(environmentOf({})), ...engineFunctions({}), ...templateFunctions(() => set) };
  return new Map([...fixedFunctions, ...Object.entries(functions)]);
}

function parsedChart(chart: Chart, options: RenderOptions) {
  const { release, capabilities = defaultCapabilities } = options;
  const values = deepCopy(options.values);
  const sorted = deepestFirst(renderables(chart, values, release, capabilities));
  const functions: FunctionTable = {
    ...boundFunctions(environmentOf(options)),
    ...engineFunctions(options),
    ...templateFunctions(() => set),
  };
  const set: TemplateSet = new TemplateSet({
    functions,
    base: fixedFunctions,
    missingKey: options.strict === true ? 'error' : 'zero',
    parsed: options.parsed,
    branches: options.branches,
  });
  const known = (): KnownNames => ({
    functions: [...fixedFunctions.keys(), ...Object.keys(functions)],
    templates: set.names(),
  });
  for (const [path, { source }] of sorted) {
    if (!isHandlebars(path)) parseTemplate({ path, source }, set, known);
  }
  const texts = new Map(sorted.map(([path, { source }]) => [path, source]));
  return { sorted, set, values, about: { texts, known }, handlebars: handlebarsFor(sorted, functions, options) };
}

/** The scope of a template's chart while that template runs. */
function dotOf(path: string, { scope, basePath }: Renderable): GoMap {
  const template = new Map([
    ['Name', path],
    ['BasePath', basePath],
  ]);
  scope.set('Template', asValues(template));
  return asValues(scope);
}

export const isHandlebars = (path: string): boolean => path.endsWith('.hbs');

/** Handlebars, where a chart or one of its subcharts has a template for it: others need not load it. */
export async function loadHandlebars(chart: Chart): Promise<typeof handlebarsRenderer | undefined> {
  return hasHandlebars(chart) ? (await import('./handlebars.ts')).handlebarsRenderer : undefined;
}

export const hasHandlebars = (chart: Chart): boolean =>
  chart.templates.some(({ name }) => isHandlebars(name)) || chart.dependencies.some(hasHandlebars);

function handlebarsFor(
  templates: readonly (readonly [string, Renderable])[],
  functions: FunctionTable,
  { handlebars }: RenderOptions,
): HandlebarsRenderer {
  const partials = templates.filter(([path]) => isHandlebars(path) && isPartial(path));
  const renderer = handlebars?.(
    new Map([...fixedFunctions, ...Object.entries(functions)]),
    partials.map(([path, { source }]) => ({ path, source })),
  );
  return (template, scope) => {
    if (renderer === undefined) throw new Error(`internal: Handlebars is not loaded for ${template.path}`);
    return renderer(template, scope);
  };
}

/** Deeper paths come first, and in one depth the last name: so a parent's definition replaces its subchart's. */
function deepestFirst<T>(templates: ReadonlyMap<string, T>): (readonly [string, T])[] {
  const depths = new Map([...templates.keys()].map((path) => [path, path.split('/').length]));
  const depthOf = (path: string): number => depths.get(path) as number;
  return [...templates].sort(([a], [b]) => depthOf(b) - depthOf(a) || compareText(b, a));
}

/** What an error of a template names beside it. */
interface Surroundings {
  /** The templates' texts by their paths. */
  readonly texts: ReadonlyMap<string, string>;
  readonly known: () => KnownNames;
  /** The template that was being rendered. */
  readonly rendering?: string | undefined;
}

function parseTemplate(
  { path, source }: { readonly path: string; readonly source: string },
  set: TemplateSet,
  known: () => KnownNames,
): void {
  try {
    set.parse(path, source);
  } catch (error) {
    const texts = new Map([[path, source]]);
    throw asTemplateFailure(error, { texts, known }, (message) => parseErrorText(path, message));
  }
}

function executed<R>(about: Surroundings, rendering: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw asTemplateFailure(error, { ...about, rendering }, () => execErrorText(error as Error));
  }
}

/** The innermost place is what a user wants to see; the message is Helm's. */
function asTemplateFailure(
  error: unknown,
  { texts, known, rendering }: Surroundings,
  messageFor: (message: string) => string,
): unknown {
  if (!(error instanceof TemplateError)) return error;
  const { templateName: file, line, column, context } = innermost(error);
  const text = texts.get(file);
  const place = text === undefined || line === 0 ? undefined : { file, line, column: column && column + 1, text };
  const message = messageFor(error.message);
  const meant = meantName(templateFact(error), known);
  const details = {
    file,
    line,
    column,
    context,
    place,
    ...(rendering !== undefined && { rendering }),
    ...(meant !== undefined && { meant }),
  };
  return new TshelmError('template-error', { message, details, cause: error });
}

function innermost(error: TemplateError): TemplateError {
  let found = error;
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TemplateError && cause.line > 0 && cause.templateName !== 'gotpl') found = cause;
  }
  return found;
}

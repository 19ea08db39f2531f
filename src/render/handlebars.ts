import Handlebars from 'handlebars';
import { checkTextLength } from '../go/limits.ts';
import { decodeText } from '../go/text.ts';
import {
  GoError,
  type GoFunction,
  GoInt,
  type GoMap,
  GoObject,
  goInt,
  isGoFunction,
  methodOf,
  type Value,
} from '../go/value.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { literalPattern } from '../support/pattern.ts';
import { trimSuffix } from '../support/text.ts';
import { callValue } from '../template/builtins.ts';
import { signatureOf } from '../template/function.ts';
import { withoutWarningMarks } from './exec-error.ts';

/** A template whose name ends in `.hbs`. */
export interface HandlebarsTemplate {
  readonly path: string;
  readonly source: string;
}

export type HandlebarsRenderer = (template: HandlebarsTemplate, scope: GoMap) => string;

/**
 * Renders `.hbs` templates with the data and the functions that Go templates have. `partials` are the `_….hbs` files; a
 * template uses one as `{{> name}}`, `{{> _name}}` or by its path below the chart or in full.
 * The renderer fails with `template-error`; the message names file and line.
 */
export function handlebarsRenderer(
  functions: ReadonlyMap<string, GoFunction>,
  partials: readonly HandlebarsTemplate[],
): HandlebarsRenderer {
  const engine = Handlebars.create();
  for (const [name, callee] of functions) registerFunction(engine, name, callee);
  const limit = limitRounds(engine);
  for (const partial of partials) {
    const compiled = compile(engine, partial);
    for (const name of partialNames(partial.path)) engine.registerPartial(name, compiled);
  }
  return (template, scope) => {
    limit.reset();
    try {
      return compile(engine, template)(toJs(scope));
    } catch (error) {
      throw located(error, template);
    }
  };
}

/** So many rounds of `each` a template may take, as Go templates may take steps. */
const mostRounds = 5_000_000;

/** Counts what `each` does, and how long a text it makes. */
function limitRounds(engine: typeof Handlebars): { reset(): void } {
  const each = engine.helpers['each'] as Handlebars.HelperDelegate;
  let left = mostRounds;
  engine.registerHelper('each', function (this: unknown, ...args: unknown[]) {
    const options = args.pop() as Handlebars.HelperOptions;
    let length = 0;
    const fn: typeof options.fn = (context, more) => {
      left -= 1;
      if (left < 0) throw new GoError('template takes too many steps');
      const text = options.fn(context, more);
      length += text.length;
      checkTextLength(length);
      return text;
    };
    return each.call(this, ...args, { ...options, fn }) as unknown;
  });
  return { reset: () => void (left = mostRounds) };
}

const compile = (engine: typeof Handlebars, { path, source }: HandlebarsTemplate): HandlebarsTemplateDelegate => {
  const options = { noEscape: true, srcName: path };
  return engine.compile(source, options);
};

/** `web/templates/_labels.hbs`: in full, below the chart, by its base name, and that without `.hbs` and `_`. */
function partialNames(path: string): string[] {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const stem = trimSuffix(base, '.hbs');
  const belowChart = path.replace(/^(?:.*\/charts\/)?[^/]+\//, '');
  return [path, belowChart, base, stem, stem.slice(1)];
}

/** Blocks and Handlebars' own names keep their meaning; its `lookup` has two arguments, Helm's has four. */
const reserved = new Set(['if', 'unless', 'each', 'with', 'log']);

function registerFunction(engine: typeof Handlebars, name: string, callee: GoFunction): void {
  if (reserved.has(name)) return;
  const builtin = engine.helpers[name] as Handlebars.HelperDelegate | undefined;
  engine.registerHelper(name, function (this: unknown, ...args: unknown[]) {
    const options = args.pop() as HelperOptions;
    if (args.length === 0 && needsArguments(callee)) {
      const data = dataNamed(name, this, options);
      if (data !== undefined) return data;
    }
    if (builtin !== undefined && args.length === 2) return builtin(...args, options) as unknown;
    try {
      return toJs(callValue(name, callee, args.map(toValue)));
    } catch (error) {
      throw locatedAt(error, options.loc);
    }
  });
}

interface HelperOptions {
  readonly loc: Location;
  /** `@index`, `@key`, `@first`, `@last`. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

const needsArguments = (callee: GoFunction): boolean => {
  const { parameters, isVariadic } = signatureOf(callee);
  return parameters.length > (isVariadic ? 1 : 0);
};

/** Handlebars takes `{{index}}` and `{{@index}}` for the helper of that name, where data was meant. */
function dataNamed(name: string, context: unknown, { data }: HelperOptions): unknown {
  const isMember = typeof context === 'object' && context !== null && Object.hasOwn(context, name);
  return isMember ? (context as Record<string, unknown>)[name] : data?.[name];
}

interface Location {
  readonly source?: string;
  readonly start: { readonly line: number; readonly column: number };
}

/** The Go value that a JavaScript object was made from, so that a function gets the map itself and not a copy. */
const originals = new WeakMap<object, Value>();

/** A value as Handlebars wants it: plain objects and numbers; methods become functions. */
function toJs(value: Value): unknown {
  if (value === null || value === undefined || typeof value !== 'object') return value;
  if (value instanceof GoInt) return Number(value.value);
  if (value instanceof Uint8Array) return decodeText(value);
  if (isGoFunction(value)) return value;
  const object = Array.isArray(value) ? value.map(toJs) : objectOf(value);
  addMethods(object, value);
  originals.set(object, value);
  return object;
}

/** Members are converted when they are read: most templates need few of them. */
function objectOf(value: GoMap | GoObject): object {
  const entries = value instanceof Map ? [...value] : value.exportedFields();
  const object: Record<string, unknown> = {};
  for (const [name, member] of entries) {
    let converted: unknown = unread;
    const get = (): unknown => (converted === unread ? (converted = toJs(member)) : converted);
    Object.defineProperty(object, name, { get, enumerable: true });
  }
  return object;
}

function addMethods(object: object, value: Value): void {
  for (const name of methodNames) {
    const method = methodOf(value, name);
    if (method === undefined || Object.hasOwn(object, name)) continue;
    const call = (...args: unknown[]): unknown => toJs(callValue(name, method, args.slice(0, -1).map(toValue)));
    Object.defineProperty(object, name, { value: call });
  }
}

const unread = Symbol('not converted yet');
/** Of Files, of the capabilities, and of the Kubernetes version. */
const methodNames = ['Get', 'GetBytes', 'Glob', 'Lines', 'AsConfig', 'AsSecrets', 'Has', 'String', 'GitVersion'];

/** What a function gets for an argument: literals in a template are ints where they have no fraction, as in Go. */
function toValue(value: unknown): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? goInt(value) : value;
  if (typeof value !== 'object' || value === null) return value as Value;
  const original = originals.get(value);
  if (original !== undefined) return original;
  if (Array.isArray(value)) return value.map(toValue);
  if (value instanceof GoInt || isGoFunction(value as Value)) return value as Value;
  return new Map(Object.entries(value).map(([key, member]) => [key, toValue(member)]));
}

/** The error at a place that is known: `execution error at (web/templates/a.hbs:3:4): …`. */
function locatedAt(error: unknown, location: Location): unknown {
  if (!(error instanceof GoError)) return error;
  const { source = '', start } = location;
  const place = `${source}:${start.line}:${start.column}`;
  const message = `execution error at (${place}): ${withoutWarningMarks(error.message)}`;
  return new TshelmError('template-error', { message, details: { file: source, line: start.line }, cause: error });
}

/** The error of Handlebars itself; of an unknown helper or partial, it does not tell where it is. */
function located(error: unknown, { path, source }: HandlebarsTemplate): unknown {
  if (error instanceof TshelmError) return error;
  const message = messageOf(error);
  const stated = /line (\d+)|- (\d+):\d+/.exec(message);
  const unknownName = /^(?:Missing helper: "(.*)"|The partial (.*) could not be found)$/.exec(message);
  const name = unknownName?.[1] ?? unknownName?.[2];
  const line = name === undefined ? Number(stated?.[1] ?? stated?.[2] ?? 1) : lineOf(name, source);
  return new TshelmError('template-error', {
    message: `template error at (${path}:${line}): ${message}`,
    details: { file: path, line },
    cause: error,
  });
}

const lineOf = (name: string, source: string): number => {
  const at = source.search(new RegExp(`\\{\\{[^}]*${literalPattern(name)}`));
  return source.slice(0, Math.max(at, 0)).split('\n').length;
};

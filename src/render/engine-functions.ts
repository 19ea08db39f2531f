import { quote } from '../go/strconv/strconv.ts';
import { GoError, type Value } from '../go/value.ts';
import { TemplateError } from '../template/error.ts';
import { type FunctionTable, goFunction } from '../template/function.ts';
import type { TemplateSet } from '../template/template-set.ts';
import { asWarning } from './exec-error.ts';
import type { Lookup } from './lookup.ts';

export interface EngineFunctionOptions {
  /** `required` and `fail` let everything pass; see `onLint`. */
  readonly lintMode?: boolean | undefined;
  /** Hears what `required` and `fail` would have said, in lint mode. */
  readonly onLint?: ((message: string, cause: LintCause) => void) | undefined;
  /** Without it, `lookup` finds nothing. */
  readonly lookup?: Lookup | undefined;
}

/** Why a chart would not have rendered: `required` got nil, `required` got an empty text, `fail` was called. */
export type LintCause = 'nil' | 'empty' | 'fail';

/** What the author of a chart says by `required` or `fail`. */
export class TemplateFailCall extends GoError {
  readonly userMessage: string;

  constructor(userMessage: string) {
    super(asWarning(userMessage));
    this.userMessage = userMessage;
  }
}

/** A template that includes itself, by way of others or not, until Helm's limit (engine.go's recursionMaxNums). */
export class EndlessInclude extends GoError {
  readonly template: string;

  constructor(template: string) {
    super(`rendering template has a nested reference name: ${template}: unable to execute template`);
    this.template = template;
  }
}

/** `required`, `fail` and `lookup`, which depend on how Helm runs; see engine.go's initFunMap. */
export function engineFunctions(options: EngineFunctionOptions): FunctionTable {
  const refuse = (message: string, cause: LintCause): '' => {
    if (options.lintMode !== true) throw new TemplateFailCall(message);
    options.onLint?.(message, cause);
    return '';
  };
  const lookup: Lookup = (options.lintMode === true ? undefined : options.lookup) ?? (() => new Map());
  return {
    required: goFunction('func(string, any) (any, error)', (message: string, value: Value) =>
      value === '' ? refuse(message, 'empty') : (value ?? refuse(message, 'nil')),
    ),
    fail: goFunction('func(string) (string, error)', (message: string) => refuse(message, 'fail')),
    lookup: goFunction('func(string, string, string, string) (map[string]any, error)', lookup),
  };
}

/** Runs a template of the set that `current` gives. `depths` counts the includes of each name that are under way. */
export const includeFunction = (current: () => TemplateSet, depths: Map<string, number>) =>
  goFunction('func(string, any) (string, error)', (name: string, data: Value) => {
    const depth = depths.get(name) ?? 0;
    if (depth > maxDepth) throw new EndlessInclude(name);
    depths.set(name, depth + 1);
    try {
      return current().execute(name, data);
    } finally {
      depths.set(name, depth);
    }
  });

/** `include` and `tpl`, which share the count of includes. */
export function templateFunctions(current: () => TemplateSet, depths = new Map<string, number>()): FunctionTable {
  return {
    include: includeFunction(current, depths),
    tpl: goFunction('func(string, any) (string, error)', (source: string, data: Value) =>
      withoutNoValue(source.includes('{{') ? runText(current(), source, data, depths) : source),
    ),
  };
}

const maxDepth = 1000;
/** What Go's errors call the text that `tpl` runs: it has the name of the set. */
const textName = 'gotpl';

/** Runs text as a template: it sees every template of `set`, and nobody else sees what it defines. */
function runText(set: TemplateSet, source: string, data: Value, depths: Map<string, number>): string {
  const own: TemplateSet = set.clone(templateFunctions(() => own, depths));
  try {
    return own.executeSource(textName, source, data);
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    const context = cause.executing === undefined ? 'cannot parse template' : 'error during tpl function execution for';
    throw new GoError(`${context} ${quote(source)}: ${cause.message}`, { cause });
  }
}

/** A missing key prints Go's "<no value>", which Helm removes from all output. */
export const withoutNoValue = (text: string): string => text.replaceAll('<no value>', '');

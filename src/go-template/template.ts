import type { GoFunction } from '../go/value.ts';
import { builtins } from '../template/builtins.ts';
import type { MissingKey } from '../template/execution.ts';
import type { FunctionTable } from '../template/function.ts';
import { goDelimiters } from '../template/lexer.ts';
import { TemplateSet } from '../template/template-set.ts';
import { functionOf, goOf, type IntegerType } from './value.ts';

/**
 * Functions by name. A plain one takes JavaScript's values and gives one (`func(...any) (any, error)` to Go); one from
 * `typed('func(string) int', …)` has its arguments checked. What a function throws is its error.
 */
export type Functions = Readonly<Record<string, unknown>>;

/** Functions that come with the package, such as sprig's. */
export class FunctionSet {
  /** @internal */
  readonly bind: (set: () => TemplateSet) => FunctionTable;

  /** @internal */
  constructor(bind: (set: () => TemplateSet) => FunctionTable) {
    this.bind = bind;
  }
}

export interface TemplateOptions {
  /** The template's name, with which its errors begin. Default: `template`. */
  readonly name?: string | undefined;
  /** What begins and ends actions. Default: `['{{', '}}']`. */
  readonly delimiters?: readonly [left: string, right: string] | undefined;
  /** What templates may call beside Go's own functions. Of two with one name the later one counts. */
  readonly functions?: Functions | FunctionSet | readonly (Functions | FunctionSet)[] | undefined;
  /** What a key that a map does not have gives: `<no value>`, the zero value of the map's type, or an error. */
  readonly missingKey?: MissingKey | undefined;
  /** What JavaScript's integers are in the template. Default: `int`; `float64` is what Helm's values are. */
  readonly integers?: IntegerType | undefined;
  /** So many loop iterations and template calls end a run with an error. Default: 5,000,000. */
  readonly maxSteps?: number | undefined;
}

/** Parses a template. Throws {@link TemplateError} with Go's words. */
export function parse(text: string, options: TemplateOptions = {}): Template {
  const { name = 'template' } = options;
  const template = new Template(name, options);
  return template.parse(name, text);
}

/** A template with those that are associated with it, which know each other by name: Go's template.Template. */
export class Template {
  readonly name: string;
  readonly #options: TemplateOptions;
  readonly #set: TemplateSet;

  /** @internal */
  constructor(name: string, options: TemplateOptions, set?: TemplateSet) {
    this.name = name;
    this.#options = options;
    this.#set = set ?? newSet(name, options);
  }

  /**
   * Adds a template with this name, and those that its text defines. The last text of a name counts. Throws
   * {@link TemplateError}; then nothing is added.
   */
  parse(name: string, text: string): this {
    if (typeof text !== 'string') throw new TypeError(`the text of template ${name} is no string, but ${typeof text}`);
    this.#set.parse(name, text);
    return this;
  }

  /** The text that the template makes of the data. Throws {@link TemplateError}. */
  execute(data?: unknown): string {
    return this.executeTemplate(this.name, data);
  }

  /** The text that the associated template of this name makes of the data. Throws {@link TemplateError}. */
  executeTemplate(name: string, data?: unknown): string {
    return this.#set.execute(name, goOf(data, this.#options.integers));
  }

  /** Whether a template of this name is defined. */
  has(name: string): boolean {
    return this.#set.has(name);
  }

  /** The names of all templates, sorted. */
  names(): string[] {
    return this.#set.names();
  }

  /** A template that has the same ones, and then goes its own way. */
  clone(): Template {
    const copy: TemplateSet = this.#set.clone(boundTable(this.#options, () => copy));
    return new Template(this.name, this.#options, copy);
  }
}

const missingKeys: readonly MissingKey[] = ['default', 'zero', 'error'];

function newSet(name: string, options: TemplateOptions): TemplateSet {
  const { delimiters: [left, right] = ['', ''], missingKey = 'default', maxSteps } = options;
  if (!missingKeys.includes(missingKey)) throw new TypeError(`missingKey is one of ${missingKeys.join(', ')}`);
  if (maxSteps !== undefined && !(maxSteps >= 0)) throw new TypeError('maxSteps is a number, 0 or more');
  const set: TemplateSet = new TemplateSet({
    functions: boundTable(options, () => set),
    base: builtins,
    missingKey,
    name,
    // As in Go, an empty one stands for Go's own.
    delimiters: { left: left || goDelimiters.left, right: right || goDelimiters.right },
    maxSteps,
  });
  return set;
}

/** The functions of the options, those that run templates bound to a set. */
function boundTable({ functions = [] }: TemplateOptions, set: () => TemplateSet): FunctionTable {
  const sets: readonly (Functions | FunctionSet)[] = isList(functions) ? functions : [functions];
  return Object.assign({}, ...sets.map((each) => (each instanceof FunctionSet ? each.bind(set) : tableOf(each))));
}

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

const functionName = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

function tableOf(functions: Functions): Record<string, GoFunction> {
  const table: Record<string, GoFunction> = {};
  for (const [name, given] of Object.entries(functions)) {
    if (!functionName.test(name))
      throw new TypeError(`function name ${JSON.stringify(name)} is not a valid identifier`);
    table[name] = functionOf(name, given);
  }
  return table;
}

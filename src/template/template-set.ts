import { quote } from '../go/strconv/strconv.ts';
import type { GoFunction, Value } from '../go/value.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import { builtins } from './builtins.ts';
import { isTooLarge, TemplateError } from './error.ts';
import { type BranchListener, Execution, type MissingKey, type StepBudget, type TemplateScope } from './execution.ts';
import type { FunctionTable } from './function.ts';
import { type Delimiters, goDelimiters } from './lexer.ts';
import { isEmptyTree, type Source, type Tree } from './node.ts';
import { type KnownActions, type Language, parseTemplate } from './parser.ts';
import type { RunTrace } from './trace.ts';
import { TracedExecution } from './traced-execution.ts';
import type { Watch } from './watch.ts';

export interface TemplateSetOptions {
  readonly functions: FunctionTable;
  /** What sets have in common below `functions`, put together once. Default: Go's builtins; it holds them too. */
  readonly base?: ReadonlyMap<string, GoFunction> | undefined;
  readonly missingKey: MissingKey;
  /** The set's own name, as Go's errors mention it. Default: Helm's `gotpl`. */
  readonly name?: string;
  /** Default: `{{` and `}}`. */
  readonly delimiters?: Delimiters | undefined;
  /** Loop iterations and template calls that end a run which nobody would wait for. Default: {@link maxSteps}. */
  readonly maxSteps?: number | undefined;
  /** What was parsed in other sets, whose functions have the same names, and whose delimiters are the same. */
  readonly parsed?: ParsedSources | undefined;
  readonly branches?: BranchListener | undefined;
}

export const maxSteps = 5_000_000;
/** What a run inside another one, by a function such as `include`, costs in steps. */
const stepsOfRun = 10;

/** Templates that know each other by name: Go's template.Template with everything associated to it. */
export class TemplateSet implements Language {
  private readonly missingKey: MissingKey;
  private readonly name: string;
  readonly delimiters: Delimiters;
  private readonly maxSteps: number;
  private readonly branches: BranchListener | undefined;
  private readonly functions: FunctionScope;
  private readonly family: Family;
  private layer: Layer;

  constructor(options: TemplateSetOptions, origin?: Origin) {
    this.missingKey = options.missingKey;
    this.name = options.name ?? 'gotpl';
    this.delimiters = options.delimiters ?? goDelimiters;
    this.maxSteps = options.maxSteps ?? maxSteps;
    this.branches = options.branches;
    this.functions = origin?.functions ?? new FunctionScope(options.base ?? builtins).with(options.functions);
    this.family = origin?.family ?? newFamily(options.parsed);
    this.layer = { trees: new Map(), below: origin?.layer, isShared: false };
  }

  /**
   * Adds a file and its defines. The last definition of a name wins, but one with only white space and
   * comments never replaces another. Fails with TemplateError; then nothing is added.
   */
  parse(name: string, source: string): void {
    this.add(name, source);
  }

  /** Whether a template of this name is defined. */
  has(name: string): boolean {
    return this.tree(name) !== undefined;
  }

  /** The names of all templates, sorted as JavaScript sorts. */
  names(): string[] {
    const names = new Set<string>();
    for (let layer: Layer | undefined = this.layer; layer !== undefined; layer = layer.below) {
      for (const name of layer.trees.keys()) names.add(name);
    }
    return [...names].sort();
  }

  /**
   * The text of a named template over the data. May be called by a function of a running template (Helm's `include`).
   * Fails with TemplateError.
   */
  execute(name: string, data: Value): string {
    const tree = this.tree(name);
    if (tree === undefined) {
      const message = `template: no template ${quote(name)} associated with template ${quote(this.name)}`;
      throw new TemplateError({ message, templateName: name, line: 0, fact: { kind: 'unknown-template', name } });
    }
    return this.run(tree, data);
  }

  /** As {@link execute}, with where each part of the text comes from. Of a failure `watch` says what it came from. */
  trace(name: string, data: Value, watch: Watch): RunTrace {
    const { runs } = this.family;
    runs.watch = watch;
    try {
      this.execute(name, data);
      return runs.lastTrace as RunTrace;
    } finally {
      runs.watch = undefined;
    }
  }

  /**
   * Parses a source and executes it at once, as `parse` and `execute` do, but also where it is empty and does not
   * replace what has its name (Helm's `tpl`, on a clone of the set). Fails with TemplateError.
   */
  executeSource(name: string, source: string, data: Value): string {
    return this.run(this.add(name, source), data);
  }

  /**
   * A set that starts with the same templates and functions and then goes its own way. `overrides` replace functions.
   * It costs next to nothing, and parsed sources are remembered across clones.
   */
  clone(overrides?: FunctionTable): TemplateSet {
    this.layer.isShared = true;
    const functions = overrides === undefined ? this.functions : this.functions.with(overrides);
    const family = functions.hasSameNames(this.functions)
      ? this.family
      : { ...this.family, parsed: new ParsedSources() };
    const { missingKey, name, delimiters, maxSteps, branches } = this;
    const options = { functions: {}, missingKey, name, delimiters, maxSteps, branches };
    return new TemplateSet(options, { functions, family, layer: this.layer });
  }

  /** The tree of the file itself. */
  private add(name: string, source: string): Tree {
    const trees = this.family.parsed.trees({ name, text: source }, this);
    if (this.layer.isShared) this.layer = { trees: new Map(), below: this.layer, isShared: false };
    for (const [treeName, tree] of trees) {
      if (isEmptyTree(tree.root) && this.tree(treeName) !== undefined) continue;
      this.layer.trees.set(treeName, tree);
    }
    return trees.get(name) as Tree;
  }

  /** Whether templates may call a function of this name. */
  readonly hasFunction = (name: string): boolean => this.functions.get(name) !== undefined;

  private tree(name: string): Tree | undefined {
    for (let layer: Layer | undefined = this.layer; layer !== undefined; layer = layer.below) {
      const tree = layer.trees.get(name);
      if (tree !== undefined) return tree;
    }
    return undefined;
  }

  private run(tree: Tree, data: Value): string {
    const { runs } = this.family;
    const outer = runs.innermost;
    if (outer === undefined) {
      runs.budget.left = this.maxSteps;
      runs.overflowed = undefined;
    } else {
      runs.budget.left -= stepsOfRun;
    }
    const scope: TemplateScope = {
      missingKey: this.missingKey,
      tree: (name) => this.tree(name),
      function: (name) => this.functions.get(name),
      budget: runs.budget,
      branches: this.branches,
    };
    const execution = runs.watch === undefined ? new Execution(scope, tree, data) : traced(scope, tree, data, runs);
    runs.innermost = execution;
    try {
      const text = execution.run();
      if (execution instanceof TracedExecution) runs.lastTrace = execution.trace();
      return text;
    } catch (error) {
      if (!isStackOverflow(error)) throw isTooLarge(error) ? execution.outputOverflow() : error;
      // A full stack leaves no room to word an error: only the lastTrace run does, for the innermost caller.
      runs.overflowed ??= outer;
      if (outer !== undefined) throw error;
      const isNested = runs.overflowed !== undefined;
      const { overflowed = execution } = runs;
      throw overflowed.stackOverflow(isNested, error);
    } finally {
      runs.innermost = outer;
    }
  }
}

/** Templates by name, over those of the set that this one was cloned from. A shared layer never changes again. */
interface Layer {
  readonly trees: Map<string, Tree>;
  readonly below: Layer | undefined;
  isShared: boolean;
}

/** What a set hands to its clone. */
interface Origin {
  readonly functions: FunctionScope;
  readonly family: Family;
  readonly layer: Layer;
}

/** What a set and its clones share. */
interface Family {
  readonly parsed: ParsedSources;
  readonly runs: Runs;
}

/** The executions under way, each called by a function of the one before. */
interface Runs {
  innermost: Execution | undefined;
  /** The one whose call filled JavaScript's stack. */
  overflowed: Execution | undefined;
  readonly budget: StepBudget;
  /** Whether runs keep where their texts come from, and what they watch. */
  watch: Watch | undefined;
  /** The trace of the last run that ended. */
  lastTrace: RunTrace | undefined;
}

function traced(scope: TemplateScope, tree: Tree, data: Value, { innermost, watch }: Runs): TracedExecution {
  const outer = innermost instanceof TracedExecution ? innermost : undefined;
  return new TracedExecution(scope, tree, data, { watch: watch as Watch, outer });
}

const newFamily = (parsed = new ParsedSources()): Family => ({
  parsed,
  runs: {
    innermost: undefined,
    overflowed: undefined,
    budget: { left: maxSteps },
    watch: undefined,
    lastTrace: undefined,
  },
});

/** The functions that templates may call: overrides and the set's own, then what sets have in common. */
class FunctionScope {
  private readonly base: ReadonlyMap<string, GoFunction>;
  private readonly overrides: ReadonlyMap<string, GoFunction>;

  constructor(base: ReadonlyMap<string, GoFunction>, overrides: ReadonlyMap<string, GoFunction> = new Map()) {
    this.base = base;
    this.overrides = overrides;
  }

  get(name: string): GoFunction | undefined {
    return this.overrides.get(name) ?? this.base.get(name);
  }

  with(overrides: FunctionTable): FunctionScope {
    return new FunctionScope(this.base, new Map([...this.overrides, ...Object.entries(overrides)]));
  }

  /** Whether templates that parse with the other functions parse with these: the names are the same. */
  hasSameNames(other: FunctionScope): boolean {
    return [...this.overrides.keys()].every((name) => other.get(name) !== undefined);
  }
}

/** Parsed files by name and source, and the actions that they have in common. */
export class ParsedSources {
  private readonly byName = new Map<string, Map<string, ReadonlyMap<string, Tree>>>();
  private readonly actions: KnownActions = new Map();
  private length = 0;
  private readonly mostRemembered: number;

  /** `mostRemembered`: so many characters of sources, with their trees. */
  constructor(mostRemembered = 32 * 1024 * 1024) {
    this.mostRemembered = mostRemembered;
  }

  /** The trees of a source. Fails with TemplateError. */
  trees(source: Source, language: Language): ReadonlyMap<string, Tree> {
    const { name, text } = source;
    const known = this.byName.get(name)?.get(text);
    if (known !== undefined) return known;
    const trees = parseTemplate(source, language, this.actions);
    if (this.length > this.mostRemembered) this.clear();
    const byText = this.byName.get(name) ?? new Map<string, ReadonlyMap<string, Tree>>();
    this.byName.set(name, byText.set(text, trees));
    this.length += text.length;
    return trees;
  }

  private clear(): void {
    this.byName.clear();
    this.actions.clear();
    this.length = 0;
  }
}

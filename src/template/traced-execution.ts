import type { GoFunction, Value } from '../go/value.ts';
import { methodOf } from '../go/value.ts';
import { compareText } from '../support/order.ts';
import type { TemplateError } from './error.ts';
import { Execution, type Final, isExported, none, type Outcome, type TemplateScope } from './execution.ts';
import type { FailureCause } from './execution-error.ts';
import type {
  ActionNode,
  BranchNode,
  CommandNode,
  Expression,
  FieldNode,
  Operand,
  PipeNode,
  RangeNode,
  TemplateNode,
  TextNode,
  Tree,
  VariableNode,
} from './node.ts';
import { madeOf, noOrigin, Origins } from './origin.ts';
import type { Known, Origin, Piece, RunTrace } from './trace.ts';
import { isTrue } from './truth.ts';
import type { GoType } from './type.ts';
import type { VariableStack } from './variables.ts';
import type { Watch } from './watch.ts';

/**
 * A run that keeps where each part of its text comes from: after each evaluation, `origin` is that of its value. It costs a
 * few times what a plain run costs, and runs only after a failure.
 */
export class TracedExecution extends Execution {
  protected override readonly isTraced = true;
  private readonly watch: Watch;
  private readonly origins: Origins;
  private readonly outer: TracedExecution | undefined;
  private readonly pieces: Piece[] = [];
  private readonly branches: Piece[] = [];
  /** Of the value that was evaluated last. */
  private origin: Origin = noOrigin;
  private dotOrigin: Origin = noOrigin;
  /** Of the value that the previous command of the pipeline hands on. */
  private finalOrigin: Origin = noOrigin;
  /** Of the arguments of the call whose arguments are being evaluated. */
  private given: Origin[] = [];
  /** The arguments of the function that is being called. */
  private invoked: readonly Known[] = [];
  /** The loop under way. */
  private loop:
    | { readonly items: Value; readonly keys: readonly string[]; readonly origin: Origin; at: number }
    | undefined;
  /** What the conditions and loops under way ask. */
  private conditions: readonly Origin[] = [];
  private readonly variableOrigins = new WeakMap<VariableStack, Origin[]>();
  /** The text that runs may itself be a value: Helm's `tpl`. */
  private readonly sourceOrigin: Origin | undefined;
  /** The runs that the function has made which is being called. */
  private runs: RunTrace[] = [];

  constructor(
    scope: TemplateScope,
    tree: Tree,
    data: Value,
    { watch, outer }: { readonly watch: Watch; readonly outer: TracedExecution | undefined },
  ) {
    super(scope, tree, data);
    this.watch = watch;
    this.origins = watch.origins;
    this.outer = outer;
    const invoked = outer?.invoked ?? [];
    this.dotOrigin = invoked.findLast(({ value }) => value === data)?.origin ?? this.origins.of(data) ?? noOrigin;
    this.sourceOrigin = invoked.find(({ value }) => value === tree.source.text)?.origin;
    this.variableOrigins.set(this.variables, [this.dotOrigin]);
  }

  /** What the run has written, from where. */
  trace(): RunTrace {
    const trace = { text: this.out, pieces: this.pieces, branches: this.branches };
    this.outer?.runs.push(trace);
    return trace;
  }

  protected override text(node: TextNode): void {
    this.pieces.push(
      this.piece(this.out.length, node.start, { isLiteral: true, origin: this.sourceOrigin }, node.text.length),
    );
    super.text(node);
  }

  protected override action(dot: Value, node: ActionNode): void {
    const from = this.out.length;
    super.action(dot, node);
    if (node.pipe.variables.length > 0) return;
    const origin = this.sourceOrigin === undefined ? this.origin : madeOf([this.origin, this.sourceOrigin]);
    this.pieces.push(this.piece(from, node.start, { isLiteral: false, origin }, this.out.length - from));
  }

  private piece(from: number, start: number, about: Pick<Piece, 'isLiteral' | 'origin'>, length: number): Piece {
    return { from, until: from + length, source: this.tree.source, start, ...about };
  }

  protected override chosen(dot: Value, value: Value, node: BranchNode): Outcome {
    const condition = this.origin;
    const { dotOrigin } = this;
    return this.within(condition, node.start, () => {
      if (node.kind === 'with' && isTrue(value)) this.dotOrigin = condition;
      const outcome = super.chosen(dot, value, node);
      this.dotOrigin = dotOrigin;
      return outcome;
    });
  }

  protected override iterate(items: Value, value: Value, node: RangeNode): boolean {
    const { loop, dotOrigin, origin } = this;
    this.loop = { items, keys: keysInOrder(items), origin, at: 0 };
    return this.within(origin, node.start, () => {
      const hasRun = super.iterate(items, value, node);
      this.loop = loop;
      this.dotOrigin = dotOrigin;
      return hasRun;
    });
  }

  /** Runs what a condition or a loop holds. */
  private within<R>(condition: Origin, start: number, run: () => R): R {
    const { conditions } = this;
    const { source } = this.tree;
    const from = this.out.length;
    this.conditions = [condition, ...conditions];
    const result = run();
    this.conditions = conditions;
    this.branches.push({ from, until: this.out.length, source, start, origin: condition, isLiteral: false });
    return result;
  }

  protected override iteration(index: Value, element: Value, isInterface: boolean, node: RangeNode): boolean {
    const { loop } = this;
    const key = loop?.keys[loop.at];
    if (loop !== undefined && key !== undefined) {
      loop.at += 1;
      const member = this.origins.member(loop.items, key, element, loop.origin);
      this.dotOrigin = member;
      const [first, second] = node.pipe.variables;
      if (second !== undefined) this.keepVariable(second, member);
      if (first !== undefined)
        this.keepVariable(first, second === undefined ? member : keyOrigin(loop.items, member, loop.origin));
    }
    const goesOn = super.iteration(index, element, isInterface, node);
    this.loop = loop;
    return goesOn;
  }

  protected override called(newDot: Value, node: TemplateNode): void {
    const { dotOrigin } = this;
    this.dotOrigin = node.pipe === undefined ? noOrigin : this.origin;
    this.variableOrigins.set(this.variables, [this.dotOrigin]);
    super.called(newDot, node);
    this.dotOrigin = dotOrigin;
  }

  protected override pipeline(dot: Value, pipe: PipeNode): Value {
    this.origin = noOrigin;
    const value = super.pipeline(dot, pipe);
    const { variables, isAssignment } = pipe;
    const origin = isAssignment ? madeOf([this.origin], this.conditions) : this.origin;
    for (const variable of variables) this.keepVariable(variable, origin);
    return value;
  }

  private keepVariable(variable: VariableNode, origin: Origin): void {
    const kept = this.variableOrigins.get(this.variables);
    if (kept !== undefined) kept[this.indexOf(variable)] = origin;
  }

  protected override command(dot: Value, command: CommandNode, final: Final): Value {
    const { finalOrigin } = this;
    this.finalOrigin = this.origin;
    const value = super.command(dot, command, final);
    this.finalOrigin = finalOrigin;
    this.ofLiteral(command.args[0] as Operand);
    return value;
  }

  protected override argument(dot: Value, type: GoType, node: Operand): Value {
    const { given } = this;
    const value = super.argument(dot, type, node);
    this.ofLiteral(node);
    this.given = given;
    given.push(this.origin);
    return value;
  }

  /** The origin of what is not computed. */
  private ofLiteral({ kind }: Operand): void {
    if (kind === 'dot') this.origin = this.dotOrigin;
    else if (kind === 'string' || kind === 'number' || kind === 'bool' || kind === 'nil') this.origin = noOrigin;
  }

  protected override fieldNode(dot: Value, node: FieldNode, args: readonly Operand[] | undefined, final: Final): Value {
    this.origin = this.dotOrigin;
    return super.fieldNode(dot, node, args, final);
  }

  protected override variableNode(
    dot: Value,
    node: VariableNode,
    args: readonly Operand[] | undefined,
    final: Final,
  ): Value {
    this.origin = this.variableOrigins.get(this.variables)?.[this.indexOf(node)] ?? noOrigin;
    return super.variableNode(dot, node, args, final);
  }

  // Go's evalField has as many parameters.
  protected override field(
    dot: Value,
    receiver: Value,
    isInInterface: boolean,
    name: string,
    args: readonly Operand[] | undefined,
    final: Final,
    node: Expression,
  ): Value {
    const { origin } = this;
    const value = super.field(dot, receiver, isInInterface, name, args, final, node);
    const isMethod = isExported(name) && methodOf(receiver, name) !== undefined;
    if (isMethod) this.origin = this.origins.of(value) ?? madeOf([origin, this.origin]);
    else if (receiver === undefined || receiver === null) this.origin = below(origin, name);
    else this.origin = this.origins.member(receiver, name, value, origin);
    return value;
  }

  protected override call(
    dot: Value,
    callee: GoFunction,
    node: Expression,
    name: string,
    args: readonly Operand[] | undefined,
    final: Final,
  ): Value {
    const { given } = this;
    this.given = [];
    const value = super.call(dot, callee, node, name, args, final);
    this.given = given;
    return value;
  }

  protected override firstDeciding(
    dot: Value,
    decidingTruth: boolean,
    type: GoType,
    args: readonly Operand[],
    final: Final,
  ): Value {
    const value = super.firstDeciding(dot, decidingTruth, type, args, final);
    const isFinal = final !== none && value === final;
    const all = isFinal ? [...this.given, this.finalOrigin] : this.given;
    // Of `and` all were true before the last one; of `or` none was.
    const isOfAll = !decidingTruth || !isTrue(value);
    this.origin = isOfAll ? madeOf(all) : madeOf(all.slice(-1), all.slice(0, -1));
    return value;
  }

  protected override invoke(callee: GoFunction, values: readonly Value[], name: string): Value {
    const { given, finalOrigin, invoked, runs, origins } = this;
    this.invoked = values.map((value, index) => ({ value, origin: given[index] ?? finalOrigin }));
    this.runs = [];
    const args = this.invoked;
    const rule = this.watch.rules.get(name)?.(args, origins);
    const value = super.invoke(callee, values, name);
    const [run] = this.runs;
    const isRun = run !== undefined && this.runs.length === 1 && typeof value === 'string';
    this.origin = isRun ? { run } : (rule?.(value) ?? origins.ofResult(value, args));
    this.invoked = invoked;
    this.runs = runs;
    return value;
  }

  protected override error(problem: string, why?: FailureCause): TemplateError {
    this.watch.failure ??= { origin: this.origin, final: this.finalOrigin, given: this.invoked };
    return super.error(problem, why);
  }
}

/** In the order of a loop. */
function keysInOrder(items: Value): readonly string[] {
  if (items instanceof Map) return [...items.keys()].sort(compareText);
  return Array.isArray(items) ? items.map((_, index) => String(index)) : [];
}

/** Of a key that a loop gives: the key itself, of a list nothing. */
function keyOrigin(items: Value, member: Origin, all: Origin): Origin {
  if (!(items instanceof Map)) return noOrigin;
  return member.keys === undefined ? madeOf([], [all]) : { keys: member.keys, isKey: true };
}

/** Of what was looked for where nothing is. */
const below = (origin: Origin, name: string): Origin =>
  origin.keys === undefined || origin.isKey === true ? origin : { keys: [...origin.keys, name] };

import { quote } from '../go/strconv/strconv.ts';
import {
  GoError,
  type GoFunction,
  GoInt,
  type GoList,
  type GoMap,
  GoObject,
  goInt,
  goTypeOf,
  isGoFunction,
  methodOf,
  type Value,
  withGoType,
} from '../go/value.ts';
import { TshelmError } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import {
  andFunction,
  callFunction,
  callValue,
  orFunction,
  printableText,
  sliceFunction,
  textOfPointed,
} from './builtins.ts';
import { indexInInterface } from './collection.ts';
import { isTooLarge, TemplateError } from './error.ts';
import { executionError, type FailureCause, type LocatedNode } from './execution-error.ts';
import { signatureOf } from './function.ts';
import type {
  ActionNode,
  BranchNode,
  ChainNode,
  CommandNode,
  Expression,
  FieldNode,
  IdentifierNode,
  ListNode,
  Operand,
  PipeNode,
  RangeNode,
  Statement,
  TemplateNode,
  TextNode,
  Tree,
  VariableNode,
} from './node.ts';
import { nodeText, ownerText } from './node.ts';
import { isTrue } from './truth.ts';
import { canBeNil, elementType, type GoType, isAssignable, underlying, zeroOf } from './type.ts';
import { VariableStack } from './variables.ts';

/** What a field of a map that has no such key gives: no value, the zero value of the map's type, or an error. */
export type MissingKey = 'default' | 'zero' | 'error';

/** Hears which templates run, and which way their conditions and loops go. */
export interface BranchListener {
  ran(tree: Tree): void;
  /** Whether the condition of `node` holds, or its loop has an item. */
  decided(tree: Tree, node: BranchNode | RangeNode, isTaken: boolean): void;
}

/** What a running template asks of the set that it belongs to. */
export interface TemplateScope {
  readonly missingKey: MissingKey;
  tree(name: string): Tree | undefined;
  function(name: string): GoFunction | undefined;
  /** Counts a step of work and fails when there were too many. */
  readonly budget: StepBudget;
  readonly branches: BranchListener | undefined;
}

/** Ends templates that would run practically forever. */
export interface StepBudget {
  left: number;
}

/** The longest text of one run, in UTF-16 units; a manifest has a few thousand. */
const maxOutputLength = 2 ** 28;

/** Go's limit for templates that call each other; JavaScript's stack usually ends first. */
export const maxTemplateDepth = 100_000;

/** The value that the previous command of a pipeline hands on; none at its start. */
export const none = Symbol('no value from the pipeline');
export type Final = Value | typeof none;

/** How a list of statements ended. */
export type Outcome = 'done' | 'break' | 'continue';

/**
 * One run of a template over its data: Go's exec.state.
 * The node in hand is what an error is reported at, so it is set at the same places as in Go.
 */
export class Execution {
  /** In code that V8 has not optimised a call costs more than this question. */
  protected readonly isTraced: boolean = false;
  protected readonly scope: TemplateScope;
  /** The data, which `$` stands for too. */
  protected readonly dot: Value;
  protected tree: Tree;
  private node: LocatedNode | undefined;
  /** Where the action of the node begins. */
  private start = 0;
  protected out = '';
  private depth = 0;
  protected variables: VariableStack;
  /** Whether Go would hold the dot in an interface: only error messages tell. */
  private isDotInInterface = false;
  /** What the last field was taken from. */
  private lastHolder: Value;
  private lastTemplate: TemplateNode | undefined;

  constructor(scope: TemplateScope, tree: Tree, data: Value) {
    this.scope = scope;
    this.tree = tree;
    this.dot = data ?? undefined;
    this.variables = new VariableStack(this.dot);
  }

  // Loops here are plain ones: templates mostly run once, in code that V8 has not optimised.

  /** The text that the template writes. Fails with TemplateError. */
  run(): string {
    this.countStep();
    this.scope.branches?.ran(this.tree);
    this.list(this.dot, this.tree.root);
    return this.out;
  }

  /** The error for a text that JavaScript cannot hold. */
  outputOverflow(): TemplateError {
    return this.error('template writes too much text');
  }

  /** The error for a run that filled JavaScript's stack: Go's, where templates called each other. */
  stackOverflow(isNested: boolean, cause: unknown): TemplateError {
    if (!isNested) {
      if (this.lastTemplate === undefined) return this.error('template is nested too deeply', { cause });
      this.node = this.lastTemplate;
      this.start = this.lastTemplate.start;
    }
    return this.error(`exceeded maximum template depth (${maxTemplateDepth})`, { cause });
  }

  protected list(dot: Value, { nodes }: ListNode): Outcome {
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index] as Statement;
      switch (node.kind) {
        case 'text':
          if (this.isTraced) this.text(node);
          else this.out += node.text;
          break;
        case 'action':
          this.start = node.start;
          this.action(dot, node);
          break;
        case 'if':
        case 'with': {
          this.start = node.start;
          const outcome = this.branch(dot, node);
          if (outcome !== 'done') return outcome;
          break;
        }
        case 'range': {
          this.start = node.start;
          const outcome = this.range(dot, node);
          if (outcome !== 'done') return outcome;
          break;
        }
        case 'template':
          this.template(dot, node);
          break;
        case 'break':
        case 'continue':
          return node.kind;
      }
    }
    return 'done';
  }

  protected text(node: TextNode): void {
    this.out += node.text;
  }

  protected action(dot: Value, node: ActionNode): void {
    const value = this.pipeline(dot, node.pipe);
    if (node.pipe.variables.length > 0) return;
    if (typeof value === 'string') {
      this.out += value;
    } else if (isGoFunction(value)) {
      this.node = node;
      this.fail(`can't print ${nodeText(node)} of type ${goTypeOf(value)}`);
    } else {
      this.out += this.printed(value);
    }
  }

  /** The text of a value; one whose lists share others can be too large to write. */
  private printed(value: Value): string {
    try {
      return printableText(value);
    } catch (error) {
      if (error instanceof GoError) return this.fail(error.message, { cause: error });
      throw error;
    }
  }

  private branch(dot: Value, node: BranchNode): Outcome {
    const mark = this.variables.length;
    const value = this.pipeline(dot, node.pipe);
    this.scope.branches?.decided(this.tree, node, isTrue(value));
    const outcome = this.chosen(dot, value, node);
    this.variables.popTo(mark);
    return outcome;
  }

  /** Runs what the value of the condition chooses. */
  protected chosen(dot: Value, value: Value, node: BranchNode): Outcome {
    if (!isTrue(value)) return node.elseList === undefined ? 'done' : this.list(dot, node.elseList);
    if (node.kind === 'if') return this.list(dot, node.list);
    const wasInInterface = this.isDotInInterface;
    this.isDotInInterface = false;
    const outcome = this.list(value, node.list);
    this.isDotInInterface = wasInInterface;
    return outcome;
  }

  private range(dot: Value, node: RangeNode): Outcome {
    const mark = this.variables.length;
    const value = this.pipeline(dot, node.pipe);
    const { isDotInInterface } = this;
    const hasRun = this.iterate(underlying(value), value, node);
    this.isDotInInterface = isDotInInterface;
    this.scope.branches?.decided(this.tree, node, hasRun);
    // Go ends only this range, not an outer one, at a break in its else branch.
    const outcome = hasRun || node.elseList === undefined ? 'done' : this.list(dot, node.elseList);
    this.variables.popTo(mark);
    return outcome === 'break' ? 'done' : outcome;
  }

  /** Runs the body for each element; whether there was one. */
  protected iterate(items: Value, value: Value, node: RangeNode): boolean {
    if (Array.isArray(items)) return this.rangeList(items, node);
    if (items instanceof Map) return this.rangeMap(items, node);
    if (items === null || items === undefined) return false;
    if (items instanceof GoInt) return this.rangeInteger(items, value, node);
    if (items instanceof Uint8Array) return this.rangeList(byteValues(items), node);
    const fact = { kind: 'not-iterable', text: nodeText(node.pipe) } as const;
    return this.fail(`range can't iterate over ${textOfPointed(value)}`, { fact });
  }

  private rangeList(items: GoList, node: RangeNode): boolean {
    const { length } = items;
    const isInterface = elementType(items).kind === 'any';
    const hasIndex = node.pipe.variables.length > 1;
    for (let index = 0; index < length; index++) {
      const element = items[index] ?? null;
      if (!this.iteration(hasIndex ? goInt(index) : undefined, element, isInterface, node)) break;
    }
    return length > 0;
  }

  private rangeMap(items: GoMap, node: RangeNode): boolean {
    const isInterface = elementType(items).kind === 'any';
    const entries = [...items].sort(([a], [b]) => compareText(a, b));
    for (const [key, element] of entries) {
      if (!this.iteration(key, element ?? null, isInterface, node)) break;
    }
    return entries.length > 0;
  }

  /** Counts up to an integer; `given` is the same, or an integer of a named type. */
  private rangeInteger(limit: GoInt, given: Value, node: RangeNode): boolean {
    if (node.pipe.variables.length > 1) {
      this.fail(`can't use ${printableText(given)} to iterate over more than one variable`);
    }
    const element = (value: bigint): Value => {
      if (given instanceof GoObject) return given.numbered(value);
      return limit.type === 'int' ? goInt(value) : new GoInt(limit.type, value);
    };
    for (let value = 0n; value < limit.value; value++) {
      if (!this.iteration(undefined, element(value), false, node)) break;
    }
    return limit.value > 0n;
  }

  /** Runs the body once; whether the loop goes on. */
  protected iteration(index: Value, element: Value, isInterface: boolean, { pipe, list }: RangeNode): boolean {
    this.countStep();
    const targets = pipe.variables;
    const mark = this.variables.length;
    if (targets.length > 0) {
      if (pipe.isAssignment) {
        if (targets.length > 1) this.assign(targets[0] as VariableNode, index, false);
        this.assign(targets.at(-1) as VariableNode, element, isInterface);
      } else {
        this.variables.set(mark - 1, element, isInterface);
        if (targets.length > 1) this.variables.set(mark - 2, index, false);
      }
    }
    this.isDotInInterface = isInterface;
    const outcome = this.list(element, list);
    this.variables.popTo(mark);
    return outcome !== 'break';
  }

  private template(dot: Value, node: TemplateNode): void {
    this.node = node;
    this.start = node.start;
    const called = this.scope.tree(node.name);
    if (called === undefined) {
      const { name } = node;
      return this.fail(`template ${quote(name)} not defined`, { fact: { kind: 'unknown-template', name } });
    }
    if (this.depth >= maxTemplateDepth) this.fail(`exceeded maximum template depth (${maxTemplateDepth})`);
    this.countStep();
    this.lastTemplate = node;
    const newDot = node.pipe === undefined ? undefined : this.pipeline(dot, node.pipe);
    const { tree, variables, isDotInInterface } = this;
    this.tree = called;
    this.variables = new VariableStack(newDot);
    this.isDotInInterface = false;
    this.depth += 1;
    this.scope.branches?.ran(called);
    this.called(newDot, node);
    this.depth -= 1;
    this.tree = tree;
    this.variables = variables;
    this.isDotInInterface = isDotInInterface;
    this.node = node;
    this.start = node.start;
  }

  /** Runs the tree that `template` has called. */
  protected called(newDot: Value, _node: TemplateNode): void {
    this.list(newDot, this.tree.root);
  }

  /** The pipeline's value; its variables stay on the stack. A nil at its end is no value. */
  protected pipeline(dot: Value, pipe: PipeNode): Value {
    this.node = pipe;
    const { commands, variables } = pipe;
    let value: Final = none;
    for (let index = 0; index < commands.length; index++) {
      value = this.command(dot, commands[index] as CommandNode, value) ?? undefined;
    }
    const result = value as Value;
    for (let index = 0; index < variables.length; index++) {
      const variable = variables[index] as VariableNode;
      if (pipe.isAssignment) this.assign(variable, result, false);
      else this.variables.push(variable.name, result);
    }
    return result;
  }

  protected command(dot: Value, command: CommandNode, final: Final): Value {
    const { args } = command;
    const first = args[0] as Operand;
    switch (first.kind) {
      case 'field':
        return this.fieldNode(dot, first, args, final);
      case 'identifier':
        return this.functionCall(dot, first, command, args, final);
      case 'variable':
        return this.variableNode(dot, first, args, final);
      case 'chain':
        return this.chainNode(dot, first, args, final);
      case 'pipe':
        this.refuseArguments(args, final);
        return this.pipeline(dot, first);
      default:
    }
    this.node = first;
    this.refuseArguments(args, final);
    switch (first.kind) {
      case 'dot':
        return dot;
      case 'nil':
        return this.fail('nil is not a command');
      case 'number':
        return first.ideal ?? this.fail(`${first.text} overflows int`);
      case 'bool':
      case 'string':
        return first.value;
    }
  }

  private refuseArguments(args: readonly Operand[] | undefined, final: Final): void {
    if ((args !== undefined && args.length > 1) || final !== none) {
      this.fail(`can't give argument to non-function ${args?.[0] === undefined ? '%!s(<nil>)' : nodeText(args[0])}`);
    }
  }

  protected fieldNode(dot: Value, node: FieldNode, args: readonly Operand[] | undefined, final: Final): Value {
    this.node = node;
    return this.fieldChain(dot, dot, this.isDotInInterface, node.fields, args, final, node);
  }

  protected variableNode(dot: Value, node: VariableNode, args: readonly Operand[] | undefined, final: Final): Value {
    this.node = node;
    const index = this.indexOf(node);
    const value = this.variables.value(index);
    if (node.fields.length === 0) {
      this.refuseArguments(args, final);
      return value;
    }
    return this.fieldChain(dot, value, this.variables.isInInterface(index), node.fields, args, final, node);
  }

  private chainNode(dot: Value, node: ChainNode, args: readonly Operand[] | undefined, final: Final): Value {
    const inner = node.node;
    this.node = inner;
    if (inner.kind === 'pipe') {
      return this.fieldChain(dot, this.pipeline(dot, inner), false, node.fields, args, final, node);
    }
    const value = this.functionCall(dot, inner, inner, undefined, none);
    const callee = this.scope.function(inner.name) as GoFunction;
    const isInterface = signatureOf(callee).result.kind === 'any';
    return this.fieldChain(dot, value, isInterface, node.fields, args, final, node);
  }

  /** .X.Y.Z of a receiver; only the last of them, if it is a method, gets the arguments. */
  private fieldChain(
    dot: Value,
    receiver: Value,
    isInInterface: boolean,
    fields: readonly string[],
    args: readonly Operand[] | undefined,
    final: Final,
    node: Expression,
  ): Value {
    const last = fields.length - 1;
    let current = receiver;
    let isInterface = isInInterface;
    for (let index = 0; index < last; index++) {
      const holder = current;
      current = this.field(dot, current, isInterface, fields[index] as string, undefined, none, node);
      isInterface = isHeldInInterface(holder, current);
    }
    const value = this.field(dot, current, isInterface, fields[last] as string, args, final, node);
    this.lastHolder = current;
    return value;
  }

  protected field(
    dot: Value,
    receiver: Value,
    isInInterface: boolean,
    name: string,
    args: readonly Operand[] | undefined,
    final: Final,
    node: Expression,
  ): Value {
    if (isExported(name)) {
      const method = methodOf(receiver, name);
      if (method !== undefined) return this.call(dot, method, node, name, args, final);
    }
    if (receiver instanceof Map) return this.mapEntry(receiver, name, args, final);
    if (receiver === undefined) {
      if (this.scope.missingKey === 'error') this.fail(`nil data; no entry for key ${quote(name)}`);
      return undefined;
    }
    if (receiver === null) {
      const fact = { kind: 'nil-pointer', field: name, owner: ownerText(node, name) } as const;
      return this.fail(`nil pointer evaluating interface {}.${name}`, { fact });
    }
    if (receiver instanceof GoObject) {
      const entries = underlying(receiver);
      if (entries instanceof Map) return this.mapEntry(entries, name, args, final);
      if (receiver.hasField(name)) {
        if (hasArguments(args, final)) this.fail(`${name} has arguments but cannot be invoked as function`);
        return receiver.field(name);
      }
    }
    const type = isInInterface ? 'interface {}' : goTypeOf(receiver);
    const fact = { kind: 'no-field', field: name, owner: ownerText(node, name) } as const;
    return this.fail(`can't evaluate field ${name} in type ${type}`, { fact });
  }

  private mapEntry(map: GoMap, name: string, args: readonly Operand[] | undefined, final: Final): Value {
    if (hasArguments(args, final)) this.fail(`${name} is not a method but has arguments`);
    const value = map.get(name);
    if (value !== undefined) return value;
    if (map.has(name)) return null;
    switch (this.scope.missingKey) {
      case 'zero':
        return zeroOf(elementType(map));
      case 'error':
        return this.fail(`map has no entry for key ${quote(name)}`);
      case 'default':
        return undefined;
    }
  }

  private functionCall(
    dot: Value,
    identifier: IdentifierNode,
    node: Expression,
    args: readonly Operand[] | undefined,
    final: Final,
  ): Value {
    this.node = identifier;
    const { name } = identifier;
    const callee = this.scope.function(name);
    if (callee === undefined) return this.fail(`${quote(name)} is not a defined function`);
    return this.call(dot, callee, node, name, args, final);
  }

  /** Calls a function or method. The first of `args` is what is called; `final` comes last, from the pipeline. */
  protected call(
    dot: Value,
    callee: GoFunction,
    node: Expression,
    name: string,
    args: readonly Operand[] | undefined,
    final: Final,
  ): Value {
    const { parameters, isVariadic } = signatureOf(callee);
    const given = args === undefined ? 0 : args.length - 1;
    const count = final === none ? given : given + 1;
    const last = parameters.length - 1;
    if (isVariadic ? count < last : count !== parameters.length) this.wrongCount(name, callee, given, count);
    if (callee === andFunction || callee === orFunction) {
      return this.firstDeciding(dot, callee === orFunction, parameters[0] as GoType, args ?? [], final);
    }
    const values: Value[] = [];
    for (let index = 0; index < given; index++) {
      const type = parameters[index < last ? index : last] as GoType;
      const operand = (args as readonly Operand[])[index + 1] as Operand;
      const value = this.argument(dot, type, operand);
      const isRefused = callee === sliceFunction && index > 0 && this.isHeldInInterface(operand, value);
      values.push(isRefused ? indexInInterface : value);
    }
    if (final !== none) values.push(this.validated(final, parameters[given < last ? given : last] as GoType));
    try {
      if (callee !== callFunction) return this.isTraced ? this.invoke(callee, values, name) : callee.call(values);
      return callValue(calleeName(args?.[1], values[0]), values[0], values.slice(1));
    } catch (error) {
      return this.callFailed(error, name, node);
    }
  }

  protected invoke(callee: GoFunction, values: readonly Value[], _name: string): Value {
    return callee.call(values);
  }

  /** Whether Go holds the value of the operand, which was evaluated last, in an interface. */
  private isHeldInInterface(operand: Operand, value: Value): boolean {
    switch (operand.kind) {
      case 'dot':
        return this.isDotInInterface;
      case 'variable':
        if (operand.fields.length === 0) return this.variables.isInInterface(this.indexOf(operand));
        return isHeldInInterface(this.lastHolder, value);
      case 'field':
      case 'chain':
        return isHeldInInterface(this.lastHolder, value);
      case 'identifier':
        return signatureOf(this.scope.function(operand.name) as GoFunction).result.kind === 'any';
      default:
        return false;
    }
  }

  private wrongCount(name: string, callee: GoFunction, given: number, count: number): never {
    const { parameters, isVariadic } = signatureOf(callee);
    const wanted = { count: parameters.length - (isVariadic ? 1 : 0), isLeast: isVariadic };
    const text = isVariadic ? `at least ${wanted.count} got ${given}` : `${wanted.count} got ${count}`;
    const fact = { kind: 'wrong-count', name, wanted, given: count } as const;
    return this.fail(`wrong number of args for ${name}: want ${text}`, { fact });
  }

  private callFailed(error: unknown, name: string, node: Expression): never {
    this.node = node;
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    return this.fail(`error calling ${name}: ${problem}`, { cause: error, fact: { kind: 'call-failed', name } });
  }

  /** `and` and `or` evaluate no further than to the argument that decides. */
  protected firstDeciding(
    dot: Value,
    decidingTruth: boolean,
    type: GoType,
    args: readonly Operand[],
    final: Final,
  ): Value {
    let value: Value;
    for (let index = 1; index < args.length; index++) {
      value = this.argument(dot, type, args[index] as Operand);
      if (isTrue(value) === decidingTruth) return value;
    }
    return final === none ? value : final;
  }

  protected argument(dot: Value, type: GoType, node: Operand): Value {
    this.node = node;
    switch (node.kind) {
      case 'field':
        return this.validated(this.fieldNode(dot, node, undefined, none), type);
      case 'string':
        if (type.kind === 'string' || type.kind === 'any' || type.kind === 'reflect') return node.value;
        return this.wrongLiteral(type, node);
      case 'dot':
        return this.validated(dot, type);
      case 'variable':
        return this.validated(this.variableNode(dot, node, undefined, none), type);
      case 'pipe':
        return this.validated(this.pipeline(dot, node), type);
      case 'identifier':
        return this.validated(this.functionCall(dot, node, node, undefined, none), type);
      case 'chain':
        return this.validated(this.chainNode(dot, node, undefined, none), type);
      case 'bool':
        if (type.kind === 'bool' || type.kind === 'any' || type.kind === 'reflect') return node.value;
        return this.wrongLiteral(type, node);
      case 'number':
        return this.numberArgument(type, node);
      case 'nil':
        if (!canBeNil(type)) this.fail(`cannot assign nil to ${type.name}`);
        return zeroOf(type);
    }
  }

  private numberArgument(type: GoType, node: Operand & { kind: 'number' }): Value {
    switch (type.kind) {
      case 'any':
      case 'reflect':
        return node.ideal ?? this.fail(`${node.text} overflows int`);
      case 'float64':
        return node.float ?? this.wrongLiteral(type, node);
      case 'int': {
        const { intType = 'int' } = type;
        const value = intType.startsWith('u') ? node.uint : node.int;
        if (value === undefined) return this.wrongLiteral(type, node);
        return intType === 'int' ? goInt(value) : new GoInt(intType, value);
      }
      default:
        return this.wrongLiteral(type, node);
    }
  }

  private wrongLiteral(type: GoType, node: Operand): never {
    switch (type.kind) {
      case 'bool':
      case 'string':
        return this.fail(`expected ${type.kind}; found ${nodeText(node)}`);
      case 'float64':
        return this.fail(`expected float; found ${nodeText(node)}`);
      case 'int':
        return this.fail(
          `expected ${type.name.startsWith('u') ? 'unsigned integer' : 'integer'}; found ${nodeText(node)}`,
        );
      default:
        return this.fail(`can't handle ${nodeText(node)} for arg of type ${type.name}`);
    }
  }

  /** The value as an argument of the type. */
  private validated(value: Value, type: GoType): Value {
    if (value === undefined) {
      if (!canBeNil(type)) this.fail(`invalid value; expected ${type.name}`);
      return zeroOf(type);
    }
    if (isAssignable(value, type)) return type.kind === 'any' && value instanceof GoObject ? value.passed() : value;
    const actual = value === null ? 'interface {}' : goTypeOf(value);
    const fact = { kind: 'wrong-type', wanted: type.name, got: actual } as const;
    return this.fail(`wrong type for value; expected ${type.name}; got ${actual}`, { fact });
  }

  private assign(variable: VariableNode, value: Value, isInInterface: boolean): void {
    this.variables.set(this.indexOf(variable), value, isInInterface);
  }

  protected indexOf(variable: VariableNode): number {
    const index = this.variables.indexOf(variable);
    return index >= 0 ? index : this.fail(`undefined variable: ${variable.name}`);
  }

  private countStep(): void {
    this.scope.budget.left -= 1;
    if (this.scope.budget.left < 0) this.fail('template takes too many steps');
    if (this.out.length > maxOutputLength) this.fail('template writes too much text');
  }

  private fail(problem: string, why?: FailureCause): never {
    throw this.error(problem, why);
  }

  protected error(problem: string, why?: FailureCause): TemplateError {
    return executionError({ tree: this.tree, node: this.node, start: this.start }, problem, why);
  }
}

const byteValues = (bytes: Uint8Array): GoList =>
  withGoType(
    Array.from(bytes, (byte) => new GoInt('uint8', BigInt(byte))),
    '[]uint8',
  );

/** What errors of `call` name its function: the argument's source, or what reflection says of a value from a pipeline. */
function calleeName(argument: Operand | undefined, callee: Value): string {
  if (argument !== undefined) return nodeText(argument);
  return typeof callee === 'string' ? callee : `<${callee === undefined ? 'invalid' : goTypeOf(callee)} Value>`;
}

/** Go's methods have capital letters; most keys of values do not, and need not be looked for among methods. */
export function isExported(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 0x41 && first <= 0x5a;
}

const hasArguments = (args: readonly Operand[] | undefined, final: Final): boolean =>
  (args !== undefined && args.length > 1) || final !== none;

/** Whether Go keeps a field of the holder in an interface, which its error messages then name instead of the type. */
const isHeldInInterface = (holder: Value, held: Value): boolean => {
  const entries = holder instanceof Map ? holder : underlying(holder);
  return entries instanceof Map && held !== undefined && elementType(entries).kind === 'any';
};

/** The text of an error that a function may return; undefined for a defect of the function. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof GoError || error instanceof TemplateError || error instanceof TshelmError) return error.message;
  return isTooLarge(error) ? 'the result is too large' : undefined;
}

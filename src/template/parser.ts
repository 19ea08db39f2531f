import { quote, unquote } from '../go/strconv/strconv.ts';
import { GoError } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import { TemplateError, type TemplateFact } from './error.ts';
import { type Delimiters, longestKnownAction, type TokenKind, Tokens } from './lexer.ts';
import {
  type BranchNode,
  type CommandNode,
  isEmptyTree,
  type ListNode,
  nodeText,
  type Operand,
  type PipeNode,
  type RangeNode,
  type Source,
  type Statement,
  type Tree,
  type VariableNode,
} from './node.ts';
import { numberNode } from './number-literal.ts';

/**
 * Parses a template file: its own tree and those of its defines and blocks, by name. Actions that are among the known ones
 * are taken from there, and the others added to them. Fails with TemplateError in Go's words.
 */
export function parseTemplate(
  source: Source,
  language: Language,
  known: KnownActions = new Map(),
): ReadonlyMap<string, Tree> {
  return new Parser(source, language, known).parse();
}

/** What texts are parsed with. */
export interface Language {
  readonly hasFunction: (name: string) => boolean;
  readonly delimiters: Delimiters;
}

/**
 * What actions say, by their text from "{{" to "}}": charts repeat most of theirs (`{{- end }}`, `{{ .Release.Name }}`).
 * It depends on nothing around them but which functions there are, and that the variables used are declared.
 */
export type KnownActions = Map<string, KnownAction>;

interface KnownAction {
  readonly action: Action;
  /** Variables that were declared before it. */
  readonly uses: readonly string[];
  readonly declares: readonly string[];
}

/** An action by itself, without the lists that follow it. */
type Action =
  | { readonly kind: 'break' | 'continue' | 'end' }
  | { readonly kind: 'else'; readonly isWhole: boolean }
  | { readonly kind: 'if' | 'with' | 'range' | 'action'; readonly pipe: PipeNode }
  | {
      readonly kind: 'block' | 'template';
      readonly position: number;
      readonly name: string;
      readonly pipe: PipeNode | undefined;
    };

/** Go's limit for nested parentheses. */
const maxParenDepth = 10_000;

/** The parser's state inside one tree; a define or block has its own. */
interface TreeState {
  variables: string[];
  rangeDepth: number;
  parenDepth: number;
  /** Where the action begins that is being read; -1 outside actions. */
  actionStart: number;
}

const newTreeState = (): TreeState => ({ variables: ['$'], rangeDepth: 0, parenDepth: 0, actionStart: -1 });

/** What ends a list of statements. */
type ListEnd = Action & { readonly kind: 'end' | 'else' };

const describeEnd = (end: ListEnd): string => `{{${end.kind}}}`;

/** Tokens are named by their index. */
class Parser {
  private readonly source: Source;
  private readonly hasFunction: (name: string) => boolean;
  private readonly known: KnownActions;
  private readonly delimiters: Delimiters;
  private readonly tokens: Tokens;
  private readonly trees = new Map<string, Tree>();
  private state = newTreeState();
  /** The token to be read next. */
  private index = 0;
  /** The last token that was looked at: where Go reports errors. */
  private furthest = 0;
  /** The known action that the tokens have come to. */
  private pending: KnownAction | undefined;
  /** The index of the "{{" of the action that is being read. */
  private start = 0;
  /** How many variables were declared before it, and which of these it uses. */
  private depth = 0;
  private uses: string[] = [];
  // What belongs to the lists and pipelines that are being read, the innermost last.
  private readonly statements = new Pile<Statement>();
  private readonly commands = new Pile<CommandNode>();
  private readonly operands = new Pile<Operand>();

  constructor(source: Source, { hasFunction, delimiters }: Language, known: KnownActions) {
    this.source = source;
    this.hasFunction = hasFunction;
    this.known = known;
    this.delimiters = delimiters;
    this.tokens = new Tokens(source.text, {
      delimiters,
      hasBreak: !hasFunction('break'),
      hasContinue: !hasFunction('continue'),
      isKnown: (action) => this.isKnown(action),
    });
  }

  parse(): ReadonlyMap<string, Tree> {
    try {
      this.file();
    } catch (error) {
      if (isStackOverflow(error)) this.fail('template is nested too deeply', { cause: error });
      throw error;
    }
    return this.trees;
  }

  /** file := { define | statement } */
  private file(): void {
    const nodes: Statement[] = [];
    for (let kind = this.peek(); kind !== 'eof'; kind = this.peek()) {
      if (kind === 'left-delimiter' && this.tokens.kind(this.index + 1) === 'define') {
        this.index += 2;
        this.define();
        continue;
      }
      const statement = this.statement();
      if (statement.kind === 'end' || statement.kind === 'else') this.stray(statement);
      else nodes.push(statement);
    }
    this.add(this.source.name, { kind: 'list', nodes });
  }

  private stray(end: ListEnd): never {
    return this.fail(`unexpected ${describeEnd(end)}`, { fact: { kind: 'stray-end', word: end.kind } });
  }

  /** define := "define" string "}}" list "{{end}}". The keyword is already read. */
  private define(): void {
    const context = 'define clause';
    this.withTreeState(() => {
      const name = this.templateName(context);
      this.expect('right-delimiter', context);
      const { list, end } = this.list();
      if (end.kind !== 'end') this.fail(`unexpected ${describeEnd(end)} in ${context}`);
      this.add(name, list);
    });
  }

  private withTreeState(parse: () => void): void {
    const outer = this.state;
    this.state = newTreeState();
    parse();
    this.state = outer;
  }

  private add(name: string, root: ListNode): void {
    const existing = this.trees.get(name);
    if (existing === undefined || isEmptyTree(existing.root)) {
      this.trees.set(name, { name, source: this.source, root });
    } else if (!isEmptyTree(root)) {
      this.fail(`template: multiple definition of template ${quote(name)}`);
    }
  }

  /** list := { statement } ( "{{end}}" | "{{else}}" ) */
  private list(): { list: ListNode; end: ListEnd } {
    const { statements } = this;
    const { length } = statements;
    while (this.peek() !== 'eof') {
      const statement = this.statement();
      if (statement.kind === 'end' || statement.kind === 'else')
        return { list: { kind: 'list', nodes: statements.takeFrom(length) }, end: statement };
      statements.push(statement);
    }
    return this.fail('unexpected EOF', { fact: { kind: 'unexpected-end' } });
  }

  /** statement := text | action [ list … ] */
  private statement(): Statement | ListEnd {
    const { index, state, tokens } = this;
    const kind = this.next();
    if (kind === 'text') return { kind, text: tokens.text(index), start: tokens.position(index) };
    if (kind !== 'left-delimiter' && kind !== 'known-action') return this.unexpected(index, 'input');
    const start = tokens.position(index);
    state.actionStart = start;
    const depth = state.variables.length;
    const action = kind === 'known-action' ? this.knownAction() : this.newAction(start);
    const statement = this.statementOf(action, start, depth);
    state.actionStart = -1;
    return statement;
  }

  private isKnown(text: string): boolean {
    const known = this.known.get(text);
    if (known === undefined) return false;
    const { variables } = this.state;
    if (known.uses.length > 0 && !known.uses.every((name) => variables.includes(name))) return false;
    this.pending = known;
    return true;
  }

  private knownAction(): Action {
    const { action, declares } = this.pending as KnownAction;
    this.expect('right-delimiter', 'action');
    if (declares.length > 0) this.state.variables.push(...declares);
    return action;
  }

  /** An action that is read for the first time. The opening "{{" is already read. */
  private newAction(start: number): Action {
    const { variables } = this.state;
    const depth = variables.length;
    this.start = start;
    this.depth = depth;
    if (this.uses.length > 0) this.uses = [];
    const action = this.action();
    const end = this.tokens.end(this.index - 1);
    const isWhole = action.kind !== 'else' || action.isWhole;
    if (isWhole && end - start <= longestKnownAction) {
      const uses = this.uses.length === 0 ? noNames : this.uses;
      const declares = variables.length === depth ? noNames : variables.slice(depth);
      this.known.set(this.source.text.slice(start, end), { action, uses, declares });
    }
    return action;
  }

  /** action := keyword … "}}" | pipeline "}}" */
  private action(): Action {
    const kind = this.peek();
    switch (kind) {
      case 'block':
      case 'template':
        this.index += 1;
        return this.templateCall(kind);
      case 'break':
      case 'continue':
        this.index += 1;
        this.expect('right-delimiter', `{{${kind}}}`);
        return { kind };
      case 'else':
        this.index += 1;
        return this.elseAction();
      case 'end':
        this.index += 1;
        this.expect('right-delimiter', kind);
        return { kind };
      case 'if':
      case 'with':
      case 'range':
        this.index += 1;
        return { kind, pipe: this.pipeline(kind, 'right-delimiter') };
      default:
        return { kind: 'action', pipe: this.pipeline('command', 'right-delimiter') };
    }
  }

  /** "else", whose "if" or "with" stays to be read. */
  private elseAction(): Action {
    const kind = this.peek();
    const isWhole = kind !== 'if' && kind !== 'with';
    if (isWhole) this.expect('right-delimiter', 'else');
    return { kind: 'else', isWhole };
  }

  /** "template" string [ pipeline ] "}}", and "block" the same with its pipeline. The keyword is already read. */
  private templateCall(kind: 'block' | 'template'): Action {
    const context = `${kind} clause`;
    const position = this.positionOf(this.index);
    const name = this.templateName(context);
    if (kind === 'block' || this.peek() !== 'right-delimiter')
      return { kind, position, name, pipe: this.pipeline(context, 'right-delimiter') };
    this.index += 1;
    return { kind, position, name, pipe: undefined };
  }

  /** What the action begins at `start`: itself, or a branch or loop with its lists. `depth` variables were declared before. */
  private statementOf(action: Action, start: number, depth: number): Statement | ListEnd {
    switch (action.kind) {
      case 'else':
      case 'end':
        return action;
      case 'break':
      case 'continue':
        if (this.state.rangeDepth === 0) this.fail(`{{${action.kind}}} outside {{range}}`);
        return { kind: action.kind };
      case 'if':
      case 'with':
        return this.branch(action.kind, { pipe: action.pipe, start, depth });
      case 'range':
        return this.range({ pipe: action.pipe, start, depth });
      case 'block':
        this.blockDefinition(action.name);
        return { ...action, kind: 'template', start };
      case 'template':
        return { ...action, kind: 'template', start };
      case 'action':
        return { kind: 'action', start, position: action.pipe.position, pipe: action.pipe };
    }
  }

  private branch(kind: 'if' | 'with', { pipe, start, depth }: Head): BranchNode {
    const { list, end } = this.list();
    const elseList = end.kind === 'end' ? undefined : this.elseList(kind);
    this.state.variables.length = depth;
    return { kind, start, position: pipe.position, pipe, list, elseList };
  }

  private range({ pipe, start, depth }: Head): RangeNode {
    const { state } = this;
    state.rangeDepth += 1;
    const { list, end } = this.list();
    state.rangeDepth -= 1;
    const elseList = end.kind === 'end' ? undefined : this.elseList('range');
    state.variables.length = depth;
    return { kind: 'range', start, position: pipe.position, pipe, list, elseList };
  }

  /** The list after "else"; an "else if" is an "if" of its own in it, and shares its "end". */
  private elseList(kind: 'if' | 'with' | 'range'): ListNode {
    if (kind !== 'range' && this.peek() === kind) {
      this.index += 1;
      const { start, state } = this;
      const depth = state.variables.length;
      const pipe = this.pipeline(kind, 'right-delimiter');
      return { kind: 'list', nodes: [this.branch(kind, { pipe, start, depth })] };
    }
    const { list, end } = this.list();
    if (end.kind !== 'end') this.fail(`expected end; found ${describeEnd(end)}`);
    return list;
  }

  /** The list of a block up to its "{{end}}": a define. */
  private blockDefinition(name: string): void {
    const head = this.tokens.position(this.furthest);
    this.withTreeState(() => {
      const { list, end } = this.list();
      if (end.kind !== 'end') this.fail(`unexpected ${describeEnd(end)} in block clause`, { position: head });
      this.add(name, list);
    });
  }

  private templateName(context: string): string {
    const index = this.index;
    const kind = this.next();
    if (kind !== 'string' && kind !== 'raw-string') return this.unexpected(index, context);
    return this.unquoted(this.tokens.text(index));
  }

  /** pipeline := [ variables ( ":=" | "=" ) ] command { "|" command } end */
  private pipeline(context: string, end: TokenKind): PipeNode {
    const position = this.positionOf(this.index);
    const { variables, isAssignment } = this.peek() === 'variable' ? this.declarations(context) : noDeclarations;
    const { length } = this.commands;
    for (let kind = this.peek(); kind !== end; kind = this.peek()) {
      if (!startsOperand(kind)) this.unexpected(this.index, context);
      this.commands.push(this.command());
    }
    this.index += 1;
    const commands = this.commands.takeFrom(length);
    this.checkPipeline(commands, context);
    return { kind: 'pipe', position, isAssignment, variables, commands };
  }

  /** variables := variable [ "," variable ]: two of them only in "range". */
  private declarations(context: string): Declarations {
    const variables: VariableNode[] = [];
    while (this.peek() === 'variable') {
      const variable = this.index;
      const next = this.look(variable + 1);
      const isComma = next === 'char' && this.tokens.text(variable + 1) === ',';
      if (next !== 'assign' && next !== 'declare' && !isComma) break;
      this.index += 2;
      variables.push(this.targetVariable(variable, next === 'assign'));
      if (!isComma) return { variables, isAssignment: next === 'assign' };
      if (context !== 'range' || variables.length >= 2) this.fail(`too many declarations in ${context}`);
      const after = this.peek();
      if (after !== 'variable' && after !== 'right-delimiter' && after !== 'right-paren') {
        this.fail('range can only initialize variables');
      }
    }
    return { variables, isAssignment: false };
  }

  private targetVariable(index: number, isAssignment: boolean): VariableNode {
    const { variables } = this.state;
    const name = this.tokens.text(index);
    if (!isAssignment || !this.isDeclared(name)) variables.push(name);
    return { kind: 'variable', position: this.positionOf(index), name, fields: noNames };
  }

  /** Whether there is such a variable; one from before the action is noted as used. */
  private isDeclared(name: string): boolean {
    const index = this.state.variables.lastIndexOf(name);
    // Each tree begins with "$".
    if (index > 0 && index < this.depth) this.uses.push(name);
    return index >= 0;
  }

  private checkPipeline(commands: readonly CommandNode[], context: string): void {
    if (commands.length === 0) this.fail(`missing value for ${context}`);
    for (let index = 1; index < commands.length; index++) {
      if (isLiteral((commands[index] as CommandNode).args[0] as Operand)) {
        this.fail(`non executable command in pipeline stage ${index + 1}`);
      }
    }
  }

  /** command := operand { space operand } [ "|" ]. The end of the pipeline stays to be read. */
  private command(): CommandNode {
    const position = this.positionOf(this.index);
    const { operands } = this;
    const { length } = operands;
    for (;;) {
      const operand = this.operand();
      if (operand !== undefined) operands.push(operand);
      const kind = this.peek();
      if (kind === 'right-delimiter' || kind === 'right-paren') break;
      if (kind === 'pipe') {
        this.index += 1;
        break;
      }
      if (!this.tokens.hasSpaceBefore(this.index) || !(operand !== undefined || startsOperand(kind))) {
        this.unexpected(this.index, 'operand');
      }
    }
    if (operands.length === length) this.fail('empty command');
    return { kind: 'command', position, args: operands.takeFrom(length) };
  }

  /** operand := term { field }; undefined where no term begins. */
  private operand(): Operand | undefined {
    const term = this.term();
    if (term === undefined || !this.isFieldAttached()) return term;
    const { index, tokens } = this;
    while (this.isFieldAttached()) this.index += 1;
    const position = this.positionOf(index);
    const fields = tokens.source.slice(tokens.position(index) + 1, tokens.end(this.index - 1)).split('.');
    switch (term.kind) {
      case 'field':
        return { kind: 'field', position, fields: term.fields.concat(fields) };
      case 'variable':
        return { kind: 'variable', position, name: term.name, fields };
      case 'pipe':
      case 'identifier':
        return { kind: 'chain', position, node: term, fields };
      default:
        return this.fail(`unexpected . after term ${quote(nodeText(term))}`);
    }
  }

  private isFieldAttached(): boolean {
    return this.peek() === 'field' && !this.tokens.hasSpaceBefore(this.index);
  }

  /** term := literal | function | "." | field | variable | "(" pipeline ")" */
  private term(): Operand | undefined {
    const kind = this.peek();
    if (!startsOperand(kind)) return undefined;
    const { index, tokens } = this;
    this.index += 1;
    const position = this.positionOf(index);
    if (kind === 'left-paren') return this.parenthesised();
    if (kind === 'dot' || kind === 'nil') return { kind, position };
    const text = tokens.text(index);
    switch (kind) {
      case 'field':
        return { kind, position, fields: [text.slice(1)] };
      case 'identifier':
        if (!this.hasFunction(text)) {
          this.fail(`function ${quote(text)} not defined`, { fact: { kind: 'unknown-function', name: text } });
        }
        return { kind, position, name: text };
      case 'string':
      case 'raw-string':
        return { kind: 'string', position, quoted: text, value: this.unquoted(text) };
      case 'variable':
        if (!this.isDeclared(text)) this.fail(`undefined variable ${quote(text)}`);
        return { kind, position, name: text, fields: noNames };
      case 'bool':
        return { kind, position, value: text === 'true' };
      default:
        return this.inGoWords(() => numberNode(position, text, kind));
    }
  }

  private parenthesised(): PipeNode {
    const { state } = this;
    if (state.parenDepth >= maxParenDepth) this.fail('max expression depth exceeded');
    state.parenDepth += 1;
    const pipe = this.pipeline('parenthesized pipeline', 'right-paren');
    state.parenDepth -= 1;
    return pipe;
  }

  private unquoted(literal: string): string {
    return this.inGoWords(() => unquote(literal));
  }

  private inGoWords<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof GoError) this.fail(messageOf(error));
      throw error;
    }
  }

  /** Of a token in the action that is being read. */
  private positionOf(index: number): number {
    return this.tokens.position(index) - this.start;
  }

  private peek(): TokenKind {
    return this.look(this.index);
  }

  private look(index: number): TokenKind {
    if (index > this.furthest) this.furthest = index;
    return this.tokens.kind(index);
  }

  private next(): TokenKind {
    return this.look(this.index++);
  }

  /** Reads a token of this kind. */
  private expect(kind: TokenKind, context: string): void {
    const index = this.index;
    if (this.next() !== kind) this.unexpected(index, context);
  }

  private unexpected(index: number, context: string): never {
    const { tokens } = this;
    if (tokens.kind(index) !== 'error')
      return this.fail(`unexpected ${tokens.describe(index)} in ${context}`, { fact: this.factAt(index) });
    const { actionStart } = this.state;
    const text = tokens.text(index);
    const actionLine = this.lineAt(actionStart);
    if (actionStart < 0 || actionLine === this.lineAt(tokens.position(index))) return this.fail(text);
    const inAction = text.endsWith(' action') ? '' : ' in action';
    return this.fail(`${text}${inAction} started at ${this.source.name}:${actionLine}`);
  }

  private factAt(index: number): TemplateFact | undefined {
    const { tokens } = this;
    if (tokens.kind(index) === 'define' && tokens.kind(index - 1) === 'left-delimiter')
      return { kind: 'nested-define' };
    return tokens.text(index) === '}' ? { kind: 'single-brace' } : undefined;
  }

  /** Where the action that is being read began, if another one begins before it ends, or none ends at all. */
  private openBrace(line: number, known: TemplateFact | undefined): TemplateFact | undefined {
    const { actionStart } = this.state;
    if (actionStart < 0) return undefined;
    const { text } = this.source;
    const { left, right } = this.delimiters;
    const start = this.lineAt(actionStart);
    const close = text.indexOf(right, actionStart);
    const next = text.indexOf(left, actionStart + left.length);
    if (close < 0 && known === undefined) return { kind: 'no-brace', line: start };
    const isOpen = close < 0 || (next >= 0 && next < close);
    return isOpen && start < line ? { kind: 'no-brace', line: start } : undefined;
  }

  /** Counted from 1. */
  private lineAt(position: number): number {
    const { text } = this.source;
    let line = 1;
    for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
    return line;
  }

  /** Fails in the line of a place in the source: of the last token looked at, if nothing else is said. */
  private fail(problem: string, { position = this.tokens.position(this.furthest), ...why }: Failing = {}): never {
    const { name } = this.source;
    const line = this.lineAt(position);
    throw new TemplateError({
      message: `template: ${name}:${line}: ${problem}`,
      templateName: name,
      line,
      ...why,
      fact: why.fact?.kind === 'unexpected-end' ? why.fact : (this.openBrace(line, why.fact) ?? why.fact),
    });
  }
}

interface Failing {
  readonly position?: number;
  readonly cause?: unknown;
  readonly fact?: TemplateFact | undefined;
}

/** Items in waiting. What is taken has the room that it needs: an array that was grown has it for 17 and more. */
class Pile<T> {
  length = 0;
  private readonly items: T[] = [];

  push(item: T): void {
    this.items[this.length] = item;
    this.length += 1;
  }

  takeFrom(start: number): T[] {
    const taken = this.items.slice(start, this.length);
    this.length = start;
    return taken;
  }
}

/** How a branch or a loop begins: how many variables were declared before its own. */
interface Head {
  readonly pipe: PipeNode;
  readonly start: number;
  readonly depth: number;
}

interface Declarations {
  readonly variables: readonly VariableNode[];
  readonly isAssignment: boolean;
}
const noNames: readonly string[] = [];
const noDeclarations: Declarations = { variables: [], isAssignment: false };

const isLiteral = ({ kind }: Operand): boolean =>
  kind === 'bool' || kind === 'dot' || kind === 'nil' || kind === 'number' || kind === 'string';

type OperandStart =
  | 'bool'
  | 'char-constant'
  | 'complex'
  | 'dot'
  | 'field'
  | 'identifier'
  | 'number'
  | 'nil'
  | 'raw-string'
  | 'string'
  | 'variable'
  | 'left-paren';

function startsOperand(kind: TokenKind): kind is OperandStart {
  switch (kind) {
    case 'bool':
    case 'char-constant':
    case 'complex':
    case 'dot':
    case 'field':
    case 'identifier':
    case 'number':
    case 'nil':
    case 'raw-string':
    case 'string':
    case 'variable':
    case 'left-paren':
      return true;
    default:
      return false;
  }
}

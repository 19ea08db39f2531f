import { quote, unquote } from '../go/strconv/strconv.ts';
import { GoError } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';
import { isStackOverflow, TemplateError } from './error.ts';
import { type TokenKind, type Tokens, tokenize } from './lexer.ts';
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
  type TemplateNode,
  type Tree,
  type VariableNode,
} from './node.ts';
import { numberNode } from './number-literal.ts';

/**
 * Parses a template file: its own tree and those of its defines and blocks, by name.
 * Fails with TemplateError in Go's words.
 */
export function parseTemplate(
  name: string,
  text: string,
  hasFunction: (name: string) => boolean,
): ReadonlyMap<string, Tree> {
  return new Parser({ name, text }, hasFunction).parse();
}

/** Go's limit for nested parentheses. */
const maxParenDepth = 10_000;

/** The parser's state inside one tree; a define or block has its own. */
interface TreeState {
  variables: string[];
  rangeDepth: number;
  parenDepth: number;
  /** The "{{" of the action that is being read; -1 outside actions. */
  actionStart: number;
}

const newTreeState = (): TreeState => ({ variables: ['$'], rangeDepth: 0, parenDepth: 0, actionStart: -1 });

/** What ends a list of statements. */
type ListEnd =
  | { readonly kind: 'end'; readonly position: number }
  | { readonly kind: 'else'; readonly position: number };

const describeEnd = (end: ListEnd): string => `{{${end.kind}}}`;

/** Tokens are named by their index. */
class Parser {
  private readonly source: Source;
  private readonly hasFunction: (name: string) => boolean;
  private readonly tokens: Tokens;
  private readonly trees = new Map<string, Tree>();
  private state = newTreeState();
  /** The token to be read next. */
  private index = 0;
  /** The last token that was looked at: where Go reports errors. */
  private furthest = 0;

  constructor(source: Source, hasFunction: (name: string) => boolean) {
    this.source = source;
    this.hasFunction = hasFunction;
    const options = { hasBreak: !hasFunction('break'), hasContinue: !hasFunction('continue') };
    this.tokens = tokenize(source.text, options);
  }

  parse(): ReadonlyMap<string, Tree> {
    try {
      this.file();
    } catch (error) {
      if (isStackOverflow(error)) this.fail('template is nested too deeply');
      throw error;
    }
    return this.trees;
  }

  /** file := { define | statement } */
  private file(): void {
    const position = this.tokens.position(0);
    const nodes: Statement[] = [];
    for (let kind = this.peek(); kind !== 'eof'; kind = this.peek()) {
      if (kind === 'left-delimiter' && this.tokens.kind(this.index + 1) === 'define') {
        this.index += 2;
        this.define();
        continue;
      }
      const statement = this.statement();
      if (statement.kind === 'end' || statement.kind === 'else') this.fail(`unexpected ${describeEnd(statement)}`);
      else nodes.push(statement);
    }
    this.add(this.source.name, { kind: 'list', position, nodes });
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
    const position = this.tokens.position(this.index);
    const nodes: Statement[] = [];
    while (this.peek() !== 'eof') {
      const statement = this.statement();
      if (statement.kind === 'end' || statement.kind === 'else') {
        return { list: { kind: 'list', position, nodes }, end: statement };
      }
      nodes.push(statement);
    }
    return this.fail('unexpected EOF');
  }

  /** statement := text | "{{" action */
  private statement(): Statement | ListEnd {
    const start = this.index;
    switch (this.next()) {
      case 'text':
        return { kind: 'text', position: this.tokens.position(start), text: this.tokens.text(start) };
      case 'left-delimiter': {
        const { state } = this;
        state.actionStart = start;
        const action = this.action();
        state.actionStart = -1;
        return action;
      }
      default:
        return this.unexpected(start, 'input');
    }
  }

  /** action := control | pipeline "}}" */
  private action(): Statement | ListEnd {
    const position = this.tokens.position(this.index);
    const kind = this.peek();
    switch (kind) {
      case 'block':
        this.index += 1;
        return this.block();
      case 'break':
      case 'continue':
        this.index += 1;
        return this.loopControl(kind, position);
      case 'else':
        this.index += 1;
        return this.elseEnd();
      case 'end':
        this.index += 1;
        return { kind: 'end', position: this.expect('right-delimiter', 'end') };
      case 'if':
      case 'with':
        this.index += 1;
        return this.branch(kind);
      case 'range':
        this.index += 1;
        return this.range();
      case 'template':
        this.index += 1;
        return this.template();
      default:
        return { kind: 'action', position, pipe: this.pipeline('command', 'right-delimiter') };
    }
  }

  private loopControl(kind: 'break' | 'continue', position: number): Statement {
    this.expect('right-delimiter', `{{${kind}}}`);
    if (this.state.rangeDepth === 0) this.fail(`{{${kind}}} outside {{range}}`);
    return { kind, position };
  }

  /** "else", whose "if" or "with" stays to be read. */
  private elseEnd(): ListEnd {
    const kind = this.peek();
    if (kind === 'if' || kind === 'with') return { kind: 'else', position: this.tokens.position(this.index) };
    return { kind: 'else', position: this.expect('right-delimiter', 'else') };
  }

  private branch(kind: 'if' | 'with'): BranchNode {
    const depth = this.state.variables.length;
    const pipe = this.pipeline(kind, 'right-delimiter');
    const { list, end } = this.list();
    const elseList = end.kind === 'end' ? undefined : this.elseList(kind, end);
    this.state.variables.length = depth;
    return { kind, position: pipe.position, pipe, list, elseList };
  }

  private range(): RangeNode {
    const { state } = this;
    const depth = state.variables.length;
    const pipe = this.pipeline('range', 'right-delimiter');
    state.rangeDepth += 1;
    const { list, end } = this.list();
    state.rangeDepth -= 1;
    const elseList = end.kind === 'end' ? undefined : this.elseList('range', end);
    state.variables.length = depth;
    return { kind: 'range', position: pipe.position, pipe, list, elseList };
  }

  /** The list after "else"; an "else if" is an "if" of its own in it, and shares its "end". */
  private elseList(kind: 'if' | 'with' | 'range', start: ListEnd): ListNode {
    if (kind !== 'range' && this.peek() === kind) {
      this.index += 1;
      return { kind: 'list', position: start.position, nodes: [this.branch(kind)] };
    }
    const { list, end } = this.list();
    if (end.kind !== 'end') this.fail(`expected end; found ${describeEnd(end)}`);
    return list;
  }

  /** block := "block" string pipeline "}}" list "{{end}}": a define, and a template that calls it. */
  private block(): TemplateNode {
    const context = 'block clause';
    const position = this.tokens.position(this.index);
    const name = this.templateName(context);
    const pipe = this.pipeline(context, 'right-delimiter');
    const head = this.furthest;
    this.withTreeState(() => {
      const { list, end } = this.list();
      if (end.kind !== 'end') this.fail(`unexpected ${describeEnd(end)} in ${context}`, head);
      this.add(name, list);
    });
    return { kind: 'template', position, name, pipe };
  }

  /** template := "template" string [ pipeline ] "}}" */
  private template(): TemplateNode {
    const context = 'template clause';
    const position = this.tokens.position(this.index);
    const name = this.templateName(context);
    if (this.peek() !== 'right-delimiter') {
      return { kind: 'template', position, name, pipe: this.pipeline(context, 'right-delimiter') };
    }
    this.index += 1;
    return { kind: 'template', position, name, pipe: undefined };
  }

  private templateName(context: string): string {
    const index = this.index;
    const kind = this.next();
    if (kind !== 'string' && kind !== 'raw-string') return this.unexpected(index, context);
    return this.unquoted(this.tokens.text(index));
  }

  /** pipeline := [ variables ( ":=" | "=" ) ] command { "|" command } end */
  private pipeline(context: string, end: TokenKind): PipeNode {
    const { variables: stack } = this.state;
    const position = this.tokens.position(this.index);
    const { variables, isAssignment } = this.peek() === 'variable' ? this.declarations(context) : noDeclarations;
    const depth = stack.length;
    const commands: CommandNode[] = [];
    for (let kind = this.peek(); kind !== end; kind = this.peek()) {
      if (!startsOperand(kind)) this.unexpected(this.index, context);
      commands.push(this.command());
    }
    this.index += 1;
    this.checkPipeline(commands, context);
    // A parenthesised declaration among the commands is carried out before the pipeline's own.
    if (variables.length > 0 && !isAssignment && stack.length > depth) {
      stack.push(...stack.splice(depth - variables.length, variables.length));
    }
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
    if (!isAssignment || !variables.includes(name)) variables.push(name);
    return this.variableNode(this.tokens.position(index), name);
  }

  private variableNode(position: number, name: string): VariableNode {
    return { kind: 'variable', position, name, fields: noFields, slot: this.state.variables.lastIndexOf(name) };
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
    const position = this.tokens.position(this.index);
    const args: Operand[] = [];
    for (;;) {
      const operand = this.operand();
      if (operand !== undefined) args.push(operand);
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
    if (args.length === 0) this.fail('empty command');
    return { kind: 'command', position, args };
  }

  /** operand := term { field }; undefined where no term begins. */
  private operand(): Operand | undefined {
    const term = this.term();
    if (term === undefined || !this.isFieldAttached()) return term;
    const position = this.tokens.position(this.index);
    const fields: string[] = [];
    while (this.isFieldAttached()) fields.push(this.tokens.text(this.index++).slice(1));
    switch (term.kind) {
      case 'field':
        return { kind: 'field', position, fields: [...term.fields, ...fields] };
      case 'variable':
        return { kind: 'variable', position, name: term.name, fields, slot: term.slot };
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
    const position = tokens.position(index);
    if (kind === 'left-paren') return this.parenthesised();
    if (kind === 'dot' || kind === 'nil') return { kind, position };
    const text = tokens.text(index);
    switch (kind) {
      case 'field':
        return { kind, position, fields: [text.slice(1)] };
      case 'identifier':
        if (!this.hasFunction(text)) this.fail(`function ${quote(text)} not defined`);
        return { kind, position, name: text };
      case 'string':
      case 'raw-string':
        return { kind: 'string', position, quoted: text, value: this.unquoted(text) };
      case 'variable':
        if (!this.state.variables.includes(text)) this.fail(`undefined variable ${quote(text)}`);
        return this.variableNode(position, text);
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

  /** Reads a token of this kind; gives its position in the source. */
  private expect(kind: TokenKind, context: string): number {
    const index = this.index;
    return this.next() === kind ? this.tokens.position(index) : this.unexpected(index, context);
  }

  private unexpected(index: number, context: string): never {
    const { tokens } = this;
    if (tokens.kind(index) !== 'error') return this.fail(`unexpected ${tokens.describe(index)} in ${context}`);
    const { actionStart } = this.state;
    const text = tokens.text(index);
    const actionLine = tokens.line(actionStart);
    if (actionStart < 0 || actionLine === tokens.line(index)) return this.fail(text);
    const inAction = text.endsWith(' action') ? '' : ' in action';
    return this.fail(`${text}${inAction} started at ${this.source.name}:${actionLine}`);
  }

  /** Fails at a token: the last one looked at, if nothing else is said. */
  private fail(problem: string, at = this.furthest): never {
    const { name } = this.source;
    const line = this.tokens.line(at);
    throw new TemplateError({ message: `template: ${name}:${line}: ${problem}`, templateName: name, line });
  }
}

interface Declarations {
  readonly variables: readonly VariableNode[];
  readonly isAssignment: boolean;
}
const noFields: readonly string[] = [];
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

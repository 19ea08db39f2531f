import { messageOf } from '../support/errors.ts';
import { quote, unquote } from '../support/strconv.ts';
import { GoError } from '../support/value.ts';
import { isStackOverflow, TemplateError } from './error.ts';
import { describeToken, Lexer, type Token, type TokenKind } from './lexer.ts';
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
  /** The line of the "{{" of the action that is being read; 0 outside actions. */
  actionLine: number;
}

const newTreeState = (): TreeState => ({ variables: ['$'], rangeDepth: 0, parenDepth: 0, actionLine: 0 });

/** What ends a list of statements. */
type ListEnd =
  | { readonly kind: 'end'; readonly position: number }
  | { readonly kind: 'else'; readonly position: number };

const describeEnd = (end: ListEnd): string => `{{${end.kind}}}`;

class Parser {
  private readonly source: Source;
  private readonly lexer: Lexer;
  private readonly hasFunction: (name: string) => boolean;
  private readonly trees = new Map<string, Tree>();
  private state = newTreeState();
  /** Tokens that were read and put back, the next one last. */
  private readonly pending: Token[] = [];
  /** Where errors are reported: the line of the token that was read first of those in hand. */
  private errorLine = 1;

  constructor(source: Source, hasFunction: (name: string) => boolean) {
    this.source = source;
    this.hasFunction = hasFunction;
    this.lexer = new Lexer(source.text, { hasBreak: !hasFunction('break'), hasContinue: !hasFunction('continue') });
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
    const position = this.peek().position;
    const nodes: Statement[] = [];
    for (let token = this.peek(); token.kind !== 'eof'; token = this.peek()) {
      if (token.kind === 'left-delimiter') {
        this.next();
        const keyword = this.nextNonSpace();
        if (keyword.kind === 'define') {
          this.define();
          continue;
        }
        this.putBack(keyword);
        this.putBack(token);
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
    const token = this.nextNonSpace();
    this.withTreeState(() => {
      const name = this.templateName(token, context);
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
    const position = this.peekNonSpace().position;
    const nodes: Statement[] = [];
    while (this.peekNonSpace().kind !== 'eof') {
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
    const token = this.nextNonSpace();
    switch (token.kind) {
      case 'text':
        return { kind: 'text', position: token.position, text: token.text };
      case 'left-delimiter': {
        const { state } = this;
        state.actionLine = token.line;
        const action = this.action();
        state.actionLine = 0;
        return action;
      }
      default:
        return this.unexpected(token, 'input');
    }
  }

  /** action := control | pipeline "}}" */
  private action(): Statement | ListEnd {
    const token = this.nextNonSpace();
    switch (token.kind) {
      case 'block':
        return this.block();
      case 'break':
      case 'continue':
        return this.loopControl(token.kind, token.position);
      case 'else':
        return this.elseEnd();
      case 'end':
        return { kind: 'end', position: this.expect('right-delimiter', 'end').position };
      case 'if':
      case 'with':
        return this.branch(token.kind);
      case 'range':
        return this.range();
      case 'template':
        return this.template();
      default: {
        this.putBack(token);
        return { kind: 'action', position: token.position, pipe: this.pipeline('command', 'right-delimiter') };
      }
    }
  }

  private loopControl(kind: 'break' | 'continue', position: number): Statement {
    const token = this.nextNonSpace();
    if (token.kind !== 'right-delimiter') this.unexpected(token, `{{${kind}}}`);
    if (this.state.rangeDepth === 0) this.fail(`{{${kind}}} outside {{range}}`);
    return { kind, position };
  }

  /** "else", whose "if" or "with" stays to be read. */
  private elseEnd(): ListEnd {
    const token = this.peekNonSpace();
    if (token.kind === 'if' || token.kind === 'with') return { kind: 'else', position: token.position };
    return { kind: 'else', position: this.expect('right-delimiter', 'else').position };
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
    if (kind !== 'range' && this.peek().kind === kind) {
      this.next();
      return { kind: 'list', position: start.position, nodes: [this.branch(kind)] };
    }
    const { list, end } = this.list();
    if (end.kind !== 'end') this.fail(`expected end; found ${describeEnd(end)}`);
    return list;
  }

  /** block := "block" string pipeline "}}" list "{{end}}": a define, and a template that calls it. */
  private block(): TemplateNode {
    const context = 'block clause';
    const token = this.nextNonSpace();
    const name = this.templateName(token, context);
    const pipe = this.pipeline(context, 'right-delimiter');
    const headLine = this.errorLine;
    this.withTreeState(() => {
      const { list, end } = this.list();
      if (end.kind !== 'end') this.fail(`unexpected ${describeEnd(end)} in ${context}`, headLine);
      this.add(name, list);
    });
    return { kind: 'template', position: token.position, name, pipe };
  }

  /** template := "template" string [ pipeline ] "}}" */
  private template(): TemplateNode {
    const context = 'template clause';
    const token = this.nextNonSpace();
    const name = this.templateName(token, context);
    const next = this.nextNonSpace();
    let pipe: PipeNode | undefined;
    if (next.kind !== 'right-delimiter') {
      this.putBack(next);
      pipe = this.pipeline(context, 'right-delimiter');
    }
    return { kind: 'template', position: token.position, name, pipe };
  }

  private templateName(token: Token, context: string): string {
    if (token.kind !== 'string' && token.kind !== 'raw-string') return this.unexpected(token, context);
    return this.unquoted(token.text);
  }

  /** pipeline := [ variables ( ":=" | "=" ) ] command { "|" command } end */
  private pipeline(context: string, end: TokenKind): PipeNode {
    const { variables: stack } = this.state;
    const { position } = this.peekNonSpace();
    const { variables, isAssignment } = this.declarations(context);
    const depth = stack.length;
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.nextNonSpace();
      if (token.kind === end) break;
      if (!startsOperand(token.kind)) this.unexpected(token, context);
      this.putBack(token);
      commands.push(this.command());
    }
    this.checkPipeline(commands, context);
    // A parenthesised declaration among the commands is carried out before the pipeline's own.
    if (variables.length > 0 && !isAssignment && stack.length > depth) {
      stack.push(...stack.splice(depth - variables.length, variables.length));
    }
    return { kind: 'pipe', position, isAssignment, variables, commands };
  }

  /** variables := variable [ "," variable ]: two of them only in "range". */
  private declarations(context: string): { variables: VariableNode[]; isAssignment: boolean } {
    const variables: VariableNode[] = [];
    for (;;) {
      const token = this.peekNonSpace();
      if (token.kind !== 'variable') return { variables, isAssignment: false };
      this.next();
      const tokenAfter = this.peek();
      const next = this.peekNonSpace();
      const isComma = next.kind === 'char' && next.text === ',';
      if (next.kind !== 'assign' && next.kind !== 'declare' && !isComma) {
        if (tokenAfter.kind === 'space') this.putBack(tokenAfter);
        this.putBack(token);
        return { variables, isAssignment: false };
      }
      this.nextNonSpace();
      const isAssignment = next.kind === 'assign';
      variables.push(this.targetVariable(token, isAssignment));
      if (!isComma) return { variables, isAssignment };
      if (context !== 'range' || variables.length >= 2) this.fail(`too many declarations in ${context}`);
      const after = this.peekNonSpace().kind;
      if (after !== 'variable' && after !== 'right-delimiter' && after !== 'right-paren') {
        this.fail('range can only initialize variables');
      }
    }
  }

  private targetVariable(token: Token, isAssignment: boolean): VariableNode {
    const { variables } = this.state;
    if (!isAssignment || !variables.includes(token.text)) variables.push(token.text);
    return this.variableNode(token.position, token.text, []);
  }

  private variableNode(position: number, name: string, fields: readonly string[]): VariableNode {
    return { kind: 'variable', position, name, fields, slot: this.state.variables.lastIndexOf(name) };
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
    const { position } = this.peekNonSpace();
    const args: Operand[] = [];
    for (;;) {
      this.peekNonSpace();
      const operand = this.operand();
      if (operand !== undefined) args.push(operand);
      const token = this.next();
      if (token.kind === 'space') continue;
      if (token.kind === 'right-delimiter' || token.kind === 'right-paren') this.putBack(token);
      else if (token.kind !== 'pipe') this.unexpected(token, 'operand');
      break;
    }
    if (args.length === 0) this.fail('empty command');
    return { kind: 'command', position, args };
  }

  /** operand := term { field } */
  private operand(): Operand | undefined {
    const term = this.term();
    if (term === undefined) return undefined;
    const { kind, position } = this.peek();
    if (kind !== 'field') return term;
    const fields: string[] = [];
    while (this.peek().kind === 'field') fields.push(this.next().text.slice(1));
    switch (term.kind) {
      case 'field':
        return { kind: 'field', position, fields: [...term.fields, ...fields] };
      case 'variable':
        return { ...term, position, fields: [...term.fields, ...fields] };
      case 'pipe':
      case 'identifier':
        return { kind: 'chain', position, node: term, fields };
      default:
        return this.fail(`unexpected . after term ${quote(nodeText(term))}`);
    }
  }

  /** term := literal | function | "." | field | variable | "(" pipeline ")" */
  private term(): Operand | undefined {
    const token = this.nextNonSpace();
    const { kind, position, text } = token;
    switch (kind) {
      case 'identifier':
        if (!this.hasFunction(text)) this.fail(`function ${quote(text)} not defined`);
        return { kind: 'identifier', position, name: text };
      case 'dot':
      case 'nil':
        return { kind, position };
      case 'variable':
        if (!this.state.variables.includes(text)) this.fail(`undefined variable ${quote(text)}`);
        return this.variableNode(position, text, []);
      case 'field':
        return { kind: 'field', position, fields: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', position, value: text === 'true' };
      case 'char-constant':
      case 'complex':
      case 'number':
        return this.inGoWords(() => numberNode(position, text, kind));
      case 'left-paren':
        return this.parenthesised();
      case 'string':
      case 'raw-string':
        return { kind: 'string', position, quoted: text, value: this.unquoted(text) };
      default:
        this.putBack(token);
        return undefined;
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

  private next(): Token {
    const token = this.pending.pop();
    if (token !== undefined) return token;
    const read = this.lexer.next();
    this.errorLine = read.line;
    return read;
  }

  private putBack(token: Token): void {
    this.pending.push(token);
  }

  private peek(): Token {
    const token = this.next();
    this.pending.push(token);
    return token;
  }

  private nextNonSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.kind !== 'space') return token;
    }
  }

  private peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.pending.push(token);
    return token;
  }

  private expect(kind: TokenKind, context: string): Token {
    const token = this.nextNonSpace();
    return token.kind === kind ? token : this.unexpected(token, context);
  }

  private unexpected(token: Token, context: string): never {
    if (token.kind !== 'error') return this.fail(`unexpected ${describeToken(token)} in ${context}`);
    const { actionLine } = this.state;
    if (actionLine === 0 || actionLine === token.line) return this.fail(token.text);
    const inAction = token.text.endsWith(' action') ? '' : ' in action';
    return this.fail(`${token.text}${inAction} started at ${this.source.name}:${actionLine}`);
  }

  private fail(problem: string, line = this.errorLine): never {
    const { name } = this.source;
    throw new TemplateError({ message: `template: ${name}:${line}: ${problem}`, templateName: name, line });
  }
}

const isLiteral = ({ kind }: Operand): boolean =>
  kind === 'bool' || kind === 'dot' || kind === 'nil' || kind === 'number' || kind === 'string';

function startsOperand(kind: TokenKind): boolean {
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

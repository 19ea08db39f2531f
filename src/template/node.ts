import { quote } from '../go/strconv/strconv.ts';
import type { Value } from '../go/value.ts';

/** The source that a template or define was parsed from. */
export interface Source {
  /** The name given to `parse`: what error messages show. */
  readonly name: string;
  readonly text: string;
}

/** A parsed template: a whole file, or one define of it. */
export interface Tree {
  readonly name: string;
  readonly source: Source;
  readonly root: ListNode;
}

interface NodeBase {
  /** The index of the node's first character, counted from the "{{" of its action: equal actions share their nodes. */
  readonly position: number;
}

interface StatementBase extends NodeBase {
  /** The index of the action's "{{" in the source. */
  readonly start: number;
}

export interface ListNode {
  readonly kind: 'list';
  readonly nodes: readonly Statement[];
}
export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
  /** The index of its first character in the source. */
  readonly start: number;
}
export interface ActionNode extends StatementBase {
  readonly kind: 'action';
  readonly pipe: PipeNode;
}
export interface BranchNode extends StatementBase {
  readonly kind: 'if' | 'with';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}
export interface RangeNode extends StatementBase {
  readonly kind: 'range';
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}
export interface TemplateNode extends StatementBase {
  readonly kind: 'template';
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}
export interface BreakNode {
  readonly kind: 'break' | 'continue';
}
export type Statement = TextNode | ActionNode | BranchNode | RangeNode | TemplateNode | BreakNode;

/** [ variables ( ":=" | "=" ) ] commands separated by "|" */
export interface PipeNode extends NodeBase {
  readonly kind: 'pipe';
  readonly isAssignment: boolean;
  readonly variables: readonly VariableNode[];
  readonly commands: readonly CommandNode[];
}
export interface CommandNode extends NodeBase {
  readonly kind: 'command';
  /** The first is what is called or evaluated. */
  readonly args: readonly Operand[];
}
export interface IdentifierNode extends NodeBase {
  readonly kind: 'identifier';
  readonly name: string;
}
export interface VariableNode extends NodeBase {
  readonly kind: 'variable';
  readonly name: string;
  readonly fields: readonly string[];
}
export interface FieldNode extends NodeBase {
  readonly kind: 'field';
  readonly fields: readonly string[];
}
/** A parenthesised pipeline or a function call with fields after it. */
export interface ChainNode extends NodeBase {
  readonly kind: 'chain';
  readonly node: PipeNode | IdentifierNode;
  readonly fields: readonly string[];
}
export interface DotNode extends NodeBase {
  readonly kind: 'dot';
}
export interface NilNode extends NodeBase {
  readonly kind: 'nil';
}
export interface BoolNode extends NodeBase {
  readonly kind: 'bool';
  readonly value: boolean;
}
export interface StringNode extends NodeBase {
  readonly kind: 'string';
  readonly quoted: string;
  readonly value: string;
}
/** A number under each type that can hold it, as Go's untyped constants. */
export interface NumberNode extends NodeBase {
  readonly kind: 'number';
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  /** The value where nothing asks for a type; undefined where it overflows int. */
  readonly ideal: Value;
}
export type Literal = DotNode | NilNode | BoolNode | StringNode | NumberNode;
export type Operand = Literal | IdentifierNode | VariableNode | FieldNode | ChainNode | PipeNode;
export type Expression = Operand | CommandNode;

/** The node's source as Go prints it in error messages. */
export function nodeText(node: Expression | ActionNode | TemplateNode): string {
  switch (node.kind) {
    case 'action':
      return `{{${nodeText(node.pipe)}}}`;
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${nodeText(node.pipe)}`}}}`;
    case 'pipe':
      return pipeText(node);
    case 'command':
      return node.args.map(operandText).join(' ');
    case 'chain':
      return [operandText(node.node), ...node.fields].join('.');
    case 'variable':
      return [node.name, ...node.fields].join('.');
    case 'field':
      return `.${node.fields.join('.')}`;
    case 'identifier':
      return node.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
  }
}

/** What a field is read of: `$pod.ports` in `$pod.ports.http`, for `http`; '' of the dot, and where that is no chain. */
export function ownerText(node: Expression, field: string): string {
  if (node.kind !== 'field' && node.kind !== 'variable' && node.kind !== 'chain') return '';
  return nodeText({ ...node, fields: node.fields.slice(0, Math.max(0, node.fields.indexOf(field))) }).replace(
    /^\.$/,
    '',
  );
}

const operandText = (node: Operand): string => (node.kind === 'pipe' ? `(${pipeText(node)})` : nodeText(node));

function pipeText({ variables, isAssignment, commands }: PipeNode): string {
  const target = variables.length === 0 ? '' : `${variables.map(nodeText).join(', ')} ${isAssignment ? '=' : ':='} `;
  return target + commands.map(nodeText).join(' | ');
}

/** Whether a tree prints nothing but white space and cannot replace another definition: Go's IsEmptyTree. */
export const isEmptyTree = (list: ListNode): boolean =>
  list.nodes.every((node) => node.kind === 'text' && isWhiteSpace(node.text));

// Go's bytes.TrimSpace; JavaScript's trim also takes U+FEFF.
const isWhiteSpace = (text: string): boolean =>
  /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/.test(text);

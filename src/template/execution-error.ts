import { quote } from '../go/strconv/strconv.ts';
import { byteLength } from '../go/text.ts';
import { TemplateError, type TemplateFailure } from './error.ts';
import { type ActionNode, type Expression, nodeText, type TemplateNode, type Tree } from './node.ts';

/** What an error can be reported at. */
export type LocatedNode = Expression | ActionNode | TemplateNode;

/** Where a running template is. */
export interface ExecutionPlace {
  readonly tree: Tree;
  /** Undefined where nothing ran yet. */
  readonly node: LocatedNode | undefined;
  /** The index of the "{{" in whose action the node is. */
  readonly start: number;
}

/** What a failure came from. */
export type FailureCause = Pick<TemplateFailure, 'cause' | 'fact'>;

/** The error of a running template, with its place: Go's state.errorf. */
export function executionError(
  { tree, node, start }: ExecutionPlace,
  problem: string,
  why: FailureCause = {},
): TemplateError {
  const { name, source } = tree;
  if (node === undefined) {
    return new TemplateError({
      message: `template: ${name}: ${problem}`,
      templateName: source.name,
      executing: name,
      line: 0,
      ...why,
    });
  }
  const before = source.text.slice(0, start + node.position);
  const line = before.split('\n').length;
  const column = byteLength(before.slice(before.lastIndexOf('\n') + 1));
  const context = nodeText(node);
  const message = `template: ${source.name}:${line}:${column}: executing ${quote(name)} at <${context}>: ${problem}`;
  return new TemplateError({ message, templateName: source.name, executing: name, line, column, context, ...why });
}

import { quote } from '../go/strconv/strconv.ts';
import { byteLength } from '../go/text.ts';
import { TemplateError } from './error.ts';
import { type ActionNode, type Expression, nodeText, type TemplateNode, type Tree } from './node.ts';

/** What an error can be reported at. */
export type LocatedNode = Expression | ActionNode | TemplateNode;

/** The error of a running template, with its place: Go's state.errorf. `node` is undefined where nothing ran yet. */
export function executionError(
  { name, source }: Tree,
  node: LocatedNode | undefined,
  problem: string,
  cause: unknown,
): TemplateError {
  if (node === undefined) {
    return new TemplateError({
      message: `template: ${name}: ${problem}`,
      templateName: source.name,
      executing: name,
      line: 0,
      cause,
    });
  }
  const before = source.text.slice(0, node.position);
  const line = before.split('\n').length;
  const column = byteLength(before.slice(before.lastIndexOf('\n') + 1));
  const context = nodeText(node);
  const message = `template: ${source.name}:${line}:${column}: executing ${quote(name)} at <${context}>: ${problem}`;
  return new TemplateError({ message, templateName: source.name, executing: name, line, column, context, cause });
}

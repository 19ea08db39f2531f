/** An `if` around a line of a template. */
export interface TemplateGuard {
  /** Counts from 1. */
  readonly line: number;
  /** What it asks, as it is written. */
  readonly condition: string;
}

/** An action of a template that an `end` has to close. */
interface OpenAction extends TemplateGuard {
  /** `if`, `range`, `with`, `define` or `block` */
  readonly word: string;
  readonly hasElse: boolean;
}

/** The `if`s (without an else so far) that have to hold for a line of a template to be rendered, the innermost first. */
export const guardsOf = (template: string, line: number): readonly TemplateGuard[] =>
  openActions(template, line - 1).filter(({ word, hasElse }) => word === 'if' && !hasElse);

/** What is open behind so many lines of a template, the innermost first. */
export function openActions(template: string, lines: number): readonly OpenAction[] {
  const open: OpenAction[] = [];
  const action = /\{\{-?\s*(?:\/\*[^]*?\*\/|(if|range|with|define|block|else|end)\b([^]*?))\s*-?\}\}/g;
  const text = template.split('\n').slice(0, lines).join('\n');
  for (const { 1: word, 2: condition = '', index } of text.matchAll(action)) {
    const line = text.slice(0, index).split('\n').length;
    const last = open.at(-1);
    if (word === 'end') open.pop();
    else if (word === 'else' && last !== undefined) open.splice(-1, 1, { ...last, hasElse: true });
    else if (word !== undefined) open.push({ word, line, condition: condition.trim(), hasElse: false });
  }
  return open.reverse();
}

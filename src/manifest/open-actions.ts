/** An action of a template that an `end` has to close. */
export interface OpenAction {
  /** Counts from 1. */
  readonly line: number;
  /** What it asks, as it is written. */
  readonly condition: string;
  /** `if`, `range`, `with`, `define` or `block` */
  readonly word: string;
}

/** What is open behind so many lines of a template, the innermost first. */
export function openActions(template: string, lines: number): readonly OpenAction[] {
  const open: OpenAction[] = [];
  const action = /\{\{-?\s*(?:\/\*[^]*?\*\/|(if|range|with|define|block|else|end)\b([^]*?))\s*-?\}\}/g;
  const text = template.split('\n').slice(0, lines).join('\n');
  for (const { 1: word, 2: condition = '', index } of text.matchAll(action)) {
    const line = text.slice(0, index).split('\n').length;
    if (word === 'end') open.pop();
    else if (word !== undefined && word !== 'else') open.push({ word, line, condition: condition.trim() });
  }
  return open.reverse();
}

/** An `if` around a line of a template. */
export interface TemplateGuard {
  /** Counts from 1. */
  readonly line: number;
  /** What it asks, as it is written. */
  readonly condition: string;
}

/** The `if`s (without an else so far) that have to hold for a line of a template to be rendered, the innermost first. */
export function guardsOf(template: string, line: number): readonly TemplateGuard[] {
  const open: (TemplateGuard | undefined)[] = [];
  const action = /\{\{-?\s*(?:\/\*[^]*?\*\/|(if|range|with|define|block|else|end)\b([^]*?))\s*-?\}\}/g;
  const before = template
    .split('\n')
    .slice(0, line - 1)
    .join('\n');
  for (const { 1: word, 2: condition = '', index } of before.matchAll(action)) {
    const at = before.slice(0, index).split('\n').length;
    if (word === 'end') open.pop();
    else if (word === 'else') open.splice(-1, 1, undefined);
    else if (word !== undefined) open.push(word === 'if' ? { line: at, condition: condition.trim() } : undefined);
  }
  return open.filter((guard) => guard !== undefined).reverse();
}

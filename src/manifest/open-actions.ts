const action = /\{\{-?\s*(?:\/\*[^]*?\*\/|(if|range|with|define|block|else|end)\b[^]*?)\s*-?\}\}/g;

export interface OpenAction {
  /** From 1. */
  readonly line: number;
  /** `if`, `range`, … */
  readonly word: string;
}

/** The actions of a template that no `end` closes, the innermost first. */
export function openActions(template: string): readonly OpenAction[] {
  const open: OpenAction[] = [];
  for (const { 1: word, index } of template.matchAll(action)) {
    if (word === 'end') open.pop();
    else if (word !== undefined && word !== 'else')
      open.push({ line: template.slice(0, index).split('\n').length, word });
  }
  return open.reverse();
}

const action = /\{\{-?\s*(?:\/\*[^]*?\*\/|(if|range|with|define|block|else|end)\b[^]*?)\s*-?\}\}/g;

/** The lines, from 1, of the actions of a template that no `end` closes, the innermost first. */
export function openActions(template: string): readonly number[] {
  const open: number[] = [];
  for (const { 1: word, index } of template.matchAll(action)) {
    if (word === 'end') open.pop();
    else if (word !== undefined && word !== 'else') open.push(template.slice(0, index).split('\n').length);
  }
  return open.reverse();
}

/**
 * The line of a template that made a line of what it rendered; both count from 1. It is the only one whose text fits,
 * or the action behind the one that made a line before, as `{{ toYaml . }}` makes many. Undefined where the texts do not tell.
 */
export function templateLine(template: string, rendered: string, line: number): number | undefined {
  const wanted = rendered.split('\n');
  const written = template.split('\n').map((text) => ({ text, pattern: linePattern(text) }));
  const madeBy = (text: string): number | undefined => {
    const fitting = [...written.keys()].filter((index) => written[index]?.pattern?.test(text));
    return fitting.length === 1 ? fitting[0] : undefined;
  };
  // What is wrong at the end of a text begins in its last line that says something.
  const at = wanted.findLastIndex((text, index) => index < line && text.trim() !== '');
  const exact = madeBy(wanted[at] ?? '');
  if (exact !== undefined) return exact + 1;
  for (let before = at - 1; before >= 0; before--) {
    const anchor = madeBy(wanted[before] ?? '');
    if (anchor !== undefined) return lineOfAction(written, anchor + 1);
  }
  return undefined;
}

interface Written {
  readonly text: string;
  readonly pattern: RegExp | undefined;
}

/** The first line from there that prints something, where no line of plain text comes before it. */
function lineOfAction(written: readonly Written[], from: number): number | undefined {
  for (let index = from; index < written.length; index++) {
    const text = (written[index] as Written).text.trim();
    if (text === '' || silent.test(text)) continue;
    return text.startsWith('{{') ? index + 1 : undefined;
  }
  return undefined;
}

const silent = /^\{\{-?\s*(?:if|else|end|range|with|define|block|\/\*|\$\w*\s*:?=)[^\n]*\}\}$/;

/** What a line of a template can print; undefined where it says too little. */
function linePattern(text: string): RegExp | undefined {
  const literals = text.split(/\{\{.*?\}\}/);
  if (literals.join('').trim().length < 2 || /\{\{|\}\}/.test(literals.join(''))) return undefined;
  return new RegExp(`^${literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}\\s*$`);
}

import { literalPattern } from '../support/pattern.ts';
/**
 * The line of a template that made a line of what it rendered; both count from 1. It is the only one whose text fits,
 * or the action behind the one that made a line before, as `{{ toYaml . }}` makes many. Undefined where the texts do not tell.
 */
export function templateLine(template: string, rendered: string, line: number): number | undefined {
  const wanted = rendered.split('\n');
  const written = template.split('\n').map((text) => ({ text, pattern: linePattern(text) }));
  const fittingOf = (text: string): readonly number[] =>
    [...written.keys()].filter((index) => written[index]?.pattern?.test(text));
  /** The only line that fits, and that fits no other line. */
  const madeBy = (text: string): number | undefined => {
    const [only, another] = fittingOf(text);
    const isSure = only !== undefined && another === undefined;
    return isSure && wanted.filter((one) => written[only]?.pattern?.test(one)).length === 1 ? only : undefined;
  };
  // What is wrong at the end of a text begins in its last line that says something.
  const at = wanted.findLastIndex((text, index) => index < line && text.trim() !== '');
  const exact = madeBy(wanted[at] ?? '');
  if (exact !== undefined) return exact + 1;
  for (let before = at - 1; before >= 0; before--) {
    const anchor = madeBy(wanted[before] ?? '');
    if (anchor === undefined) continue;
    const line = lineFrom(anchor, wanted.slice(before + 1, at + 1), written);
    if (line !== undefined) return line;
    break;
  }
  const [only, another] = fittingOf(wanted[at] ?? '');
  return only === undefined || another !== undefined ? undefined : only + 1;
}

/**
 * Goes on from a line that is known, line by line of both texts: each rendered line is made by the next line of the
 * template that fits it, or by the action that comes before that. Undefined where the last one has neither.
 */
function lineFrom(anchor: number, rendered: readonly string[], written: readonly Written[]): number | undefined {
  let at = anchor;
  let isCertain = true;
  for (const text of rendered) {
    if (text.trim() === '') continue;
    const next = written.findIndex(({ pattern }, index) => index > at && pattern?.test(text));
    const action = written.findIndex(({ text: line }, index) => index > at && isAction(line));
    const isByNext = next >= 0 && (action < 0 || next < action || isAction((written[next] as Written).text));
    if (isByNext) at = next;
    else if (action >= 0 && (next < 0 || action < next) && onlySilent(written, at, action)) at = action;
    isCertain = isByNext || isAction((written[at] as Written).text);
  }
  return isCertain && at > anchor ? at + 1 : undefined;
}

const isAction = (line: string): boolean => line.trim().startsWith('{{') && !silent.test(line.trim());
const onlySilent = (written: readonly Written[], from: number, to: number): boolean =>
  written.slice(from + 1, to).every(({ text }) => text.trim() === '' || silent.test(text.trim()));

interface Written {
  readonly text: string;
  readonly pattern: RegExp | undefined;
}

const silent = /^\{\{-?\s*(?:if|else|end|range|with|define|block|\/\*|\$\w*\s*:?=)[^\n]*\}\}$/;

/** What a line of a template can print; undefined where it says too little. */
function linePattern(text: string): RegExp | undefined {
  const literals = text.split(/\{\{.*?\}\}/);
  if (literals.join('').trim().length < 2 || /\{\{|\}\}/.test(literals.join(''))) return undefined;
  return new RegExp(`^${literals.map(literalPattern).join('.*')}\\s*$`);
}

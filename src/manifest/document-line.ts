import { literalPattern } from '../support/pattern.ts';
/**
 * The line of a template, counted from 1, at which an object begins: its `kind:`, or the `apiVersion:` before it.
 * Undefined where the text does not tell, as of several documents of one kind whose names are all made by one template.
 */
export function documentLine(template: string, { kind, name }: { readonly kind: string; readonly name: string }) {
  const lines = template.split('\n');
  const ofKind = [...lines.keys()].filter((index) => kindOn(lines[index] ?? '') === kind);
  const named = ofKind
    .map((index) => ({ index, fit: nameFit(documentAround(lines, index), name) }))
    .filter(({ fit }) => fit >= 0)
    .sort((a, b) => b.fit - a.fit);
  const [best, second] = named;
  if (best === undefined || best.fit === second?.fit) return undefined;
  return lines[best.index - 1]?.startsWith('apiVersion:') ? best.index : best.index + 1;
}

const kindOn = (line: string): string | undefined => /^kind:\s*["']?(\w+)["']?\s*(?:#.*)?$/.exec(line)?.[1];
const isSeparator = (line: string): boolean => line.startsWith('---');

function documentAround(lines: readonly string[], index: number): readonly string[] {
  const before = lines.slice(0, index).findLastIndex(isSeparator);
  const after = lines.findIndex((line, at) => at > index && isSeparator(line));
  return lines.slice(before + 1, after < 0 ? undefined : after);
}

/** How much of `name` the document's name says literally; -1 where it is another one. A document without a name says nothing. */
function nameFit(document: readonly string[], name: string): number {
  const metadata = document.findIndex((line) => line.startsWith('metadata:'));
  const text = document.slice(Math.max(0, metadata)).join('\n');
  const written = /(?:^|[\s{])name:\s*["']?((?:\{\{[^\n]*?\}\}|[^\s"',}#])+)/.exec(text)?.[1] ?? '{{}}';
  const literals = written.split(/\{\{.*?\}\}/);
  const pattern = literals.map(literalPattern).join('.*');
  return new RegExp(`^${pattern}$`).test(name) ? literals.join('').length : -1;
}

import { literalPattern } from '../support/pattern.ts';

/** A resource as a template declares it. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
}

/**
 * The line of a template, counted from 1, at which an object begins: its `kind:`, or the `apiVersion:` before it.
 * Undefined where the text does not tell, as of several documents of one kind whose names are all made by one template.
 */
export function documentLine(template: string, of: Declared): number | undefined {
  const lines = template.split('\n');
  const kindAt = documentOf(lines, of)?.kindAt;
  if (kindAt === undefined) return undefined;
  return lines[kindAt - 1]?.startsWith('apiVersion:') ? kindAt : kindAt + 1;
}

/**
 * The only line that holds the key of an annotation, and its value where several lines hold the key; of several documents,
 * the one that declares the resource.
 */
export function annotationLine(template: string, key: string, value: string, of: Declared): number | undefined {
  const lines = template.split('\n');
  const { from, to } = documentOf(lines, of) ?? { from: 0, to: lines.length };
  const isKey = (line: string): boolean => [`${key}:`, `${key}":`, `${key}':`].some((text) => line.includes(text));
  const withKey = lines.flatMap((line, index) => (index >= from && index < to && isKey(line) ? [index] : []));
  const candidates = withKey.length === 1 ? withKey : withKey.filter((index) => lines[index]?.includes(value));
  return candidates.length === 1 ? (candidates[0] as number) + 1 : undefined;
}

interface DocumentLines {
  readonly from: number;
  readonly to: number;
  readonly kindAt: number;
}

/** The document that declares a resource, by its kind and as much of its name as is no template action. */
function documentOf(lines: readonly string[], { kind, name }: Declared): DocumentLines | undefined {
  const [best, second] = [...lines.keys()]
    .filter((index) => kindOn(lines[index] ?? '') === kind)
    .map((kindAt) => ({ ...documentAround(lines, kindAt), kindAt }))
    .map((document) => ({ document, fit: nameFit(lines.slice(document.from, document.to), name) }))
    .filter(({ fit }) => fit >= 0)
    .sort((a, b) => b.fit - a.fit);
  return best?.fit === second?.fit ? undefined : best?.document;
}

const kindOn = (line: string): string | undefined => /^kind:\s*["']?(\w+)["']?\s*(?:#.*)?$/.exec(line)?.[1];
const isSeparator = (line: string): boolean => line.startsWith('---');

function documentAround(lines: readonly string[], index: number): Omit<DocumentLines, 'kindAt'> {
  const before = lines.slice(0, index).findLastIndex(isSeparator);
  const after = lines.findIndex((line, at) => at > index && isSeparator(line));
  return { from: before + 1, to: after < 0 ? lines.length : after };
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

import { literalPattern } from '../support/pattern.ts';
/** The line of Chart.yaml on which a dependency's `depends-on` stands; undefined where the layout hides it. */
export function dependsOnLine(chartYaml: string, name: string): number | undefined {
  const lines = chartYaml.split('\n');
  const start = lines.findIndex((line) => line.startsWith('dependencies:'));
  if (start === -1) return undefined;
  const end = lines.findIndex((line, index) => index > start && /^[^\s#\]-]/.test(line));
  const block = lines.slice(0, end === -1 ? lines.length : end);
  if (/^dependencies:\s*\[/.test(block[start] as string)) return lineOfFlow(block, start, name);
  const indent = /^\s*- /.exec(block.slice(start + 1).find((line) => /^\s*- /.test(line)) ?? '')?.[0];
  const starts = block.flatMap((line, index) =>
    index > start && indent !== undefined && line.startsWith(indent) ? [index] : [],
  );
  const first = starts.find((at, index) => entryNames(block.slice(at, starts[index + 1])).includes(name));
  if (first === undefined) return undefined;
  const next = starts.find((at) => at > first) ?? block.length;
  return lineWith(block, dependsOnKey, first, next);
}

const dependsOnKey = /(?:^[\s-]*|[{,]\s*)["']?depends-on["']?\s*:/;

/** `dependencies: [{…}, {…}]`: the line of the only `depends-on`, or of that beside the name. */
function lineOfFlow(block: readonly string[], start: number, name: string): number | undefined {
  const found = block.flatMap((line, index) => (index >= start && dependsOnKey.test(line) ? [index] : []));
  const beside = found.filter((index) => entryNames([block[index] as string]).includes(name));
  const [only, another] = beside.length > 0 ? beside : found;
  return only === undefined || another !== undefined ? undefined : only + 1;
}

/** What an entry of `dependencies` calls itself: its alias and its name. */
const entryNames = (entry: readonly string[]): readonly string[] =>
  entry.flatMap((line) => [...line.matchAll(namePattern)].map(([, name = '']) => name));

const namePattern = /(?:^[\s-]*|[{,]\s*)(?:alias|name):\s*["']?([^"'\s#,}]+)/g;

/** A resource as a template declares it. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
}

/**
 * The only line that holds the key of an annotation, and its value where several lines hold the key; of several documents,
 * the one that declares the resource.
 */
export function annotationLine(text: string, key: string, value = '', of?: Declared): number | undefined {
  const lines = text.split('\n');
  const { from, to } = (of && documentOf(lines, of)) ?? { from: 0, to: lines.length };
  const isKey = (line: string): boolean =>
    line.includes(`${key}:`) || line.includes(`${key}":`) || line.includes(`${key}':`);
  const withKey = lines.flatMap((line, index) => (index >= from && index < to && isKey(line) ? [index] : []));
  const withValue = withKey.filter((index) => (lines[index] as string).includes(value));
  const candidates = withKey.length === 1 ? withKey : withValue;
  return candidates.length === 1 ? (candidates[0] as number) + 1 : undefined;
}

/** The line on which a template begins to declare a resource: that of its kind; undefined where it cannot be told. */
export function resourceLine(text: string, of: Declared): number | undefined {
  const lines = text.split('\n');
  const found = documentOf(lines, of);
  return found && lineWith(lines, /^kind:/, found.from, found.to);
}

interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** The only document that has the kind and, as far as it is no template action, the name of a resource. */
function documentOf(lines: readonly string[], { kind, name }: Declared): LineRange | undefined {
  const starts = [0, ...lines.flatMap((line, index) => (/^---\s*(?:#.*)?$/.test(line) ? [index + 1] : []))];
  const ranges = starts.map((from, index): LineRange => ({ from, to: starts[index + 1] ?? lines.length }));
  const matching = ranges.filter(({ from, to }) => {
    const document = lines.slice(from, to);
    return (
      document.some((line) => fits(line, /^kind:/, kind)) &&
      document.some((line) => fits(line, /^ +name:/, name) || fits(flowName(line), /^name:/, name))
    );
  });
  return matching.length === 1 ? matching[0] : undefined;
}

/** `name: web` of `metadata: {name: web, …}`. */
const flowName = (line: string): string =>
  /^metadata:\s*\{(?:.*?,)?\s*(name:\s*(?:\{\{.*?\}\}|[^,}])*)/.exec(line)?.[1] ?? '';

function fits(line: string, key: RegExp, wanted: string): boolean {
  if (!key.test(line)) return false;
  const written = line
    .replace(key, '')
    .replace(/\s+#.*$/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  const pattern = written
    .split(/\{\{.*?\}\}/)
    .map(literalPattern)
    .join('.*');
  return new RegExp(`^${pattern}$`).test(wanted);
}

function lineWith(lines: readonly string[], pattern: RegExp, from: number, to: number): number | undefined {
  const index = lines.findIndex((line, at) => at >= from && at < to && pattern.test(line));
  return index === -1 ? undefined : index + 1;
}

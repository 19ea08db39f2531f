import type { Chart } from '../../chart/types.ts';
import { decodeText } from '../../go/text.ts';

/** A line of a template, in the new chart. */
export interface MovedReading {
  readonly file: string;
  readonly line: number;
}

interface Readings {
  readonly chart: Pick<Chart, 'templates'>;
  readonly paths: readonly (readonly string[])[];
}

type FindReading = (from: readonly string[], to: readonly string[]) => MovedReading | undefined;

/**
 * Where a line of a template reads one value in the old chart and another one in the new chart, and is the same otherwise.
 * A value that the new chart's templates still read has not moved, nor has one that the old chart's read already.
 */
export function movedReadings(old: Readings, next: Readings): FindReading {
  const [before, after] = [linesReading(old), linesReading(next)];
  const stillRead = readPaths(next.chart, old.paths);
  const readBefore = readPaths(old.chart, next.paths);
  return (from, to) => {
    if (stillRead.has(pathOf(from)) || readBefore.has(pathOf(to))) return undefined;
    const lines = after.get(pathOf(to));
    if (lines === undefined) return undefined;
    return [...(before.get(pathOf(from))?.keys() ?? [])]
      .map((text) => lines.get(text))
      .find((line) => line !== undefined);
  };
}

const pathOf = (keys: readonly string[]): string => keys.join('.');

/** By the path of a value: the lines that read it, without its name, as `templates/web.yaml port: {{ … }}`. */
function linesReading({ chart, paths }: Readings): ReadonlyMap<string, ReadonlyMap<string, MovedReading>> {
  const wanted = new Set(paths.map(pathOf));
  const found = new Map<string, Map<string, MovedReading>>();
  for (const { file, line, text, path, start } of readingsIn(chart)) {
    for (const prefix of prefixesOf(path)) {
      if (!wanted.has(prefix)) continue;
      const rest = text.slice(start + prefix.length);
      const key = [file, text.slice(0, start).trimStart(), rest.trimEnd()].join('\0');
      const lines = found.get(prefix) ?? new Map<string, MovedReading>();
      if (!lines.has(key)) lines.set(key, { file, line });
      found.set(prefix, lines);
    }
  }
  return found;
}

function readPaths(chart: Readings['chart'], paths: Readings['paths']): ReadonlySet<string> {
  const wanted = new Set(paths.map(pathOf));
  const read = [...readingsIn(chart)].flatMap(({ path }) => prefixesOf(path));
  return new Set(read.filter((path) => wanted.has(path)));
}

/** `a`, `a.b` and `a.b.c` of `a.b.c`. */
function prefixesOf(path: string): readonly string[] {
  const keys = path.split('.');
  return keys.map((_key, index) => keys.slice(0, index + 1).join('.'));
}

interface Reading extends MovedReading {
  readonly text: string;
  /** The keys behind `.Values.`, and where they begin in the text. */
  readonly path: string;
  readonly start: number;
}

const readingForm = /\.Values\.(\w+(?:\.\w+)*)/g;

function* readingsIn({ templates }: Readings['chart']): Generator<Reading> {
  for (const { name: file, data } of templates)
    for (const [index, text] of decodeText(data).split('\n').entries())
      for (const match of text.matchAll(readingForm)) {
        const path = match[1] as string;
        yield { file, line: index + 1, text, path, start: match.index + '.Values.'.length };
      }
}

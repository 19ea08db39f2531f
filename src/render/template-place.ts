import { readsOf } from '../template/origin.ts';
import type { Origin, Piece, RunTrace } from '../template/trace.ts';

/** A line of a template. */
export interface TemplatePlace {
  /** Its path with charts before it: `shop/templates/_helpers.tpl`. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
}

/** One that made a line, and the action of the outermost template that brought it, where that is another line. */
export interface MakerPlace extends TemplatePlace {
  readonly includedFrom?: TemplatePlace | undefined;
  /** All actions that brought it, the innermost first. */
  readonly includers?: readonly TemplatePlace[] | undefined;
}

/**
 * The line of a template that made a line of what a run has written (both count from 1): the one that has its literal text, or
 * the action that printed it. Of what `include` brought it is the line of the template that was included.
 */
export function makerOfLine(trace: RunTrace, line: number): MakerPlace | undefined {
  const { text, pieces } = trace;
  const { from: begin, until } = extentOfLine(text, line);
  const written = text.slice(begin, until);
  if (written.trim() === '') return undefined;
  const at = begin + written.search(/[^\s-]|-\S/);
  const piece = pieces.find(({ from, until: end }) => from <= at && at < end);
  if (piece === undefined) return undefined;
  if (piece.isLiteral) return placeAt(piece, piece.start + at - piece.from);
  const includedFrom = placeAt(piece, piece.start);
  const maker = firstOf(runsOf(piece), (run) => {
    const places = linesIn(run, lineWithin(trace, piece, begin)).map((one) => makerOfLine(run, one));
    const isClear = new Set(places.map((place) => `${place?.file}:${place?.line}`)).size === 1;
    return isClear && isOfFile(places[0]) ? places[0] : undefined;
  });
  return maker === undefined
    ? includedFrom
    : { ...maker, includedFrom, includers: [...(maker.includers ?? []), includedFrom] };
}

/** The lines of helpers that printed a part of a line which another template has begun: `name: {{ include "shop.name" . }}`. */
export function helpersOfLine({ text, pieces }: RunTrace, line: number): readonly TemplatePlace[] {
  const { from: begin, until: end } = extentOfLine(text, line);
  const inLine = pieces.filter(({ from, until }) => from < end && until > begin && begin <= from && until <= end);
  return inLine.flatMap((piece) => firstOf(runsOf(piece), makerOfPart) ?? []);
}

/** The line of a run that has written one line. */
function makerOfPart(run: RunTrace): TemplatePlace | undefined {
  const said = run.text.trim();
  if (said === '' || said.includes('\n')) return undefined;
  const place = makerOfLine(run, run.text.slice(0, run.text.indexOf(said)).split('\n').length);
  return isOfFile(place) ? place : undefined;
}

/** What was read for a part of a text. */
export interface PartReads {
  readonly made: readonly Origin[];
  /** Those of them that were printed as a whole in this part, and nothing of them elsewhere. */
  readonly whole: ReadonlySet<Origin>;
  readonly decided: readonly Origin[];
}

/** What was read for the part of a text between two indexes, in the runs that wrote it too. */
export function readsBetween(trace: RunTrace, from: number, until: number): PartReads {
  const made = new Set<Origin>();
  const whole = new Set<Origin>();
  const decided = new Set<Origin>();
  const seen = new Set<RunTrace>();
  const visit = (run: RunTrace, begin: number, end: number): void => {
    if (seen.has(run)) return;
    seen.add(run);
    for (const piece of run.pieces) {
      const isWhole = begin <= piece.from && piece.until <= end;
      if (piece.origin === undefined || !(isWhole || (piece.from < end && piece.until > begin))) continue;
      const reads = readsOf(piece.origin);
      for (const one of reads.made) {
        made.add(one);
        if (isWhole) whole.add(one);
      }
      for (const one of reads.decided) decided.add(one);
      for (const inner of reads.runs)
        for (const part of partsIn(inner, run, piece, { from: begin, until: end })) visit(inner, part.from, part.until);
    }
    for (const branch of run.branches) {
      if (branch.origin === undefined || !isInside(run.text, branch, { from: begin, until: end })) continue;
      const reads = readsOf(branch.origin);
      for (const one of reads.made) decided.add(one);
      for (const inner of reads.runs) visit(inner, 0, inner.text.length);
    }
  };
  visit(trace, from, until);
  return { made: [...made], whole, decided: [...decided].filter((one) => !made.has(one)) };
}

/** The conditions and loops that a part of a text was written in, in the runs that wrote it too, the outermost first. */
export function branchesAround(trace: RunTrace, from: number, until: number): readonly Piece[] {
  const isAround = (one: Piece): boolean => one.from <= from && until <= one.until;
  const inner = trace.pieces.filter(isAround).flatMap((piece) =>
    runsOf(piece).flatMap((run) => {
      const [part] = partsIn(run, trace, piece, { from, until });
      return part === undefined ? [] : branchesAround(run, part.from, part.until);
    }),
  );
  return [...trace.branches.filter(isAround).toReversed(), ...inner];
}

/** Indexes of a text. */
interface Extent {
  readonly from: number;
  readonly until: number;
}

/** Whether a branch wrote nothing but a part of this; of one that wrote nothing, whether it is in the middle of a line. */
function isInside(text: string, branch: Piece, { from, until }: Extent): boolean {
  if (from === 0 && until === text.length) return true;
  const written = text.slice(branch.from, branch.until);
  const { source, start } = branch;
  const isInLine = source.text.slice(source.text.lastIndexOf('\n', start - 1) + 1, start).trim() !== '';
  const begin = branch.from + written.length - written.trimStart().length;
  const end = branch.until - (written.length - written.trimEnd().length);
  if (written.trim() === '') return isInLine && from <= branch.from && branch.until <= until;
  return from <= begin && end <= until;
}

/** Which parts of a run a piece shows in this extent: of a run of several lines those that are the same. */
function partsIn(inner: RunTrace, { text }: RunTrace, piece: Piece, { from, until }: Extent): readonly Extent[] {
  const whole = { from: 0, until: inner.text.length };
  const isInLine = !text.slice(piece.from, piece.until).trim().includes('\n');
  if (!inner.text.trim().includes('\n')) return [whole];
  const parts: Extent[] = [];
  for (let begin = Math.max(from, piece.from); begin < Math.min(until, piece.until); ) {
    const lineStart = text.lastIndexOf('\n', begin - 1) + 1;
    const lineEnd = (text.indexOf('\n', begin) + text.length + 1) % (text.length + 1);
    const part = text.slice(begin, Math.min(lineEnd, until)).trim();
    for (const line of part === '' ? [] : linesIn(inner, lineWithin({ text }, piece, lineStart))) {
      const extent = extentOfLine(inner.text, line);
      const at = inner.text.slice(extent.from, extent.until).lastIndexOf(part);
      parts.push(at < 0 ? extent : { from: extent.from + at, until: extent.until });
    }
    begin = lineEnd + 1;
  }
  const [first] = parts;
  if (first === undefined) return isInLine ? [whole] : [];
  return [{ from: first.from, until: Math.max(...parts.map((part) => part.until)) }];
}

/** A line that a run inside another one has written, which of the equal ones it is, and how many there are. */
interface Wanted {
  readonly line: string;
  readonly before: number;
  readonly all: number;
}

function lineWithin({ text }: Pick<RunTrace, 'text'>, { from, until }: Piece, begin: number): Wanted {
  const end = text.indexOf('\n', begin);
  const line = trimmed(text.slice(begin, end < 0 ? undefined : end));
  return {
    line,
    before: count(text.slice(from, Math.max(from, begin)), line),
    all: count(text.slice(from, until), line),
  };
}

/** The lines of a run that may be meant, counted from 1. */
function linesIn(run: RunTrace, { line, before, all }: Wanted): readonly number[] {
  const equal = run.text.split('\n').flatMap((text, index) => (trimmed(text) === line ? [index + 1] : []));
  return equal.length === all && equal.length > 1 ? equal.slice(before, before + 1) : equal;
}

const runsOf = ({ origin = {} }: Piece): readonly RunTrace[] => readsOf(origin).runs;

/** What the text that `tpl` runs is called is no file. */
const isOfFile = (place: TemplatePlace | undefined): boolean => place !== undefined && place.file !== 'gotpl';

function firstOf<R>(runs: readonly RunTrace[], find: (run: RunTrace) => R | undefined): R | undefined {
  for (const run of runs) {
    const found = find(run);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of a line, counted from 1, without its end. */
export function extentOfLine(text: string, line: number): Extent {
  let from = 0;
  for (let at = 1; at < line; at++) from = text.indexOf('\n', from) + 1 || text.length;
  const end = text.indexOf('\n', from);
  return { from, until: end < 0 ? text.length : end };
}

/** A line without what differs where YAML or JSON is written once more. */
const trimmed = (line: string): string => line.replace(/["',]/g, '').trim().replace(/^- /, '');
const count = (text: string, line: string): number => text.split('\n').filter((one) => trimmed(one) === line).length;

function placeAt({ source: { name, text } }: Piece, at: number): TemplatePlace {
  const line = text.slice(0, at).split('\n').length;
  return { file: name, line, text: text.split('\n')[line - 1]?.trim() ?? '' };
}

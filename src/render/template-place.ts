import type { Piece, RunTrace } from '../template/trace.ts';

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
  readonly broughtBy?: TemplatePlace | undefined;
}

/**
 * The line of a template that made a line of what a run has written (both count from 1): the one that has its literal text, or
 * the action that printed it. Of what `include` brought it is the line of the template that was included.
 */
export function makerOfLine({ text, pieces, runs }: RunTrace, line: number): MakerPlace | undefined {
  const lines = text.split('\n');
  const written = lines[line - 1] ?? '';
  if (written.trim() === '') return undefined;
  const begin = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const at = begin + written.search(/[^\s-]|-\S/);
  const piece = pieces.find(({ from, until }) => from <= at && at < until);
  if (piece === undefined) return undefined;
  if (piece.runs === undefined) return placeAt(piece, piece.start + at - piece.from);
  const printed = text.slice(piece.from, piece.until);
  const inside = text.slice(piece.from, begin < piece.from ? piece.from : begin);
  const wanted = {
    line: trimmed(written),
    before: count(inside, trimmed(written)),
    all: count(printed, trimmed(written)),
  };
  const broughtBy = placeAt(piece, piece.start);
  const maker = makerInside(piece.runs, wanted) ?? makerInside(runs, wanted);
  return maker === undefined ? broughtBy : { ...maker, broughtBy };
}

/** The lines of helpers that printed a part of a line which another template has begun: `name: {{ include "shop.name" . }}`. */
export function helpersOfLine({ text, pieces, runs }: RunTrace, line: number): readonly TemplatePlace[] {
  const lines = text.split('\n');
  const begin = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const end = begin + (lines[line - 1] ?? '').length;
  const inLine = pieces.filter(({ from, until }) => from < end && until > begin && begin <= from && until <= end);
  return inLine.flatMap((piece) => {
    if (piece.runs === undefined) return [];
    const printed = text.slice(piece.from, piece.until);
    return (
      makerOfPart(piece.runs, (said) => printed.includes(said)) ??
      makerOfPart(runs, (said) => unquoted(printed) === said) ??
      []
    );
  });
}

/** The line of the first run that has written one line which is meant. */
function makerOfPart(runs: readonly RunTrace[], isMeant: (said: string) => boolean): TemplatePlace | undefined {
  for (const run of runs) {
    const said = run.text.trim();
    if (said === '' || said.includes('\n') || !isMeant(said)) continue;
    const place = makerOfLine(run, run.text.slice(0, run.text.indexOf(said)).split('\n').length);
    if (place !== undefined && place.file !== ofTpl) return place;
  }
  return undefined;
}

const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1');

/** A line that runs inside another one have written, which of the equal ones it is, and how many there are. */
interface Wanted {
  readonly line: string;
  readonly before: number;
  readonly all: number;
}

function makerInside(runs: readonly RunTrace[], { line, before, all }: Wanted): TemplatePlace | undefined {
  for (const run of runs) {
    const equal = run.text.split('\n').flatMap((text, index) => (trimmed(text) === line ? [index + 1] : []));
    const places = equal.map((at) => makerOfLine(run, at));
    const [first] = places;
    const isClear = new Set(places.map((place) => `${place?.file}:${place?.line}`)).size === 1;
    const place = isClear ? first : equal.length === all ? places[before] : undefined;
    if (place !== undefined && place.file !== ofTpl) return place;
  }
  return undefined;
}

/** What the text that `tpl` runs is called. */
const ofTpl = 'gotpl';

const trimmed = (line: string): string => line.trim().replace(/^- /, '');
const count = (text: string, line: string): number => text.split('\n').filter((one) => trimmed(one) === line).length;

function placeAt({ source: { name, text } }: Piece, at: number): TemplatePlace {
  const line = text.slice(0, at).split('\n').length;
  return { file: name, line, text: text.split('\n')[line - 1]?.trim() ?? '' };
}

import { isPartial } from '../manifest/classify.ts';
import { type DocumentTrace, documentsOf } from '../render/document-trace.ts';
import { withoutNoValue } from '../render/engine-functions.ts';
import { Lines } from '../support/lines.ts';
import { readsOf } from '../template/origin.ts';
import type { Piece, RunTrace } from '../template/trace.ts';
import type { ChartView } from './chart-view.ts';
import { keysAround } from './value-keys.ts';

/** An object that a template has printed, where a place of the template is in it. */
export interface RenderedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** As it was printed. */
  readonly text: string;
  /** Of the place, from 0. */
  readonly line: number;
  /** The keys around it; items of lists are `*`. */
  readonly path: readonly string[];
}

/**
 * The object that a place of a template made: of a helper's place one of those that it took part in. Of a place that
 * printed nothing it is the object next to it. Undefined where the template prints none, or fails.
 */
export function objectAt(view: ChartView, file: string, offset: number): RenderedObject | undefined {
  const files = isPartial(file) ? view.templates().filter((one) => !isPartial(one)) : [file];
  for (const one of files.slice(0, mostFiles)) {
    const trace = traceOf(view, one);
    const at = trace && placeInText(trace, file, offset);
    const found = trace && at !== undefined ? objectIn(trace, at) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** To find what a helper took part in, templates are rendered; no more than these. */
const mostFiles = 60;

function traceOf(view: ChartView, file: string): RunTrace | undefined {
  try {
    return view.whole.again().trace(file);
  } catch {
    // Its diagnostics say why.
    return undefined;
  }
}

/** The index of what a run has printed at which a place of a template had its say. */
function placeInText(trace: RunTrace, file: string, offset: number): number | undefined {
  const own = trace.pieces.filter(({ source }) => source.name === file);
  const before = own.findLast(({ start }) => start <= offset) ?? own[0];
  if (before !== undefined) return inPiece(before, offset);
  return trace.pieces.find((piece) => piece.origin !== undefined && takesPart(piece, file))?.from;
}

const inPiece = ({ from, until, start, isLiteral }: Piece, offset: number): number =>
  isLiteral ? Math.min(Math.max(from, from + offset - start), Math.max(from, until - 1)) : from;

function takesPart({ origin = {} }: Piece, file: string, depth = 0): boolean {
  if (depth > 4) return false;
  return readsOf(origin).runs.some((run) =>
    run.pieces.some((piece) => piece.source.name === file || takesPart(piece, file, depth + 1)),
  );
}

function objectIn(trace: RunTrace, at: number): RenderedObject | undefined {
  const line = withoutNoValue(trace.text.slice(0, at)).split('\n').length;
  let documents: readonly DocumentTrace[];
  try {
    documents = documentsOf(trace);
  } catch {
    return undefined;
  }
  const document = documents.findLast((one) => one.line <= line) ?? documents[0];
  return document && rendered(document, line);
}

function rendered(document: DocumentTrace, line: number): RenderedObject | undefined {
  const lines = new Lines(document.text);
  const own = Math.min(Math.max(0, line - document.line), lines.count - 1);
  const indent = lines.line(own).search(/[^\s-]|$/);
  const says = objectSays(document);
  if (says === undefined) return undefined;
  return { ...says, text: document.text, line: own, path: keysAround(lines, own, indent) };
}

function objectSays(document: DocumentTrace): Pick<RenderedObject, 'apiVersion' | 'kind' | 'name'> | undefined {
  try {
    const { apiVersion, kind, metadata } = (document.object ?? {}) as {
      readonly apiVersion?: unknown;
      readonly kind?: unknown;
      readonly metadata?: { readonly name?: unknown } | null;
    };
    if (typeof kind !== 'string') return undefined;
    return { apiVersion: String(apiVersion ?? ''), kind, name: String(metadata?.name ?? '') };
  } catch {
    return undefined;
  }
}

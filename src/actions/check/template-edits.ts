import type { Chart, ChartFile } from '../../chart/types.ts';
import { decodeText, encodeText } from '../../go/text.ts';
import { isPartial } from '../../manifest/classify.ts';
import type { Problem } from '../../problem/problem.ts';
import { trimPrefix } from '../../support/text.ts';

/** A word that is in place of an action that fails. */
export const placeholder = 'unknown';

/** A line of a template that is changed, so that the template can be read on. */
export interface Edit {
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  /** The action of the line fails. */
  readonly isCut?: boolean;
  /** A block may end elsewhere. */
  readonly movesEnd?: boolean;
  /** Fields may be missing for it. */
  readonly leavesOut?: boolean;
}

/** The lines of templates that remedies change. */
export const editsOf = ({ remedies, places, code }: Problem): readonly Edit[] =>
  remedies.flatMap((remedy): readonly Edit[] => {
    // What a block without an end leaves out depends on where it ends.
    if (remedy.kind === 'change-text') return [{ ...remedy, movesEnd: code === 'action-not-closed' }];
    if (remedy.kind !== 'use-name') return [];
    const [place] = places.filter((one) => one.kind === 'template');
    const { file, line } = place ?? {};
    return file === undefined || line === undefined ? [] : [{ file, line, from: remedy.instead, to: remedy.name }];
  });

/** The action that fails, and in its place a word, or nothing where it is a line of its own. Helpers are left as they are. */
export function cutOf({ places }: Problem, chart: Chart): Edit | undefined {
  const [{ file, line = 0, column = 0 } = { file: '' }] = places.filter((place) => place.kind === 'template');
  const text = isPartial(file) ? undefined : templateAt(chart, file.split('/').slice(1))?.split('\n')[line - 1];
  const start = text?.lastIndexOf('{{', column) ?? -1;
  const end = text?.indexOf('}}', column) ?? -1;
  if (text === undefined || start < 0 || end < 0) return undefined;
  const from = text.slice(start, end + 2);
  const [word = ''] = trimPrefix(trimPrefix(from, '{{'), '-').trimStart().split(/\W/, 1);
  if (statements.has(word) || from.includes('{{', 2) || from.includes(':=')) return undefined;
  const open = from.startsWith('{{- ') ? '{{- ' : '{{ ';
  const close = from.endsWith(' -}}') ? ' -}}' : ' }}';
  const leavesOut = text.trim() === from;
  return { file, line, from, to: `${open}"${leavesOut ? '' : placeholder}"${close}`, isCut: true, leavesOut };
}

const statements = new Set(['if', 'else', 'end', 'range', 'with', 'define', 'block', 'template', 'break', 'continue']);

/**
 * The chart with one line of a template changed, or without `edit` with nothing in that template. Undefined where it would
 * not change. `path`: the folders from that of the chart.
 */
export function withText(chart: Chart, path: readonly string[], edit?: Edit): Chart | undefined {
  const [folder, name, ...below] = path;
  if (folder === 'charts') {
    const child = chart.dependencies.find(({ metadata }) => metadata.name === name);
    const left = child && withText(child, below, edit);
    return left && { ...chart, dependencies: chart.dependencies.map((one) => (one === child ? left : one)) };
  }
  const isMeant = ({ name: own }: ChartFile): boolean => own === path.join('/');
  const file = chart.templates.find(isMeant);
  const data = file && (edit === undefined ? new Uint8Array() : edited(file.data, edit));
  if (data === undefined || (data.length === 0 && file?.data.length === 0)) return undefined;
  return { ...chart, templates: chart.templates.map((one) => (one === file ? { ...one, data } : one)) };
}

export function templateAt(chart: Chart, path: readonly string[]): string | undefined {
  const [folder, name, ...below] = path;
  const child = chart.dependencies.find(({ metadata }) => metadata.name === name);
  if (folder === 'charts') return child && templateAt(child, below);
  const file = chart.templates.find(({ name: own }) => own === path.join('/'));
  return file && decodeText(file.data);
}

function edited(data: Uint8Array, { line, from, to }: Edit): Uint8Array | undefined {
  const lines = decodeText(data).split('\n');
  const text = lines[line - 1];
  if (text === undefined || !text.includes(from)) return undefined;
  lines[line - 1] = text.replace(from, () => to);
  return encodeText(lines.join('\n'));
}

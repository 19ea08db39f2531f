import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { readDirectory } from '../chart/directory.ts';
import { readRawMetadata } from '../chart/metadata.ts';
import { decodeText, encodeText } from '../go/text.ts';
import { Lines, type Range } from '../support/lines.ts';
import { trimPrefix } from '../support/text.ts';
import { ChartView } from './chart-view.ts';

/** What a file of a workspace is to charts and stacks. */
export type FileKind = 'template' | 'values' | 'chart-yaml' | 'chart-file' | 'stack' | 'order' | 'other';

/** A chart of the workspace: the outermost one around a file. */
export interface OpenChart {
  /** Its folder, absolute. */
  readonly folder: string;
  /** As the editor has it now, or as it was when it could last be read; undefined where it never could. */
  readonly view: ChartView | undefined;
  /** Why it cannot be read now. */
  readonly failure: unknown;
}

interface KnownChart {
  readonly files: Map<string, Uint8Array>;
  /** The folders below charts/ by the names of their charts: `charts/db` of `shop/charts/db`. */
  folders: ReadonlyMap<string, string>;
  view: ChartView | undefined;
  failure: unknown;
}

/** The files of the editor, and the charts that they belong to. What is open counts in place of what is on disk. */
export class Workspace {
  readonly #open = new Map<string, Lines>();
  readonly #charts = new Map<string, KnownChart>();

  /** The texts that are open, by their absolute paths. */
  get open(): ReadonlyMap<string, Lines> {
    return this.#open;
  }

  /** A file is open with this text, or has it now. */
  change(path: string, given: string): void {
    const text = withoutMark(given);
    this.#open.set(path, new Lines(text));
    const folder = chartFolderOf(path);
    const known = folder === undefined ? undefined : this.#charts.get(folder);
    if (folder === undefined || known === undefined) return;
    const name = slashed(relative(folder, path));
    known.files.set(name, encodeText(text));
    this.#put(known, name, text);
  }

  /** A file is no longer open: what is on disk counts. */
  close(path: string): void {
    this.#open.delete(path);
    this.forget(path);
  }

  /** Something has changed on disk: the chart around it is read again. */
  forget(path: string): void {
    const folder = chartFolderOf(path);
    if (folder !== undefined) this.#charts.delete(folder);
  }

  /** The chart that a file belongs to; undefined of a file outside of charts. */
  chartOf(path: string): OpenChart | undefined {
    const folder = chartFolderOf(path);
    if (folder === undefined) return undefined;
    const { view, failure } = this.#known(folder);
    return { folder, view, failure };
  }

  /** The chart with other texts in its files; undefined where it cannot be read then. */
  chartWith(
    { folder }: OpenChart,
    edits: readonly { readonly path: string; readonly range: Range; readonly text: string }[],
  ): ChartView | undefined {
    const files = new Map(this.#known(folder).files);
    for (const path of new Set(edits.map((edit) => edit.path))) {
      const lines = this.lines(path);
      if (lines === undefined) return undefined;
      const own = edits.filter((edit) => edit.path === path);
      files.set(slashed(relative(folder, path)), encodeText(edited(lines, own)));
    }
    try {
      return ChartView.of(files);
    } catch {
      return undefined;
    }
  }

  /** The lines of a file: of an open one as the editor has it. Undefined of one that cannot be read. */
  lines(path: string): Lines | undefined {
    const open = this.#open.get(path);
    if (open !== undefined) return open;
    try {
      return new Lines(withoutMark(readFileSync(path, 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** `shop/charts/db/templates/db.yaml` of a file in a chart's folder. */
  nameOf({ folder, view }: OpenChart, path: string): string {
    const { folders } = this.#known(folder);
    const inFolder = slashed(relative(folder, path));
    const own = view?.name ?? basename(folder);
    const found = [...folders].findLast(([, one]) => inFolder.startsWith(`${one}/`));
    return found === undefined ? `${own}/${inFolder}` : `${found[0]}${inFolder.slice(found[1].length)}`;
  }

  /** The file on disk that a chart's name for it means; undefined where there is none, as in a packed subchart. */
  pathOf({ folder }: OpenChart, name: string): string | undefined {
    const { folders } = this.#known(folder);
    const found = [...folders].findLast(([chart]) => name.startsWith(`${chart}/`));
    const path =
      found === undefined
        ? join(folder, name.slice(name.indexOf('/') + 1))
        : join(folder, found[1], name.slice(found[0].length + 1));
    return this.#open.has(path) || existsSync(path) ? path : undefined;
  }

  #known(folder: string): KnownChart {
    const known = this.#charts.get(folder);
    if (known !== undefined) return known;
    const opened: KnownChart = { files: new Map(), folders: new Map(), view: undefined, failure: undefined };
    this.#charts.set(folder, opened);
    try {
      for (const { name, data } of readDirectory(folder, () => undefined)) opened.files.set(name, data);
    } catch (failure) {
      opened.failure = failure;
    }
    for (const [path, { text }] of this.#open) {
      if (chartFolderOf(path) === folder) opened.files.set(slashed(relative(folder, path)), encodeText(text));
    }
    this.#load(opened);
    return opened;
  }

  #load(known: KnownChart): void {
    try {
      known.view = ChartView.of(known.files);
      known.failure = undefined;
      known.folders = foldersOf(known.files, known.view.name);
    } catch (failure) {
      known.failure = failure;
    }
  }

  #put(known: KnownChart, name: string, text: string): void {
    const path = this.#templatePath(known, name);
    const changed =
      known.failure === undefined && path !== undefined ? known.view?.withTemplate(path, text) : undefined;
    if (changed === undefined) this.#load(known);
    else known.view = changed;
  }

  /** `charts/db/templates/db.yaml`, by the charts' names; undefined of what is no template. */
  #templatePath({ folders, view }: KnownChart, name: string): string | undefined {
    const found = [...folders].findLast(([, one]) => name.startsWith(`${one}/`));
    const inChart = found === undefined ? name : name.slice(found[1].length + 1);
    if (!inChart.startsWith('templates/')) return undefined;
    return found === undefined ? name : `${found[0].slice((view?.name ?? '').length + 1)}/${inChart}`;
  }
}

/** Charts are read without a byte order mark, and editors count without it. */
const withoutMark = (text: string): string => trimPrefix(text, '\ufeff');

/** A text with changes in it, the last one first: none moves another. */
function edited(lines: Lines, edits: readonly { readonly range: Range; readonly text: string }[]): string {
  const at = (edit: (typeof edits)[number]): number => lines.offsetAt(edit.range.start);
  return [...edits]
    .sort((a, b) => at(b) - at(a))
    .reduce(
      (text, edit) => `${text.slice(0, at(edit))}${edit.text}${text.slice(lines.offsetAt(edit.range.end))}`,
      lines.text,
    );
}

const slashed = (path: string): string => path.split(sep).join('/');

/** Where the charts below charts/ are, each before those in it, by their names and by the names that their parents give them. */
function foldersOf(files: ReadonlyMap<string, Uint8Array>, root: string): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  const visit = (folder: string, path: string): void => {
    const entries = dependenciesIn(files.get(folder === '' ? 'Chart.yaml' : `${folder}/Chart.yaml`));
    const prefix = folder === '' ? 'charts/' : `${folder}/charts/`;
    for (const name of files.keys()) {
      const [child = '', file, more] = name.startsWith(prefix) ? name.slice(prefix.length).split('/') : [];
      if (file !== 'Chart.yaml' || more !== undefined) continue;
      const own = nameIn(files.get(name)) ?? child;
      const below = `${prefix}${child}`;
      for (const called of new Set([
        own,
        ...entries.filter((one) => one.name === own).map((one) => one.alias || own),
      ])) {
        folders.set(`${path}/charts/${called}`, below);
        visit(below, `${path}/charts/${called}`);
      }
    }
  };
  visit('', root);
  return folders;
}

const nameIn = (data: Uint8Array | undefined): string | undefined => metadataIn(data).name;
const dependenciesIn = (data: Uint8Array | undefined) =>
  metadataIn(data).dependencies?.flatMap((one) => one ?? []) ?? [];

function metadataIn(data: Uint8Array | undefined): Partial<ReturnType<typeof readRawMetadata>> {
  try {
    return data === undefined ? {} : readRawMetadata(decodeText(data));
  } catch {
    return {};
  }
}

/** The folder of the outermost chart around a file. */
export function chartFolderOf(path: string): string | undefined {
  let found: string | undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'Chart.yaml'))) {
      if (found !== undefined && !isBelowCharts(folder, found)) return found;
      found = folder;
    } else if (found !== undefined && basename(folder) !== 'charts') return found;
    if (dirname(folder) === folder) return found;
  }
}

const isBelowCharts = (parent: string, child: string): boolean => dirname(child) === join(parent, 'charts');

/** Whether a file of templates/ is one that Go's templates are in, rather than Handlebars. */
export const isTemplateFile = (file: string): boolean => !file.endsWith('.hbs');

/** What a file is, by its name and the chart around it. */
export function kindOf(path: string, text: string): FileKind {
  const name = basename(path);
  const folder = chartFolderOf(path);
  if (folder !== undefined) {
    const parts = slashed(relative(folder, path)).split('/');
    const inChart = parts.slice(parts.lastIndexOf('charts') < 0 ? 0 : parts.lastIndexOf('charts') + 2);
    if (inChart[0] === 'templates') return 'template';
    if (inChart.length === 1 && name === 'values.yaml') return 'values';
    if (inChart.length === 2 && inChart[0] === 'ci' && name.endsWith('-values.yaml')) return 'values';
    if (inChart.length === 1 && name === 'Chart.yaml') return 'chart-yaml';
  }
  if (/^helmfile(?:\.[\w.-]+)?\.ya?ml(?:\.gotmpl)?$/.test(name)) return 'stack';
  if (isOrder(name, text)) return 'order';
  return folder === undefined ? 'other' : 'chart-file';
}

/** An order file may have any name: it has rules that select resources, or is called order.yaml. */
const isOrder = (name: string, text: string): boolean =>
  /^(?:[\w.-]+[.-])?order\.ya?ml$/.test(name) ||
  (/\.ya?ml$/.test(name) && /^resources:/m.test(text) && /^ *- select:/m.test(text));

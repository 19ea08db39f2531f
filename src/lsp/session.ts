import { Lines, type Position, type Range } from '../support/lines.ts';
import type { ChartView } from './chart-view.ts';
import { type CodeAction, codeActionsFor } from './code-actions.ts';
import { type Completions, completionsAt } from './completion.ts';
import { definitionAt } from './definition.ts';
import { type CheckSettings, checkChart, checkTemplate, isOfRelease } from './diagnostics/check-chart.ts';
import { extentOf, type Mark } from './diagnostics/marks.ts';
import { failureMark, orderMarks, valuesMarks } from './diagnostics/other-files.ts';
import { stackMarks } from './diagnostics/stack.ts';
import { documentCompletions, documentHover, documentShape } from './documents/document.ts';
import type { Shape } from './documents/shape.ts';
import { hoverAt } from './hover.ts';
import type { Hover } from './hover-type.ts';
import { type Edit, type Location, referencesTo, subjectAt } from './places.ts';
import { renamed, renameProblem } from './rename.ts';
import { objectAt, type RenderedObject } from './rendered-object.ts';
import { differentFile } from './same-render.ts';
import { isTemplateFile, kindOf, type OpenChart, Workspace } from './workspace.ts';

/** A mark in a file on disk. */
export interface Diagnostic extends Omit<Mark, 'file' | 'line' | 'words' | 'related' | 'title'> {
  readonly range: Range;
  readonly related: readonly { readonly path: string; readonly range: Range; readonly message: string }[];
  readonly mark: Mark;
}

/** The diagnostics of files, by their paths; a file without any has an empty list. */
export type Diagnostics = ReadonlyMap<string, readonly Diagnostic[]>;

/** A place in a file on disk. */
export interface FileRange {
  readonly path: string;
  readonly range: Range;
}

export interface FileEdit extends FileRange {
  readonly text: string;
}

/** What a rename changes, or why there is none. */
export type Rename = { readonly edits: readonly FileEdit[] } | { readonly problem: string };

export interface SessionOptions extends Omit<CheckSettings, 'pause' | 'ignore'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the file .tshelmcheck of a chart's folder leaves out. */
  readonly ignoreOf?: ((folder: string) => CheckSettings['ignore']) | undefined;
}

/** The files that an editor has open, and what it asks about them. No question fails: of a text that says nothing there is no answer. */
export class EditorSession {
  readonly workspace = new Workspace();
  readonly #options: SessionOptions;
  /** What the last check of each chart said, by its folder. */
  readonly #marks = new Map<string, readonly Mark[]>();
  /** Files that have diagnostics now, by the charts that they are of. */
  readonly #shown = new Map<string, Set<string>>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** What can be told of a file at once: of a template by rendering it alone. Errors: those of `pause`. */
  async quick(path: string, pause: CheckSettings['pause']): Promise<Diagnostics> {
    const lines = this.workspace.lines(path);
    const kind = kindOf(path, lines?.text ?? '');
    if (kind === 'stack') return this.#ofFile(path, await this.#stack(path));
    if (kind === 'order') return this.#ofFile(path, orderMarks(path, lines?.text ?? ''));
    const chart = this.workspace.chartOf(path);
    if (chart === undefined) return new Map();
    const file = this.workspace.nameOf(chart, path);
    const before = this.#marks.get(chart.folder) ?? [];
    const others = before.filter((mark) => mark.file !== file);
    if (kind === 'values') {
      const own = valuesMarks(file, lines?.text ?? '');
      return own.length === 0 ? new Map() : this.#publish({ chart, path }, [...others, ...own]);
    }
    if (kind !== 'template' || chart.view === undefined || chart.failure !== undefined) return new Map();
    if (!isTemplateFile(file)) return new Map();
    const own = await checkTemplate(chart.view, file, this.#settings(chart, pause));
    const kept = before.filter((mark) => mark.file === file && isOfRelease(mark));
    return this.#publish({ chart, path }, [...others, ...own, ...kept]);
  }

  /** Everything that `tshelm check` finds in the chart around a file. Errors: those of `pause`. */
  async full(path: string, pause: CheckSettings['pause']): Promise<Diagnostics> {
    const chart = this.workspace.chartOf(path);
    if (chart === undefined) return new Map();
    if (chart.failure !== undefined || chart.view === undefined)
      return this.#publish({ chart, path }, this.#failure(chart));
    return this.#publish({ chart, path }, await checkChart(chart.view, this.#settings(chart, pause)));
  }

  #settings({ folder }: OpenChart, pause: CheckSettings['pause']): CheckSettings {
    const { kubeVersion, ignoreOf } = this.#options;
    return { kubeVersion, ignore: ignoreOf?.(folder), pause };
  }

  /** A chart that cannot be read: at the file at fault. */
  #failure(chart: OpenChart): readonly Mark[] {
    const name = chart.view?.name ?? 'chart';
    return [failureMark(`${name}/Chart.yaml`, chart.failure, (file) => `${name}/${file}`)];
  }

  async #stack(path: string): Promise<readonly Mark[]> {
    return stackMarks({ path, textOf: (file) => this.workspace.open.get(file)?.text, env: this.#options.env });
  }

  #ofFile(path: string, marks: readonly Mark[]): Diagnostics {
    return this.#shownOf({ owner: path, asked: path }, marks, (file) => file);
  }

  #publish({ chart, path }: { readonly chart: OpenChart; readonly path: string }, marks: readonly Mark[]): Diagnostics {
    this.#marks.set(chart.folder, marks);
    const pathOf = (file: string): string | undefined => this.workspace.pathOf(chart, file);
    return this.#shownOf({ owner: chart.folder, asked: path }, marks, pathOf);
  }

  /** Of the file that was asked about, and of the others that have diagnostics or had them. `owner`: what they are remembered by. */
  #shownOf(
    { owner, asked }: { readonly owner: string; readonly asked: string },
    marks: readonly Mark[],
    pathOf: (file: string) => string | undefined,
  ): Diagnostics {
    const known = [asked, ...(this.#shown.get(owner) ?? [])];
    const found = new Map<string, Diagnostic[]>(known.map((path) => [path, []]));
    for (const mark of marks) {
      const path = pathOf(mark.file);
      const lines = path === undefined ? undefined : this.workspace.lines(path);
      if (path === undefined || lines === undefined) continue;
      found.set(path, [...(found.get(path) ?? []), this.#diagnostic(mark, lines, pathOf)]);
    }
    this.#shown.set(owner, new Set([...found].flatMap(([path, own]) => (own.length > 0 ? [path] : []))));
    return found;
  }

  #diagnostic(mark: Mark, lines: Lines, pathOf: (file: string) => string | undefined): Diagnostic {
    const { level, code, message, problem, replacement } = mark;
    const related = mark.related.flatMap((one) => {
      const path = pathOf(one.file);
      const own = path === undefined ? undefined : this.workspace.lines(path);
      if (path === undefined || own === undefined) return [];
      return [{ path, range: own.range(extentOf({ line: one.line, words: [] }, own)), message: one.message }];
    });
    return { level, code, message, problem, replacement, related, range: lines.range(extentOf(mark, lines)), mark };
  }

  hover(path: string, position: Position): (Pick<Hover, 'markdown'> & { readonly range: Range }) | undefined {
    const document = this.#document(path);
    if (document !== undefined) {
      const { shape, lines } = document;
      const found = documentHover(shape, lines, lines.offsetAt(position));
      return found && { markdown: found.markdown, range: lines.range(found) };
    }
    return this.#at(path, position, ({ view, file, offset, lines }) => {
      const found = hoverAt(view, file, offset);
      return found && { markdown: found.markdown, range: lines.range(found) };
    });
  }

  definition(path: string, position: Position): readonly FileRange[] {
    return this.#at(path, position, (at) => this.#ranges(at.chart, definitionAt(at.view, at.file, at.offset))) ?? [];
  }

  references(path: string, position: Position): readonly FileRange[] {
    const found = this.#at(path, position, ({ chart, view, file, offset }) => {
      const subject = subjectAt(view, file, offset);
      return subject && this.#ranges(chart, referencesTo(view, subject));
    });
    return found ?? [];
  }

  completions(
    path: string,
    position: Position,
  ): { readonly items: Completions['items']; readonly range: Range } | undefined {
    const document = this.#document(path);
    if (document !== undefined) {
      const { shape, lines } = document;
      const found = documentCompletions(shape, lines, lines.offsetAt(position));
      return { items: found.items, range: lines.range(found) };
    }
    return this.#at(path, position, ({ view, file, offset, lines }) => {
      const found = completionsAt(view, file, offset);
      return { items: found.items, range: lines.range(found) };
    });
  }

  /** The part of a text that can be given another name; undefined where nothing can. */
  renameable(path: string, position: Position): Range | undefined {
    return this.#at(path, position, ({ view, file, offset, lines }) => {
      const subject = subjectAt(view, file, offset);
      return subject && renameProblem(view, subject) === undefined ? lines.range(subject) : undefined;
    });
  }

  /**
   * The changes by which what a place names has another name, or why it keeps its own: the chart prints the same afterwards,
   * as far as that can be told.
   */
  rename(path: string, position: Position, name: string): Rename {
    const found = this.#at(path, position, ({ chart, view, file, offset, lines }): Rename => {
      if (chart.failure !== undefined) return { problem: 'the chart cannot be read as it is now' };
      const subject = subjectAt(view, file, offset);
      if (subject === undefined) return { problem: 'there is no name of a value or a helper here' };
      if (lines.text.slice(subject.from, subject.until) === name) return { edits: [] };
      const renaming = renamed(view, subject, name);
      return 'problem' in renaming ? renaming : this.#checked(chart, view, renaming.edits);
    });
    return found ?? { problem: 'the file belongs to no chart' };
  }

  /** Changes that can be made where they are, and after which the chart prints the same. */
  #checked(chart: OpenChart, view: ChartView, wanted: readonly Edit[]): Rename {
    const packed = wanted.find(({ file }) => this.workspace.pathOf(chart, file) === undefined);
    if (packed !== undefined) return { problem: `${packed.file} is in an archive` };
    const edits = this.#edits(chart, wanted);
    const after = this.workspace.chartWith(chart, edits);
    if (after === undefined) return { problem: 'the chart could not be read with this name' };
    const different = differentFile(view, after);
    return different === undefined ? { edits } : { problem: `${different} would print something else` };
  }

  /** The changes that mend what is wrong in a range. */
  codeActions(
    path: string,
    range: Range,
  ): readonly (Pick<CodeAction, 'title'> & { readonly edits: readonly FileEdit[]; readonly mark: Mark })[] {
    const at = this.#at(path, range.start, (one) => one);
    if (at === undefined) return [];
    const { chart, view, file, lines } = at;
    const marks = (this.#marks.get(chart.folder) ?? []).filter((mark) => {
      const own = lines.range(extentOf(mark, lines));
      return mark.file === file && own.start.line <= range.end.line && own.end.line >= range.start.line;
    });
    return marks.flatMap((mark) =>
      codeActionsFor(view, mark).map(({ title, edits }) => ({ title, edits: this.#edits(chart, edits), mark })),
    );
  }

  /** The object that a place of a template makes. */
  rendered(path: string, position: Position): RenderedObject | undefined {
    return this.#at(path, position, ({ view, file, offset }) => objectAt(view, file, offset));
  }

  #ranges(chart: OpenChart, locations: readonly Location[]): readonly FileRange[] {
    return locations.flatMap((location) => {
      const path = this.workspace.pathOf(chart, location.file);
      const lines = path === undefined ? undefined : this.workspace.lines(path);
      return path === undefined || lines === undefined ? [] : [{ path, range: lines.range(location) }];
    });
  }

  #edits(chart: OpenChart, edits: readonly Edit[]): readonly FileEdit[] {
    return edits.flatMap((edit) => this.#ranges(chart, [edit]).map((range) => ({ ...range, text: edit.text })));
  }

  /** A file whose keys are known. */
  #document(path: string): { readonly shape: Shape; readonly lines: Lines } | undefined {
    const lines = this.workspace.lines(path);
    const shape = documentShape(kindOf(path, lines?.text ?? ''));
    return lines === undefined || shape === undefined ? undefined : { shape, lines };
  }

  #at<R>(path: string, position: Position, answer: (at: Asked) => R): R | undefined {
    const chart = this.workspace.chartOf(path);
    const lines = this.workspace.lines(path);
    if (chart?.view === undefined || lines === undefined) return undefined;
    const file = this.workspace.nameOf(chart, path);
    return answer({ chart, view: chart.view, file, lines, offset: lines.offsetAt(position) });
  }
}

interface Asked {
  readonly chart: OpenChart;
  readonly view: ChartView;
  readonly file: string;
  readonly lines: Lines;
  readonly offset: number;
}

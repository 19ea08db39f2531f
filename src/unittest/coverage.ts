import { posix } from 'node:path';
import type { Chart } from '../chart/types.ts';
import { decodeText } from '../go/text.ts';
import type { GoMap, Value } from '../go/value.ts';
import { isPartial } from '../manifest/classify.ts';
import { helmFunctions, isHandlebars } from '../render/engine.ts';
import { deepEqual } from '../render/functions/deep-equal.ts';
import { Lines } from '../support/lines.ts';
import { TemplateError } from '../template/error.ts';
import type { BranchListener } from '../template/execution.ts';
import { type BranchNode, type ListNode, nodeText, type RangeNode, type Source, type Tree } from '../template/node.ts';
import { type ParsedSources, TemplateSet } from '../template/template-set.ts';

/** A condition or a loop of a template, and which ways the tests have made it go. */
export interface Decision {
  readonly kind: 'if' | 'with' | 'range';
  readonly line: number;
  /** What is asked: `.Values.ingress.enabled`. */
  readonly asked: string;
  /** The condition held, or the loop had an item. */
  isTaken: boolean;
  /** It did not; undefined for a loop that has no `else`. */
  isPassed: boolean | undefined;
}

/** What runs as a template: a file, or what `define` names in one. */
export interface Definition {
  /** Undefined for the file. */
  readonly name: string | undefined;
  readonly line: number;
  hasRun: boolean;
}

export interface FileCoverage {
  /** Below the chart: `templates/deployment.yaml`. */
  readonly path: string;
  readonly definitions: readonly Definition[];
  readonly decisions: readonly Decision[];
}

/** What the tests of a chart have rendered of its own templates, and which values of its values.yaml they have changed. */
export interface ChartCoverage {
  readonly files: readonly FileCoverage[];
  /** Of single values, by their paths (`image.tag`): whether a test gives it another value. */
  readonly values: ReadonlyMap<string, boolean>;
}

/** What was covered together by runs of the same chart. */
export function mergedCoverage(own: ChartCoverage, others: readonly ChartCoverage[]): ChartCoverage {
  return others.reduce(
    ({ files, values }, other) => ({
      files: files.map((file, index) => mergedFile(file, other.files[index] ?? file)),
      values: new Map([...values].map(([path, isChanged]) => [path, isChanged || (other.values.get(path) ?? false)])),
    }),
    own,
  );
}

const mergedFile = (file: FileCoverage, other: FileCoverage): FileCoverage => ({
  path: file.path,
  definitions: file.definitions.map((definition, index) => ({
    ...definition,
    hasRun: definition.hasRun || (other.definitions[index]?.hasRun ?? false),
  })),
  decisions: file.decisions.map((decision, index) => ({
    ...decision,
    isTaken: decision.isTaken || (other.decisions[index]?.isTaken ?? false),
    isPassed: decision.isPassed === false ? other.decisions[index]?.isPassed : decision.isPassed,
  })),
});

interface WatchedFile extends FileCoverage {
  readonly text: string;
  readonly byName: ReadonlyMap<string, Definition>;
  readonly byStart: ReadonlyMap<number, Decision>;
}

/** Notes which templates of a chart run, which way their conditions go, and which values the tests change. */
export class Coverage implements BranchListener {
  private readonly files = new Map<string, WatchedFile>();
  private readonly values = new Map<string, boolean>();
  private readonly defaults: GoMap;

  constructor(chart: Chart, parsed: ParsedSources) {
    const language = new TemplateSet({ functions: {}, base: helmFunctions(), missingKey: 'zero' });
    for (const { name: path, data } of chart.templates) {
      const source = { name: posix.join(chart.metadata.name, path), text: decodeText(data) };
      const trees = isHandlebars(path) ? undefined : treesOf(source, parsed, language);
      if (trees !== undefined) this.files.set(source.name, watched(path, source, trees));
    }
    this.defaults = chart.values;
    for (const path of leafPaths(chart.values)) this.values.set(path, false);
  }

  ran({ name, source }: Tree): void {
    const definition = this.fileOf(source)?.byName.get(name);
    if (definition !== undefined) definition.hasRun = true;
  }

  decided({ source }: Tree, { start }: BranchNode | RangeNode, isTaken: boolean): void {
    const decision = this.fileOf(source)?.byStart.get(start);
    if (decision === undefined) return;
    if (isTaken) decision.isTaken = true;
    else if (decision.isPassed === false) decision.isPassed = true;
  }

  /** Notes the values that a test gives the chart, or leaves as they are. */
  given(values: GoMap): void {
    this.noteChanges(this.defaults, values, []);
  }

  result(): ChartCoverage {
    const files = [...this.files.values()].map(({ path, definitions, decisions }) => ({
      path,
      definitions,
      decisions,
    }));
    return { files, values: this.values };
  }

  /** The file, where this is its text: `tpl` runs other texts under its name. */
  private fileOf({ name, text }: Source): WatchedFile | undefined {
    const file = this.files.get(name);
    return file?.text === text ? file : undefined;
  }

  private noteChanges(defaults: Value, given: Value, path: readonly string[]): void {
    if (isTable(defaults)) {
      for (const [key, value] of defaults) {
        // What replaces a whole table changes all that is in it.
        if (!(given instanceof Map)) this.noteChanges(value, undefined, [...path, key]);
        else if (given.has(key)) this.noteChanges(value, given.get(key), [...path, key]);
      }
    } else if (path.length > 0 && !deepEqual(defaults, given)) {
      this.values.set(path.join('.'), true);
    }
  }
}

/** A table with something in it: an empty one is a value. */
const isTable = (value: Value): value is GoMap => value instanceof Map && value.size > 0;

function leafPaths(values: GoMap, above = ''): string[] {
  return [...values].flatMap(([key, value]) =>
    isTable(value) ? leafPaths(value, `${above}${key}.`) : [`${above}${key}`],
  );
}

/** The trees of a template; undefined where it cannot be parsed, which the suites that render it tell. */
function treesOf(source: Source, parsed: ParsedSources, language: TemplateSet): ReadonlyMap<string, Tree> | undefined {
  try {
    return parsed.trees(source, language);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

function watched(path: string, source: Source, trees: ReadonlyMap<string, Tree>): WatchedFile {
  const { name: fileName, text } = source;
  const lines = new Lines(text);
  const lineAt = (at: number): number => lines.positionAt(at).line + 1;
  const byName = new Map<string, Definition>();
  const byStart = new Map<number, Decision>();
  for (const [name, { root }] of trees) {
    const isFile = name === fileName;
    // Partials are there for what they define.
    if (!isFile) byName.set(name, { name, line: lineAt(startOf(root, name, text)), hasRun: false });
    else if (!isPartial(path)) byName.set(name, { name: undefined, line: 1, hasRun: false });
    for (const node of decisionsIn(root)) byStart.set(node.start, decisionOf(node, lineAt(node.start)));
  }
  const decisions = [...byStart.values()].sort((a, b) => a.line - b.line);
  return { path, text, byName, byStart, definitions: [...byName.values()], decisions };
}

const decisionOf = ({ kind, pipe, elseList }: BranchNode | RangeNode, line: number): Decision => ({
  kind,
  line,
  asked: nodeText(pipe),
  isTaken: false,
  isPassed: kind === 'range' && elseList === undefined ? undefined : false,
});

function decisionsIn({ nodes }: ListNode): (BranchNode | RangeNode)[] {
  return nodes.flatMap((node) =>
    'list' in node ? [node, ...decisionsIn(node.list), ...(node.elseList ? decisionsIn(node.elseList) : [])] : [],
  );
}

/** Where the `define` of a tree begins: its "{{" is the last one before what it holds, or before its name. */
function startOf({ nodes: [first] }: ListNode, name: string, text: string): number {
  const until = first !== undefined && 'start' in first ? first.start - 1 : text.indexOf(`define "${name}"`);
  return Math.max(0, text.lastIndexOf('{{', until));
}

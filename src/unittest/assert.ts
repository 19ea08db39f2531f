import { sprintf } from '../go/fmt/format.ts';
import { deepEqual } from '../render/functions/deep-equal.ts';
import type { TemplatePlace } from '../render/template-place.ts';
import { messageOf } from '../support/errors.ts';
import { compareText } from '../support/order.ts';
import type { Assertion, Fault, Judgement, Trials } from './assertions/assertion.ts';
import { type Document, valuesAt } from './documents/documents.ts';
import type { DocumentSelector } from './documents/selector.ts';
import type { SnapshotComparer } from './documents/snapshot.ts';
import type { AssertionResult } from './results.ts';

/** The documents of each template. */
export type DocumentsByTemplate = ReadonlyMap<string, readonly Document[]>;

/** What the assertions of a test are held against. */
export interface Rendered {
  readonly documents: DocumentsByTemplate;
  readonly isRendered: boolean;
  readonly renderError: string | undefined;
  /** Whether a program has changed what was rendered. */
  readonly isPostRendered: boolean;
  readonly snapshots: SnapshotComparer;
  readonly failFast: boolean;
  readonly trials: Trials;
  /** The line of a template that made what an assertion does not hold for; undefined where that cannot be told. */
  readonly placeOf: (template: string, fault: Fault) => TemplatePlace | undefined;
  /** Whether an assertion without documents is left out. */
  readonly skipsEmpty: boolean;
}

/** An assertion with what the test and the suite say for it. */
export interface Aimed {
  readonly assertion: Assertion;
  readonly index: number;
  readonly templates: readonly string[];
  readonly documentIndex: number | undefined;
  readonly documentSelector: DocumentSelector | undefined;
}

/** Holds an assertion against what was rendered. Follows helm-unittest's Assertion.Assert. */
export async function assertThat(aimed: Aimed, rendered: Rendered): Promise<AssertionResult> {
  const { assertion, index } = aimed;
  const result = { index, type: assertion.type, not: assertion.not, skipReason: undefined, places: [] };
  if (assertion.trial !== undefined) return { ...result, ...(await assertion.trial(rendered.trials, assertion.not)) };
  const selection = selected(aimed, documentsOf(aimed, rendered));
  if ('error' in selection) return { ...result, isPassed: false, lines: ['Error:', selection.error] };
  const templates = [...selection.documents.keys()].sort(compareText);
  if (templates.length > 0) return { ...result, ...ofTemplates(templates, selection.documents, aimed, rendered) };
  if (rendered.skipsEmpty) return { ...result, isPassed: true, skipReason: skippedAsEmpty, lines: [] };
  if (assertion.needsRender !== rendered.isRendered) {
    return { ...result, isPassed: false, lines: ['Error: rendered manifest is empty'] };
  }
  return { ...result, ...judged([], [], aimed, rendered) };
}

const skippedAsEmpty = "skipped as 'documentSelector.skipEmptyTemplates: true' and 'selectedTemplates: empty'";

/** A post-renderer that keeps no comments leaves one text, `manifest.yaml`, which every assertion is then about. */
function documentsOf({ templates }: Aimed, { documents, isPostRendered }: Rendered): DocumentsByTemplate {
  const [only, another] = documents.keys();
  const isWhole = isPostRendered && only?.endsWith('manifest.yaml') && another === undefined;
  return isWhole ? documents : new Map(templates.map((name) => [name, documents.get(name) ?? []]));
}

type Selection = { readonly documents: DocumentsByTemplate } | { readonly error: string };

function selected({ documentSelector, documentIndex }: Aimed, documents: DocumentsByTemplate): Selection {
  if (documentSelector !== undefined && documentSelector.path !== '') return bySelector(documentSelector, documents);
  if (documentIndex === undefined || documentIndex === -1) return { documents };
  const chosen = new Map<string, readonly Document[]>();
  for (const [template, ofTemplate] of documents) {
    const document = ofTemplate[documentIndex];
    if (document === undefined) return { error: `document index ${documentIndex} is out of range` };
    chosen.set(template, [document]);
  }
  return { documents: chosen };
}

function bySelector(selector: DocumentSelector, documents: DocumentsByTemplate): Selection {
  const chosen = new Map<string, readonly Document[]>();
  let count = 0;
  try {
    for (const [template, ofTemplate] of documents) {
      const fitting = ofTemplate.filter((document) => fits(document, selector));
      count += fitting.length;
      if (!selector.matchMany && count > 1) return { error: 'multiple indexes found' };
      if (fitting.length > 0) chosen.set(template, fitting);
    }
  } catch (error) {
    return { error: messageOf(error) };
  }
  return count === 0 && !selector.skipEmptyTemplates ? { error: 'document not found' } : { documents: chosen };
}

const fits = (document: Document, { path, value }: DocumentSelector): boolean =>
  valuesAt(document, path).some((found) => value === null || deepEqual(value, found));

type Judged = Pick<AssertionResult, 'isPassed' | 'lines' | 'places'>;

function ofTemplates(
  templates: readonly string[],
  documents: DocumentsByTemplate,
  aimed: Aimed,
  rendered: Rendered,
): Judged {
  const each = templates.map((template) => ofTemplate(template, documents.get(template) ?? [], aimed, rendered));
  return {
    isPassed: each.every(({ isPassed }) => isPassed),
    lines: each.flatMap(({ lines }) => lines),
    places: each.flatMap(({ places }) => places),
  };
}

function ofTemplate(template: string, chosen: readonly Document[], aimed: Aimed, rendered: Rendered): Judged {
  const { assertion } = aimed;
  const all = rendered.documents.get(template);
  if (all === undefined && assertion.needsRender) {
    return { isPassed: false, lines: ['Error:', noTemplate(template)], places: [] };
  }
  const judgement =
    assertion.needsRender === rendered.isRendered
      ? judged(all ?? [], chosen, aimed, rendered)
      : { isPassed: false, lines: [invalidRender(all)] };
  if (judgement.isPassed) return { isPassed: true, lines: [], places: [] };
  const places = (judgement.faults ?? []).flatMap((fault) => rendered.placeOf(template, fault) ?? []);
  return { isPassed: false, lines: [`Template:\t${template}`, ...judgement.lines], places };
}

const noTemplate = (template: string): string =>
  template === ''
    ? '\tassertion.template must be given if testsuite.templates is empty'
    : `\ttemplate "${template}" not exists or not selected in test suite`;

function invalidRender(documents: readonly Document[] | undefined): string {
  const [first] = documents ?? [];
  return first === undefined
    ? 'Error: rendered manifest is empty'
    : `Error: Invalid rendering: ${sprintf('%s', first.get('raw') ?? null)}`;
}

const judged = (
  documents: readonly Document[],
  chosen: readonly Document[],
  { assertion }: Aimed,
  { snapshots, renderError, failFast }: Rendered,
): Judgement =>
  assertion.judge({
    documents,
    selected: chosen,
    isNegative: assertion.not !== assertion.isAntonym,
    snapshots,
    renderError,
    failFast,
  });

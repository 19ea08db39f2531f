import type { Document } from '../documents/documents.ts';
import { asYaml } from '../documents/text.ts';
import type { Judge, Judgement } from './assertion.ts';
import { eachDocument, failed, foundAt, passed } from './each.ts';
import { expectationLines, type FoundAt } from './lines.ts';
import type { Parameters } from './parameters.ts';

/** `isKind` and `isAPIVersion`: a text at the top of the document is this one. */
export const isMember =
  (member: 'kind' | 'apiVersion') =>
  (parameters: Parameters): Judge => {
    const of = parameters.text('of');
    return (context) => {
      const { isNegative } = context;
      const words = ` to be ${member}`;
      const missed = (actual: string, at: FoundAt): string[] =>
        expectationLines({ words, isNegative, expected: of, ...(isNegative ? {} : { actual }) }, at);
      return eachDocument(
        context,
        () => missed(asYaml('no manifest found'), {}),
        (document, index) => {
          const value = document.get(member) ?? null;
          return (value === of) === isNegative ? failed(missed(asYaml(value), { document: index })) : passed;
        },
        member,
      );
    };
  };

/** `hasDocuments`: the template has so many documents, with `filterAware` of those that are selected. */
export function hasDocuments(parameters: Parameters): Judge {
  const count = parameters.count('count') ?? 0;
  const isFilterAware = parameters.flag('filterAware');
  return ({ documents, selected, isNegative }) => {
    const actual = (isFilterAware ? selected : documents).length;
    if ((actual === count) !== isNegative) return passed;
    const shown = { words: ' documents count to be', isNegative, expected: String(count) };
    return failed(expectationLines(isNegative ? shown : { ...shown, actual: String(actual) }));
  };
}

/** `containsDocument`: all documents are of this kind, API version and name; with `any`, one of them is. */
export function containsDocument(parameters: Parameters): Judge {
  const kind = parameters.text('kind');
  const apiVersion = parameters.text('apiVersion');
  const name = parameters.text('name');
  const namespace = parameters.text('namespace');
  const isAny = parameters.flag('any');
  const described = [
    `Kind = ${kind}, apiVersion = ${apiVersion}`,
    ...(name === '' ? [] : [`Name = ${name}`]),
    ...(namespace === '' ? [] : [`Namespace = ${namespace}`]),
  ].join(', ');
  const isIt = (document: Document): boolean =>
    isOrMissing(document, 'kind', kind) &&
    isOrMissing(document, 'apiVersion', apiVersion) &&
    hasFirst(document, 'metadata.name', name) &&
    hasFirst(document, 'metadata.namespace', namespace);
  return (context): Judgement => {
    const { selected, isNegative, failFast } = context;
    const missed = (index: number): string[] =>
      expectationLines({ words: ' to contain document', isNegative, expected: described }, { document: index });
    if (selected.length === 0) return isNegative ? passed : failed(missed(0));
    const lines: string[] = [];
    let isPassed = true;
    for (const [index, document] of selected.entries()) {
      const holds = isIt(document) !== isNegative;
      if (holds && isAny !== isNegative) return passed;
      if (!holds) lines.push(...missed(index));
      if (!holds && failFast) return failed(lines);
      isPassed &&= holds;
    }
    return { isPassed, lines };
  };
}

/** What is no text at all is not compared. */
function isOrMissing(document: Document, member: string, expected: string): boolean {
  const value = document.get(member);
  return typeof value !== 'string' || value === expected;
}

function hasFirst(document: Document, path: string, expected: string): boolean {
  if (expected === '') return true;
  const values = foundAt(document, path);
  return 'found' in values && values.found[0] === expected;
}

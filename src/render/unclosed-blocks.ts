import { type BlockAction, lastLineOf, openActions, strayEnd, unclosedAction } from '../manifest/open-actions.ts';
import type { ChartFact } from '../problem/chart-fact.ts';
import type { TemplatePlace } from '../problem/place.ts';
import type { Remedy } from '../problem/remedy.ts';
import type { SourcePlace } from '../support/errors.ts';
import type { TemplateFact } from '../template/error.ts';

/** What a template has wrong with its blocks and braces, where, and how to write that. */
export interface BlockFault {
  readonly cause: ChartFact;
  readonly places: readonly TemplatePlace[];
  readonly remedies: readonly Remedy[];
}

/** Undefined for a failure of another kind. `place`: where the parser stumbles, with the text of the whole file. */
export function blockFault(fact: TemplateFact | undefined, place: SourcePlace): BlockFault | undefined {
  switch (fact?.kind) {
    case 'unexpected-end':
      return missingEnd(place.text, place.file);
    case 'nested-define':
      return missingEnd(linesUntil(place.text, place.line - 1), place.file);
    case 'stray-end':
      return fault({ code: 'end-without-block', word: fact.word }, place, strayAt(fact.word, place));
    case 'no-brace':
      return fault({ code: 'brace-missing', isWhole: true }, place, {
        line: fact.line,
        from: /\{\{[^}]*$/.exec(lineAt(place.text, fact.line))?.[0].trimEnd(),
        added: ' }}',
      });
    case 'single-brace':
      return fault({ code: 'brace-missing' }, place, {
        line: place.line,
        from: /\{\{[^{}]*\}(?!\})/.exec(lineAt(place.text, place.line))?.[0],
        added: '}',
      });
    default:
      return undefined;
  }
}

function missingEnd(text: string, file: string): BlockFault | undefined {
  const open = openActions(text);
  if (open.length === 0) return undefined;
  const single = unclosedAction(text);
  const blamed = single === undefined ? open : [single];
  return {
    cause: { code: 'action-not-closed', ...(single && { word: single.word, line: single.line }) },
    places: blamed.map(({ line }) => placeOf(text, file, line)),
    remedies: single === undefined ? [] : endRemedies(text, file, single),
  };
}

/** The end behind the last line of the block: no line moves. */
function endRemedies(text: string, file: string, block: BlockAction): readonly Remedy[] {
  const line = lastLineOf(text, block);
  const from = line === undefined ? '' : lineAt(text, line).trim();
  if (line === undefined || from === '') return [];
  return [{ kind: 'change-text', file, line, from, to: `${from}{{- end }}` }];
}

interface Change {
  readonly line: number;
  readonly from: string | undefined;
  /** Behind `from`; undefined where that goes. */
  readonly added?: string;
}

function strayAt(word: 'end' | 'else', { text, line }: SourcePlace): Change {
  const stray = word === 'end' ? strayEnd(text, line) : undefined;
  const isAlone = stray !== undefined && lineAt(text, stray.line).split(stray.text).length === 2;
  return { line: stray?.line ?? line, from: isAlone ? stray.text : undefined };
}

function fault(cause: ChartFact, { file, text }: SourcePlace, { line, from, added }: Change): BlockFault {
  const to = added === undefined ? '' : `${from}${added}`;
  return {
    cause,
    places: [placeOf(text, file, line)],
    remedies: from === undefined ? [] : [{ kind: 'change-text', file, line, from, to }],
  };
}

const placeOf = (text: string, file: string, line: number): TemplatePlace => ({
  kind: 'template',
  file,
  line,
  written: lineAt(text, line).trim(),
});

const linesUntil = (text: string, line: number): string => text.split('\n').slice(0, line).join('\n');

const lineAt = (text: string, line: number): string => text.split('\n')[line - 1] ?? '';

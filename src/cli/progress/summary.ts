import { appendFileSync } from 'node:fs';
import { fenceFor } from '../../show/changes/markdown.ts';
import { messageOf } from '../../support/errors.ts';
import { printable, printableLine } from '../../support/printable.ts';
import { countOf } from '../../support/text.ts';
import { noPaint } from '../terminal/paint.ts';
import type { Display } from './display.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { byCause, isDone, needsAttention, type Row, stateWord } from './rows.ts';
import type { ReleaseState, StackModel } from './stack/model.ts';
import { headText } from './stack/tree.ts';
import { countNotReady, sums } from './tree.ts';
import { seconds } from './words.ts';

const maxRows = 100;
/** A job's page holds a megabyte. */
const mostFailures = 10;
const maxTextLength = 20_000;

/**
 * The job's summary page on GitHub Actions; it grows by one part for each run. The part of a stack is a table of its
 * releases, and what each failure is about.
 */
export function jobSummary(file: string, warn: (text: string) => void): Display {
  const failures: string[] = [];
  const append = (text: string): false => {
    try {
      appendFileSync(file, text);
    } catch (error) {
      warn(`warning: the job summary could not be written: ${messageOf(error)}\n`);
    }
    return false;
  };
  return {
    end: (model, outcome) => {
      if (model.id === undefined) return append(summaryText(model, outcome));
      if (outcome.kind !== 'succeeded' && failures.length < mostFailures) failures.push(summaryText(model, outcome));
      return false;
    },
    endStack: (stack, { kind }) => {
      const title = `### ${signs[kind]} ${headText(stack, stack.endedMs ?? stack.startedMs, { paint: noPaint })}`;
      return append([title, '', ...releaseTable(stack), '', ...failures, ''].join('\n'));
    },
  };
}

/** Markdown: how it went, and the objects, those that did not get ready first. */
export function summaryText(model: RunModel, outcome: Outcome): string {
  const { total, done, failed } = sums(model);
  const time = seconds((model.endedMs ?? model.startedMs) - model.startedMs);
  const title = `### ${signs[outcome.kind]} ${model.action} \`${model.release}\` in \`${model.namespace}\`: ${outcome.kind}`;
  const notReady = outcome.kind === 'succeeded' ? 0 : countNotReady(model);
  const counts = [
    time,
    ...(total === 0 ? ['nothing was sent'] : [`${done} of ${countOf(total, 'object')} done`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(notReady === 0 ? [] : [`${notReady} not ready`]),
  ].join(', ');
  const error = outcome.kind === 'succeeded' ? [] : ['', fenced(printable(outcome.text).slice(0, maxTextLength))];
  return [title, '', counts, ...error, '', ...tables(model, outcome), ''].join('\n');
}

const signs = { succeeded: '✅', failed: '❌', interrupted: '⚠️' } as const;

/** Of a run that did not succeed, the objects that nothing is wrong with are folded away. */
function tables(model: RunModel, { kind }: Outcome): readonly string[] {
  const sorted = [...model.rows].sort((a, b) => urgency(a) - urgency(b) || byCause(a, b));
  if (kind === 'succeeded') return table(sorted, model, false);
  const others = sorted.filter((row) => !needsAttention(row));
  const folded = [
    `<details><summary>${countOf(others.length, 'other object')}</summary>`,
    '',
    ...table(others, model, true),
  ];
  return [
    ...table(sorted.filter(needsAttention), model, true),
    ...(others.length === 0 ? [] : [...folded, '</details>', '']),
  ];
}

function table(rows: readonly Row[], { endedMs }: RunModel, isOver: boolean): readonly string[] {
  if (rows.length === 0) return [];
  const lines = rows.slice(0, maxRows).map((row) => {
    const kind = row.event === undefined ? '' : ` (${row.event} hook)`;
    const time = row.startedMs === undefined ? '' : seconds((row.endedMs ?? endedMs ?? row.startedMs) - row.startedMs);
    return `| ${cell(`${row.label}${kind}`)} | ${stateWord(row, isOver)} | ${time} | ${cell(row.reason)} |`;
  });
  return ['| object | state | time | reason |', '|---|---|---|---|', ...lines, ...moreThanShown(rows), ''];
}

function urgency(row: Row): number {
  if (row.state === 'failed') return 0;
  if (isDone(row)) return 3;
  return row.state === 'pending' ? 2 : 1;
}

function releaseTable({ releases }: StackModel): readonly string[] {
  const sorted = [...releases].sort((a, b) => releaseRanks[a.state] - releaseRanks[b.state]);
  const lines = sorted.slice(0, maxRows).map((release) => {
    const { id, state, changed } = release;
    const time = changed === undefined ? '' : seconds(changed.endMs - changed.startMs);
    return `| ${cell(id)} | ${state} | ${time} | ${cell(release.text.split('\n')[0] ?? '')} |`;
  });
  return ['| release | state | time | result |', '|---|---|---|---|', ...lines, ...moreThanShown(sorted)];
}

const releaseRanks: Readonly<Record<ReleaseState['state'], number>> = {
  failed: 0,
  active: 1,
  'left out': 2,
  pending: 2,
  done: 3,
};

const moreThanShown = ({ length }: readonly unknown[]): readonly string[] =>
  length > maxRows ? ['', `… and ${length - maxRows} more`] : [];

/** Text in a cell as it is: neither Markdown nor HTML. */
const cell = (text: string): string =>
  printableLine(text)
    .replace(/[&<>]/g, (character) => entities[character as keyof typeof entities])
    .replace(/[\\`*_{}[\]()#+!|~@:-]/g, '\\$&');

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;

/** A code block whose fence is longer than any in the text. */
function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

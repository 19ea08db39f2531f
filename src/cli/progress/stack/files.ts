import { messageOf } from '../../../support/errors.ts';
import { writePrivateFile } from '../../../support/private-file.ts';
import { junitOf, leftOutSuite, suiteText } from '../junit.ts';
import { noPaint } from '../style.ts';
import { appendSummary, cell, maxRows, signs, summaryText } from '../summary.ts';
import { seconds } from '../words.ts';
import type { StackDisplay } from './display.ts';
import { outcomeText, type ReleaseState, type StackModel } from './model.ts';
import { headText } from './tree.ts';

/** Writes a JUnit file at the end: a suite for each release, and again for one that was put back. */
export function stackJunit(path: string, warn: (text: string) => void): StackDisplay {
  const suites: string[] = [];
  return {
    tell: () => undefined,
    endRelease: (_release, model, outcome) => void suites.push(suiteText({ model, outcome })),
    end: ({ releases, startedMs }) => {
      const leftOut = releases.filter(({ state }) => state === 'left out' || state === 'pending');
      const others = leftOut.map(({ action, name, namespace, text }) =>
        leftOutSuite({ action, release: name, namespace }, text || 'not started before the run ended', startedMs),
      );
      try {
        writePrivateFile(path, junitOf([...suites, ...others]));
      } catch (error) {
        warn(`warning: --junit: ${messageOf(error)}\n`);
      }
      return false;
    },
  };
}

/** The part of a run over many releases on the job's summary page: a table of releases, and what each failure is about. */
export function stackJobSummary(file: string, warn: (text: string) => void): StackDisplay {
  const failures: string[] = [];
  return {
    tell: () => undefined,
    endRelease: (_release, model, outcome) => {
      if (outcome.kind !== 'succeeded' && failures.length < mostFailures) failures.push(summaryText(model, outcome));
    },
    end: (model, { kind }) => {
      const title = `### ${signs[kind]} ${headText(model, model.endedMs ?? model.startedMs, { paint: noPaint })}`;
      appendSummary(file, [title, '', ...releaseTable(model), '', ...failures, ''].join('\n'), warn);
      return false;
    },
  };
}

/** A job's page holds a megabyte. */
const mostFailures = 10;

function releaseTable({ releases }: StackModel): readonly string[] {
  const sorted = [...releases].sort((a, b) => urgency(a) - urgency(b));
  const lines = sorted.slice(0, maxRows).map((release) => {
    const { id, state, changed } = release;
    const time = changed === undefined ? '' : seconds(changed.endMs - changed.startMs);
    return `| ${cell(id)} | ${state} | ${time} | ${cell(outcomeText(release).split('\n')[0] ?? '')} |`;
  });
  const more = sorted.length > maxRows ? ['', `… and ${sorted.length - maxRows} more`] : [];
  return ['| release | state | time | result |', '|---|---|---|---|', ...lines, ...more];
}

const urgency = ({ state }: ReleaseState): number =>
  ({ failed: 0, active: 1, 'left out': 2, pending: 2, done: 3 })[state];

/** Several displays as one. The first is the one that people look at. */
export function combineDisplays(first: StackDisplay, others: readonly StackDisplay[]): StackDisplay {
  const all = [first, ...others];
  return {
    begin(...given) {
      for (const one of all) one.begin?.(...given);
    },
    open(...given) {
      for (const one of all) one.open?.(...given);
    },
    show(...given) {
      for (const one of all) one.show?.(...given);
    },
    endRelease(...given) {
      for (const one of all) one.endRelease?.(...given);
    },
    leaveOut(...given) {
      for (const one of all) one.leaveOut?.(...given);
    },
    tell: (text) => first.tell(text),
    end: (...given) => all.map((one) => one.end?.(...given) ?? false).includes(true),
    close() {
      for (const one of all) one.close?.();
    },
  };
}

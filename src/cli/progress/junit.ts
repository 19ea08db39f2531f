import { isOfObject, isSameObject } from '../../problem/problem.ts';
import { messageOf, problemsOf, TshelmError } from '../../support/errors.ts';
import { writePrivateFile } from '../../support/private-file.ts';
import type { OnDisk } from '../../words/problem.ts';
import { onDisk } from '../errors/chart-file.ts';
import { type Case, junitOf, junitSuite, type Result } from '../output/junit-xml.ts';
import type { Display } from './display.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { isDone, type Row } from './rows.ts';

interface Surroundings {
  /** From where charts are named. */
  readonly cwd: string;
  readonly warn: (text: string) => void;
}

/**
 * Writes a JUnit file at the end of each run, or of the stack: all runs of the command, a test suite each. A release that
 * was put back has two.
 */
export function junitFile(path: string, { cwd, warn }: Surroundings): Display {
  const suites: string[] = [];
  const write = (): false => {
    try {
      writePrivateFile(path, junitOf(suites));
    } catch (error) {
      warn(`warning: --junit: ${messageOf(error)}\n`);
    }
    return false;
  };
  return {
    end: (model, outcome) => {
      suites.push(suiteText(model, outcome, onDisk(model.chart, cwd)));
      return model.id === undefined && write();
    },
    endStack: ({ releases, startedMs }) => {
      for (const { action, name, namespace, state, text } of releases) {
        if (state !== 'left out' && state !== 'pending') continue;
        const why = text || 'not started before the run ended';
        suites.push(leftOutSuite({ action, release: name, namespace }, why, startedMs));
      }
      return write();
    },
  };
}

/**
 * A run of a release: a case for each object and each hook, and one for the run as a whole, in the form that Jenkins, GitLab
 * and GitHub tools read.
 */
function suiteText(model: RunModel, outcome: Outcome, named: OnDisk): string {
  const { startedMs } = model;
  const elapsedMs = (model.endedMs ?? startedMs) - startedMs;
  const whole = wholeCase(model, { elapsedMs, result: wholeResult(outcome) });
  return suiteOf(
    model,
    [...model.rows.map((row) => ({ ...rowCase(row, model, outcome), file: named(row.source) })), whole],
    { startedMs, elapsedMs },
  );
}

/** The suite of a release that was not begun. */
const leftOutSuite = (named: Named, why: string, startedMs: number): string =>
  suiteOf(named, [wholeCase(named, { elapsedMs: 0, result: { kind: 'skipped', message: why } })], {
    startedMs,
    elapsedMs: 0,
  });

type Named = Pick<RunModel, 'action' | 'release' | 'namespace'>;

const wholeCase = (
  { action, release, namespace }: Named,
  { elapsedMs, result }: Pick<Case, 'elapsedMs' | 'result'>,
): Case => ({ name: `${action} ${release}`, className: `${namespace}.${release}`, file: '', elapsedMs, result });

const suiteOf = (
  { action, release }: Named,
  cases: readonly Case[],
  { startedMs, elapsedMs }: { readonly startedMs: number; readonly elapsedMs: number },
): string => junitSuite({ name: `${action} ${release}`, cases, startedMs, elapsedMs });

function wholeResult(outcome: Outcome): Result {
  if (outcome.kind === 'succeeded') return { kind: 'passed' };
  const { failure, text } = outcome;
  const type = failure instanceof TshelmError ? failure.code : outcome.kind;
  return { kind: outcome.kind === 'interrupted' ? 'error' : 'failure', type, message: messageOf(failure), text };
}

function rowCase(row: Row, { action, release, namespace, endedMs }: RunModel, outcome: Outcome): Omit<Case, 'file'> {
  const { label, event, startedMs } = row;
  return {
    name: event === undefined ? label : `${event} hook ${label}`,
    className: `${namespace}.${release}.${event === undefined ? action : 'hooks'}`,
    elapsedMs: startedMs === undefined ? 0 : (row.endedMs ?? endedMs ?? startedMs) - startedMs,
    result: rowResult(row, outcome),
  };
}

function rowResult(row: Row, outcome: Outcome): Result {
  const { state, reason } = row;
  if (!row.isJudged && state === 'waiting')
    return { kind: 'skipped', message: 'no result: the run ended before it was ready' };
  if (isDone(row) || (outcome.kind === 'succeeded' && state !== 'failed' && state !== 'pending'))
    return { kind: 'passed' };
  if (state === 'pending') return { kind: 'skipped', message: 'not started before the run ended' };
  const message = reason === '' ? state : reason;
  const type = outcome.kind === 'succeeded' ? undefined : codeOf(row, outcome.failure);
  if (state === 'failed') return { kind: 'failure', type: type ?? 'failed', message, text: message };
  const kind = outcome.kind === 'interrupted' ? 'error' : 'failure';
  return { kind, type: type ?? 'not-ready', message: `not ready when the run ended: ${message}`, text: message };
}

/** The code of what is wrong with the object of a row. */
const codeOf = ({ id }: Row, failure: unknown): string | undefined =>
  problemsOf(failure)
    .filter(isOfObject)
    .find(({ subject }) => isSameObject(subject.id, id))?.code;

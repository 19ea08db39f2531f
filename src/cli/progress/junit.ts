import { isOfObject, isSameObject } from '../../problem/problem.ts';
import { messageOf, problemsOf, TshelmError } from '../../support/errors.ts';
import { printable } from '../../support/printable.ts';
import { writePrivateFile } from '../../support/private-file.ts';
import type { Display } from './display.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { isDone, type Row } from './rows.ts';

/**
 * Writes a JUnit file at the end of each run, or of the stack: all runs of the command, a test suite each. A release that
 * was put back has two.
 */
export function junitFile(path: string, warn: (text: string) => void): Display {
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
      suites.push(suiteText(model, outcome));
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

/** The file of these suites. */
const junitOf = (suites: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tshelm">\n${suites.join('')}</testsuites>\n`;

interface Case {
  readonly name: string;
  readonly className: string;
  readonly file: string;
  readonly elapsedMs: number;
  readonly result: Result;
}

type Result =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly message: string }
  | { readonly kind: 'failure' | 'error'; readonly type: string; readonly message: string; readonly text: string };

/**
 * A run of a release: a case for each object and each hook, and one for the run as a whole, in the form that Jenkins, GitLab
 * and GitHub tools read.
 */
function suiteText(model: RunModel, outcome: Outcome): string {
  const { startedMs } = model;
  const elapsedMs = (model.endedMs ?? startedMs) - startedMs;
  const whole = wholeCase(model, { elapsedMs, result: wholeResult(outcome) });
  return suiteOf(model, [...model.rows.map((row) => rowCase(row, model, outcome)), whole], { startedMs, elapsedMs });
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

function suiteOf(
  { action, release }: Named,
  cases: readonly Case[],
  { startedMs, elapsedMs }: { readonly startedMs: number; readonly elapsedMs: number },
): string {
  const count = (kind: Result['kind']): number => cases.filter(({ result }) => result.kind === kind).length;
  const attributes = attributesText({
    name: `${action} ${release}`,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: secondsText(elapsedMs),
    timestamp: new Date(startedMs).toISOString().slice(0, 19),
  });
  return `  <testsuite${attributes}>\n${cases.map(caseText).join('')}  </testsuite>\n`;
}

function wholeResult(outcome: Outcome): Result {
  if (outcome.kind === 'succeeded') return { kind: 'passed' };
  const { failure, text } = outcome;
  const type = failure instanceof TshelmError ? failure.code : outcome.kind;
  return { kind: outcome.kind === 'interrupted' ? 'error' : 'failure', type, message: messageOf(failure), text };
}

function rowCase(row: Row, { action, release, namespace, endedMs }: RunModel, outcome: Outcome): Case {
  const { label, event, source, startedMs } = row;
  return {
    name: event === undefined ? label : `${event} hook ${label}`,
    className: `${namespace}.${release}.${event === undefined ? action : 'hooks'}`,
    file: source,
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

function caseText({ name, className, file, elapsedMs, result }: Case): string {
  const attributes = attributesText({ name, classname: className, file, time: secondsText(elapsedMs) });
  const body = resultText(result);
  return body === '' ? `    <testcase${attributes}/>\n` : `    <testcase${attributes}>${body}</testcase>\n`;
}

function resultText(result: Result): string {
  switch (result.kind) {
    case 'passed':
      return '';
    case 'skipped':
      return `<skipped${attributesText({ message: result.message })}/>`;
    case 'failure':
    case 'error': {
      const attributes = attributesText({ message: result.message, type: result.type });
      return `<${result.kind}${attributes}>${escaped(printable(result.text))}</${result.kind}>`;
    }
  }
}

const secondsText = (ms: number): string => (ms / 1000).toFixed(3);

const attributesText = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(printable(String(value)))}"`)
    .join('');

/** Every character that markup could be made of, so that `]]>` is no danger; what XML 1.0 cannot hold at all is left out. */
const escaped = (text: string): string =>
  text
    .replace(/\p{Surrogate}|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"'\n\t]/g, (character: string) => xmlEntities[character as keyof typeof xmlEntities]);

const xmlEntities = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
} as const;

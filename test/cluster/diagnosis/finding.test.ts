import { describe, expect, test } from 'vitest';
import {
  evidenceOf,
  type Finding,
  likelihoodOf,
  problemText,
  rankFindings,
} from '../../../src/cluster/diagnosis/finding.ts';

const finding = (name: string, more: Partial<Finding> = {}): Finding => ({
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name },
  chain: [`Deployment/${name}`, `Pod/${name}-x`],
  kind: 'nothing',
  outlook: 'open',
  reason: `reason of ${name}`,
  log: [],
  previousLog: [],
  events: [],
  ...more,
});

test('from the likely cause to what is probably its consequence', () => {
  const inOrder = [
    finding('exited', { kind: 'container', outlook: 'never', exitCode: 1 }),
    finding('config', { kind: 'container', outlook: 'never' }),
    finding('crash', { kind: 'container', outlook: 'doubtful', exitCode: 1 }),
    finding('pull', { kind: 'container', outlook: 'doubtful' }),
    finding('webhook', { kind: 'refused' }),
    finding('claim', { kind: 'volume' }),
    finding('node', { kind: 'schedule' }),
    finding('probe', { kind: 'probe' }),
    finding('nothing'),
  ];
  expect(rankFindings(inOrder.toReversed()).map(({ reason }) => reason)).toEqual(inOrder.map(({ reason }) => reason));
  expect(inOrder.map(likelihoodOf)).toEqual(inOrder.map(likelihoodOf).sort((a, b) => b - a));
});

test('events that repeat the reason, the verdict or each other are left out, whatever pod they name', () => {
  const refused = (pod: string) => `FailedCreate: pods "${pod}" is forbidden: exceeded quota`;
  const found = finding('web', {
    reason: 'its pods cannot be created: pods "web-7d-w5cz2" is forbidden: exceeded quota',
    verdict: 'BackoffLimitExceeded: too often',
    events: [
      refused('web-7d-w6tkc'),
      'BackoffLimitExceeded: too often',
      'Other: pod web-7d-lpcsz',
      'Other: pod web-7d-rdgzb',
    ],
  });
  expect(evidenceOf(found).events).toEqual(['Other: pod web-7d-rdgzb']);
});

test.each([
  ['ErrImagePull: no such tag', 'Failed: Failed to pull image "web:1": no such tag of it', []],
  ['ImagePullBackOff: Back-off pulling image "web:1"', 'Failed: Failed to pull image "web:1": no such tag', ['kept']],
  ['ImagePullBackOff: no such tag', 'Failed: Error: ImagePullBackOff', []],
  ['CrashLoopBackOff', 'BackOff: Back-off restarting failed container web in pod web-1', []],
  ['it runs: Readiness probe failed: 503 (GET :80/up)', 'Unhealthy: Readiness probe failed: 503 (x4)', []],
  ['Unschedulable: no room (the pod requests cpu 12)', 'FailedScheduling: no room. preemption: none', []],
  ['CreateContainerConfigError: no key x; also missing: Secret/y', 'Failed: Error: no key x', []],
])('of %s the event is an echo, or tells more: %s', (reason, event, kept) => {
  expect(evidenceOf(finding('web', { reason, events: [event] })).events).toHaveLength(kept.length);
});

test('a program that ends is not ready either', () => {
  const events = [
    'Unhealthy: Readiness probe failed: connection refused',
    'BackOff: Back-off restarting failed container',
    'Unhealthy: Liveness probe failed: 500',
  ];
  const ended = finding('web', { kind: 'container', outlook: 'doubtful', exitCode: 1, events });
  expect(evidenceOf(ended).events).toEqual(['Unhealthy: Liveness probe failed: 500']);
});

describe('what a program said', () => {
  const crash = (reason: string, log: readonly string[], previousLog: readonly string[] = []): Finding =>
    finding('web', { chain: ['Pod/web', 'container app'], reason, exitCode: 1, restarts: 2, log, previousLog });

  test('an error is the cause, and what it wrote up to there is shown; a stack and what follows are not', () => {
    const stack = Array.from({ length: 9 }, (_, index) => `  at f (a.js:${index})`);
    const found = crash('CrashLoopBackOff', ['again'], ['start', 'Error: no host db', ...stack, 'bye']);
    expect(problemText(found, ' (no progress for 30 s)')).toBe(
      'container app: Error: no host db (CrashLoopBackOff, exit code 1, 2 restarts) (no progress for 30 s)',
    );
    expect(evidenceOf(found)).toMatchObject({
      log: ['start', 'Error: no host db'],
      command: 'kubectl logs web -n default -c app -p',
    });
  });

  test('an error that is all of it is not shown twice', () =>
    expect(evidenceOf(crash('CrashLoopBackOff', ['fatal: no host db'])).log).toEqual([]));

  test.each(['CrashLoopBackOff (OOMKilled: memory limit 256Mi)', 'Error: killed after "Liveness probe failed"'])(
    'whatever the program says, it was killed: %s',
    (reason) => {
      const found = crash(reason, ['error 1 of 2 ignored', 'heap 384 MiB', 'warming 18%']);
      expect(problemText(found)).toBe(`container app: ${reason}, exit code 1, 2 restarts`);
      expect(evidenceOf(found)).toMatchObject({ log: found.log, command: undefined });
    },
  );

  test('of a log that names no error the last lines are shown', () => {
    const log = Array.from({ length: 40 }, (_, index) => `line ${'i'.repeat(index)}`);
    expect(problemText(crash('Error', log))).toBe('container app: Error, exit code 1, 2 restarts');
    expect(evidenceOf(crash('Error', log)).log).toEqual(log.slice(-5));
  });

  test('lines that differ in numbers alone are told once', () => {
    const log = [
      'start',
      ...Array.from({ length: 7 }, (_, index) => `10:00:0${index} no answer, attempt ${index}`),
      'end',
    ];
    expect(evidenceOf(crash('Error', log)).log).toEqual(['start', '10:00:06 no answer, attempt 6 (7 times)', 'end']);
  });
});

test.each([
  ['2026-11-23T10:00:01Z ERR cannot listen', 'ERR cannot listen'],
  ['[2026/11/23 14:01:22] [main.go:54] ERROR: no flag', 'ERROR: no flag'],
  ['2026-11-23 10:00:01.123 UTC [1] FATAL:  no database', '[1] FATAL:  no database'],
  ['E1123 10:00:05.000000       1 scraper.go:149] "Failed to scrape"', '"Failed to scrape"'],
  ['{"level":"fatal","msg":"error getting secret","err":"it is forbidden"}', 'error getting secret: it is forbidden'],
  ['{"level":"error","message":"no database"}', 'no database'],
  ['{"level":"error","code":3}', '{"level":"error","code":3}'],
  ['{error: no json', '{error: no json'],
  ['panic: no database', 'panic: no database'],
])('the time of a line, and the marks of JSON, are left out of the cause: %s', (line, said) => {
  const crashed = finding('web', { kind: 'container', reason: 'CrashLoopBackOff', exitCode: 1, log: [line] });
  expect(problemText(crashed)).toBe(`${said} (CrashLoopBackOff, exit code 1)`);
});

test('of a long chain of errors the beginning and the end are told, which lies behind the rest', () => {
  const middle = Array.from({ length: 20 }, (_, index) => `cannot do step ${index}`).join(': ');
  const log = [`ERROR: cannot start: ${middle}: dial tcp: lookup db: no such host`];
  const crashed = finding('web', { kind: 'container', reason: 'Error', exitCode: 1, log });
  expect(problemText(crashed)).toMatch(
    /^ERROR: cannot start: (?:cannot do step \d: )+… (?:cannot do step 1\d: )+dial tcp: lookup db: no such host \(Error, exit code 1\)$/,
  );
  expect(problemText(crashed).length).toBeLessThan(320);
});

test('a program that answers its probe with an error has said why in its log', () => {
  const reason = 'it runs but is not ready: Readiness probe failed: HTTP probe failed with statuscode: 503';
  const unready = finding('web', { kind: 'probe', reason, log: ['listening', 'error: no database'] });
  expect(problemText(unready)).toBe(`error: no database (${reason})`);
  expect(problemText({ ...unready, reason: reason.replace('503', '404') })).toBe(reason.replace('503', '404'));
});

import { describe, expect, test } from 'vitest';
import type { WorkloadProblem } from '../../src/cluster/diagnosis.ts';
import { type Unready, unreadyLine } from '../../src/cluster/observe.ts';
import { messageWith, unjudged, unjudgedWithProbe } from '../../src/execute/explain.ts';
import { secretMask } from '../../src/execute/secret-mask.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { planInstall } from '../../src/plan/plan.ts';
import { Quote } from '../../src/problem/quote.ts';
import type { WorkloadFact } from '../../src/problem/workload-fact.ts';
import { TshelmError } from '../../src/support/errors.ts';

const idOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name });
function unready(name: string, state: Unready['state'], reason: string, facts?: readonly WorkloadFact[]): Unready {
  const status = state === 'failed' ? 'Failed' : 'InProgress';
  const described = { id: idOf(name), state, status, unmet: 'not ready', reason, facts };
  return { ...described, line: unreadyLine(described) };
}
const problem = (name: string, cause: WorkloadFact, log: readonly string[] = []): WorkloadProblem => ({
  code: cause.code,
  subject: { kind: 'object', id: idOf(name), template: '' },
  cause: { chain: [`Deployment/${name}`, `ReplicaSet/${name}-1`, `Pod/${name}-1-x`], pod: `${name}-1-x`, ...cause },
  places: [],
  remedies: [],
  evidence: [{ kind: 'log', lines: log.map((line) => new Quote(line)) }],
});
const container = 'app';
const ended: WorkloadFact = {
  outlook: 'doubtful',
  code: 'program-ended',
  reason: 'CrashLoopBackOff',
  container,
  exitCode: 1,
  restarts: 3,
};
const crash = problem('web', ended, ['boom']);
const words = new Quote('no such tag');
const pull = problem('db', {
  outlook: 'doubtful',
  code: 'image-pull-failed',
  reason: 'ImagePullBackOff',
  image: 'db:1',
  words,
  container,
});
const notReady: WorkloadFact = { outlook: 'open', code: 'container-not-ready', container };
const fault = (code: 'wait-failed' | 'wait-timeout') =>
  new TshelmError(code, { message: 'old', details: { timeoutMs: 20_000, unready: [] } });

describe('the message of a failed wait', () => {
  test('names the cause in place of what was waited for', () => {
    const all = [unready('web', 'failed', 'x', [{ ...ended, noProgressMs: 30_000 }])];
    expect(messageWith(fault('wait-failed'), all, [crash])).toBe(
      'resource Deployment/default/web not ready. status: Failed, message: Pod/web-1-x, container app: CrashLoopBackOff, exit code 1, 3 restarts (no progress for 30 s)',
    );
  });

  test('begins with the likely cause, though its resource was not given up', () => {
    const all = [
      unready('web', 'failed', 'x'),
      unready('db', 'waiting', '0 of 1'),
      unready('cache', 'waiting', '0 of 1'),
    ];
    const name: WorkloadFact = { outlook: 'never', code: 'image-name-invalid', reason: 'InvalidImageName', image: '' };
    const never = problem('db', { ...name, container });
    expect(messageWith(fault('wait-failed'), all, [never, crash]).split('\n')).toEqual([
      'resource Deployment/default/db not ready. status: Failed, message: Pod/db-1-x, container app: InvalidImageName',
      expect.stringMatching(/^resource Deployment\/default\/web not ready\. status: Failed, message: Pod\/web-1-x/),
    ]);
  });

  test('tells of all that are broken when the first of them is given up, and not of what merely is not ready', () => {
    const all = [
      unready('cache', 'waiting', '0 of 1'),
      unready('db', 'waiting', '0 of 1'),
      unready('web', 'failed', 'x'),
    ];
    expect(messageWith(fault('wait-failed'), all, [crash, pull, problem('cache', notReady)]).split('\n')).toEqual([
      expect.stringMatching(/^resource Deployment\/default\/web not ready\. status: Failed, .*CrashLoopBackOff/),
      expect.stringMatching(/^resource Deployment\/default\/db not ready\. status: Failed, .*no such tag/),
    ]);
  });

  test('tells what the scheduler has refused, though that may pass', () => {
    const unplaced = { reason: 'Unschedulable', words: new Quote('3 Insufficient cpu'), obstacles: [], lacking: [] };
    const held = problem('cache', { outlook: 'open', code: 'pod-unschedulable', ...unplaced });
    const all = [unready('web', 'failed', 'x'), unready('cache', 'waiting', '0 of 1')];
    expect(messageWith(fault('wait-failed'), all, [crash, held]).split('\n')).toEqual([
      expect.stringMatching(/^resource Deployment\/default\/web not ready\. status: Failed, .*CrashLoopBackOff/),
      expect.stringMatching(/^resource Deployment\/default\/cache not ready\. status: InProgress, .*Insufficient cpu/),
    ]);
  });

  test.each([
    ['progress-deadline-exceeded', 'Insufficient cpu'],
    ['program-ended', 'x'],
  ] as const)('after %s of the resource itself tells %s', (code, said) => {
    const unplaced = { reason: 'Unschedulable', words: new Quote('3 Insufficient cpu'), obstacles: [], lacking: [] };
    const held = problem('web', { outlook: 'open', code: 'pod-unschedulable', ...unplaced });
    const own = unready('web', 'failed', 'x', [{ outlook: 'never', code } as WorkloadFact]);
    expect(messageWith(fault('wait-failed'), [own], [held])).toMatch(new RegExp(`message: .*${said}`));
  });

  test('keeps every resource and its last line when the time is up, the likely cause first', () => {
    const all = [unready('cache', 'waiting', '0 of 1 replicas ready'), unready('db', 'waiting', '0 of 1')];
    expect(messageWith(fault('wait-timeout'), all, [pull]).split('\n')).toEqual([
      'resource Deployment/default/db not ready. status: Failed, message: Pod/db-1-x, container app: ImagePullBackOff: no such tag',
      'resource Deployment/default/cache not ready. status: InProgress, message: 0 of 1 replicas ready',
      'timed out after 20s (context deadline exceeded)',
    ]);
  });
});

test('what another failure left undecided is named, with what a probe says of it', () => {
  const all = ['web', 'cache', 'api'].map((name) => unready(name, name === 'web' ? 'failed' : 'waiting', 'x'));
  const described = all.slice(0, 1).map((one) => ({ one, found: [crash] }));
  const probe = problem('cache', notReady);
  const seen = unjudgedWithProbe(all, described, [crash, probe]);
  expect(seen.map(({ one, found }) => [one.id.name, found])).toEqual([['cache', [probe]]]);
  expect(unjudged(all, [...described, ...seen])).toEqual(['still starting when the run stopped: Deployment/api']);
  expect(unjudged(all.slice(0, 1), described)).toEqual([]);
});

describe('the secrets of a release', () => {
  const mask = secretMask(
    planInstall({
      release: 'rel',
      namespace: 'default',
      strategy: 'watcher',
      hooks: [],
      manifests: [
        parseManifest(
          `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: ${Buffer.from('from-data').toString('base64')}}\n` +
            'stringData: {b: from-string, c: "-----BEGIN\\nline-of-key\\n-----END", short: abc}\n',
          'app/templates/s.yaml',
        ),
        parseManifest('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: not-secret}\n', 'c.yaml'),
      ],
    }),
  );

  test('what objects, containers and images are named by is told, whatever a Secret says', () => {
    const named = secretMask(
      planInstall({
        release: 'shop',
        namespace: 'default',
        strategy: 'watcher',
        hooks: [],
        manifests: [
          parseManifest(
            'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {username: postgres, password: shop, pin: "1234567"}\n',
            's.yaml',
          ),
          parseManifest(
            'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: db}\nspec: {template: {spec: {containers: [{name: main, image: "postgres:17"}]}}}\n',
            'd.yaml',
          ),
        ],
      }),
    );
    expect(named('postgres:17 of shop: 1234567')).toBe('postgres:17 of shop: ***');
  });

  test.each([
    ['from-data and from-string', '*** and ***'],
    [Buffer.from('from-data').toString('base64'), '***'],
    ['bad key: line-of-key!', 'bad key: ***!'],
    ['abc not-secret', 'abc not-secret'],
  ])('%s → %s', (text, expected) => {
    expect(mask(text)).toBe(expected);
  });
});

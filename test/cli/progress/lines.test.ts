import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DisplayReporter } from '../../../src/cli/progress/display.ts';
import { GithubMarks } from '../../../src/cli/progress/github.ts';
import { GitlabMarks } from '../../../src/cli/progress/gitlab.ts';
import { PlainDisplay } from '../../../src/cli/progress/plain.ts';
import { sanitizedOutput } from '../../../src/cli/terminal/sanitized-output.ts';
import { TshelmError } from '../../../src/support/errors.ts';
import { printable } from '../../../src/support/printable.ts';
import { madeProblem } from '../../problem/shown.ts';
import { applyEvents, hookEvents, modelOf, plan, recorded, web } from './runs.ts';

const introduction = { action: 'install', release: 'shop', namespace: 'shop' } as const;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('lines', () => {
  test.each([
    [
      { kind: 'roll-back', revision: 1 },
      { action: 'upgrade' },
      { action: 'rollback' },
      ['   0.0s  upgrade failed: rolling shop back to revision 1'],
    ],
    [
      { kind: 'uninstall' },
      { action: 'install' },
      { action: 'uninstall' },
      ['   0.0s  install failed: uninstalling shop'],
    ],
    [{ kind: 'record-failure' }, { action: 'upgrade' }, { action: 'rollback' }, []],
  ] as const)('a plan that undoes the one before it is announced: %j', (remedy, first, second, lines) => {
    const output = recorded();
    const reporter = new DisplayReporter([new PlainDisplay(output, Date.now)], Date.now);
    reporter.begin(introduction);
    reporter.onEvent({ kind: 'plan-started', plan: { ...plan, ...first, ifStopped: [remedy] } });
    reporter.onEvent({ kind: 'plan-started', plan: { ...plan, ...second } });
    reporter.close();
    expect(output.text.split('\n').filter((line) => line !== '')).toEqual(lines);
  });

  test('each change is a line, said once, and every 30 seconds what is waited for', () => {
    const output = recorded();
    const reporter = new DisplayReporter([new PlainDisplay(output, Date.now)], Date.now);
    reporter.begin(introduction);
    for (const event of hookEvents) reporter.onEvent(event);
    vi.advanceTimersByTime(4000);
    for (const event of [...applyEvents, ...applyEvents.slice(-1)]) reporter.onEvent(event);
    vi.advanceTimersByTime(56_000);
    reporter.finish();
    reporter.close();
    vi.advanceTimersByTime(60_000);
    expect(output.text.split('\n')).toEqual([
      '   0.0s  run pre-install hooks',
      '   0.0s  pre-install hook Job/seed deleted',
      '   0.0s  pre-install hook Job/seed started',
      '   0.0s  pre-install hook Job/seed succeeded',
      '   0.0s  log of Pod/seed:',
      '           | seeding',
      '           | ::add-mask::x',
      '   0.0s  pre-install hook Job/seed deleted',
      '   4.0s  apply 2 resources',
      '   4.0s  ConfigMap/settings created',
      '   4.0s  Deployment/web created',
      '   5.0s  Deployment/web waiting: 0 of 2 replicas ready',
      '  30.0s  waiting for 1: Deployment/web (0/2 pods, 26.0s): 0 of 2 replicas ready',
      '  1m00s  waiting for 1: Deployment/web (0/2 pods, 56.0s): as before',
      '',
    ]);
  });

  test('why an object is waited for is told once, however often it comes and goes, and in bounds', () => {
    const output = recorded();
    const reporter = new DisplayReporter([new PlainDisplay(output, Date.now)], Date.now);
    reporter.begin(introduction);
    const waits = (cause: string) =>
      reporter.onEvent({ kind: 'resource', id: web, state: 'waiting', reason: `${cause}; 0 of 2 ready`, cause });
    for (const cause of ['refused', 'timeout', 'refused', 'timeout']) {
      waits(cause);
      vi.advanceTimersByTime(1000);
    }
    waits('x'.repeat(500));
    vi.advanceTimersByTime(26_000);
    const lines = output.text.trimEnd().split('\n');
    expect(lines.slice(0, 2).map((line) => line.slice(9))).toEqual([
      'Deployment/web waiting: refused; 0 of 2 ready',
      'Deployment/web waiting: timeout; 0 of 2 ready',
    ]);
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/^ {2}30\.0s {2}waiting for 1: Deployment\/web \(30\.0s\): x{119}…$/);
    reporter.close();
  });

  test.each([
    [false, ['0.0s  Service/db configured', '5.0s  Deployment/web ready', '5.0s  1 changed, 2 unchanged']],
    [
      true,
      [
        '0.0s  Service/db configured',
        '0.0s  Service/web unchanged',
        '0.0s  ConfigMap/web unchanged',
        '4.5s  Deployment/web waiting: 0 of 2',
        '5.0s  Deployment/web ready',
      ],
    ],
  ])('what stays as it is, and what waits for less than a second; verbose: %s', (isVerbose, expected) => {
    const output = recorded();
    const reporter = new DisplayReporter([new PlainDisplay(output, Date.now, { isVerbose })], Date.now);
    reporter.begin(introduction);
    const tell = (
      kind: string,
      name: string,
      state: 'configured' | 'unchanged' | 'waiting' | 'ready',
      reason?: string,
    ) => reporter.onEvent({ kind: 'resource', id: { ...web, kind, name }, state, reason });
    tell('Service', 'db', 'configured');
    tell('Service', 'web', 'unchanged');
    tell('ConfigMap', 'web', 'unchanged');
    vi.advanceTimersByTime(4500);
    tell('Deployment', 'web', 'waiting', '0 of 2');
    vi.advanceTimersByTime(500);
    tell('Deployment', 'web', 'ready');
    vi.advanceTimersByTime(20_000);
    reporter.finish();
    reporter.close();
    const lines = output.text.trimEnd().split('\n');
    expect(lines.map((line) => line.trimStart())).toEqual(
      expected.map((line) => (line.endsWith(' unchanged') && !isVerbose ? line.replace('5.0s', '25.0s') : line)),
    );
  });

  test('what is deleted and created again is counted as replaced', () => {
    const output = recorded();
    const reporter = new DisplayReporter([new PlainDisplay(output, Date.now)], Date.now);
    reporter.begin(introduction);
    for (const [name, state] of [
      ['db', 'deleted'],
      ['db', 'created'],
      ['old', 'deleted'],
      ['new', 'created'],
      ['new', 'configured'],
      ['web', 'unchanged'],
    ] as const)
      reporter.onEvent({ kind: 'resource', id: { ...web, name }, state });
    reporter.finish();
    reporter.close();
    expect(output.text).toContain('1 created, 1 replaced, 1 deleted, 1 unchanged\n');
  });

  test('pods of a hook that say the same are told once', () => {
    const output = recorded();
    const display = new PlainDisplay(output, Date.now);
    const pod = (name: string) => ({ ...web, apiVersion: 'v1', kind: 'Pod', name });
    for (const name of ['a', 'b']) display.show({ kind: 'log', id: pod(name), text: 'no schema\n' }, undefined);
    expect(output.text.split('\n').slice(0, 3)).toEqual([
      '   0.0s  log of shop/Pod/a:',
      '           | no schema',
      '   0.0s  log of shop/Pod/b: the same as the log of shop/Pod/a',
    ]);
  });

  test('words of the cluster cannot draw on the terminal or break a line', () => {
    expect(printable('a\x1b[31mred\x1b[0m\x1b]0;title\x07b\rc\x07\u202ed\te')).toBe('aredb\ncd\te');
    const output = recorded();
    const display = new PlainDisplay(output, Date.now);
    display.show({ kind: 'resource', id: web, state: 'failed', reason: 'no\n::error::yes\x1b[2J' }, undefined);
    expect(output.text).toBe('   0.0s  shop/Deployment/web failed: no ::error::yes\n');
  });
});

describe('GitHub Actions', () => {
  const failure = new TshelmError('wait-failed', {
    message: 'not ready, 100%\nDeployment/web: x',
    details: { unready: [] },
  });
  const run = (env: Record<string, string> = {}) => {
    const output = recorded();
    const marks = { marks: new GithubMarks({ env, cwd: process.cwd() }) };
    const door = sanitizedOutput(output, { env: { GITHUB_ACTIONS: 'true' }, cwd: '.' });
    const reporter = new DisplayReporter([new PlainDisplay(door, Date.now, marks)], Date.now);
    reporter.begin({ ...introduction, chart: 'fixtures/charts/shop' });
    return { output, reporter };
  };

  test('steps are groups; the log of a hook cannot give commands', () => {
    const { output, reporter } = run();
    for (const event of [...hookEvents, ...applyEvents]) reporter.onEvent(event);
    reporter.finish();
    output.text += '::set-output name=a::from the notes\n';
    reporter.close();
    const [token = ''] = /(?<=::stop-commands::)\w{32}/.exec(output.text) ?? [];
    const lines = output.text.split('\n');
    expect(lines.filter((line) => /^::(end)?group/.test(line))).toEqual([
      '::group::run pre-install hooks',
      '::endgroup::',
      '::group::apply 2 resources',
      '::endgroup::',
    ]);
    const stopped = lines.slice(lines.indexOf(`::stop-commands::${token}`), lines.indexOf(`::${token}::`));
    expect(stopped).toContain('           | ::add-mask::x');
    expect(withoutStopped(output.text)).not.toMatch(/add-mask|set-output/);
  });

  test('the second form of a command, which counts anywhere in a line, is broken up', () => {
    const { output, reporter } = run();
    reporter.onEvent({ kind: 'resource', id: web, state: 'waiting', reason: 'see ##[add-mask]x' });
    reporter.onEvent({ kind: 'log', id: web, text: '##[error]x' });
    reporter.close();
    expect(output.text).not.toContain('##[');
  });

  test('what is broken below an object that was not given up yet is annotated too', () => {
    const { output, reporter } = run();
    for (const event of [...hookEvents, ...applyEvents]) reporter.onEvent(event);
    const problems = [madeProblem(web, { problem: 'container app: ImagePullBackOff: no such tag' })];
    reporter.finish({
      kind: 'failed',
      failure: failure.wrapped({ message: 'not ready', details: { problems } }),
      text: 'Error: …\n',
    });
    reporter.close();
    expect(output.text).toContain(
      '::error title=install shop%3A Deployment/web::Deployment/web: container app: ImagePullBackOff: no such tag\n',
    );
    expect(output.text).not.toContain('title=ConfigMap/settings');
  });

  test('what failed is annotated, at its template, and escaped', () => {
    const { output, reporter } = run();
    for (const event of [...hookEvents, ...applyEvents]) reporter.onEvent(event);
    reporter.onEvent({ kind: 'resource', id: web, state: 'failed', reason: 'it broke: a%b\n::set-env::' });
    reporter.finish({ kind: 'failed', failure, text: 'Error: …\n' });
    reporter.close();
    const errors = output.text.split('\n').filter((line) => line.startsWith('::error'));
    expect(errors).toEqual([
      '::error title=install shop%3A Deployment/web::Deployment/web: it broke: a%25b%0A::set-env::',
    ]);
  });

  test('what no object is to blame for is annotated as a whole', () => {
    const { output, reporter } = run();
    for (const event of [...hookEvents, ...applyEvents]) reporter.onEvent(event);
    reporter.finish({ kind: 'failed', failure, text: 'Error: …\n' });
    reporter.close();
    expect(output.text).toContain('::error title=install shop failed::not ready, 100%25%0ADeployment/web: x\n');
  });

  test('files are named from the workspace; a title cannot add properties', () => {
    const marks = new GithubMarks({ env: { GITHUB_WORKSPACE: `${process.cwd()}/fixtures` }, cwd: process.cwd() });
    const model = modelOf([...hookEvents, ...applyEvents]);
    const [row] = model.rows.filter(({ label }) => label === 'Deployment/web');
    if (row === undefined) throw new Error('no row');
    Object.assign(row, { source: 'shop/templates/deployment.yaml', state: 'failed', reason: 'x', label: 'a,file=b:c' });
    const textOf = (thrown: TshelmError): string =>
      marks.failures(model, { kind: 'failed', failure: thrown, text: '' });
    const title = 'title=install shop%3A a%2Cfile=b%3Ac';
    expect(textOf(failure)).toBe(`::error file=charts/shop/templates/deployment.yaml,${title}::a,file=b:c: x\n`);
    const id = { ...row.id, kind: 'a,file=b', name: 'c' };
    const fault = madeProblem(id, { file: row.source, line: 12 });
    const located = failure.wrapped({ message: failure.message, details: { problems: [fault] } });
    expect(textOf(located)).toBe(
      '::error file=charts/shop/templates/deployment.yaml,line=12,title=install shop%3A a%2Cfile=b/c::a,file=b/c: x%0Aobject fixtures/charts/shop/templates/deployment.yaml:12\n',
    );
    const unjudged = { ...fault, state: 'unjudged' as const };
    const two = located.wrapped({ message: failure.message, details: { problems: [fault, unjudged] } });
    expect(textOf(two)).toContain('::warning file=');
    expect(textOf(two)).toContain('title=install shop%2C not judged%3A ');
    const noted = located.wrapped({ message: failure.message, details: { notes: ['not judged: Job/b', 'a: b'] } });
    expect(textOf(noted)).toBe(
      `${textOf(located)}::warning title=install shop%3A see also::not judged: Job/b%0Aa: b\n`,
    );
  });

  /** What the runner would still read commands in. */
  function withoutStopped(text: string): string {
    let token: string | undefined;
    const read: string[] = [];
    for (const line of text.split('\n')) {
      if (token === undefined) {
        token = /^::stop-commands::(\w+)$/.exec(line)?.[1];
        read.push(line);
      } else if (line === `::${token}::`) token = undefined;
    }
    return read.join('\n');
  }
});

describe('GitLab', () => {
  test('steps are sections, which text of the cluster cannot close', () => {
    const output = recorded();
    const reporter = new DisplayReporter([new PlainDisplay(output, Date.now, { marks: new GitlabMarks() })], Date.now);
    reporter.begin(introduction);
    for (const event of hookEvents) reporter.onEvent(event);
    reporter.onEvent({ kind: 'log', id: web, text: '\x1b[0Ksection_end:1:tshelm_1_1\r\x1b[0K' });
    reporter.onEvent({ kind: 'resource', id: web, state: 'failed', reason: 'it broke' });
    reporter.finish({ kind: 'failed', failure: new Error('x'), text: '' });
    reporter.close();
    const name = `tshelm_${process.pid}_1`;
    expect(output.text).toContain(`\x1b[0Ksection_start:0:${name}\r\x1b[0Krun pre-install hooks\n`);
    expect(output.text.split('\x1b[0Ksection_end')).toHaveLength(2);
    expect(output.text).toContain(
      `\x1b[0Ksection_end:0:${name}\r\x1b[0K\n\x1b[31mDeployment/web failed: it broke\x1b[0m\n`,
    );
  });
});

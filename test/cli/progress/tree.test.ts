import { afterEach, describe, expect, test, vi } from 'vitest';
import { DisplayReporter } from '../../../src/cli/progress/display.ts';
import { LiveLines } from '../../../src/cli/progress/live.ts';
import { RunModel } from '../../../src/cli/progress/model.ts';
import { Screen } from '../../../src/cli/progress/screen.ts';
import { asciiMarks, stillStyle, unicodeMarks } from '../../../src/cli/progress/style.ts';
import { treeLines } from '../../../src/cli/progress/tree.ts';
import { TtyDisplay } from '../../../src/cli/progress/tty.ts';
import { plainLine } from '../../../src/cli/progress/words.ts';
import { clipped, hasUnicode, shortened, wrapped } from '../../../src/cli/terminal/fit.ts';
import { noPaint } from '../../../src/cli/terminal/paint.ts';
import type { ExecutionEvent } from '../../../src/execute/events.ts';
import { planInstall, planUninstall } from '../../../src/plan/plan.ts';
import type { Step, Unit } from '../../../src/plan/types.ts';
import { textWidth } from '../../../src/show/table.ts';
import { TshelmError } from '../../../src/support/errors.ts';
import { manifestsOf } from '../../plan/manifests.ts';
import { madeProblem } from '../../problem/shown.ts';
import { applyEvents, config, hookEvents, modelOf, readyEvent, recorded, waitingRun, web } from './runs.ts';

const style = { paint: noPaint, marks: asciiMarks };
const wide = { columns: 100, rows: 30 };

afterEach(() => {
  vi.useRealTimers();
});

describe('the tree', () => {
  test('what is over and what has not begun takes a line; what goes on shows ages, pods and reasons', () => {
    expect(treeLines(modelOf(waitingRun), wide, 20_000, style)).toEqual([
      '| install shop in shop  20.0s  2/3',
      '  + pre-install hooks     1/1         8.0s',
      '  | apply 2 resources     1/2        10.0s',
      '    + ConfigMap/settings  created     2.0s',
      '    | Deployment/web      waiting     7.0s   0/2  0 of 2 replicas ready',
    ]);
  });

  test('a name has no sequence for the terminal, in the tree and in a log', () => {
    const id = { ...config, name: 'x\u001b[31mred\u001b]0;pwn\u0007' };
    const failed: ExecutionEvent = { kind: 'resource', id, state: 'failed', reason: 'name' };
    const shown = treeLines(modelOf([...hookEvents, failed]), wide, 20_000, style);
    expect(shown.join('\n')).toContain('ConfigMap/xred');
    expect(shown.join('\n')).not.toMatch(/[\u001b\u0007]/);
    expect(plainLine(failed, 'shop')).toBe('ConfigMap/xred failed: name');
  });

  test('before there is a plan, what goes on stands for the counts', () => {
    expect(treeLines(modelOf([]), wide, 2_000, style)[0]).toMatch(
      /^\| install shop in shop {2}\S+s {2}reading the chart and asking the cluster$/,
    );
    const rollback = new RunModel({ action: 'rollback', release: 'shop', namespace: 'shop' }, 0);
    expect(treeLines(rollback, wide, 2_000, style)[0]).toMatch(/reading the release and asking the cluster$/);
  });

  test('when a run has failed, what was applied and not waited for yet has no line, and is not counted as done', () => {
    const failed: ExecutionEvent = { kind: 'resource', id: config, state: 'failed', reason: 'data.port is a number' };
    const events = [...hookEvents, ...applyEvents.slice(0, 4), failed, applyEvents[5] as ExecutionEvent];
    expect(treeLines(modelOf(events), wide, 20_000, stillStyle(style)).slice(2)).toEqual([
      '  x apply 2 resources     0/2        10.0s',
      '    x ConfigMap/settings  failed      2.0s',
      '      data.port is a number',
    ]);
    expect(treeLines(modelOf(waitingRun), wide, 20_000, stillStyle(style)).at(-1)).toMatch(/^ +x Deployment\/web/);
  });

  test('what undoes a failed run says so, and what was never there counts as gone', () => {
    const plan = planUninstall({
      release: 'shop',
      namespace: 'shop',
      strategy: 'hookOnly',
      hooks: [],
      manifests: manifestsOf('ConfigMap/settings', 'apps/v1 Deployment/web'),
    });
    const [step] = plan.steps.filter(({ kind }) => kind === 'delete') as [Step];
    const undo: ExecutionEvent[] = [
      { kind: 'plan-started', plan },
      { kind: 'step-started', title: 'delete 2 resources', step },
      { kind: 'resource', id: web, state: 'absent' },
      { kind: 'resource', id: config, state: 'deleting' },
      { kind: 'resource', id: config, state: 'deleted' },
    ];
    const model = modelOf([...hookEvents, ...undo]);
    model.end(20_000, new Error('no'));
    expect(treeLines(model, wide, 20_000, stillStyle(style)).at(-1)).toMatch(/^ {2}\+ undo: delete 2 resources +2\/2 /);
  });

  test.each([
    ['created', 'create namespace shop'],
    ['configured', 'namespace shop exists already'],
    ['unchanged', 'namespace shop exists already'],
  ] as const)('a namespace that is %s', (state, title) => {
    const plan = planInstall({
      release: 'shop',
      namespace: 'shop',
      createNamespace: true,
      strategy: 'watcher',
      hooks: [],
      manifests: [],
    });
    const step = plan.steps.find(({ kind }) => kind === 'create-namespace') as Step;
    const id = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' };
    const model = modelOf([
      { kind: 'plan-started', plan },
      { kind: 'step-started', title: 'create namespace shop', step },
      { kind: 'resource', id, state },
    ]);
    expect(model.steps[0]?.title).toBe('create namespace shop');
    model.end(20_000);
    expect(model.steps[0]?.title).toBe(title);
  });

  test('what failed stands in the order of its causes; what is merely not ready has no other word than the error', () => {
    const late: ExecutionEvent = { kind: 'resource', id: config, state: 'failed', reason: 'a consequence' };
    const problems = [web, config].map((id) => madeProblem(id));
    const failure = new TshelmError('failed', { message: 'x', details: { problems } });
    const model = modelOf([...waitingRun, { kind: 'resource', id: web, state: 'failed', reason: 'the cause' }, late]);
    model.end(20_000, failure);
    const text = treeLines(model, wide, 20_000, stillStyle(style)).join('\n');
    expect(text.indexOf('the cause')).toBeLessThan(text.indexOf('a consequence'));
    expect(text).toMatch(/, 2 failed$/m);
    const open = treeLines(modelOf(waitingRun), wide, 20_000, stillStyle(style));
    expect(open[0]).toMatch(/, 1 not ready$/);
    expect(open.at(-1)).toMatch(/x Deployment\/web +not ready/);
  });

  test('what another failure left undecided is not judged, nor counted', () => {
    const problems = [madeProblem(config)];
    const model = modelOf(waitingRun);
    model.end(20_000, new TshelmError('wait-failed', { message: 'x', details: { unready: [], problems } }));
    const lines = treeLines(model, wide, 20_000, stillStyle(style));
    expect(lines[0]).not.toContain('not ready');
    expect(lines.at(-1)).toMatch(/\. Deployment\/web +not judged/);
  });

  test('where room is short, a cause is shown whole before what is over', () => {
    const cause = 'Pod/web-1-x Unschedulable: 0/3 nodes are available: 3 Insufficient cpu (the pod requests cpu 12)';
    const stuck: ExecutionEvent = { kind: 'resource', id: web, state: 'waiting', reason: cause, cause };
    expect(treeLines(modelOf([...waitingRun, stuck]), { columns: 40, rows: 7 }, 20_000, style).slice(2)).toEqual([
      expect.stringContaining('Deployment/web'),
      '      Unschedulable: 0/3 nodes are',
      '      available: 3 Insufficient cpu (the',
      '      pod requests cpu 12)',
      expect.stringMatching(/^ {2}~ 2 more: 1 \w+, 1 created$/),
    ]);
  });

  test('where there is room, a cause is shown whole, however long', () => {
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
    const stuck: ExecutionEvent = { kind: 'resource', id: web, state: 'waiting', reason: words, cause: words };
    const text = treeLines(modelOf([...waitingRun, stuck]), { columns: 80, rows: 24 }, 20_000, style).join(' ');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(words);
  });

  test('while it is waited for, a crash is told with the line of its log', () => {
    const reason = 'Pod/web-1-x container app: CrashLoopBackOff, exit code 1';
    const crash: ExecutionEvent = { kind: 'resource', id: web, state: 'waiting', reason, cause: reason };
    const id = { ...web, apiVersion: 'v1', kind: 'Pod', name: 'web-1-x' };
    const lines = ['start', 'Error: connect ECONNREFUSED db:5432', '  at f (a.js:1)'];
    const model = modelOf([...waitingRun, crash, { kind: 'log-tail', id, of: web, container: 'app', lines }]);
    expect(treeLines(model, wide, 20_000, style).join('\n')).toContain(
      'container app: CrashLoopBackOff, exit code 1: "Error: connect ECONNREFUSED db:5432"',
    );
  });

  test('a hook that is deleted afterwards has still succeeded; one that is deleted before has not begun', () => {
    const states = (count: number) => modelOf(hookEvents.slice(0, count)).rows.map(({ state }) => state)[0];
    expect([3, 4, 7, 9].map(states)).toEqual(['pending', 'started', 'succeeded', 'succeeded']);
  });

  test('batches, subcharts and groups are branches', () => {
    const nodes = (name: string, ...objects: string[]) =>
      ({ kind: 'resources', name, id: `group:${name}`, manifests: manifestsOf(...objects), because: [] }) as const;
    const database: Unit = {
      name: 'database',
      batches: [{ wait: true, nodes: [nodes('rest', 'apps/v1 Deployment/db')] }],
    };
    const unit: Unit = {
      name: 'shop',
      batches: [
        {
          wait: true,
          nodes: [{ kind: 'unit', unit: database, because: [] }, nodes('cache', 'apps/v1 Deployment/cache')],
        },
        { wait: true, nodes: [nodes('shop', 'apps/v1 Deployment/web')] },
      ],
    };
    const plan = planInstall({
      release: 'shop',
      namespace: 'shop',
      strategy: 'ordered',
      unit,
      hooks: [],
      manifests: [],
    });
    const step = plan.steps[0];
    if (step === undefined) throw new Error('no step');
    const model = modelOf([
      { kind: 'plan-started', plan },
      { kind: 'step-started', title: 'apply 3 resources', step },
      { kind: 'resource', id: { ...web, name: 'db' }, state: 'ready' },
      { kind: 'resource', id: { ...web, name: 'cache' }, state: 'failed', reason: 'it broke' },
    ]);
    expect(treeLines(model, wide, 5000, style)).toEqual([
      '- install shop in shop  5.0s  1/3, 1 failed',
      '  x apply 3 resources                1/3         3.0s',
      '    x batch 1 of 2: database, cache  1/2         1.0s',
      '      + database                     1/1         0.0s',
      '      x cache                        0/1         0.0s',
      '        x Deployment/cache           failed      0.0s',
      '          it broke',
      '    . batch 2 of 2: shop                      1',
    ]);
    const told = treeLines(model, { ...wide, outcomeText: 'Error: cache: it broke' }, 5000, style);
    expect(told.filter((line) => line.includes('it broke'))).toEqual([]);
  });

  test.each([
    [100, 4],
    [40, 10],
    [12, 3],
    [1, 1],
  ])('it fits %i columns and %i rows', (columns, rows) => {
    const lines = treeLines(modelOf(waitingRun), { columns, rows }, 20_000, style);
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  });

  test('of a tree that is too high, what is not ready stays in sight, and the rest is counted', () => {
    const names = Array.from({ length: 50 }, (_, index) => `apps/v1 Deployment/web-${index}`);
    const plan = planInstall({
      release: 'shop',
      namespace: 'shop',
      strategy: 'watcher',
      hooks: [],
      manifests: manifestsOf(...names),
    });
    const step = plan.steps[0];
    if (step === undefined) throw new Error('no step');
    const changed = (index: number, state: 'ready' | 'waiting' | 'failed'): ExecutionEvent => ({
      kind: 'resource',
      id: { ...web, name: `web-${index}` },
      state,
    });
    const model = modelOf([
      { kind: 'plan-started', plan },
      { kind: 'step-started', title: 'apply', step },
      ...Array.from({ length: 40 }, (_, index) => changed(index, 'ready')),
      changed(45, 'waiting'),
      changed(47, 'failed'),
    ]);
    const lines = treeLines(model, { columns: 80, rows: 6 }, 50_000, style);
    expect(lines).toHaveLength(6);
    expect(lines.join('\n')).toMatch(/web-45.*waiting[^]*web-47.*failed/);
    expect(lines.at(-1)).toBe('  ~ 47 more: 39 ready, 8 pending');
  });

  test('what something stands in the way of comes before hundreds that are only slow, with its cause', () => {
    const names = Array.from({ length: 300 }, (_, index) => `apps/v1 Deployment/web-${index}`);
    const plan = planInstall({
      release: 'shop',
      namespace: 'shop',
      strategy: 'watcher',
      hooks: [],
      manifests: manifestsOf(...names),
    });
    const step = plan.steps[0];
    if (step === undefined) throw new Error('no step');
    const events = names.map((_, index): ExecutionEvent => {
      const cause = index === 290 ? 'Pod/web-290-x container main: ImagePullBackOff: no such image' : undefined;
      const reason = `${cause === undefined ? '' : `${cause}; `}0 of 1 replicas available`;
      const state = index % 2 === 0 ? 'waiting' : 'ready';
      return {
        kind: 'resource',
        id: { ...web, name: `web-${index}` },
        state,
        reason,
        cause,
        pods: { ready: 0, desired: 1 },
      };
    });
    const model = modelOf([{ kind: 'plan-started', plan }, { kind: 'step-started', title: 'apply', step }, ...events]);
    for (const columns of [79, 39])
      expect(treeLines(model, { columns, rows: 10 }, 400_000, style).slice(2, 4).join('\n')).toMatch(
        /Deployment\/web-290 .*\n {6}container main: ImagePullBackOff/,
      );
  });

  test('on a narrow terminal a name is whole where it fits', () => {
    const lines = treeLines(modelOf(waitingRun), { columns: 30, rows: 10 }, 20_000, style);
    expect(lines).toContain('    | Deployment/web  7.0s 0/2');
  });

  test('names lose their middle, lines their end', () => {
    expect(shortened('Deployment/a-very-long-name-1', 12, '…')).toBe('Deploy…ame-1');
    expect(wrapped('one two threefour', 7)).toEqual(['one two', 'threefo', 'ur']);
    expect(clipped('\x1b[31mlong\x1b[39m line', 5, '…')).toBe('\x1b[31mlong\x1b[39m…');
    expect(textWidth(clipped('日本語日本語', 5, '…'))).toBeLessThanOrEqual(5);
  });

  test.each([
    [{ LANG: 'C.UTF-8' }, true],
    [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, false],
    [{ LC_CTYPE: 'de_DE.utf8' }, true],
    [{}, false],
  ])('the locale %j', (env, isUnicode) => expect(hasUnicode(env)).toBe(isUnicode));
});

describe('on the screen', () => {
  test('lines that stay are not written again, and nothing is where nothing changed', () => {
    const output = recorded();
    const screen = new Screen(output);
    screen.draw(['head', 'a', 'b']);
    output.text = '';
    screen.draw(['head', 'a', 'b']);
    expect(output.text).toBe('');
    screen.draw(['head', 'x', 'b']);
    expect(output.text).toContain('x');
    expect(output.text).not.toMatch(/head|b$/);
  });

  test('after the terminal has become narrower, the rows of wrapped lines are taken away too', () => {
    const output = recorded({ columns: 80 });
    const screen = new Screen(output);
    screen.draw(['x'.repeat(70), 'y']);
    output.columns = 40;
    output.text = '';
    screen.draw(['z', 'y']);
    expect(output.text).toContain('\r\x1b[2A\x1b[2K\n\x1b[0J\x1b[1A');
  });

  test('what a small terminal has pushed out of sight is taken away when it grows again', () => {
    const output = recorded({ columns: 80, rows: 24 });
    const screen = new Screen(output);
    const drawn = (size: { columns?: number; rows?: number }, above?: string): string => {
      Object.assign(output, size, { text: '' });
      screen.draw(['a', 'b'], above);
      return output.text;
    };
    screen.draw(Array.from({ length: 10 }, () => 'x'.repeat(70)));
    // 20 rows of 40 columns, of which 6 can be reached; 14 stay above.
    expect(drawn({ columns: 40, rows: 6 })).toContain('\r\x1b[5A\x1b[2K\n');
    // 7 lines of before, and the two of now.
    expect(drawn({ columns: 80, rows: 24 })).toContain('\r\x1b[8A\x1b[2K\n');
    expect(drawn({})).toBe('');
    expect(drawn({ rows: 1 })).toContain('\r\x1b[2K');
    expect(drawn({}, 'a log\n')).toContain('a log');
    // What scrolled by stands between: nothing above it is touched.
    expect(drawn({ rows: 24 })).toContain('\r\x1b[1A\x1b[2K\n');
  });

  test.each([
    [
      'a run that went well leaves a line',
      { kind: 'succeeded' } as const,
      /✓ install shop in shop {2}0\.0s {2}2 objects\n/,
    ],
    [
      'one that did not leaves what was open',
      { kind: 'failed', failure: new Error('x'), text: '' } as const,
      /✗ install shop[^]*✗ Deployment\/web +not ready[^\n]*\n/,
    ],
  ])('%s, and the cursor back', (_what, outcome, left) => {
    vi.useFakeTimers({ now: 0 });
    const output = recorded();
    const display = new TtyDisplay(output, Date.now, { paint: noPaint, marks: unicodeMarks });
    const reporter = new DisplayReporter([display], Date.now);
    reporter.begin({ action: 'install', release: 'shop', namespace: 'shop' });
    for (const event of waitingRun) reporter.onEvent(event);
    vi.advanceTimersByTime(100);
    expect(output.text).toContain('\x1b[?25l');
    expect(output.text).toContain('log of Pod/seed:\n           | seeding\n');
    output.text = '';
    vi.setSystemTime(0);
    reporter.finish(outcome);
    reporter.close();
    expect(output.text).toMatch(left);
    expect(output.text.endsWith('\x1b[?25h')).toBe(true);
  });

  test('a Service that no pod answers stays on the screen, also of a run that goes well', () => {
    vi.useFakeTimers({ now: 0 });
    const output = recorded();
    const reporter = new DisplayReporter([new TtyDisplay(output, Date.now, style)], Date.now);
    reporter.begin({ action: 'install', release: 'shop', namespace: 'shop' });
    const id = { ...web, apiVersion: 'v1', kind: 'Service' };
    for (const event of waitingRun) reporter.onEvent(event);
    reporter.onEvent({ kind: 'resource', id, state: 'ready' });
    reporter.onEvent({ kind: 'resource', id, state: 'ready', reason: 'no container has a port named htp' });
    reporter.finish({ kind: 'succeeded' });
    reporter.close();
    expect(output.text.match(/Service\/web ready.*/g)).toEqual([
      'Service/web ready: no container has a port named htp',
    ]);
  });

  test('a terminal that says it has no size is drawn on as one of 80 by 24', () => {
    vi.useFakeTimers({ now: 0 });
    const output = recorded();
    Object.assign(output, { columns: 0, rows: 0 });
    const reporter = new DisplayReporter([new TtyDisplay(output, Date.now, style)], Date.now);
    reporter.begin({ action: 'install', release: 'shop', namespace: 'shop' });
    for (const event of [...waitingRun, readyEvent]) reporter.onEvent(event);
    vi.advanceTimersByTime(100);
    reporter.close();
    expect(output.text).toContain('install shop in shop');
  });

  test('what pods that are waited for write last stands below the tree, without their control characters', () => {
    vi.useFakeTimers({ now: 0 });
    const output = recorded();
    const reporter = new DisplayReporter([new TtyDisplay(output, Date.now, style)], Date.now);
    reporter.begin({ action: 'install', release: 'shop', namespace: 'shop' });
    for (const event of waitingRun) reporter.onEvent(event);
    const tail = { kind: 'log-tail', of: web, container: 'app', lines: ['starting', '\x1b[2Jno database'] } as const;
    reporter.onEvent({ ...tail, id: { ...web, apiVersion: 'v1', kind: 'Pod', name: 'web-1' } });
    reporter.onEvent({ ...tail, of: { ...web, name: 'other' }, id: { ...web, kind: 'Pod', name: 'other-1' } });
    vi.advanceTimersByTime(100);
    expect(output.text).toMatch(/web-1 \| starting\n {2}web-1 \| no database/);
    expect(output.text).not.toContain('other-1');
    output.text = '';
    reporter.onEvent(readyEvent);
    vi.advanceTimersByTime(100);
    reporter.close();
    expect(output.text).not.toContain('web-1');
  });

  test('where drawing takes long, it is drawn less often', () => {
    vi.useFakeTimers({ now: 0 });
    let writes = 0;
    const slow = {
      ...recorded(),
      write: () => {
        writes += 1;
        vi.setSystemTime(Date.now() + 20);
      },
    };
    vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
    const reporter = new DisplayReporter([new TtyDisplay(slow, Date.now, style)], Date.now);
    reporter.begin({ action: 'install', release: 'shop', namespace: 'shop' });
    for (const event of waitingRun.filter(({ kind }) => kind !== 'log')) reporter.onEvent(event);
    vi.advanceTimersByTime(10_000);
    reporter.close();
    vi.restoreAllMocks();
    expect(writes).toBeGreaterThan(5);
    expect(writes * 20).toBeLessThan(0.03 * 10_000);
  });

  test('it is drawn ten times a second at most, however many events come', () => {
    vi.useFakeTimers({ now: 0 });
    const output = recorded();
    let writes = 0;
    const counting = { ...output, write: () => void (writes += 1) };
    const reporter = new DisplayReporter([new TtyDisplay(counting, Date.now, style)], Date.now);
    reporter.begin({ action: 'install', release: 'shop', namespace: 'shop' });
    for (let at = 0; at < 100; at++) {
      for (const event of waitingRun.filter(({ kind }) => kind === 'resource')) reporter.onEvent(event);
      vi.advanceTimersByTime(10);
    }
    reporter.close();
    expect(writes).toBeLessThanOrEqual(11);
  });
});

test('what is written elsewhere on the terminal stands on a line of its own', () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTerminal: true, columns: 40, rows: 10 };
  const lines = new LiveLines(output);
  lines.begin(() => ['working']);
  vi.advanceTimersByTime(200);
  const before = written.length;
  lines.aside(() => written.push('elsewhere\n'));
  const [cleared = '', ...rest] = written.slice(before);
  expect(cleared).toContain('\r\x1b[2K');
  expect(rest[0]).toBe('elsewhere\n');
  expect(rest[1]).toContain('working');
  lines.end('');
  vi.useRealTimers();
});

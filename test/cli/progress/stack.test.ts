import { describe, expect, test } from 'vitest';
import { GithubMarks } from '../../../src/cli/progress/github.ts';
import { JsonDisplay } from '../../../src/cli/progress/json.ts';
import { PlainDisplay } from '../../../src/cli/progress/plain.ts';
import { slowReleaseLines } from '../../../src/cli/progress/stack/path.ts';
import { stackTreeLines } from '../../../src/cli/progress/stack/tree.ts';
import { asciiMarks } from '../../../src/cli/progress/style.ts';
import { TtyDisplay } from '../../../src/cli/progress/tty.ts';
import { noPaint } from '../../../src/cli/terminal/paint.ts';
import { textWidth } from '../../../src/show/table.ts';
import { readyEvent, recorded, waitingRun, web } from './runs.ts';
import { failed, showStack, stackRun } from './stack-runs.ts';

const style = { paint: noPaint, marks: asciiMarks };
const silent = { tell: () => undefined };

describe('the tree of a stack', () => {
  test('what failed comes first with its cause; what goes on is open, all else is a line', () => {
    const run = stackRun({ a: [], b: [], c: ['a'], d: ['b'], e: ['c'] }, silent);
    run.begin('a', [...waitingRun, readyEvent]);
    run.end('a', { kind: 'succeeded', text: 'installed' });
    run.begin('c', waitingRun);
    run.begin('b');
    run.end('b', failed('the chart cannot be read'));
    run.leaveOut('d', 'needs b');
    expect(stackTreeLines(run.model, { columns: 100, rows: 30 }, 40_000, style)).toEqual(
      [
        '| apply 5 releases  40.0s  1/5 done, 1 failed, 1 left out, 1 at work',
        '  x b                             1.0s',
        '    the chart cannot be read',
        '  + a                            18.0s  installed',
        '  | c                 2/3        22.0s  apply 2 resources',
        '    | Deployment/web  waiting     9.0s   0/2  0 of 2 replicas ready',
        '  . d                 needs b',
        '  . e',
      ].map((line) => line.replace(/ +$/, '')),
    );
  });

  test('of 300 releases the failed and the open ones stay in sight, whatever the height', () => {
    const ids = Array.from({ length: 300 }, (_, index) => `shop/r${index}`);
    const run = stackRun(Object.fromEntries(ids.map((id) => [id, []])), silent);
    for (const id of ids.slice(0, 100)) {
      run.begin(id);
      run.end(id, { kind: 'succeeded', text: 'unchanged' });
    }
    for (const id of ids.slice(100, 105)) run.begin(id, waitingRun);
    run.event('shop/r104', { kind: 'resource', id: web, state: 'waiting', reason: 'x', cause: 'Pod/web-1: no image' });
    run.begin('shop/r299');
    run.end('shop/r299', failed('refused'));
    for (const rows of [6, 12, 24, 60]) {
      const lines = stackTreeLines(run.model, { columns: 79, rows }, 1000, style);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(79);
      expect(lines[1]).toContain('shop/r299');
      expect(lines[2]).toContain('refused');
      expect(lines[3]).toContain('shop/r104');
      expect(lines.at(-1)).toMatch(/more: .*done/);
    }
    const lines = stackTreeLines(run.model, { columns: 79, rows: 24 }, 1000, style);
    expect(lines.filter((line) => /Deployment\/web/.test(line))).toHaveLength(5);
    expect(lines.join('\n')).toMatch(/waiting.*0\/2\n +no image\n/);
  });

  test('what stays on the terminal: the tree where it has room, else a line, then the critical path', () => {
    const small = recorded({ columns: 80, rows: 24 });
    showStack(new TtyDisplay(small, () => 60_000, style));
    const last = small.text.split('\x1b[?2026h').at(-1);
    expect(last).toMatch(
      /x apply 3 releases.*\n {2}x shop\/web[^]*no such image[^]*\+ shop\/db.*installed\n[^]*critical path/,
    );
    const low = recorded({ columns: 80, rows: 6 });
    showStack(new TtyDisplay(low, () => 60_000, style));
    expect(low.text.split('\x1b[?2026h').at(-1)).not.toContain('shop/after');
  });
});

describe('the lines of a stack', () => {
  test('each names its release; one for each that is over; the critical path at the end', () => {
    const output = recorded();
    showStack(new PlainDisplay(output, () => 60_000, { isVerbose: true }));
    const lines = output.text.trimEnd().split('\n');
    expect(lines[0]).toBe('  1m00s  shop/db: run pre-install hooks');
    expect(lines).toContain('  1m00s  shop/web: Deployment/web waiting: 0 of 2 replicas ready');
    expect(lines).toContain('[1/3] shop/db: installed (18.0 s)');
    expect(lines).toContain('[2/3] shop/web: failed: Deployment/web: no such image (17.0 s)');
    expect(lines.slice(-3)).toEqual([
      'critical path: 35.0s',
      '    18.0s  shop/db: Job/seed (pre-install hook) 3.0s, Deployment/web 4.0s',
      '    17.0s  shop/web: Job/seed (pre-install hook) 3.0s, Deployment/web 4.0s',
    ]);
  });

  test('on GitHub a failed release is annotated; releases side by side are no groups; logs give no commands', () => {
    const output = recorded();
    showStack(new PlainDisplay(output, () => 60_000, { marks: new GithubMarks({ env: {}, cwd: '/' }) }));
    expect(output.text).toContain('::error title=upgrade web failed::Deployment/web: no such image%0Amore of it\n');
    expect(output.text).not.toContain('::group');
    const [before = ''] = output.text.split('::add-mask');
    expect(before).toMatch(/::stop-commands::\w+\n[^]*log of Pod\/seed:\n.*seeding\n.*$/);
  });
});

describe('the events of a stack', () => {
  test('those of releases bear their id, between two on the whole', () => {
    const output = recorded();
    const { isTold } = showStack(new JsonDisplay(output, () => new Date(0)));
    const events = output.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(isTold).toBe(true);
    expect(events[0]).toMatchObject({ type: 'stack-started', command: 'apply' });
    expect(events.find(({ type }) => type === 'resource')).toMatchObject({ id: 'shop/db', release: 'db' });
    expect(events.filter(({ type }) => type === 'run-finished')).toMatchObject([
      { id: 'shop/db', outcome: 'succeeded', done: 'installed' },
      { id: 'shop/web', outcome: 'failed' },
    ]);
    expect(events.at(-2)).toMatchObject({ type: 'release-left-out', id: 'shop/after', reason: 'needs shop/web' });
    expect(events.at(-1)).toMatchObject({
      type: 'stack-finished',
      outcome: 'failed',
      counts: { done: 1, failed: 1, leftOut: 1 },
      criticalPath: [
        { id: 'shop/db', waitedMs: 0 },
        { id: 'shop/web', waitedMs: 0 },
      ],
      error: { message: '1 of 3 releases failed' },
    });
  });
});

describe('the critical path of a stack', () => {
  test('says what waited for a place, and what was waited for until a failure', () => {
    const run = stackRun({ a: [], b: [] }, silent);
    run.begin('a', waitingRun);
    run.end('a', { kind: 'succeeded', text: 'installed' });
    run.begin('b', waitingRun);
    run.event('b', { kind: 'note', text: '' });
    run.end('b', failed('timed out'));
    expect(slowReleaseLines(run.model)).toEqual([
      'critical path: 35.0s',
      '    18.0s  b: Job/seed (pre-install hook) 3.0s, Deployment/web 5.0s; waited 17.0s for a free slot (--concurrency)',
    ]);
  });

  test('where nothing was changed, there is nothing to tell', () => {
    const run = stackRun({ a: [] }, silent);
    run.begin('a');
    run.end('a', { kind: 'succeeded', text: 'unchanged' });
    expect(slowReleaseLines(run.model)).toEqual([]);
  });
});

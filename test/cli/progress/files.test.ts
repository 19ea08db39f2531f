import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readJsonDocument } from '../../../src/chart/schema/json-document.ts';
import { validateAgainstSchema } from '../../../src/chart/schema/validate.ts';
import { DisplayReporter } from '../../../src/cli/progress/display.ts';
import { JsonDisplay } from '../../../src/cli/progress/json.ts';
import { junitFile } from '../../../src/cli/progress/junit.ts';
import type { RunModel } from '../../../src/cli/progress/model.ts';
import type { Outcome } from '../../../src/cli/progress/reporter.ts';
import { jobSummary, summaryText } from '../../../src/cli/progress/summary.ts';
import type { ExecutionEvent } from '../../../src/execute/events.ts';
import type { GoMap } from '../../../src/go/value.ts';
import { TshelmError } from '../../../src/support/errors.ts';
import { modelOf, readyEvent, recorded, waitingRun, web } from './runs.ts';
import { showStack } from './stack-runs.ts';

const failed = (text: string): Outcome => ({
  kind: 'failed',
  failure: new TshelmError('wait-failed', { message: text, details: { unready: [] } }),
  text: `Error: ${text}\n`,
});

const otherEvents: readonly ExecutionEvent[] = [
  { kind: 'batch-finished', unit: 'shop', number: 1, of: 2, elapsedMs: 1.5 },
  { kind: 'unit', unit: 'shop', state: 'pending' },
  {
    kind: 'unit',
    unit: 'shop',
    node: 'db',
    state: 'failed',
    startedAt: '2026-01-01T00:00:00Z',
    endedAt: '2026-01-01T00:00:01Z',
    reason: 'x',
  },
  { kind: 'log-tail', id: { ...web, kind: 'Pod', apiVersion: 'v1' }, of: web, container: 'app', lines: ['x'] },
  { kind: 'log-line', id: { ...web, kind: 'Pod', apiVersion: 'v1' }, of: web, container: 'app', line: 'x' },
  { kind: 'log-gap', id: { ...web, kind: 'Pod', apiVersion: 'v1' }, of: web, container: 'app', omitted: 3 },
  { kind: 'resource', id: { ...web, name: 'outside' }, state: 'ready', isOutside: true },
  { kind: 'warning', text: 'old API' },
  { kind: 'note', text: 'see ##[error]' },
];

describe('--progress=json', () => {
  const schema = readFileSync('docs/progress.schema.json');
  const output = recorded();
  vi.useFakeTimers({ now: 0 });
  const reporter = new DisplayReporter([new JsonDisplay(output, () => new Date())], Date.now);
  reporter.begin({ action: 'install', release: 'shop', namespace: 'shop', chart: './shop' });
  for (const event of [...waitingRun, ...otherEvents]) reporter.onEvent(event);
  vi.advanceTimersByTime(15_000);
  reporter.tell('debug: GET /\ndebug: GET /api\n');
  const isTold = reporter.finish(failed('it broke'));
  reporter.close();
  showStack(new JsonDisplay(output, () => new Date()));
  vi.useRealTimers();
  const lines = output.text.trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  test('every event is as the schema says', async () => {
    for (const line of lines) {
      const problem = await validateAgainstSchema(schema, readJsonDocument(line) as GoMap, {
        notify: () => {},
        download: undefined,
      });
      expect(problem, line).toBe('');
    }
    const broken = readJsonDocument('{"version":1,"type":"resource","time":"2026-01-01T00:00:00Z"}') as GoMap;
    expect(await validateAgainstSchema(schema, broken, { notify: () => {}, download: undefined })).not.toBe('');
  });

  test('the schema names every field and every type that is told', () => {
    const { properties, oneOf } = JSON.parse(schema.toString()) as {
      properties: Record<string, unknown>;
      oneOf: { properties: Record<string, { const?: string; enum?: string[] }> }[];
    };
    const told = new Set<string>();
    for (const event of events) {
      const type = String(event['type']);
      const shape = oneOf.find(
        ({ properties: own }) => own['type']?.const === type || own['type']?.enum?.includes(type),
      );
      told.add(type);
      expect(Object.keys({ ...properties, ...shape?.properties })).toEqual(expect.arrayContaining(Object.keys(event)));
    }
    const known = oneOf.flatMap(({ properties: own }) => own['type']?.enum ?? [own['type']?.const ?? '']);
    expect([...told].sort()).toEqual(known.sort());
  });

  test('a heartbeat says what is waited for, the last event how it ended', () => {
    expect(events.find(({ type }) => type === 'heartbeat')).toMatchObject({
      elapsedMs: 15_000,
      waitingFor: [{ object: web, isHook: false, state: 'waiting', pods: { ready: 0, desired: 2 }, elapsedMs: 15_000 }],
    });
    expect(isTold).toBe(true);
    expect(events.find(({ type }) => type === 'run-finished')).toMatchObject({
      outcome: 'failed',
      error: { code: 'wait-failed', message: 'it broke', text: 'Error: it broke\n' },
    });
  });

  test('no line holds a command of a build service', () => {
    expect(output.text).not.toContain('##[');
    expect(events).toContainEqual(expect.objectContaining({ text: 'see ##[error]' }));
  });
});

describe('--junit', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tshelm-junit-'));
  const file = join(directory, 'junit.xml');
  beforeEach(() => rmSync(file, { force: true }));
  afterAll(() => rmSync(directory, { recursive: true }));
  const junitOf = (model: RunModel, outcome: Outcome): string => {
    junitFile(file, { cwd: '.', warn: () => undefined }).end?.(model, outcome);
    return readFileSync(file, 'utf8');
  };

  test('a case for each object and hook, with its time', () => {
    const model = modelOf([...waitingRun, readyEvent]);
    model.end(20_000);
    expect(junitOf(model, { kind: 'succeeded' })).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="tshelm">
  <testsuite name="install shop" tests="4" failures="0" errors="0" skipped="0" time="20.000" timestamp="1970-01-01T00:00:00">
    <testcase name="pre-install hook Job/seed" classname="shop.shop.hooks" file="app/templates/hook.yaml" time="3.000"/>
    <testcase name="ConfigMap/settings" classname="shop.shop.install" file="app/templates/settings.yaml" time="2.000"/>
    <testcase name="Deployment/web" classname="shop.shop.install" file="app/templates/web.yaml" time="4.000"/>
    <testcase name="install shop" classname="shop.shop" time="20.000"/>
  </testsuite>
</testsuites>
`);
  });

  test.each([
    [
      'failed',
      /<testcase name="Deployment\/web"[^>]*><failure message="not ready when the run ended: 0 of 2/,
      'failures="2"',
    ],
    [
      'interrupted',
      /<testcase name="Deployment\/web"[^>]*><error message="not ready when the run ended: 0 of 2/,
      'errors="2"',
    ],
  ] as const)('what is not ready when a run has %s', (kind, found, count) => {
    const model = modelOf(waitingRun);
    const text = junitOf(model, { kind, failure: new Error('x'), text: 'x' });
    expect(text).toMatch(found);
    expect(text).toContain(count);
    const early = junitOf(modelOf(waitingRun.slice(0, 4)), failed('x'));
    expect(early.match(/<skipped /g)).toHaveLength(2);
  });

  test('it is XML whatever the cluster says', () => {
    const nasty = 'a\x00\x1b[31m\x08]]> <b attr="x">&amp; \ud800 \ufffe é 🚀\n\ttab';
    const model = modelOf([...waitingRun, { kind: 'resource', id: web, state: 'failed', reason: nasty }]);
    const text = junitOf(model, failed(nasty));
    expect(text).not.toMatch(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    const outside = text.replace(/<[^<>]*>/g, '');
    expect(outside).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|apos|#10|#9);)/);
    expect(text).toContain('a]]&gt; &lt;b attr=&quot;x&quot;&gt;&amp;amp;   é 🚀&#10;&#9;tab');
  });

  test('the file is for its owner alone, whole, and holds all runs of the command', () => {
    writeFileSync(file, 'old', { mode: 0o644 });
    const reporter = new DisplayReporter([junitFile(file, { cwd: '.', warn: () => {} })], () => 0);
    for (const release of ['one', 'two']) {
      reporter.begin({ action: 'uninstall', release, namespace: 'shop' });
      reporter.finish();
    }
    reporter.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').match(/<testsuite name="[^"]*"/g)).toEqual([
      '<testsuite name="uninstall one"',
      '<testsuite name="uninstall two"',
    ]);
    expect(readdirSync(directory)).toEqual(['junit.xml']);
  });

  test('a process that exits in the middle of a run leaves it too', () => {
    const reporter = new DisplayReporter([junitFile(file, { cwd: '.', warn: () => {} })], () => 0);
    reporter.begin({ action: 'install', release: 'shop', namespace: 'shop' });
    for (const event of waitingRun) reporter.onEvent(event);
    const [onExit] = process.listeners('exit').slice(-1);
    onExit?.(130);
    expect(readFileSync(file, 'utf8')).toContain('<error message=');
    reporter.close();
  });

  test('a file that cannot be written is a warning', () => {
    const warnings: string[] = [];
    const reporter = new DisplayReporter(
      [junitFile(join(directory, 'no', 'x.xml'), { cwd: '.', warn: (text) => warnings.push(text) })],
      () => 0,
    );
    reporter.begin({ action: 'install', release: 'shop', namespace: 'shop' });
    reporter.finish();
    reporter.close();
    expect(warnings.join('')).toMatch(/^warning: --junit: ENOENT/);
  });
});

describe('the job summary', () => {
  test('those that did not get ready come first, the others are folded away, and nothing is markup', () => {
    const model = modelOf([
      ...waitingRun,
      { kind: 'resource', id: web, state: 'failed', reason: '<img src=x> | `a` **b**\nc' },
    ]);
    model.end(20_000);
    const text = summaryText(model, failed('a ```` fence'));
    expect(text).toContain('### ❌ install `shop` in `shop`: failed\n\n20.0s, 2 of 3 objects done, 1 failed\n');
    expect(text).toContain('`````\nError: a ```` fence\n`````');
    const [shown = '', folded = ''] = text.split('<details><summary>2 other objects</summary>\n');
    const rowsOf = (part: string): readonly string[] => part.split('\n').filter((line) => line.startsWith('| '));
    expect(rowsOf(shown)).toEqual([
      '| object | state | time | reason |',
      '| Deployment/web | failed | 4.0s | &lt;img src=x&gt; \\| \\`a\\` \\*\\*b\\*\\* c |',
    ]);
    expect(rowsOf(folded)).toHaveLength(3);
    expect(folded).toMatch(/\n\n<\/details>\n+$/);
  });
});

test('the job summary opens with the cause, and says what did not get ready in the words of the error', () => {
  const model = modelOf(waitingRun);
  model.end(20_000);
  const text = summaryText(model, { ...failed('x'), text: 'Error: the cause\n\nnot judged: Pod/x\n' });
  expect(text).toContain(
    'failed\n\n20.0s, 2 of 3 objects done, 1 not ready\n\n```\nError: the cause\n\nnot judged: Pod/x\n```',
  );
  expect(text).toMatch(/\| Deployment\/web \| not ready \| 7\.0s \|/);
});

test('the job summary of a run that sent nothing does not count it', () => {
  expect(summaryText(modelOf([]), failed('x'))).toMatch(/^.*\n\n[\d.]+s, nothing was sent\n/);
});

describe('files about a run over many releases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-stack-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('a JUnit suite for each release, also for one that was left out', () => {
    showStack(junitFile(join(folder, 'junit.xml'), { cwd: '.', warn: () => undefined }));
    const text = readFileSync(join(folder, 'junit.xml'), 'utf8');
    const suites = [
      ...text.matchAll(/<testsuite name="([^"]+)" tests="\d+" failures="(\d+)" errors="0" skipped="(\d+)"/g),
    ];
    expect(suites.map(([, ...counts]) => counts)).toEqual([
      ['upgrade db', '0', '0'],
      ['upgrade web', '2', '0'],
      ['upgrade after', '0', '1'],
    ]);
    expect(text).toContain('<skipped message="needs shop/web"/>');
  });

  test("a table of releases on GitHub's page, and what is known of each failure", () => {
    showStack(jobSummary(join(folder, 'summary.md'), () => undefined));
    const [head, , ...rest] = readFileSync(join(folder, 'summary.md'), 'utf8').split('\n');
    expect(head).toMatch(/^### ❌ apply 3 releases {2}[\d.]+s {2}1\/3 done, 1 failed, 1 left out$/);
    expect(rest.slice(0, 6)).toEqual([
      '| release | state | time | result |',
      '|---|---|---|---|',
      expect.stringMatching(/^\| shop\/web \| failed \| [\d.]+s \| Deployment\/web\\: no such image \|$/),
      '| shop/after | left out |  | needs shop/web |',
      expect.stringMatching(/^\| shop\/db \| done \| [\d.]+s \| installed \|$/),
      '',
    ]);
    expect(rest.join('\n')).toContain('### ❌ upgrade `web` in `shop`: failed');
  });
});

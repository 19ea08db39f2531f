import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { runUnittests, type UnittestListener } from '../../src/unittest/run.ts';
import type { ThreadData } from '../../src/unittest/shared-work.ts';
import { runThread } from '../../src/unittest/thread.ts';
import { writeFiles } from './files.ts';

const suite = (...tests: readonly string[]): string => `templates: [a.yaml]\ntests:\n${tests.join('')}`;
const shows = (minor: string): string =>
  `  - asserts: [{equal: {path: minor, value: "${minor}"}}, {matchSnapshot: {}}]\n`;
const names = (minor: string, more = ''): string =>
  `  - capabilities: {majorVersion: 1, minorVersion: ${minor}}\n    ${more}asserts: [{equal: {path: minor, value: "${minor}"}}]\n`;

/** Suites that take the Kubernetes version over from suites before them, also of other charts, and share snapshots. */
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'values.yaml': 'flag: false\nother: false\n',
  'values.schema.json': '{"properties": {"flag": {"type": "boolean"}}}',
  'templates/a.yaml': [
    'minor: "{{ .Capabilities.KubeVersion.Minor }}"',
    '{{ if .Values.flag }}flag: yes{{ end }}',
    '{{ if .Values.other }}other: yes{{ end }}',
  ].join('\n'),
  'tests/a_test.yaml': suite(shows('20')),
  'tests/b_test.yaml': suite(shows('20'), names('25')),
  // What is skipped, or refused before it is rendered, changes nothing for those behind it.
  'tests/c_test.yaml': suite(shows('25'), names('26', 'skip: {reason: no}\n    '), names('27', 'set: {flag: 3}\n    ')),
  'tests/d_test.yaml': `${suite(shows('25'))}---\n${suite(shows('25'), '  - set: {flag: true}\n    asserts: [{matchSnapshot: {}}]\n')}`,
  'tests/e_test.yaml': suite(names('30')),
  'tests/f_test.yaml': suite(shows('31'), '  - set: {other: true}\n    asserts: [{isNull: {path: flag}}]\n'),
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/db/templates/a.yaml': 'minor: "{{ .Capabilities.KubeVersion.Minor }}"',
  'charts/db/tests/a_test.yaml': suite(shows('30')),
};

const settings = {
  testFiles: ['tests/[a-f]_test.yaml'],
  valuesFiles: [],
  withSubcharts: true,
  isStrict: false,
  failFast: false,
  withPlaces: true,
  isSchemaSkipped: false,
  chartTestsPath: '',
  withCoverage: true,
};

/** All that a run tells and writes, but for its times. */
async function told(charts: readonly string[], threads: 'alone' | 'threads' | 'broken', updatesSnapshots = false) {
  const folder = writeFiles(files);
  const heard: unknown[] = [];
  const listener: UnittestListener = {
    chartBegins: (...words) => heard.push(words),
    chartFails: (path, { message }) => heard.push([path, message]),
    chartEnds: (...words) => heard.push(words),
    suiteEnds: ({ tests, ...result }) => heard.push([result, tests.map((one) => ({ ...one, milliseconds: 0 }))]),
  };
  const counts = { started: 0, ran: 0 };
  // An hour passes between any two looks at the clock: threads are always worth their start.
  let hours = 0;
  const now = (): number => 3_600_000 * hours++;
  const startThread = threads === 'alone' ? undefined : threadStarter(counts, threads === 'broken');
  const options = { ...settings, folder, updatesSnapshots, now, startThread };
  const isPassed = await runUnittests(charts, options, listener);
  const snapshots = ['a', 'b', 'd', 'f'].map((name) => {
    const file = join(folder, `shop/tests/__snapshot__/${name}_test.yaml.snap`);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  });
  return {
    counts,
    result: JSON.parse(JSON.stringify({ isPassed, heard, snapshots }, mapsAsEntries).replaceAll(folder, '')),
  };
}

const mapsAsEntries = (_key: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);

/** Threads that share this thread's time: they run by the messages alone. */
function threadStarter(counts: { started: number; ran: number }, isBroken: boolean) {
  return (data: unknown): Worker => {
    counts.started += 1;
    const { port1, port2 } = new MessageChannel();
    const worker = Object.assign(new EventEmitter(), { postMessage: (message: unknown) => port1.postMessage(message) });
    port1.on('message', (message) => {
      counts.ran += 1;
      worker.emit('message', message);
    });
    port1.on('close', () => worker.emit('exit'));
    const shared = isBroken ? broken(data as ThreadData) : (structuredClone(data) as ThreadData);
    runThread(port2, shared).catch((error: unknown) => {
      worker.emit('error', error);
      port2.close();
    });
    return worker as unknown as Worker;
  };
}

/** A thread that finds other charts than those that it is to test, and so ends after it has taken a unit. */
const broken = (data: ThreadData): ThreadData => ({
  ...(structuredClone(data) as ThreadData),
  charts: ['gone', 'gone'],
});

test.each([
  ['the charts', ['shop'], false],
  ['snapshots that are taken', ['shop'], true],
  ['a chart that is not there', ['gone', 'shop'], false],
])('a run with threads tells and writes what a run alone does: %s', async (_what, charts, updates) => {
  const alone = await told(charts, 'alone', updates);
  const threads = await told(charts, 'threads', updates);
  expect(threads.counts.ran).toBeGreaterThan(0);
  expect(threads.result).toEqual(alone.result);
});

test('what a thread took along that came to its end runs in this one', async () => {
  const alone = await told(['shop'], 'alone');
  const threads = await told(['shop'], 'broken');
  expect(threads.counts).toMatchObject({ ran: 0 });
  expect(threads.counts.started).toBeGreaterThan(0);
  expect(threads.result).toEqual(alone.result);
});

test('charts that share snapshots run alone', async () => {
  const { counts } = await told(['shop', 'shop/charts/db'], 'threads');
  expect(counts).toEqual({ started: 0, ran: 0 });
});

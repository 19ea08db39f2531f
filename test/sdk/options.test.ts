import { describe, expect, test } from 'vitest';
import { formatDiff, type ReleaseDiff, Tshelm, type TshelmOptions } from '../../src/index.ts';
import { sharedDrivers } from '../../src/release/drivers.ts';
import { sandbox } from '../../src/testing.ts';

/** What only a type checker would refuse. */
const anything = (value: unknown): never => value as never;

const chartFiles = { 'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n' };

const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

const refusal = (option: string, message: string) => ({ code: 'bad-options', details: { option }, message });

test.each<readonly [unknown, string, string]>([
  [{ kubeconfig: 'x' }, 'kubeconfig', 'there is no option kubeconfig; did you mean cluster.kubeconfig?'],
  [
    { cluster: './kubeconfig' },
    'cluster',
    "the option cluster must be an object such as { kubeconfig: path }, a sandbox's cluster, or the string 'environment'",
  ],
  [
    { cluster: { kubeConfig: 'x' } },
    'cluster.kubeConfig',
    'there is no option cluster.kubeConfig; did you mean cluster.kubeconfig?',
  ],
  [
    { cluster: { kubeconfig: 'x', server: 'y' } },
    'cluster.server',
    'cluster: give one of kubeconfig and server, not both',
  ],
  [{ driver: 'sql' }, 'driver', `the option driver must be one of ${sharedDrivers.join(', ')}`],
  [{ namespace: 5 }, 'namespace', 'the option namespace must be a string'],
  [
    { environment: 'process' },
    'environment',
    'the option environment must be a plain object of strings, such as process.env',
  ],
  [{ clock: {} }, 'clock', 'the option clock must be an object with now()'],
  [null, 'options', 'options must be a plain object'],
])('new Tshelm(%j) is refused', async (options, option, message) => {
  expect(await thrownBy(() => new Tshelm(options as TshelmOptions))).toMatchObject(refusal(option, message));
});

test.each<readonly [unknown, string, string]>([
  [{ time: 'fake' }, 'time', 'the option time must be one of real, simulated'],
  [{ time: 'simulated', strat: 1 }, 'strat', 'there is no option strat; did you mean start?'],
  [{ time: 'simulated', start: '2020' }, 'start', 'the option start must be a valid Date'],
  [null, 'options', 'options must be a plain object'],
])('sandbox(%j) is refused', async (options, option, message) => {
  expect(await thrownBy(() => sandbox(anything(options)))).toMatchObject(refusal(option, message));
});

test('sandbox() works on simulated time', async () => {
  await using cluster = await sandbox();
  expect(cluster.now()).toEqual(new Date('2026-01-01T00:00:00Z'));
});

describe('calls', () => {
  const tshelm = new Tshelm();
  const chart = tshelm.chart(chartFiles);

  test.each<readonly [unknown, string, string]>([
    [null, 'options', 'options must be a plain object'],
    ['ordered', 'options', 'options must be a plain object'],
    [{ values: null }, 'values', 'the option values must be a plain object'],
    [{ valueFiles: 'a.yaml' }, 'valueFiles', 'the option valueFiles must be an array of strings'],
    [{ labels: { a: 1 } }, 'labels', 'the option labels must be a plain object of strings'],
    [{ reuseValues: true, resetValues: true }, 'reuseValues', 'resetValues and reuseValues cannot be used together'],
    [{ eager: true, wait: 'watcher' }, 'eager', "eager needs wait: 'ordered'"],
    [
      { readinessTimeoutMs: 2, timeoutMs: 1 },
      'readinessTimeoutMs',
      'readinessTimeoutMs must not be above timeoutMs, which limits every wait; raise timeoutMs too',
    ],
    [{ postRenderer: 'sed' }, 'postRenderer', 'the option postRenderer must be a function'],
  ])('with %j are refused', async (options, option, message) => {
    const given = anything(options);
    expect(await thrownBy(() => tshelm.upgrade('web', chart, given))).toMatchObject(refusal(option, message));
    expect(await thrownBy(() => tshelm.render(chart, given))).toMatchObject(refusal(option, message));
    expect(await thrownBy(() => tshelm.renderSync(chart, given))).toMatchObject(refusal(option, message));
  });

  test.each<readonly [unknown, string]>([
    [{ statuses: ['bogus'] }, 'statuses'],
    [{ statuses: 'failed' }, 'statuses'],
    [{ matching: 'shop' }, 'matching'],
  ])('list(%j) is refused', async (options, option) => {
    const refused = { code: 'bad-options', details: { option } };
    expect(await thrownBy(() => tshelm.list(anything(options)))).toMatchObject(refused);
  });

  test.each<readonly [string, () => unknown]>([
    ['name', () => tshelm.install(anything(undefined), chart)],
    ['name', () => tshelm.get(anything(5))],
    ['chart', () => tshelm.render(anything(undefined))],
    ['chart', () => tshelm.renderSync(anything({ metadata: {} }))],
    ['destination', () => tshelm.pull('./chart', anything({}))],
    ['format', () => formatDiff([] as readonly ReleaseDiff[], anything({ format: 'html' }))],
  ])('without a good %s are refused', async (option, call) => {
    expect(await thrownBy(call)).toMatchObject({ code: 'bad-options', details: { option } });
  });

  test('values that contain themselves are no values', async () => {
    const values: Record<string, unknown> = { list: [] };
    values['list'] = [values];
    expect(await thrownBy(() => tshelm.renderSync(chart, { values: anything(values) }))).toMatchObject({
      code: 'value-unsupported',
      details: { path: 'values.list[0]' },
    });
  });

  test('values files of the web are not for renderSync', async () => {
    const valueFiles = ['https://example.com/values.yaml'];
    expect(await thrownBy(() => tshelm.renderSync(chart, { valueFiles }))).toMatchObject({
      code: 'values-unreadable',
      message: `renderSync only reads local values files, but ${valueFiles[0]} has to be downloaded: use render`,
    });
  });
});

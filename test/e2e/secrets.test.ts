import { expect, test } from 'vitest';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { ok, tshelm } from './support/programs.ts';

// What the real API server repeats of what it refuses.
const admin = adminOf('secrets');
const directory = scratchDirectory();
const canary = 'CANARY-s3cr3t-Value';
const secret = (data: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: {{ .Release.Name }}-pw}\n${data}\n`;
const job = `apiVersion: batch/v1
kind: Job
metadata: {name: {{ .Release.Name }}-job}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: busybox, env: [{name: DB_PASSWORD, value: {{ .Values.value }}}]}
`;

test.each([
  ['a number in stringData', secret('stringData: {pin: 73317331}'), '73317331', 'expected string'],
  ['a number in data', secret('data: {pin: 73317331}'), '73317331', 'expected string'],
  ['a list as data', secret(`data: [${canary}]`), canary, 'expected map'],
  ['data that is no base64', secret(`data: {password: "${canary}!"}`), canary, 'illegal base64'],
  ['a field that is not known', secret(`datas: {password: ${canary}}`), canary, 'field not declared in schema'],
  [
    'a docker config that is none',
    secret(`type: kubernetes.io/dockerconfigjson\nstringData: {.dockerconfigjson: "${canary}"}`),
    canary,
    'dockerconfigjson',
  ],
])('a Secret with %s', async (name, text, value, words) => {
  const release = `refused-${name.replaceAll(/[^a-z]+/g, '')}`;
  const chart = writeChart(directory, release, { 'templates/a.yaml': text });
  for (const mode of ['true', 'false']) {
    const here = ['-n', admin.namespace, '--debug'];
    const ran = await tshelm.run(['install', release, chart, ...here, `--server-side=${mode}`, '--timeout', '30s']);
    // Client-side apply is only warned of unknown fields.
    if (mode === 'true') expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(words)]);
    const diff = await tshelm.run(['diff', release, chart, ...here]);
    const history = await ok(tshelm, ['history', release, ...here, '-o', 'json']);
    const record = await tshelm.run(['get', 'metadata', release, ...here]);
    const all = [ran, diff, record].map(({ stdout, stderr }) => stdout + stderr).join('\n') + history;
    expect(all).not.toContain(value);
    expect(all).not.toContain(Buffer.from(value).toString('base64'));
    await tshelm.run(['uninstall', release, ...here]);
  }
});

test('a pod template that cannot change, with a password in its environment', async () => {
  const chart = writeChart(directory, 'job', { 'templates/a.yaml': job });
  const here = ['-n', admin.namespace, '--debug', '--timeout', '30s'];
  await ok(tshelm, ['install', 'job', chart, ...here, '--set', `value=${canary}-1`]);
  const words = [chart, ...here, '--set', `value=${canary}-2`];
  const upgraded = await tshelm.run(['upgrade', 'job', ...words]);
  expect(upgraded.stderr).toContain('field is immutable');
  const history = await ok(tshelm, ['history', 'job', '-n', admin.namespace]);
  expect(`${upgraded.stdout.replace(/USER-SUPPLIED VALUES:[^]*/, '')}${upgraded.stderr}${history}`).not.toContain(
    canary,
  );
});

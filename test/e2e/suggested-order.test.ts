import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectory, writeChart } from './support/charts.ts';
import { adminOf } from './support/namespaces.ts';
import { batchesOf, podLives } from './support/order.ts';
import { ok, tshelm } from './support/programs.ts';

// A chart that declares no order is deployed as `order suggest` says.
const admin = adminOf('suggested-order');
const directory = scratchDirectory();

const server = (name: string, env: string): string => `apiVersion: v1
kind: Service
metadata: {name: "{{ .Release.Name }}-${name}"}
spec: {selector: {app: ${name}}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}-${name}"}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}, tag: one}, annotations: {e2e.tshelm.dev/ready-after: 2s}}
    spec: {containers: [{name: main, image: example.com/${name}:1, env: [${env}]}]}
`;
const chart = writeChart(directory, 'foreign', {
  'Chart.yaml': 'apiVersion: v2\nname: foreign\nversion: 1.0.0\n',
  'templates/a-web.yaml': server('a-web', '{name: API_URL, value: "http://{{ .Release.Name }}-b-api/v1"}'),
  'templates/b-api.yaml': server('b-api', '{name: DB_HOST, value: "{{ .Release.Name }}-c-db"}'),
  'templates/c-db.yaml': server('c-db', ''),
});

test('what names a host is deployed after it', async () => {
  const text = await ok(tshelm, ['order', 'suggest', chart]);
  const file = join(directory, 'order.yaml');
  writeFileSync(file, text);
  await ok(tshelm, ['install', 'rel', chart, '--order', file, '-n', admin.namespace, '--timeout', '60s']);
  expect(batchesOf(await podLives(admin, 'one'))).toEqual([['c-db'], ['b-api'], ['a-web']]);
});

import { expect, test } from 'vitest';
import type { Finding } from '../../src/cluster/diagnosis.ts';
import { portInstead } from '../../src/execute/probed-port.ts';
import { parseManifest } from '../../src/manifest/parse.ts';

const web = (ports: string) =>
  parseManifest(
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: app, image: app:1, ports: ${ports}}]}}}
`,
    'shop/templates/web.yaml',
  );
const refused = (port: number, ...log: readonly string[]): Finding => ({
  resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
  chain: ['Deployment/web', 'Pod/web-1', 'container app'],
  kind: 'probe',
  outlook: 'open',
  reason: `it runs but is not ready: Readiness probe failed: Get "http://10.1.2.3:${port}/": dial tcp 10.1.2.3:${port}: connect: connection refused`,
  log,
  previousLog: [],
  events: [],
});
const http = '[{name: http, containerPort: 8080}]';

test.each<[string, string, Finding, readonly string[]]>([
  [
    'the only one that the container lists',
    http,
    refused(8081, 'starting'),
    ['probe port 8080 (http), that the container lists, instead of 8081'],
  ],
  [
    'one of several',
    '[{containerPort: 80}, {name: admin, containerPort: 90}]',
    refused(8081),
    ['probe port 80 or 90 (admin), that the container lists, instead of 8081'],
  ],
  [
    'that of the log, whatever is listed',
    '[{containerPort: 8081}]',
    refused(8081, 'listening on port 3000'),
    ['probe port 3000, that its log names, instead of 8081'],
  ],
  ['none where the log names the asked one', http, refused(8081, 'Listening on :8081'), []],
  ['none where it is listed', http, refused(8080, 'waiting for db:5432'), []],
  ['none where nothing is known', '[]', refused(8080, 'started, connecting to db:5432 at 10:20:30'), []],
])('%s', (_what, ports, finding, told) => expect(portInstead(finding, web(ports))).toEqual(told));

test.each([
  ['- Local:        http://localhost:3000', '3000'],
  ['{"time":"2026-01-02T10:20:30Z","pid":17,"msg":"http server listening","addr":":3000"}', '3000'],
  ['Tomcat started on port(s): 3000 (http) with context path ""', '3000'],
  ['10:20:30 INFO Uvicorn running on http://0.0.0.0:3000 (Press CTRL+C)', '3000'],
  ['{"msg":"listening","port":3000}', '3000'],
  ['server is listening on [::]:3000', '3000'],
  ['listening on 3000', '3000'],
])('the port in %s', (line, port) => {
  expect(portInstead(refused(8081, line), web('[]'))).toEqual([
    `probe port ${port}, that its log names, instead of 8081`,
  ]);
});

test('a probe that was answered says nothing of ports', () => {
  const finding = { ...refused(8081), reason: 'Readiness probe failed: HTTP probe failed with statuscode: 503' };
  expect(portInstead(finding, web(http))).toEqual([]);
});

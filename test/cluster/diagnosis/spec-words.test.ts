import { expect, test } from 'vitest';
import { readOnlyCause, withAsked } from '../../../src/cluster/diagnosis/spec-words.ts';

const unhealthy = 'Readiness probe failed: 503';
test.each([
  ['a path', unhealthy, { httpGet: { path: '/ready', port: 'http' } }, `${unhealthy} (GET :http/ready)`],
  ['a port', unhealthy, { tcpSocket: { port: 5432 } }, `${unhealthy} (TCP port 5432)`],
  [
    'a command',
    unhealthy,
    { exec: { command: ['pg_isready', '-U', 'app'] } },
    `${unhealthy} (command: pg_isready -U app)`,
  ],
  ['gRPC', unhealthy, { grpc: { port: 9000 } }, `${unhealthy} (gRPC port 9000)`],
  [
    'nothing where the words name it',
    'Readiness probe failed: Get "http://10.0.0.1:80/ready": EOF',
    { httpGet: { path: '/ready', port: 80 } },
    'Readiness probe failed: Get "http://10.0.0.1:80/ready": EOF',
  ],
])('what a probe asked: %s', (_what, text, readinessProbe, told) =>
  expect(withAsked(text, { name: 'app', readinessProbe })).toBe(told),
);

test('a port of a probe that is named is told by its number', () => {
  const ports = [{ name: 'http', containerPort: 8080 }];
  const readinessProbe = { httpGet: { path: '/ready', port: 'http' } };
  expect(withAsked(unhealthy, { name: 'app', ports, readinessProbe })).toBe(`${unhealthy} (GET :8080/ready)`);
});

const refused = ['start', 'mkdir /var/tiles/0: read-only file system'];
test.each([
  ['nothing', refused, {}, ''],
  [
    'the mount',
    refused,
    {
      volumeMounts: [
        { name: 'var', mountPath: '/var' },
        { name: 'tiles', mountPath: '/var/tiles', readOnly: true },
      ],
    },
    'its volume tiles is mounted at /var/tiles with readOnly: true',
  ],
  [
    'the root file system',
    refused,
    {
      volumeMounts: [{ name: 'til', mountPath: '/var/til', readOnly: true }],
      securityContext: { readOnlyRootFilesystem: true },
    },
    'readOnlyRootFilesystem is true, and no volume is mounted there',
  ],
  ['nothing of a log that does not say so', ['start'], { securityContext: { readOnlyRootFilesystem: true } }, ''],
])('what cannot be written to: %s', (_what, log, container, cause) =>
  expect(readOnlyCause(log, { name: 'app', ...container })).toBe(cause),
);

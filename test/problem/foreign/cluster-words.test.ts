import { describe, expect, test } from 'vitest';
import { missingStorageClass, refusalIn } from '../../../src/problem/foreign/controllers.ts';
import { isRootRefused, missingIn, probeFailureIn } from '../../../src/problem/foreign/kubelet.ts';
import { pullFailure } from '../../../src/problem/foreign/runtime.ts';
import { placementIn } from '../../../src/problem/foreign/scheduler.ts';
import { Quote } from '../../../src/problem/quote.ts';

// Sentences as Kubernetes and the container runtimes write them; the source of each is in the reader's table.
test.each([
  ['toomanyrequests: You have reached your pull rate limit', 'registry-limit'],
  ['failed to do request: Head "https://r/v2/": dial tcp: lookup r: no such host', 'registry-unreachable'],
  ['tls: failed to verify certificate: x509: certificate signed by unknown authority', 'registry-unreachable'],
  ['pull access denied, repository does not exist or may require authorization', 'image-not-found-or-denied'],
  ['failed to authorize: unexpected status: 401 Unauthorized', 'image-denied'],
  ['manifest unknown: manifest unknown', 'image-not-found'],
  ['docker.io/library/web:1: not found', 'image-not-found'],
  ['something else', 'image-pull-failed'],
])('a failed pull: %s', (words, code) => expect(pullFailure(new Quote(words), 'web:1').code).toBe(code));

test.each([
  ["couldn't find key mode in ConfigMap shop/settings", { kind: 'ConfigMap', name: 'settings', key: 'mode' }],
  ['secret "db" not found', { kind: 'Secret', name: 'db' }],
  ['MountVolume.SetUp failed for volume "c" : configmap "web" not found', { kind: 'ConfigMap', name: 'web' }],
  ['configmap references non-existent config key: a.conf', { kind: 'ConfigMap', key: 'a.conf' }],
  ['references non-existent secret key: tls.crt', { kind: 'Secret', key: 'tls.crt' }],
  ['Multi-Attach error for volume "pvc-1"', undefined],
])('what is missing: %s', (words, missing) => expect(missingIn(new Quote(words))).toEqual(missing));

test.each([
  ['container has runAsNonRoot and image will run as root (pod: "web", container: app)', true],
  ['container\'s runAsUser breaks non-root policy (pod: "web", container: app)', true],
  ['configmap "runAsNonRoot" not found', false],
])('a container that may not be root: %s', (words, is) => expect(isRootRefused(new Quote(words))).toBe(is));

test.each([
  ['Readiness probe failed: HTTP probe failed with statuscode: 503', { kind: 'readiness', status: 503 }],
  [
    'Liveness probe failed: Get "http://10.0.0.7:80/": dial tcp 10.0.0.7:80: connect: connection refused',
    { kind: 'liveness', answer: 'connection-refused', namesTarget: true },
  ],
  ['Startup probe errored: rpc error', { kind: 'startup', answer: 'other' }],
])('a probe: %s', (words, probe) => expect(probeFailureIn(new Quote(words))).toMatchObject(probe));

test.each([
  ['3 Insufficient cpu, 3 Insufficient example.com/gpu. preemption: none', [], ['cpu', 'example.com/gpu']],
  ["1 node(s) didn't match Pod's node affinity/selector", ['node-selector'], []],
  ['1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }', ['taint'], []],
  ["1 node(s) didn't match pod anti-affinity rules", ['pod-affinity'], []],
  ["1 node(s) didn't match pod topology spread constraints", ['topology-spread'], []],
  ['pod has unbound immediate PersistentVolumeClaims', ['claim'], []],
])('a pod that no node takes: %s', (words, obstacles, lacking) =>
  expect(placementIn(new Quote(words))).toMatchObject({ obstacles, lacking }),
);

describe('pods that may not be created', () => {
  const forbidden = 'pods "web-x" is forbidden: ';
  test.each([
    [
      `${forbidden}exceeded quota: small, requested: requests.memory=1Gi, used: requests.memory=0, limited: 0`,
      { code: 'pods-exceed-quota', quota: 'small', resource: { name: 'memory', of: 'requests' } },
    ],
    [`${forbidden}failed quota: small: must specify cpu for: app`, { code: 'resources-unspecified', quota: 'small' }],
    [
      `${forbidden}error looking up service account shop/robot: serviceaccount "robot" not found`,
      { code: 'service-account-missing', name: 'robot' },
    ],
    [`${forbidden}no PriorityClass with name urgent was found`, { code: 'priority-class-missing', name: 'urgent' }],
    [
      `${forbidden}violates PodSecurity "restricted:latest"`,
      { code: 'pods-refused', names: ['web-x', 'restricted:latest'] },
    ],
    [`${forbidden}maximum memory usage per Container is 1Gi`, { code: 'pods-refused', isAboutResources: true }],
    // What a webhook says behind its name decides nothing.
    ['admission webhook "w" denied the request: exceeded quota: q', { code: 'pods-refused', names: ['w'] }],
    ['Internal error occurred: failed calling webhook "w": EOF', { code: 'pods-not-created' }],
  ])('%s', (words, cause) => expect(refusalIn(new Quote(words))).toMatchObject(cause));
});

test('a storage class that is not there', () => {
  expect(missingStorageClass(new Quote('storageclass.storage.k8s.io "fast" not found'))).toBe('fast');
  expect(missingStorageClass(new Quote('waiting for a volume to be created'))).toBeUndefined();
});

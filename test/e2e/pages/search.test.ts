import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { indexFields, searchOptions } from '../../../scripts/site/search.mjs';

/**
 * What people copy from their screens, below the place that explains it: lines of the golden files in test/words, of the
 * e2e tests' broken charts, of Helm, and of first tries of the program.
 */
const screens: readonly (readonly [place: string, phrases: readonly string[]])[] = [
  [
    'troubleshooting.html#imagepullbackoff-errimagepull',
    ['ImagePullBackOff', 'ErrImagePull', 'failed to pull and unpack image not found (no such tag or repository)'],
  ],
  [
    'troubleshooting.html#crashloopbackoff-oomkilled',
    [
      'CrashLoopBackOff',
      'CrashLoopBackOff, exit code 1, 3 restarts (no progress for 30 s)',
      'Back-off restarting failed container',
      'OOMKilled: memory limit 64Mi',
    ],
  ],
  ['troubleshooting.html#createcontainerconfigerror', ['CreateContainerConfigError', 'configmap "gone" not found']],
  ['problems.html#root-refused', ["container's runAsUser breaks non-root policy"]],
  ['troubleshooting.html#pending-pods-unschedulable', ['0/1 nodes are available: 1 Insufficient cpu', 'Unschedulable']],
  [
    'troubleshooting.html#pending-persistentvolumeclaim',
    [
      'pending PVC',
      'storageclass.storage.k8s.io "gone" not found',
      'no persistent volumes available for this claim and no storage class is set',
    ],
  ],
  ['problems.html#claim-missing', ['PersistentVolumeClaim/gone: does not exist, but the pod mounts it']],
  [
    'troubleshooting.html#running-but-not-ready-a-probe-fails',
    ['Readiness probe failed: HTTP probe failed with statuscode: 503', 'running but not ready'],
  ],
  [
    'troubleshooting.html#exceeded-quota',
    [
      'exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0',
      'failed quota: small: must specify requests.cpu',
    ],
  ],
  [
    'troubleshooting.html#its-pods-cannot-be-created-failedcreate',
    ['serviceaccount "gone" not found', 'no PriorityClass with name gone was found', 'RuntimeClass "gone" not found'],
  ],
  ['troubleshooting.html#failedmount-a-volume-cannot-be-mounted', ['MountVolume.SetUp failed for volume']],
  ['troubleshooting.html#timed-out-context-deadline-exceeded', ['timed out after 5m0s', 'context deadline exceeded']],
  [
    'troubleshooting.html#another-operation-installupgraderollback-is-in-progress',
    ['another operation (install/upgrade/rollback) is in progress', 'another operation is in progress'],
  ],
  [
    'troubleshooting.html#pending-upgrade-pending-install-pending-rollback',
    ['pending-upgrade', 'pending-install', 'STATUS: pending-upgrade'],
  ],
  ['troubleshooting.html#cannot-reuse-a-name-that-is-still-in-use', ['cannot reuse a name that is still in use']],
  [
    'troubleshooting.html#release-not-found-has-no-deployed-releases',
    ['has no deployed releases', 'release: not found', 'release has no 0 version'],
  ],
  [
    'troubleshooting.html#kubernetes-cluster-unreachable-no-kubeconfig-was-found',
    [
      'kubernetes cluster unreachable',
      'dial tcp 127.0.0.1:8080: connect: connection refused',
      'no kubeconfig was found',
      'unreachable',
    ],
  ],
  [
    'troubleshooting.html#x509-certificate-signed-by-unknown-authority',
    ['x509', 'x509: certificate signed by unknown authority'],
  ],
  [
    'troubleshooting.html#the-server-has-asked-for-the-client-to-provide-credentials',
    ['the server has asked for the client to provide credentials'],
  ],
  [
    'troubleshooting.html#forbidden-user-cannot',
    ['secrets is forbidden: User "nobody" cannot list resource "secrets"', 'forbidden'],
  ],
  [
    'troubleshooting.html#field-is-immutable-cannot-be-changed-in-place',
    ['field is immutable', 'spec.template cannot be changed in place'],
  ],
  [
    'troubleshooting.html#conflict-a-field-is-managed-by-somebody-else',
    ['Apply failed with 1 conflict: conflict with "keel"', 'conflict'],
  ],
  [
    'troubleshooting.html#exists-and-cannot-be-imported-into-the-current-release',
    ['exists and cannot be imported into the current release: invalid ownership metadata'],
  ],
  [
    'troubleshooting.html#no-matches-for-kind-ensure-crds-are-installed-first',
    ['no matches for kind "Certificate" in version "cert-manager.io/v1"', 'ensure CRDs are installed first'],
  ],
  ['troubleshooting.html#namespaces-not-found', ['failed to create: namespaces "nosuch" not found']],
  [
    'troubleshooting.html#found-in-chartyaml-but-missing-in-charts-directory',
    ['found in Chart.yaml, but missing in charts/ directory'],
  ],
  [
    'troubleshooting.html#a-template-fails-the-value-is-not-set-nil-pointer',
    ['the value image is not set, so image.tag cannot be read', 'nil pointer evaluating interface'],
  ],
  [
    'troubleshooting.html#a-templates-text-is-no-yaml',
    ['YAML parse error on', "error converting YAML to JSON: yaml: line 19: could not find expected ':'"],
  ],
  ['troubleshooting.html#the-values-do-not-fit-the-schema', ["values don't meet the specifications of the schema(s)"]],
  ['errors.html#unknown-command', ['unknown command "upgrad"']],
  ['errors.html#invalid-release-name', ['release name "Web_1": invalid release name, must match regex']],
  ['troubleshooting.html#a-cycle', ['subcharts of shop wait for each other']],
  ['troubleshooting.html#after-a-failed-batch', ['cannot be resumed: the values are not the same']],
  [
    'problems.html#order-undeclared',
    ['nothing in chart shop declares an order, so an ordered wait starts everything at once'],
  ],
  [
    'troubleshooting.html#an-object-is-refused',
    ['spec.ports[0].port: Invalid value: 99999: must be between 1 and 65535, inclusive'],
  ],
  ['errors.html#upgrade-rolled-back', ['has been rolled back due to rollback-on-failure being set']],
  ['errors.html#kube-version-incompatible', ['chart requires kubeVersion']],
];

const chunks = resolve('site/assets/chunks');
const isBuilt = existsSync(chunks);
if (!isBuilt) {
  const missing = 'site/ is not there: npm run docs';
  if (process.env['CI'] === 'true') throw new Error(missing);
  console.log(`tests of the site's search SKIPPED: ${missing}`);
}

interface Index {
  search(phrase: string): readonly { readonly id: string }[];
}

/** The index of the built site, read as the site reads it. */
async function openIndex(): Promise<Index> {
  const MiniSearch = createRequire(resolve('scripts/site/package.json'))('minisearch') as {
    loadJSON(json: string, options: object): Index;
  };
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot')) ?? '';
  const { default: json } = (await import(pathToFileURL(join(chunks, file)).href)) as { default: string };
  return MiniSearch.loadJSON(json, { ...indexFields, searchOptions });
}

describe.skipIf(!isBuilt)('the search of the site', () => {
  const phrases = screens.flatMap(([place, some]) => some.map((phrase) => [phrase, place] as const));

  test('60 phrases and more are tried', () =>
    expect(new Set(phrases.map(([phrase]) => phrase)).size).toBeGreaterThanOrEqual(60));

  test('what stands on a screen finds its explanation among the first three', async () => {
    const index = await openIndex();
    const found = phrases.map(([phrase, place]) => {
      const first = index.search(phrase).slice(0, 3);
      return first.some(({ id }) => id === `/${place}`) ? [] : [`${phrase}: ${first.map(({ id }) => id).join(', ')}`];
    });
    expect(found.flat()).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deprecatedFields } from '../../src/kinds/deprecated-fields.ts';

/** Fields that the OpenAPI document calls deprecated, or speaks of something deprecated, and that are not told of. */
const leftOut = [
  // Charts do not write these.
  'NodeStatus.phase',
  'NodeSystemInfo.kubeProxyVersion',
  'ObjectMeta.selfLink',
  'PodStatus.resize',
  // Certificate requests of kubelets.
  'PodCertificateRequestSpec.pkixPublicKey',
  'PodCertificateRequestSpec.proofOfPossession',
  // The API server refuses `true`; many CRDs say `false`.
  'CustomResourceDefinitionSpec.preserveUnknownFields',
  // Something else is deprecated: a version of the CRD, an annotation.
  'CustomResourceDefinitionVersion.deprecated',
  'CustomResourceDefinitionVersion.deprecationWarning',
  'ServiceAccount.secrets',
];

test('every field that the OpenAPI document of the newest version calls deprecated is told of', () => {
  const file = new URL('../../fixtures/deprecated-fields.txt', import.meta.url);
  const told = Object.entries(deprecatedFields).flatMap(([owner, fields]) =>
    Object.keys(fields).map((field) => `${owner}.${field}`),
  );
  const called = readFileSync(file, 'utf8').trim().split('\n');
  expect(called.filter((field) => !told.includes(field) && !leftOut.includes(field))).toEqual([]);
  // A PersistentVolume has no gitRepo; of external IPs only a warning of the API server says it.
  expect(told.filter((field) => !called.includes(field))).toEqual([
    'PersistentVolumeSpec.gitRepo',
    'ServiceSpec.externalIPs',
  ]);
  expect(leftOut.filter((field) => !called.includes(field))).toEqual([]);
});

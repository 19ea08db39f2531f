import { describe, expect, test } from 'vitest';
import deprecatedApis from '../../fixtures/deprecated-apis.json' with { type: 'json' };
import { builtInType, knownMinors } from '../../src/kinds/field-types.ts';
import { lifecycleOf, replacementIn, stateIn } from '../../src/kinds/lifecycles.ts';
import { builtInKinds } from '../../src/sandbox/kinds/built-in.ts';
import { apiVersionOf } from '../../src/sandbox/kinds/kind.ts';

const kindOf = (text: string) => {
  const [apiVersion = '', kind = ''] = text.split(' ');
  return { apiVersion, kind };
};

const known = (text: string) => {
  const found = lifecycleOf(kindOf(text));
  if (found === undefined) throw new Error(`${text} is unknown`);
  return found;
};

test.each(Object.entries(deprecatedApis))('client-go deprecates %s', (text, { deprecated, ...planned }) => {
  const found = known(text);
  const { removed, replacement } = planned as { readonly removed?: string; readonly replacement?: string };
  expect(found.isUnknownToHelm).toBe(false);
  expect({
    deprecated: `1.${found.deprecated}`,
    removed: found.removed && `1.${found.removed}`,
    replacement: found.replacement && `${found.replacement.apiVersion} ${found.replacement.kind}`,
  }).toEqual({ deprecated, removed, replacement });
});

// https://kubernetes.io/docs/reference/using-api/deprecation-guide/
test.each([
  ['flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema', 32, 'flowcontrol.apiserver.k8s.io/v1', 29],
  ['flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration', 29, 'flowcontrol.apiserver.k8s.io/v1', 29],
  ['storage.k8s.io/v1beta1 CSIStorageCapacity', 27, 'storage.k8s.io/v1', 24],
  ['autoscaling/v2beta2 HorizontalPodAutoscaler', 26, 'autoscaling/v2', 23],
  ['autoscaling/v2beta1 HorizontalPodAutoscaler', 25, 'autoscaling/v2', 23],
  ['batch/v1beta1 CronJob', 25, 'batch/v1', 21],
  ['discovery.k8s.io/v1beta1 EndpointSlice', 25, 'discovery.k8s.io/v1', 21],
  ['events.k8s.io/v1beta1 Event', 25, 'events.k8s.io/v1', 19],
  ['policy/v1beta1 PodDisruptionBudget', 25, 'policy/v1', 21],
  ['policy/v1beta1 PodSecurityPolicy', 25, undefined, undefined],
  ['node.k8s.io/v1beta1 RuntimeClass', 25, 'node.k8s.io/v1', 20],
  ['admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration', 22, 'admissionregistration.k8s.io/v1', 16],
  ['apiextensions.k8s.io/v1beta1 CustomResourceDefinition', 22, 'apiextensions.k8s.io/v1', 16],
  ['apiregistration.k8s.io/v1beta1 APIService', 22, 'apiregistration.k8s.io/v1', 10],
  ['certificates.k8s.io/v1beta1 CertificateSigningRequest', 22, 'certificates.k8s.io/v1', 19],
  ['coordination.k8s.io/v1beta1 Lease', 22, 'coordination.k8s.io/v1', 14],
  ['extensions/v1beta1 Ingress', 22, 'networking.k8s.io/v1', 19],
  ['networking.k8s.io/v1beta1 Ingress', 22, 'networking.k8s.io/v1', 19],
  ['networking.k8s.io/v1beta1 IngressClass', 22, 'networking.k8s.io/v1', 19],
  ['rbac.authorization.k8s.io/v1beta1 RoleBinding', 22, 'rbac.authorization.k8s.io/v1', 8],
  ['scheduling.k8s.io/v1beta1 PriorityClass', 22, 'scheduling.k8s.io/v1', 14],
  ['storage.k8s.io/v1beta1 StorageClass', 22, 'storage.k8s.io/v1', 6],
  ['extensions/v1beta1 NetworkPolicy', 16, 'networking.k8s.io/v1', 7],
  ['extensions/v1beta1 Deployment', 16, 'apps/v1', 9],
  ['apps/v1beta2 StatefulSet', 16, 'apps/v1', 9],
  ['apps/v1beta1 Deployment', 16, 'apps/v1', 9],
  ['extensions/v1beta1 PodSecurityPolicy', 16, undefined, undefined],
])('%s was removed in 1.%i', (text, removed, replacement, since) => {
  const found = known(text);
  expect(found.removed).toBe(removed);
  expect(stateIn(removed - 1, found)).toBe('served');
  expect(stateIn(removed, found)).toBe('removed');
  const instead = replacementIn(37, found);
  expect(instead?.apiVersion).toBe(replacement);
  expect(instead?.introduced).toBe(since);
});

test.each([
  ['resource.k8s.io/v1beta1 ResourceClaim', 33, 'not-enabled'],
  ['resource.k8s.io/v1alpha3 DeviceClass', 33, 'not-enabled'],
  ['resource.k8s.io/v1alpha3 DeviceClass', 34, 'removed'],
  ['scheduling.k8s.io/v1alpha1 Workload', 34, 'not-yet'],
  ['scheduling.k8s.io/v1alpha1 Workload', 35, 'not-enabled'],
  ['scheduling.k8s.io/v1alpha1 Workload', 36, 'removed'],
  ['admissionregistration.k8s.io/v1 MutatingAdmissionPolicy', 35, 'not-yet'],
  ['flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema', 31, 'served'],
] as const)('%s in 1.%i: %s', (text, minor, state) => expect(stateIn(minor, known(text))).toBe(state));

test('what is deprecated may be replaced by another kind', () =>
  expect(replacementIn(33, known('v1 Endpoints'))?.kind).toBe('EndpointSlice'));

test.each([['example.com/v1 Widget'], ['apps/v1 Deploymnt'], ['snapshot.storage.k8s.io/v1beta1 VolumeSnapshot']])(
  'nothing is known of %s',
  (text) => expect(lifecycleOf(kindOf(text))).toBeUndefined(),
);

describe.each(knownMinors)('in 1.%i', (minor) => {
  const served = builtInKinds(minor).map((kind) => `${apiVersionOf(kind)} ${kind.kind}`);

  test('the kinds of discovery are those whose lifecycles say so, with known fields', () => {
    for (const text of served) {
      expect([text, stateIn(minor, known(text))]).toEqual([text, 'served']);
      const { apiVersion, kind } = kindOf(text);
      expect(builtInType(apiVersion, kind, minor)?.kind).toBe('map');
    }
  });

  test('what other versions have and this one does not is not served', () => {
    const others = knownMinors.flatMap((other) => builtInKinds(other));
    for (const kind of others.filter((other) => !served.includes(`${apiVersionOf(other)} ${other.kind}`))) {
      expect(stateIn(minor, known(`${apiVersionOf(kind)} ${kind.kind}`))).toBe('not-yet');
      expect(builtInType(apiVersionOf(kind), kind.kind, minor)).toBeUndefined();
    }
  });
});

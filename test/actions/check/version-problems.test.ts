import { describe, expect, test } from 'vitest';
import { versionProblems } from '../../../src/actions/check/version-problems.ts';
import { pathText } from '../../../src/manifest/field-path.ts';
import { idOf } from '../../../src/manifest/resource-id.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';
import { fieldsIn } from '../../../src/problem/place.ts';
import { parseKubeVersion } from '../../../src/render/kube-version.ts';
import { factText } from '../../../src/words/fact.ts';
import { remedyText } from '../../../src/words/remedy.ts';

function problemsOf(apiVersion: string, kind: string, rest: object, versions: readonly string[]) {
  const object = { metadata: { name: 'web' }, ...rest, apiVersion, kind } as unknown as KubernetesObject;
  const subject = { kind: 'object', id: idOf(object), template: 'web/templates/web.yaml' } as const;
  return versionProblems(object, subject, versions.map(parseKubeVersion));
}

const pod = (spec: object) => ({ spec: { containers: [{ name: 'a', image: 'a' }], ...spec } });
const template = (spec: object, annotations = {}) => ({
  spec: { template: { metadata: { annotations }, ...pod(spec) } },
});

describe('kinds', () => {
  test.each([
    ['policy/v1beta1', 'PodDisruptionBudget', ['1.37'], 'kind-removed', '1.25', 'policy/v1', '1.21'],
    ['policy/v1beta1', 'PodDisruptionBudget', ['1.24', '1.34'], 'kind-removed', '1.25', 'policy/v1', '1.21'],
    ['policy/v1beta1', 'PodDisruptionBudget', ['1.22'], 'kind-deprecated', '1.21', 'policy/v1', '1.21'],
    ['policy/v1beta1', 'PodSecurityPolicy', ['1.37'], 'kind-removed', '1.25', undefined, undefined],
    ['extensions/v1beta1', 'Ingress', ['1.34'], 'kind-removed', '1.22', 'networking.k8s.io/v1', '1.19'],
    ['v1', 'Endpoints', ['1.33'], 'kind-deprecated', '1.33', 'discovery.k8s.io/v1', '1.21'],
    ['resource.k8s.io/v1', 'DeviceClass', ['1.33', '1.34'], 'kind-not-yet', '1.34', undefined, undefined],
    ['resource.k8s.io/v1beta1', 'DeviceClass', ['1.34'], 'kind-not-enabled', undefined, 'resource.k8s.io/v1', '1.34'],
  ])('%s %s in %j: %s', (apiVersion, kind, versions, code, since, replacement, replacedSince) => {
    const [problem, ...others] = problemsOf(apiVersion, kind, {}, versions);
    expect(others).toEqual([]);
    const found = problem?.cause.code === 'kind-not-enabled' ? {} : { since };
    expect(problem).toMatchObject({ code, cause: { apiVersion, kind, ...found } });
    const cause = problem?.cause as { replacement?: { apiVersion: string; since: string } };
    expect(cause.replacement?.apiVersion).toBe(replacement);
    expect(cause.replacement?.since).toBe(replacedSince);
  });

  test.each([
    [
      'the replacement that all versions have is a remedy',
      ['1.24', '1.37'],
      ['write "policy/v1" instead of "policy/v1beta1"'],
    ],
    ['one that an older version does not have is none', ['1.20', '1.37'], []],
  ])('%s', (_rule, versions, remedies) => {
    const [problem] = problemsOf('policy/v1beta1', 'PodDisruptionBudget', {}, versions);
    expect(problem?.remedies.map(remedyText)).toEqual(remedies);
    expect(fieldsIn(problem?.places ?? []).map(({ path }) => path)).toEqual([['apiVersion']]);
  });

  test.each([
    ['what all versions serve', 'apps/v1', 'Deployment', ['1.33', '1.37']],
    ['what is deprecated later', 'v1', 'Endpoints', ['1.32']],
    ['custom resources', 'cert-manager.io/v1', 'Certificate', ['1.37']],
    ['anything without a version', 'policy/v1beta1', 'PodDisruptionBudget', []],
  ])('nothing of %s', (_what, apiVersion, kind, versions) =>
    expect(problemsOf(apiVersion, kind, {}, versions)).toEqual([]),
  );
});

const told = (problems: ReturnType<typeof problemsOf>) =>
  problems.map((problem) => [
    problem.code,
    fieldsIn(problem.places).map(({ path }) => pathText(path))[0],
    (problem.cause as { versions: readonly string[] }).versions.join(' '),
  ]);

describe('fields', () => {
  test.each([
    [
      'of a later version',
      { hostnameOverride: 'a' },
      ['1.33', '1.34'],
      [['field-not-yet', 'spec.template.spec.hostnameOverride', '1.33']],
    ],
    [
      'that went',
      { workloadRef: { name: 'a' } },
      ['1.35', '1.37'],
      [['field-removed', 'spec.template.spec.workloadRef', '1.37']],
    ],
    [
      'that came and went',
      { workloadRef: { name: 'a' } },
      ['1.34', '1.36'],
      [
        ['field-removed', 'spec.template.spec.workloadRef', '1.36'],
        ['field-not-yet', 'spec.template.spec.workloadRef', '1.34'],
      ],
    ],
    [
      'in a list',
      { volumes: [{ name: 'a', emptyDir: { mode: 511 } }] },
      ['1.36'],
      [['field-not-yet', 'spec.template.spec.volumes[0].emptyDir.mode', '1.36']],
    ],
    ['that no version has', { hostNam: 'a' }, ['1.33', '1.37'], []],
    [
      'that are deprecated',
      { serviceAccount: 'a' },
      ['1.37'],
      [['field-deprecated', 'spec.template.spec.serviceAccount', '1.37']],
    ],
    ['whose replacement is set as well', { serviceAccount: 'a', serviceAccountName: 'a' }, ['1.37'], []],
    [
      'without effect',
      { volumes: [{ name: 'a', gitRepo: { repository: 'a' } }] },
      ['1.32', '1.34'],
      [['field-inactive', 'spec.template.spec.volumes[0].gitRepo', '1.34']],
    ],
    [
      'not yet without effect',
      { volumes: [{ name: 'a', gitRepo: { repository: 'a' } }] },
      ['1.32'],
      [['field-deprecated', 'spec.template.spec.volumes[0].gitRepo', '1.32']],
    ],
    [
      'that choose nodes',
      { nodeSelector: { 'beta.kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } },
      ['1.34'],
      [['field-deprecated', 'spec.template.spec.nodeSelector.beta.kubernetes.io/os', '1.34']],
    ],
  ])('%s', (_which, spec, versions, expected) =>
    expect(told(problemsOf('apps/v1', 'Deployment', template(spec), versions))).toEqual(expected),
  );

  const seccomp = { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' };
  test.each([
    ['alone', {}, ['field-inactive']],
    ['beside the field for newer versions', { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }, []],
  ])('an annotation %s', (_rule, spec, codes) => {
    const problems = problemsOf('apps/v1', 'Deployment', template(spec, seccomp), ['1.34']);
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });

  test('an annotation by the beginning of its name', () => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/app': 'unconfined' };
    expect(problemsOf('apps/v1', 'Deployment', template({}, annotations), ['1.34'])[0]?.code).toBe('field-deprecated');
  });
});

test('as they are printed', () => {
  const ingress = { metadata: { name: 'web', annotations: { 'kubernetes.io/ingress.class': 'nginx' } } };
  const volumes = [{ name: 'a', awsElasticBlockStore: { volumeID: 'a' } }];
  const problems = [
    ...problemsOf('policy/v1beta1', 'PodDisruptionBudget', {}, ['1.34', '1.37']),
    ...problemsOf('v1', 'Endpoints', {}, ['1.37']),
    ...problemsOf('networking.k8s.io/v1', 'Ingress', ingress, ['1.37']),
    ...problemsOf('v1', 'Pod', pod({ volumes }), ['1.37']),
  ];
  expect(problems.flatMap(({ cause, remedies }) => [factText(cause), ...remedies.map(remedyText)])).toEqual([
    'policy/v1beta1 PodDisruptionBudget was removed in Kubernetes 1.25; policy/v1 is available from 1.21 on',
    'write "policy/v1" instead of "policy/v1beta1"',
    'v1 Endpoints has been deprecated since Kubernetes 1.33; discovery.k8s.io/v1 EndpointSlice is available from 1.21 on',
    'metadata.annotations.kubernetes.io/ingress.class has been deprecated since Kubernetes 1.18',
    'use ingressClassName instead of kubernetes.io/ingress.class',
    'spec.volumes[0].awsElasticBlockStore is deprecated; use the CSI driver ebs.csi.aws.com instead',
  ]);
});

import { describe, expect, test } from 'vitest';
import { type CheckOptions, check } from '../../../src/actions/check.ts';
import { parseManifest } from '../../../src/manifest/parse.ts';
import { splitDocuments } from '../../../src/manifest/split.ts';
import { fieldsIn } from '../../../src/problem/place.ts';
import { chartOf } from '../harness.ts';

const chartFile = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';

async function found(template: string, options: Partial<CheckOptions> = {}) {
  const chart = await chartOf({ 'Chart.yaml': chartFile, 'templates/a.yaml': template });
  const { findings } = await check(chart, new Map(), { name: 'web', namespace: 'default', ...options });
  return findings.map(({ level, versions, problem: { code, cause, places } }) => ({
    level,
    code,
    versions: versions ?? ('versions' in cause ? cause.versions : undefined),
    lines: fieldsIn(places).map(({ lines }) => lines?.[0]?.line),
  }));
}

const objects = (text: string) => splitDocuments(text).map((document) => parseManifest(document, 'given.yaml'));

const budget = (apiVersion: string) =>
  `apiVersion: ${apiVersion}\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {selector: {matchLabels: {a: b}}}\n`;

describe('versions', () => {
  test('a kind that is gone is told once, with the versions', async () => {
    const expected = { level: 'error', code: 'kind-removed', versions: ['1.34', '1.37'], lines: [1] };
    expect(await found(budget('policy/v1beta1'), { kubeVersion: '1.37,1.34' })).toEqual([expected]);
  });

  test('templates see what each version serves', async () => {
    const template = `{{ if .Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget" }}\n${budget('policy/v1')}{{ else }}\n${budget('policy/v1beta1')}{{ end }}`;
    const notChecked = { level: 'note', code: 'kind-not-checked', versions: ['1.20'], lines: [] };
    expect(await found(template, { kubeVersion: '1.20,1.36' })).toEqual([notChecked]);
  });

  test('a kind that is deprecated there', async () => {
    expect(await found(budget('policy/v1beta1'), { kubeVersion: '1.21' })).toEqual([
      { level: 'warning', code: 'kind-deprecated', versions: ['1.21'], lines: [1] },
      { level: 'note', code: 'kind-not-checked', versions: undefined, lines: [] },
    ]);
  });

  test('what only the rendering of one version has names it', async () => {
    const template = `{{ if semverCompare ">=1.36" .Capabilities.KubeVersion.Version }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndataa: {}\n{{ end }}`;
    expect(await found(template, { kubeVersion: '1.34,1.36' })).toEqual([
      { level: 'error', code: 'field-unknown', versions: ['1.36'], lines: [5] },
    ]);
  });

  test('a field that a version does not have yet', async () => {
    const template =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  hostnameOverride: a\n  containers: [{name: a, image: a}]\n';
    expect(await found(template, { kubeVersion: '1.33' })).toEqual([
      { level: 'error', code: 'field-not-yet', versions: ['1.33'], lines: [5] },
    ]);
    expect(await found(template, { kubeVersion: '1.36' })).toEqual([]);
  });
});

describe('CRDs', () => {
  const resource = 'apiVersion: shop.example.com/v1\nkind: Offer\nmetadata: {name: a}\nspec:\n  price: -1\n  naem: x\n';
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: offers.shop.example.com}
spec:
  group: shop.example.com
  scope: Namespaced
  names: {kind: Offer, plural: offers, singular: offer, listKind: OfferList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{rule: "self.price > 0", message: costs something, fieldPath: .price}]
            properties: {price: {type: integer}}
`;

  test('a custom resource without its CRD is a note', async () =>
    expect(await found(resource)).toEqual([expect.objectContaining({ level: 'note', code: 'kind-not-checked' })]));

  test('fields and rules of a CRD that is given', async () => {
    expect(await found(resource, { crds: objects(crd) })).toEqual([
      { level: 'error', code: 'field-unknown', versions: undefined, lines: [6] },
      { level: 'error', code: 'field-value', versions: undefined, lines: [5] },
    ]);
  });

  test('an apply keeps nulls, which a CRD does not allow', async () =>
    expect(
      await found(resource.replace('-1\n  naem: x', 'null'), { crds: objects(crd.replace(/ +x-kub.*\n/, '')) }),
    ).toEqual([{ level: 'error', code: 'field-type', versions: undefined, lines: [5] }]));

  test('rules of a CRD are asked behind a word that is misspelt', async () => {
    const choice = crd.replace(
      '{price: {type: integer}}',
      '{price: {type: integer}, unit: {type: string, enum: [gram, litre]}}',
    );
    expect(await found(resource.replace('naem: x', 'unit: gramm'), { crds: objects(choice) })).toEqual([
      { level: 'error', code: 'field-choice', versions: undefined, lines: [6] },
      { level: 'error', code: 'field-value', versions: undefined, lines: [5] },
    ]);
  });

  test('templates see the kinds of a CRD that is given', async () => {
    const template = `{{ if .Capabilities.APIVersions.Has "shop.example.com/v1/Offer" }}\n${resource}{{ end }}`;
    expect(await found(template)).toEqual([]);
    expect((await found(template, { crds: objects(crd) })).map(({ code }) => code)).toContain('field-unknown');
  });
});

describe('policies', () => {
  const policy = (expression: string, more = '', rules = 'resources: [deployments], apiGroups: [apps]') =>
    `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: house-rules}
spec:
  ${more}
  matchConstraints: {resourceRules: [{${rules}, apiVersions: ['*'], operations: [CREATE]}]}
  validations: [{expression: ${JSON.stringify(expression)}, message: not in this house}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: all}
spec: {policyName: house-rules, validationActions: [ACTION], paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}}
`;
  const denying = (...parts: Parameters<typeof policy>) => policy(...parts).replace('ACTION', 'Deny');
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 9
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - name: a
        image: one:1.0
      - name: b
        image: two:latest
`;
  const images = (path: string) => `object.${path}spec.containers.all(c, !c.image.endsWith(':latest'))`;
  const pods = "resources: [pods], apiGroups: ['']";

  test.each([
    ['the field that the expression reads', denying('object.spec.replicas < 5'), 'error', 'policy-denied', 5],
    ['the item that is at fault', denying(images('spec.template.')), 'error', 'policy-denied', 14],
    [
      'a variable',
      denying('variables.count < 5', 'variables: [{name: count, expression: object.spec.replicas}]'),
      'error',
      'policy-denied',
      5,
    ],
    ['pods of a workload', denying(images(''), '', pods), 'warning', 'policy-denied', 14],
    ['a warning', policy('object.spec.replicas < 5').replace('ACTION', 'Warn'), 'warning', 'policy-warned', 5],
  ])('%s', async (_what, text, level, code, line) =>
    expect(await found(deployment, { policies: objects(text) })).toEqual([
      { level, code, versions: undefined, lines: [line] },
    ]),
  );

  test('the authorizer is left out, and said so', async () => {
    const text = denying("authorizer.group('').resource('pods').check('get').allowed()");
    expect(await found(deployment, { policies: objects(text) })).toEqual([
      expect.objectContaining({ level: 'note', code: 'policy-not-judged' }),
    ]);
  });

  test('one that the API server refuses is no policy, and said so', async () => {
    const text = denying('true').replace('expression: "true"', 'expression: 5');
    expect(await found(deployment, { policies: objects(text) })).toEqual([
      expect.objectContaining({ level: 'error', code: 'field-type' }),
    ]);
  });

  test.each([
    ['9', 0],
    ['8', 1],
  ])('parameters come from files: at most %s', async (most, count) => {
    const params = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: limits, namespace: default}\ndata: {most: '${most}'}\n`;
    const kind = 'paramKind: {apiVersion: v1, kind: ConfigMap}';
    const text = denying('object.spec.replicas <= int(params.data.most)', kind);
    expect(await found(deployment, { policies: objects(`${text}---\n${params}`) })).toHaveLength(count);
  });

  test('policies of the chart judge all of its objects, wherever they stand', async () =>
    expect(await found(`${deployment}---\n${denying('object.spec.replicas < 5')}`)).toEqual([
      { level: 'error', code: 'policy-denied', versions: undefined, lines: [5] },
    ]));

  const kyverno = (expression: string, more = '') =>
    `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: house-rules}
spec:
  ${more}
  evaluation: {background: {enabled: false}}
  matchConstraints: {resourceRules: [{resources: [deployments], apiGroups: [apps], apiVersions: [v1], operations: [CREATE]}]}
  validations: [{expression: ${JSON.stringify(expression)}, message: not in this house}]
`;

  test.each([
    ['denied', kyverno('object.spec.replicas < 5'), 'error', 'policy-denied', [5]],
    ['warned of', kyverno('object.spec.replicas < 5', 'validationActions: [Warn]'), 'warning', 'policy-warned', [5]],
    [
      'not judged by functions of its own',
      kyverno("resource.Get('v1', 'pods', 'a', 'b') != null"),
      'note',
      'policy-not-judged',
      [],
    ],
  ])("by a policy of Kyverno's: %s", async (_what, text, level, code, lines) =>
    expect(await found(deployment, { policies: objects(text) })).toEqual([{ level, code, versions: undefined, lines }]),
  );

  test("policies of Kyverno's in the chart count", async () =>
    expect(await found(`${deployment}---\n${kyverno('object.spec.replicas < 5')}`)).toEqual([
      { level: 'error', code: 'policy-denied', versions: undefined, lines: [5] },
      { level: 'note', code: 'kind-not-checked', versions: undefined, lines: [] },
    ]));

  const mutating = (rules?: string, binding = 'MutatingAdmissionPolicyBinding') =>
    policy('true', '', rules)
      .replace(/validations: .*/, 'mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[]"}}]')
      .replace(/, validationActions.*}/, '}')
      .replaceAll('Validating', 'Mutating')
      .replace('MutatingAdmissionPolicyBinding', binding);

  test.each([
    ['a Deployment', mutating(), [{ subject: 'web', why: 'mutating', isOfPods: false }]],
    ['the pods of one', mutating(pods), [{ subject: 'web', why: 'mutating', isOfPods: true }]],
    ['nothing of the chart', mutating("resources: [secrets], apiGroups: ['']"), []],
    ['nothing, for want of a binding', mutating(undefined, 'Other'), []],
  ])('one that changes objects is a note of each that it may change: %s', async (_what, text, expected) => {
    const chart = await chartOf({ 'templates/a.yaml': deployment });
    const options = { name: 'rel', namespace: 'default', policies: objects(text) };
    const { findings } = await check(chart, new Map(), options);
    expect(
      findings.map(({ problem: { subject, cause } }) => ({
        subject: 'id' in subject && subject.id.name,
        ...('why' in cause && { why: cause.why }),
        ...('isOfPods' in cause && { isOfPods: cause.isOfPods }),
      })),
    ).toEqual(expected);
  });
});

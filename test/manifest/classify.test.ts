import { describe, expect, test } from 'vitest';
import { classify } from '../../src/manifest/classify.ts';
import { hasObject, parseManifest, parseManifests } from '../../src/manifest/parse.ts';
import type { Hook } from '../../src/manifest/types.ts';

// Expected values: releaseutil.SortManifests of Helm v4.3.1.
const classifyText = (text: string) => classify(new Map([['a.yaml', text]]));

const annotated = (...lines: string[]) => `metadata:\n  annotations:\n${lines.map((line) => `    ${line}\n`).join('')}`;

describe('order', () => {
  const files = new Map([
    ['b.yaml', 'kind: Zed\nn: 1\n---\nkind: Deployment\nn: 2\n---\nkind: Service\n'],
    ['a.yaml', 'kind: Alpha\n---\nkind: Service\nn: 0\n---\nkind: Namespace\n'],
    ['c/_p.yaml', 'kind: [x'],
    ['d.yaml', '  \n'],
    [
      'c/x.yaml',
      [
        '# only\n',
        `kind: Job\nmetadata:\n  name: j\n  annotations:\n    helm.sh/hook: post-install\n    helm.sh/hook-weight: '-5'\n`,
        `kind: ConfigMap\nmetadata:\n  name: c\n  annotations:\n    helm.sh/hook: pre-install\n    helm.sh/hook-weight: '9'\n`,
        `kind: Widget\nmetadata:\n  name: w\n  annotations:\n    helm.sh/hook: post-install\n`,
      ].join('---\n'),
    ],
  ]);
  const sorted = classify(files);

  test('resources: by kind, unknown kinds last by name, then by path and place', () => {
    expect(sorted.manifests.map(({ source, text }) => [source, text])).toEqual([
      ['a.yaml', 'kind: Namespace\n'],
      ['a.yaml', 'kind: Service\nn: 0\n'],
      ['b.yaml', 'kind: Service\n'],
      ['b.yaml', 'kind: Deployment\nn: 2\n'],
      ['c/x.yaml', '# only\n'],
      ['a.yaml', 'kind: Alpha\n'],
      ['b.yaml', 'kind: Zed\nn: 1\n'],
    ]);
  });

  test('hooks: by kind, whatever their weight', () => {
    expect(sorted.hooks.map(({ name, weight }) => [name, weight])).toEqual([
      ['c', 9],
      ['j', -5],
      ['w', 0],
    ]);
  });
});

test.each<[string, string, Partial<Hook>]>([
  [
    'scalars become text',
    `kind: 5\napiVersion: 1.0\nmetadata:\n  name: 12\n  annotations:\n    helm.sh/hook: test\n    helm.sh/hook-weight: 5\n    x: true\n`,
    { name: '12', kind: '5', events: ['test'], weight: 5, deletePolicies: [], outputLogPolicies: [] },
  ],
  ['a float as weight', annotated('helm.sh/hook: pre-install', 'helm.sh/hook-weight: 1e3'), { weight: 1000 }],
  ['a hexadecimal weight', annotated('helm.sh/hook: pre-install', 'helm.sh/hook-weight: 0x10'), { weight: 16 }],
  ['a weight with a sign', annotated('helm.sh/hook: pre-install', "helm.sh/hook-weight: '+5'"), { weight: 5 }],
  ['a bad weight is 0', annotated('helm.sh/hook: pre-install', "helm.sh/hook-weight: 'first'"), { weight: 0 }],
  [
    'a weight beyond 64 bits is 0',
    annotated('helm.sh/hook: pre-install', "helm.sh/hook-weight: '99999999999999999999'"),
    { weight: 0 },
  ],
  [
    'several events, in any case',
    annotated('helm.sh/hook: Pre-Install , post-install,test-success'),
    { events: ['pre-install', 'post-install', 'test'] },
  ],
  [
    'policies are kept as they come',
    annotated(
      'helm.sh/hook: pre-install',
      "helm.sh/hook-delete-policy: ' Hook-Succeeded ,x'",
      'helm.sh/hook-output-log-policy: hook-failed,hook-succeeded',
    ),
    {
      deletePolicies: ['hook-succeeded', 'x' as 'hook-failed'],
      outputLogPolicies: ['hook-failed', 'hook-succeeded'],
    },
  ],
])('a hook: %s', (_rule, text, hook) => {
  const { hooks, manifests, warnings } = classifyText(text);
  expect(hooks).toMatchObject([{ path: 'a.yaml', manifest: text, ...hook }]);
  expect([manifests, warnings]).toEqual([[], []]);
});

test.each([
  ['crd-install', 'hookTypes=crd-install'],
  ['null', 'hookTypes=""'],
  ['pre-install, later', 'hookTypes="pre-install, later"'],
])('a document with the unknown hook %s is dropped with a warning', (events, attribute) => {
  expect(classifyText(annotated(`helm.sh/hook: ${events}`))).toEqual({
    manifests: [],
    hooks: [],
    skipped: [expect.anything()],
    warnings: [`level=INFO msg="skipping unknown hooks" ${attribute}`],
  });
});

test("Helm 2's events count where they are asked for", () => {
  const files = new Map([['a.yaml', annotated('helm.sh/hook: crd-install,test-failure')]]);
  expect(classify(files, { knowHelm2Events: true }).hooks).toMatchObject([{ events: ['crd-install', 'test-failure'] }]);
});

test.each([
  ['a list', '- x\n', 'cannot unmarshal array into Go value of type util.SimpleHead'],
  ['text', 'just text\n', 'cannot unmarshal string into Go value of type util.SimpleHead'],
  ['a list as kind', 'kind: [a]\n', 'cannot unmarshal array into Go struct field SimpleHead.kind of type string'],
  [
    'a map as name',
    'metadata:\n  name: {a: b}\n',
    'cannot unmarshal object into Go struct field .metadata.name of type string',
  ],
  [
    'text as annotations',
    'metadata:\n  annotations: x\n',
    'cannot unmarshal string into Go struct field .metadata.annotations of type map[string]string',
  ],
  [
    'a list as annotation',
    'metadata:\n  annotations:\n    a: [b]\n',
    'cannot unmarshal array into Go struct field .metadata.annotations of type string',
  ],
  [
    'text as metadata',
    'metadata: x\n',
    'cannot unmarshal string into Go struct field SimpleHead.metadata of type struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }',
  ],
])('%s is refused', (_rule, text, reason) => {
  expect(() => classifyText(text)).toThrow(
    `YAML parse error on a.yaml: error unmarshaling JSON: while decoding JSON: json: ${reason}`,
  );
});

describe('parseManifest', () => {
  test('keeps the text, and names what the object lacks', () => {
    expect(parseManifest('# only a comment\n', 'x/a.yaml')).toEqual({
      source: 'x/a.yaml',
      text: '# only a comment\n',
      object: { apiVersion: '', kind: '', metadata: { name: '' } },
    });
    expect(hasObject(parseManifest('# only a comment\n', 'a'))).toBe(false);
    expect(hasObject(parseManifest('kind: List\n', 'a'))).toBe(true);
  });

  test('reads a stored release back', () => {
    const stored = '---\n# Source: x/templates/a.yaml\nkind: A\n---\n# Source: x/templates/b.yaml\n# note\nkind: B\n';
    expect(parseManifests(stored).map(({ source, text }) => [source, text])).toEqual([
      ['x/templates/a.yaml', 'kind: A\n'],
      ['x/templates/b.yaml', '# note\nkind: B\n'],
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { legalDocument } from '../../src/manifest/legal-annotations.ts';
import { parseManifest } from '../../src/manifest/parse.ts';

const document = (annotations: string): string =>
  `# of the chart\nmetadata:\n  name: web # its name\n  annotations:\n    note: "yes"\n${annotations}\nkind: ConfigMap\n`;

describe('keys and values that the API server refuses become legal ones', () => {
  test.each([
    ['two slashes', '    helm.sh/dependson/layer: one', `    dependson.helm.sh/layer: '["one"]'`],
    ['a quoted key', '    "helm.sh/dependson/chart": redis', `    dependson.helm.sh/chart: '["redis"]'`],
    [
      'a comma list',
      '    helm.sh/depends-on/resource-groups: a, b',
      `    depends-on.helm.sh/resource-groups: '["a","b"]'`,
    ],
    [
      'a JSON text',
      `    helm.sh/depends-on/resource-groups: '["a", "b"]'`,
      `    depends-on.helm.sh/resource-groups: '["a","b"]'`,
    ],
    [
      'a flow list',
      '    helm.sh/depends-on/resource-groups: [a, b]',
      `    depends-on.helm.sh/resource-groups: '["a","b"]'`,
    ],
    [
      'a block list',
      '    helm.sh/depends-on/resource-groups:\n      - a\n      - b',
      `    depends-on.helm.sh/resource-groups: '["a","b"]'`,
    ],
    ['a list on its own level', '    helm.sh/dependson/layer:\n    - a', `    dependson.helm.sh/layer: '["a"]'`],
    ['a list under the legal key', '    dependson.helm.sh/layer: [a]', `    dependson.helm.sh/layer: '["a"]'`],
    ['a bare number', '    helm.sh/weight: -2', `    helm.sh/weight: '-2'`],
    ['a group that looks like a number', '    helm.sh/resource-group: 1', `    helm.sh/resource-group: '1'`],
    [
      'a list of conditions',
      `    helm.sh/readiness-success: ["{.phase} == 'it'"]`,
      `    helm.sh/readiness-success: '["{.phase} == ''it''"]'`,
    ],
  ])('%s', (_what, given, expected) => expect(legalDocument(document(given))).toBe(document(expected)));

  test.each([
    ['nothing to change', document('    helm.sh/weight: "1"')],
    [
      'the keys elsewhere than in annotations',
      'kind: ConfigMap\nmetadata: {name: a}\ndata:\n  helm.sh/dependson/layer: one\n',
    ],
    ['no YAML', 'helm.sh/weight: [\n'],
  ])('a document with %s stays as it is', (_what, text) => expect(legalDocument(text)).toBe(text));

  test.each([
    [
      'a flow mapping',
      'kind: A\nmetadata: {name: a, annotations: {helm.sh/dependson/layer: [x], helm.sh/weight: 3}}\n',
    ],
    [
      'the key twice in the text',
      'kind: A\nspec:\n  helm.sh/dependson/layer: no\nmetadata:\n  name: a\n  annotations:\n    helm.sh/weight: 3\n    helm.sh/dependson/layer: x\n',
    ],
  ])('where lines cannot be replaced, the document is written anew: %s', (_what, text) => {
    const { object } = parseManifest(legalDocument(text), 'x');
    expect(object.metadata.annotations).toEqual({ 'dependson.helm.sh/layer': '["x"]', 'helm.sh/weight': '3' });
  });

  test('both spellings together are one list', () => {
    const text = document('    helm.sh/dependson/layer: a\n    dependson.helm.sh/layer: b');
    expect(parseManifest(legalDocument(text), 'x').object.metadata.annotations).toEqual({
      note: 'yes',
      'dependson.helm.sh/layer': '["a","b"]',
    });
  });

  test('the items of a List', () => {
    const text = 'kind: List\nitems:\n- kind: A\n  metadata:\n    name: a\n    annotations: {helm.sh/weight: 1}\n';
    expect(parseManifest(legalDocument(text), 'x').object['items']).toEqual([
      { apiVersion: '', kind: 'A', metadata: { name: 'a', annotations: { 'helm.sh/weight': '1' } } },
    ]);
  });
});

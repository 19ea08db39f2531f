import { expect, test } from 'vitest';
import { malformedParts } from '../../src/manifest/malformed.ts';
import { hasObject, parseManifest } from '../../src/manifest/parse.ts';

const configMap = (metadata: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  ${metadata}\n`;
const list = (items: string): string => `apiVersion: v1\nkind: List\nitems:\n${items}\n`;
const partsOf = (text: string) => parseManifest(text, 'x').malformed ?? [];

const decode = (what: string): string => `unable to decode "": ${what}`;
const field = (found: string, name: string, type: string): string =>
  decode(`json: cannot unmarshal ${found} into Go struct field ObjectMeta.metadata.${name} of type ${type}`);
const invalid = (what: string): string => `error validating "": error validating data: ${what}`;

// What `helm install` of v4.3.1 says of each on a Kubernetes 1.36, after "unable to build kubernetes objects from release manifest: ".
test.each([
  [configMap('labels: {a: 1}'), field('number', 'labels', 'string')],
  [configMap('labels: {a: true, b: x}'), field('bool', 'labels', 'string')],
  [configMap('labels: [a]'), field('array', 'labels', 'map[string]string')],
  [configMap('annotations: {a: 1}'), field('number', 'annotations', 'string')],
  [configMap('namespace: 1'), field('number', 'namespace', 'string')],
  [configMap('finalizers: x'), field('string', 'finalizers', '[]string')],
  [configMap('ownerReferences: x'), field('string', 'ownerReferences', '[]v1.OwnerReference')],
  [configMap('generation: x'), field('string', 'generation', 'int64')],
  [
    configMap('creationTimestamp: x'),
    decode('parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'),
  ],
  ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 12}\n', field('number', 'name', 'string')],
  ['kind: ConfigMap\nmetadata: {name: a}\n', invalid('apiVersion not set')],
  ['apiVersion: v1\nmetadata: {name: a}\n', invalid('kind not set')],
  ['apiVersion: v1\nkind: 3\nmetadata: {name: a}\n', invalid("kind isn't string type")],
  ['apiVersion: 1\nkind: ConfigMap\nmetadata: {name: a}\n', invalid("apiVersion isn't string type")],
  ['apiVersion: a/b/c\nkind: ConfigMap\nmetadata: {name: a}\n', invalid('unexpected GroupVersion string: a/b/c')],
  [list('- kind: ConfigMap\n  metadata: {name: a}'), invalid('apiVersion not set')],
  [list('- apiVersion: v1\n  metadata: {name: a}'), invalid('kind not set')],
  [list('- null'), invalid('invalid object to validate')],
  [list('- x'), invalid('invalid object to validate')],
  ['apiVersion: v1\nkind: List\nitems: x\n', invalid('invalid object to validate')],
  ['apiVersion: v1\nkind: List\nitems: null\n', invalid('invalid object to validate')],
  ['apiVersion: v1\nkind: List\n', invalid('invalid object to validate')],
])('%j', (text, message) => expect(partsOf(text).map((part) => part.message)).toEqual([message]));

test.each([
  ['null is nothing', configMap('labels: {a: null}')],
  ['empty parts are nothing', configMap('labels:\n  finalizers: null')],
  [
    'items of a list that has a kind of its own',
    'apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n',
  ],
  ['what the server judges', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, nope: 1}\ndata: {a: 1}\n'],
  ['a document of comments', '# nothing\n'],
])('well formed: %s', (_rule, text) => expect(partsOf(text)).toEqual([]));

test('every part is named, with its path', () =>
  expect(
    partsOf(list('- kind: ConfigMap\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a, labels: {b: 1, c: 2}}')).map(
      ({ path, reason }) => `${path.join('/')}: ${reason}`,
    ),
  ).toEqual([
    'items/0: has no apiVersion',
    'items/1/metadata/labels/b: is the number 1 but must be a string',
    'items/1/metadata/labels/c: is the number 2 but must be a string',
  ]));

test('a key with nothing behind it has a path of its own', () =>
  expect(
    partsOf('apiVersion: ""\nkind:\nmetadata: {name: a}\n').map(({ path, reason }) => `${path.join('/')}: ${reason}`),
  ).toEqual(['apiVersion: is empty', 'kind: is empty']));

test('an object without its malformed parts can be looked at', () =>
  expect(parseManifest(configMap('labels: {a: 1, b: x}\n  namespace: 7\n  finalizers: x'), 'x').object).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', labels: { b: 'x' }, namespace: '7' },
  }));

test('items of a ConfigMapList are ConfigMaps', () =>
  expect(parseManifest('apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n', 'x').object).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMapList',
    metadata: { name: '' },
    items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
  }));

test('a document with neither kind nor name counts where it says something', () =>
  expect(['# nothing\n', 'data: {a: b}\n'].map((text) => hasObject(parseManifest(text, 'x')))).toEqual([false, true]));

test('what is no map is one mistake', () => expect(malformedParts('text')).toHaveLength(1));

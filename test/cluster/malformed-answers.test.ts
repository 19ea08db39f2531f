import { describe, expect, test } from 'vitest';
import { apiErrorOf, listPageOf, objectOf, serverVersionOf, typedObjectOf } from '../../src/cluster/http/answer.ts';
import { parseKubeconfig } from '../../src/cluster/kubeconfig.ts';
import { nextIn } from '../../src/cluster/list-pages.ts';

const asked = { method: 'GET', path: '/api/v1/namespaces/a/secrets' };
const said =
  'kubernetes cluster unreachable: GET /api/v1/namespaces/a/secrets: the answer is not a valid Kubernetes API response: ';

describe('an answer that is no object is refused where it comes in', () => {
  test.each<[unknown, string]>([
    [null, 'it is null'],
    [5, 'it is 5'],
    [[], 'it is an array, not an object'],
    [{}, 'it has no metadata'],
    [{ metadata: 5 }, 'metadata is a number, not an object'],
    [{ metadata: { name: {} } }, 'metadata.name is an object, not a string'],
    [{ metadata: { labels: { a: 1 } } }, 'metadata.labels.a is a number, not a string'],
    [{ kind: true, metadata: {} }, 'kind is a bool, not a string'],
  ])('%j', (value, problem) => expect(() => objectOf({ ...asked, value })).toThrow(said + problem));

  test.each([
    [{ metadata: {} }, 'it has no apiVersion'],
    [{ apiVersion: 'v1', metadata: {} }, 'it has no kind'],
  ])('%j outside of a list', (value, problem) => {
    expect(() => typedObjectOf({ ...asked, value })).toThrow(said + problem);
    expect(objectOf({ ...asked, value })).toBe(value);
  });

  test('and one that is stays as it is', () => {
    const value = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', labels: null, annotations: { toString: 'x' } },
      spec: [5],
    };
    expect(objectOf({ ...asked, value })).toBe(value);
  });
});

describe('an answer that is no list', () => {
  test.each<[unknown, string]>([
    [[], 'it is an array, not an object'],
    [123, 'it is 123'],
    [{ items: {} }, 'items is an object, not an array'],
    [{ items: [null] }, 'items[0] is null, not an object'],
    [{ items: [{ metadata: {} }, 5] }, 'items[1] is a number, not an object'],
    [{ items: [{}] }, 'items[0] has no metadata'],
    [{ metadata: { continue: 5 } }, 'metadata.continue is a number, not a string'],
  ])('%j', (value, problem) => expect(() => listPageOf({ ...asked, value })).toThrow(said + problem));

  test.each([{}, { items: null }, { items: [] }])('%j is an empty one', (value) =>
    expect(listPageOf({ ...asked, value }).items ?? []).toEqual([]),
  );
});

describe('an answer that is no version', () => {
  test.each<[unknown, string]>([
    [null, 'it is null'],
    [[], 'it is an array, not an object'],
    [{ minor: 36 }, 'minor is a number, not a string'],
  ])('%j', (value, problem) => expect(() => serverVersionOf({ ...asked, value })).toThrow(said + problem));

  test('what it leaves out is empty', () =>
    expect(serverVersionOf({ ...asked, value: { minor: '36' } })).toEqual({ major: '', minor: '36', gitVersion: '' }));
});

test('a list whose pages lead back has no end', () => {
  const seen = new Set<string>();
  expect(nextIn({ metadata: { continue: 'a' } }, seen)).toBe('a');
  expect(nextIn({ metadata: { continue: 'b' } }, seen)).toBe('b');
  expect(() => nextIn({ metadata: { continue: 'a' } }, seen)).toThrow(
    expect.objectContaining({ code: 'cluster-unreachable' }),
  );
});

test.each([
  { message: {} },
  { reason: 5 },
  { details: { causes: {} } },
  { details: { causes: [null] } },
  { details: { causes: [{ field: 5 }] } },
])('a Status with %j counts as none', (fields) => {
  const text = JSON.stringify({ kind: 'Status', ...fields });
  const { failure } = apiErrorOf('GET', '/api', { status: 409, text });
  expect(failure).toMatchObject({ reason: 'Conflict', message: 'the server reported a conflict', causes: [] });
});

// Helm 4.1's words.
test.each([
  [
    'clusters: [{name: a, cluster: {server: 5}}]',
    'number into Go struct field Cluster.clusters.cluster.server of type string',
  ],
  ['clusters: {}', 'object into Go struct field Config.clusters of type []v1.NamedCluster'],
  ['users: [{name: a, user: 5}]', 'number into Go struct field NamedAuthInfo.users.user of type v1.AuthInfo'],
  [
    'users: [{name: a, user: {exec: {command: x, args: 5}}}]',
    'number into Go struct field ExecConfig.users.user.exec.args of type []string',
  ],
])('a kubeconfig with %s', (text, problem) =>
  expect(() => parseKubeconfig(text, '/')).toThrow(`json: cannot unmarshal ${problem}`),
);

test('a kubeconfig with an exec plugin without a command is read', () =>
  expect(parseKubeconfig('users: [{name: a, user: {exec: {}}}]', '/').users.get('a')).toEqual({ exec: {} }));

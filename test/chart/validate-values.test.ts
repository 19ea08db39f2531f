import { describe, expect, test } from 'vitest';
import { checkDependencies, checkInstallable, checkKubeVersion } from '../../src/chart/checks.ts';
import type { Chart } from '../../src/chart/types.ts';
import { validateValues } from '../../src/chart/validate-values.ts';
import { mapOf } from './values.ts';

const chart = (name: string, schema: unknown, extra: Partial<Chart> = {}, metadata: object = {}): Chart => ({
  metadata: { name, version: '1.0.0', apiVersion: 'v2', ...metadata },
  templates: [],
  values: new Map(),
  schema: schema === undefined ? undefined : Buffer.from(JSON.stringify(schema)),
  files: [],
  raw: [],
  dependencies: [],
  origin: '',
  ...extra,
});

const wantsNumber = { properties: { a: { type: 'number' } }, required: ['b'] };

describe('all charts of a tree are checked', () => {
  // The texts are those of helm template for charts of this shape.
  test.each([
    ['values that fit', { a: 1, b: 1, sub: { a: 1, b: 1 } }, undefined],
    ['the parent', { a: 'x', b: 1, sub: { a: 1, b: 1 } }, "parent:\n- at '/a': got string, want number\n"],
    ['the subchart', { a: 1, b: 1, sub: { a: 'x', b: 1 } }, "sub:\n- at '/a': got string, want number\n"],
    [
      'both',
      { a: 'x', b: 1, sub: { a: 1 } },
      "parent:\n- at '/a': got string, want number\nsub:\n- at '': missing property 'b'\n",
    ],
    ['a subchart without values', { a: 1, b: 1 }, undefined],
    ['a subchart with null', { a: 1, b: 1, sub: null }, undefined],
    ['no table', { a: 1, b: 1, sub: 'x' }, 'sub:\ninvalid type for values: expected object (map), got string\n'],
    [
      'no table but a number',
      { a: 1, b: 1, sub: 1 },
      'sub:\ninvalid type for values: expected object (map), got float64\n',
    ],
  ])('%s', async (_title, values, findings) => {
    const tree = chart('parent', wantsNumber, { dependencies: [chart('sub', wantsNumber)] });
    const check = validateValues(tree, mapOf(values));
    if (findings === undefined) await expect(check).resolves.toBeUndefined();
    else
      await expect(check).rejects.toMatchObject({
        code: 'values-schema',
        message: `values don't meet the specifications of the schema(s) in the following chart(s):\n${findings}`,
      });
  });

  test('a chart between two with schemas needs none', async () => {
    const tree = chart('a', undefined, {
      dependencies: [chart('b', undefined, { dependencies: [chart('c', false)] })],
    });
    await expect(validateValues(tree, mapOf({ b: { c: {} } }))).rejects.toThrow("c:\n- at '': false schema\n");
  });
});

describe('schemas elsewhere', () => {
  const refers = chart('app', { properties: { a: { $ref: 'https://example.com/a.json' } } });

  test('are downloaded, once each', async () => {
    const urls: string[] = [];
    const download = (url: string): Promise<Uint8Array> => {
      urls.push(url);
      return Promise.resolve(
        Buffer.from(url.endsWith('a.json') ? '{"allOf":[{"$ref":"b.json"},{"$ref":"b.json"}]}' : '{"type":"string"}'),
      );
    };
    await expect(validateValues(refers, mapOf({ a: 1 }), { download })).rejects.toThrow('got number, want string');
    expect(urls).toEqual(['https://example.com/a.json', 'https://example.com/b.json']);
  });

  test('fail the check when they cannot be had', async () => {
    const download = (): Promise<Uint8Array> => Promise.reject(new Error('no route'));
    await expect(validateValues(refers, mapOf({}), { download })).rejects.toThrow(
      'app:\nfailing loading "https://example.com/a.json": no route',
    );
  });
});

describe('hostile schemas end in a clear error', () => {
  test('a schema that refers to itself', async () => {
    const loop = chart('app', { $ref: '#' });
    await expect(validateValues(loop, mapOf({}))).rejects.toThrow('causing reference cycle');
  });

  test('values of a thousand levels against a schema without end', async () => {
    const deep = chart('app', { properties: { a: { $ref: '#' }, b: { type: 'string' } } });
    let values: Record<string, unknown> = { b: 1 };
    for (let level = 0; level < 900; level++) values = { a: values };
    await expect(validateValues(deep, mapOf(values))).rejects.toThrow('got number, want string');
  });

  test('a schema of many levels', async () => {
    const text = `${'{"not":'.repeat(50_000)}{}${'}'.repeat(50_000)}`;
    const deep = { ...chart('app', undefined), schema: Buffer.from(text) };
    await expect(validateValues(deep, mapOf({}))).rejects.toThrow("app:\ninvalid character '{' exceeded max depth");
  });

  test('an expression that would take others forever', async () => {
    const slow = chart('app', { properties: { a: { pattern: '^(a+)+$' } } });
    await expect(validateValues(slow, mapOf({ a: `${'a'.repeat(5_000)}b` }))).rejects.toThrow('does not match pattern');
  });
});

describe('a chart is fit for use', () => {
  test.each([
    ['', undefined],
    ['application', undefined],
    ['library', 'library charts are not installable'],
  ])('type %j', (type, message) => {
    const check = (): void => checkInstallable(chart('app', undefined, {}, { type }));
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(message);
  });

  test('what Chart.yaml asks for must be there', () => {
    const dependencies = [{ name: 'here' }, { name: 'x' }, { name: 'y' }];
    const app = chart('app', undefined, { dependencies: [chart('here', undefined)] }, { dependencies });
    expect(() => checkDependencies(app)).toThrow(
      "an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: x, y",
    );
  });

  test.each([
    ['>=1.20.0-0', 'v1.36.0', true],
    ['>=1.40.0', 'v1.36.0', false],
    ['', 'v1.36.0', true],
    ['nonsense', 'v1.36.0', false],
    ['>=1.20', 'v1.36.0-gke.1', false],
  ])('kubeVersion %j with Kubernetes %s', (kubeVersion, kubernetes, isCompatible) => {
    const check = (): void => checkKubeVersion(chart('app', undefined, {}, { kubeVersion }), kubernetes);
    if (isCompatible) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        `chart requires kubeVersion: ${kubeVersion} which is incompatible with Kubernetes ${kubernetes}`,
      );
  });
});

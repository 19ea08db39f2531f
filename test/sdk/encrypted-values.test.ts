import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Tshelm, TshelmError } from '../../src/index.ts';

const fixture = (name: string): string => new URL(`../sops/fixtures/${name}`, import.meta.url).pathname;
const valueFiles = [fixture('some.encrypted.yaml')];
const shop = new Tshelm().chart({
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'templates/a.yaml': 'kind: A\nmetadata: {name: "{{ .Values.password }}"}\n',
});

test('values files that sops encrypted are opened with the key of the environment', async () => {
  const environment = { SOPS_AGE_KEY: readFileSync(fixture('keys.txt'), 'utf8') };
  const { manifest } = await new Tshelm({ environment }).render(shop, { valueFiles });
  expect(manifest).toContain('name: "hunter2"');
});

test('a key that was not given is not looked for', async () =>
  expect(new Tshelm().render(shop, { valueFiles })).rejects.toMatchObject({
    code: 'sops-key',
    message: expect.stringContaining('there is no age identity'),
  }));

test('what does not wait says so', () =>
  expect(() => new Tshelm().renderSync(shop, { valueFiles })).toThrow(TshelmError));

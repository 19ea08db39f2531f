import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serve } from '../source/http/server.ts';
import { tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-scheme-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'templates'));
writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
writeFileSync(join(folder, 'templates/a.yaml'), 'a: {{ .Values.a }}\n');
writeFileSync(join(folder, 'values.a.yaml'), 'a: here\n');

const template = (file: string) => tshelm(['template', folder, '-f', file]);

test('secrets:// is the file itself, on this machine and elsewhere', async () => {
  const { url } = await serve((_request, response) => void response.end('a: fetched\n'));
  expect((await template(`secrets://${join(folder, 'values.a.yaml')}`)).stdout).toContain('a: here');
  expect((await template(`secrets://${url}/a.yaml`)).stdout).toContain('a: fetched');
});

test.each([
  ['secrets+age-import:///key.txt?a.yaml', 'SOPS_AGE_KEY_FILE'],
  ['secrets+gpg-import-kubernetes://a/b#c?a.yaml', 'gpg'],
  ['secrets+literal://a', 'reference'],
])('what only the plugin does names what to do without it: %s', async (file, instead) => {
  for (const line of [
    ['-f', file],
    ['--set-file', `a=${file}`],
  ]) {
    const { code, stderr } = await tshelm(['template', folder, ...line]);
    expect(code).toBe(1);
    expect(stderr).toContain('needs the plugin helm-secrets');
    expect(stderr).toContain(instead);
  }
});

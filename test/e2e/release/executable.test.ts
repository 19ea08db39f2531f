import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { helm } from '../support/programs.ts';
import { copyCheckout } from './checkout.ts';
import { linesOf, packagesLines, writePackagesChart } from './packages-chart.ts';

/** The executable for this machine, alone in a folder: nothing of the checkout is beside it. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-executable-'));
const executable = join(folder, 'tshelm');
let checkout = '';
const target = `linux-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;

/** Compiles a copy of this checkout. */
function compile(name: string, form: '--no-archive' | '--as-helm'): string {
  const checkout = copyCheckout(join(folder, name));
  execFileSync('npm', ['run', '--silent', 'release', '--', target, form], { cwd: checkout, stdio: 'pipe' });
  return checkout;
}

beforeAll(() => {
  checkout = compile('checkout', '--as-helm');
  copyFileSync(join(checkout, 'release', target, 'tshelm'), executable);
  cpSync('fixtures', join(folder, 'fixtures'), { recursive: true });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without USER, HOME and PATH, as a container may start it. */
function run(...words: string[]): Ran {
  const env = { KUBECONFIG: process.env['KUBECONFIG'], HOME: folder };
  const { status, stdout, stderr } = spawnSync(executable, words, { cwd: folder, encoding: 'utf8', env });
  return { code: status, stdout, stderr };
}

test("version and help are those of Node's command line", () => {
  const ofNode = (...words: string[]) => spawnSync(join(checkout, 'bin/tshelm'), words, { encoding: 'utf8' }).stdout;
  expect(run('version').stdout).toBe(ofNode('version'));
  expect(run('install', '--help').stdout).toBe(
    ofNode('install', '--help').replaceAll(process.env['HOME'] ?? '', folder),
  );
});

test('has the packages that few charts need', () => {
  const { stdout, stderr } = run('template', 'x', writePackagesChart(folder));
  expect([linesOf(stdout), stderr]).toEqual([packagesLines, '']);
});

test("an archive takes the place of Helm's for azure/setup-helm", () => {
  // It downloads BASE/helm-VERSION-OS-ARCH.tar.gz, unpacks it, and takes the first file named helm in any folder of it.
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { readonly version: string };
  const archive = join(checkout, 'release', `helm-v${version}-${target}.tar.gz`);
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  execFileSync('tar', ['xzf', archive, '-C', unpacked]);
  const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
  const [found = ''] = files.filter((path) => basename(path) === 'helm');
  expect(found).toBe(join(target, 'helm'));
  chmodSync(join(unpacked, found), 0o755);
  const { status, stdout } = spawnSync(join(unpacked, found), ['version', '--short'], { encoding: 'utf8', env: {} });
  expect([status, stdout]).toEqual([0, run('version', '--short').stdout]);
});

test('the list of contents names each of its packages once: two versions of one package are two', () => {
  const text = readFileSync(join(folder, 'unpacked', target, 'sbom.spdx.json'), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: readonly { readonly SPDXID: string }[] };
  expect(packages.length).toBeGreaterThan(20);
  expect(new Set(packages.map(({ SPDXID }) => SPDXID)).size).toBe(packages.length);
});

test('renders as Helm does', async () => {
  const { stdout } = await helm.run(['template', 'shop', 'fixtures/charts/shop']);
  expect(run('template', 'shop', 'fixtures/charts/shop')).toEqual({ code: 0, stdout, stderr: '' });
});

test('installs in order, upgrades, tells of it and uninstalls on the sandbox', () => {
  const onSandbox = (...words: string[]) => run(...words, '--sandbox', '--sandbox-dir', join(folder, 'sandbox'));
  expect(onSandbox('install', 'shop', 'fixtures/charts/shop', '--wait=ordered')).toMatchObject({ code: 0 });
  expect(onSandbox('upgrade', 'shop', 'fixtures/charts/shop', '--wait')).toMatchObject({ code: 0 });
  expect(JSON.parse(onSandbox('status', 'shop', '-o', 'json').stdout)).toMatchObject({ version: 2 });
  expect(onSandbox('uninstall', 'shop', '--wait')).toMatchObject({ code: 0 });
});

test('packages that are loaded at their first use are inside', () => {
  writeFileSync(join(folder, 'passphrase'), 'open sesame\n');
  const options = ['--sandbox', '--sandbox-dir', join(folder, 'planned'), '--passphrase-file', 'passphrase'];
  const planned = run('plan', 'install', 'shop', 'fixtures/charts/shop', '--out', 'shop.plan', ...options);
  expect(planned).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'shop.plan'), 'utf8')).toContain('BEGIN AGE ENCRYPTED FILE');
});

test('nested templates go as deep as in Helm, and names are looked up', async () => {
  const chart = join(folder, 'nested');
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: nested\nversion: 1.0.0\n');
  writeFileSync(
    join(chart, 'templates/all.yaml'),
    `{{- define "down" }}{{ if gt (int .) 0 }}{{ include "down" (sub (int .) 1) }}{{ else }}end{{ end }}{{ end -}}
apiVersion: v1
kind: ConfigMap
metadata: { name: nested }
data: { end: {{ include "down" .Values.depth }}, host: {{ getHostByName "localhost" | quote }} }
`,
  );
  for (const depth of ['998', '1001']) {
    const words = ['template', 'x', chart, '--enable-dns', '--set', `depth=${depth}`];
    const { code, stdout } = await helm.run(words);
    expect(run(...words)).toMatchObject({ code, stdout });
  }
});

test('two checkouts of one state give the same bytes', () => {
  const again = compile('again/checkout', '--no-archive');
  expect(readFileSync(join(again, 'release', target, 'tshelm')).equals(readFileSync(executable))).toBe(true);
}, 300_000);

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, openSide, type Side, serveFiles } from './sides.ts';

/** Folders that cannot be written to, beside Helm. In `cached` there is an index and nobody may change it; nothing is in `empty`. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-unwritable-'));
const given = join(folder, 'given');
let server: Awaited<ReturnType<typeof serveFiles>>;
let sides: readonly Side[] = [];

beforeAll(async () => {
  const helm = join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm');
  const script = `
    mkdir given served && '${helm}' create given/red && '${helm}' package given/red -d served && '${helm}' repo index served
    mkdir -p given/cached given/empty given/parent && cp served/index.yaml given/cached/web-index.yaml`;
  execFileSync('bash', ['-ec', script], { cwd: folder, stdio: 'pipe' });
  server = await serveFiles(join(folder, 'served'));
  const repository = `repositories:\n- {name: web, url: "${server.url}"}\n`;
  writeFileSync(join(given, 'repositories.yaml'), repository);
  const dependency = '{name: red, version: 0.x, repository: "@web"}';
  writeFileSync(
    join(given, 'parent/Chart.yaml'),
    `apiVersion: v2\nname: p\nversion: 1.0.0\ndependencies: [${dependency}]\n`,
  );
  sides = (['helm', 'tshelm'] as const).map((name) => openSide(name, folder, given, { withoutOverride: true }));
  for (const { folder: work } of sides) for (const name of ['cached', 'empty']) chmodSync(join(work, name), 0o555);
}, 120_000);

afterAll(() => {
  server.close();
  for (const { folder: work } of sides) for (const name of ['cached', 'empty']) chmodSync(join(work, name), 0o755);
  rmSync(folder, { recursive: true, force: true });
});

const known = '--repository-config repositories.yaml';
const cached = `${known} --repository-cache cached`;
const empty = `${known} --repository-cache empty`;

test.each([
  `search repo red ${cached}`,
  `search repo red ${empty}`,
  `repo list ${empty}`,
  `repo update ${cached}`,
  `repo update ${empty}`,
  `pull web/red ${cached} -d out`,
  `pull web/red ${empty}`,
  `show chart web/red ${cached}`,
  `template r web/red ${cached}`,
  `template r web/red ${cached} --content-cache empty`,
  `show chart URL/red-0.1.0.tgz ${cached} --content-cache empty`,
  `pull web/red ${cached} --content-cache empty -d out`,
  `pull URL/red-0.1.0.tgz ${cached} -d empty`,
  `pull red --repo URL ${cached} -d empty`,
  `dependency update parent ${cached}`,
  `dependency build parent ${cached} --content-cache empty`,
  `dependency build parent ${cached} --skip-refresh`,
  `dependency update parent ${empty}`,
  `repo add two URL ${empty}`,
  'repo add three URL --repository-config empty/repositories.yaml',
  'registry login 127.0.0.1:1 -u a -p b --registry-config empty/config.json',
  `repo remove web ${cached}`,
  `repo list ${cached}`,
  'repo index empty',
  'package red -d empty',
  'create empty/new',
])('%s', async (line) => {
  const words = line.split(' ').map((word) => word.replace('URL', server.url));
  for (const { folder: work } of sides) mkdirSync(join(work, 'out'), { recursive: true });
  const [helm, tshelm] = await Promise.all(sides.map((side) => side.run(words)));
  expect(shown(tshelm)).toEqual(shown(helm));
});

/** Helm writes to a file of another name first, and logs that a folder could not be made before it says so. */
const shown = (outcome: Outcome | undefined) =>
  outcome && {
    ...outcome,
    stdout: outcome.stdout.replace(/(?<=\.(?:yaml|tgz))\d+(?=: )/g, ''),
    stderr: outcome.stderr.replace(/(?<=\.(?:yaml|tgz))\d+(?=: )/g, '').replace(/^level=ERROR .*\n/m, ''),
  };

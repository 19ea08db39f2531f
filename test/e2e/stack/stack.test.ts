import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { tshelmPath } from '../support/programs.ts';

/** Stacks beside helmfile: what it prints today is what is committed, and what it deploys is what tshelm deploys. */
const bin = process.env['TSHELM_E2E_BIN'] as string;
const folder = mkdtempSync(join(tmpdir(), 'tshelm-stack-'));
const spaces = ['helmfile', 'tshelm'].map((name) => `stack-${name}-${process.pid}`) as [string, string];

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, words: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(program, [...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
  });
  return { code: status, stdout, stderr };
}
const tshelm = (...words: string[]): Ran => run(tshelmPath, words);
const helm = (...words: string[]): Ran => run(join(bin, 'helm'), words);

beforeAll(() => {
  mkdirSync(join(folder, 'chart/templates'), { recursive: true });
  writeFileSync(join(folder, 'chart/Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
  writeFileSync(
    join(folder, 'chart/templates/map.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {v: {{ .Values.v | quote }}}\n',
  );
  for (const space of spaces) {
    const release = (name: string, more: string): string =>
      `  - name: ${name}\n    namespace: ${space}\n    chart: ./chart\n    values: [{v: ${name}}]\n${more}`;
    const text = `helmDefaults: {wait: true, historyMax: 3}\nreleases:\n${release('web', '    needs: [db]\n')}${release('db', '')}`;
    writeFileSync(join(folder, `${space}.yaml`), text);
  }
});
afterAll(async () => {
  const cluster = await connect();
  for (const name of spaces) await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name });
  cluster.close();
  rmSync(folder, { recursive: true });
});

/** Of several releases that are needed and not there, helmfile names any. */
const settled = (text: string): string => text.replace(/(on an undefined release ").*/g, '$1…');

describe('what is committed is what helmfile says today', async () => {
  const { cases, commands, helmfile } = await import('./refresh.mjs');
  for (const one of cases) {
    for (const [command, ours] of Object.entries(commands)) {
      test(`${one.name}: ${command}`, () => {
        const committed = readFileSync(`fixtures/stack/expected/${one.name}.${ours}.txt`, 'utf8');
        expect(settled(helmfile(one, command))).toBe(settled(committed));
      });
    }
  }
});

test('helmfile sync and stack sync leave the same releases, and each goes on with the other', () => {
  const [theirs, ours] = spaces;
  expect(run(join(bin, 'helmfile'), ['-q', '-f', `${theirs}.yaml`, 'sync', '--skip-deps']).code).toBe(0);
  expect(tshelm('stack', 'sync', '-f', `${ours}.yaml`)).toMatchObject({ code: 0 });
  for (const name of ['web', 'db']) {
    const of = (space: string): string =>
      helm('get', 'manifest', name, '-n', space).stdout + helm('get', 'values', name, '-n', space).stdout;
    expect(of(ours)).toBe(of(theirs));
    expect(of(ours)).toContain(`v: "${name}"`);
  }
  // tshelm finds nothing to do in what helmfile made, and helmfile upgrades and destroys what tshelm made.
  expect(tshelm('stack', 'apply', '-f', `${theirs}.yaml`).stderr).toMatch(/db: unchanged[^]*web: unchanged/);
  expect(run(join(bin, 'helmfile'), ['-q', '-f', `${ours}.yaml`, 'sync', '--skip-deps']).code).toBe(0);
  expect(tshelm('stack', 'status', '-f', `${ours}.yaml`).stdout).toMatch(/db +yes +deployed +2 /);
  expect(run(join(bin, 'helmfile'), ['-q', '-f', `${ours}.yaml`, 'destroy']).code).toBe(0);
  expect(tshelm('stack', 'destroy', '-f', `${theirs}.yaml`).stderr).toMatch(/web: uninstalled[^]*db: uninstalled/);
  expect(helm('list', '-n', theirs, '-q').stdout).toBe('');
  expect(helm('list', '-n', ours, '-q').stdout).toBe('');
});

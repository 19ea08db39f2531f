import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlainYaml } from '../../../src/yaml/index.ts';
import { tshelmPath } from '../support/programs.ts';

/** Jobs of other engines, checked by what npm has of these. They bring too many packages to be dependencies of ours. */
const packages = ['gitlab-ci-local@4.61.0', '@kubernetes-models/argo-workflows@2.0.0'];
const cache = join(process.env['TSHELM_E2E_BIN'] as string, '../engines');
const modules = join(cache, 'node_modules');
const folder = mkdtempSync(join(tmpdir(), 'tshelm-engines-'));

beforeAll(() => {
  if (!existsSync(join(modules, 'gitlab-ci-local'))) {
    mkdirSync(cache, { recursive: true });
    execFileSync('npm', ['install', '--prefix', cache, '--ignore-scripts', '--no-audit', ...packages]);
  }
  const release = (name: string, more = ''): string => `  - {name: ${name}, namespace: shop, chart: ./chart${more}}\n`;
  writeFileSync(join(folder, 'helmfile.yaml'), `releases:\n${release('web', ', needs: [db]')}${release('db')}`);
  for (const words of [
    ['init', '-q'],
    ['remote', 'add', 'origin', 'git@example.com:a/b.git'],
  ])
    execFileSync('git', words, { cwd: folder });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

const exported = (...words: string[]): string =>
  execFileSync(tshelmPath, ['stack', 'export', ...words], { cwd: folder, encoding: 'utf8' });
const forms = [[[]], [['--with-plan']], [['--jobs', '1']]];

test.each(forms)('GitLab CI %j', (words) => {
  const check = (text: string): string => {
    writeFileSync(join(folder, '.gitlab-ci.yml'), text);
    const program = join(modules, 'gitlab-ci-local/src/index.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--list'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return status === 0 ? stdout : `${stdout}${stderr}`.replace(/^/gm, 'refused: ');
  };
  const text = exported('--to', 'gitlab-ci', ...words);
  expect(check(text)).not.toContain('refused: ');
  expect(check(text.replace('  script:', '  scripts:'))).toContain('refused: ');
});

test.each(forms)('Argo Workflows %j', async (words) => {
  const path = join(modules, '@kubernetes-models/argo-workflows/argoproj.io/v1alpha1/Workflow.js');
  const { Workflow } = await import(pathToFileURL(path).href);
  const validate = (text: string): void => new Workflow(readPlainYaml(text)).validate();
  // The types of Go ask for a name of a script's container; Argo gives it one.
  const text = exported('--to', 'argo-workflows', ...words).replaceAll(/^( +)script:\n/gm, '$&$1  name: main\n');
  expect(() => validate(text)).not.toThrow();
  expect(() => validate(text.replace('entrypoint: stack', 'entrypoint: [stack]'))).toThrow('spec/entrypoint');
});

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseManifests } from '../../../src/manifest/parse.ts';
import { tshelmPath } from '../support/programs.ts';

/**
 * Patches, transformers, post-renderers, added dependencies, Kustomizations and folders of manifests: the objects that
 * helmfile renders are those that tshelm renders.
 */
const bin = process.env['TSHELM_E2E_BIN'] as string;
const folder = resolve('test/e2e/stack/patched');

function objects(program: string, words: readonly string[]): readonly unknown[] {
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, HELM_PLUGINS: join(folder, 'plugins') };
  const { status, stdout, stderr } = spawnSync(program, [...words], { cwd: folder, encoding: 'utf8', env });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return parseManifests(stdout)
    .map(({ object }) => object)
    .filter(({ kind }) => kind !== '');
}

test('template', () => {
  const theirs = objects(join(bin, 'helmfile'), ['-q', 'template', '--skip-deps']);
  expect(theirs).toHaveLength(20);
  expect(objects(tshelmPath, ['stack', 'template'])).toEqual(theirs);
});

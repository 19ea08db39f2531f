import { describe, expect, test } from 'vitest';
import { readPlainYaml } from '../../src/yaml/index.ts';
import { mistakesInWorkflow } from '../support/github-workflow.ts';
import { blocksOf, pages } from './pages.ts';

/** The recipes of docs/ as the CI systems read them; Jenkins' are in test/e2e/pages/jenkinsfile.test.ts. */
const recipes = pages().flatMap((page) => blocksOf(page, 'yaml').map((text) => ({ name: page.name, text })));
const forGitHub = recipes.filter(({ text }) => text.includes('runs-on:'));
const forGitLab = recipes.filter(({ text }) => text.includes('before_script:'));

describe('recipes for GitHub', () => {
  test('there are some', () => expect(forGitHub.length).toBeGreaterThan(1));

  test.each(forGitHub)("of $name: GitHub's parser has nothing against it", async ({ text }) => {
    expect(await mistakesInWorkflow(text)).toEqual([]);
    expect(await mistakesInWorkflow(text.replace('runs-on:', 'runs-at:'))).not.toEqual([]);
  });
});

describe('recipes for GitLab', () => {
  /** Of the keywords of a job, those that our recipes use (docs.gitlab.com, CI/CD YAML syntax reference). */
  const keywords = 'stage script rules environment resource_group artifacts needs image before_script'.split(' ');

  test('there are some', () => expect(forGitLab.length).toBeGreaterThan(0));

  test.each(forGitLab)(
    'of $name: each job has a script, keywords of GitLab, and a stage that is declared',
    ({ text }) => {
      const { stages, default: common, ...jobs } = readPlainYaml(text) as Record<string, Record<string, unknown>>;
      expect(Object.keys(common ?? {}).filter((key) => !keywords.includes(key))).toEqual([]);
      for (const job of Object.values(jobs)) {
        expect(Object.keys(job).filter((key) => !keywords.includes(key))).toEqual([]);
        expect(stages).toContain(job['stage']);
        expect(job['script']).not.toEqual([]);
      }
    },
  );
});

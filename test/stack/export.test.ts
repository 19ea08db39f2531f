import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jobsOf } from '../../src/stack/export/jobs.ts';
import type { StackNode } from '../../src/stack/plan-stack.ts';
import { tshelmVersion } from '../../src/support/version.ts';
import { readPlainYaml } from '../../src/yaml/index.ts';
import { mistakesInWorkflow } from '../support/github-workflow.ts';
import { openStackFolder, releaseText, type StackFolder } from './stack-folder.ts';

const node = (id: string, ...needs: string[]): StackNode => ({ id, needs }) as unknown as StackNode;
/** Three levels: one, then four, then two. */
const graph = [
  node('a/db'),
  ...['1', '2', '3', '4'].map((name) => node(`b/${name}`, 'a/db')),
  node('c/web', 'b/1', 'b/2'),
  node('C-web', 'b/4'),
];
const shown = (most?: number): string[] =>
  jobsOf(graph, most).map(
    ({ id, nodes, needs }) => `${id}: ${nodes.map((one) => one.id).join(' ')} <- ${needs.join(' ')}`,
  );

describe('jobs', () => {
  test('one for each release, with a name that every engine takes', () => {
    expect(shown()).toEqual([
      'a-db: a/db <- ',
      'b-1: b/1 <- a-db',
      'b-2: b/2 <- a-db',
      'b-3: b/3 <- a-db',
      'b-4: b/4 <- a-db',
      'c-web: c/web <- b-1 b-2',
      'c-web-2: C-web <- b-4',
    ]);
  });

  test('at most so many: the fullest levels get the most', () => {
    expect(shown(4)).toEqual([
      'a-db: a/db <- ',
      'part-2: b/1 b/2 <- a-db',
      'part-3: b/3 b/4 <- a-db',
      'part-4: c/web C-web <- part-2 part-3',
    ]);
  });

  test('fewer than levels: levels that follow each other share a job', () => {
    expect(shown(2)).toEqual(['a-db: a/db <- ', 'part-2: b/1 b/2 b/3 b/4 c/web C-web <- a-db']);
    expect(jobsOf(graph, 1)).toHaveLength(1);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('of at most %i no two wait for each other', (most) => {
    const jobs = jobsOf(graph, most);
    expect(jobs.length).toBeLessThanOrEqual(Math.max(most, 1));
    expect(jobs.flatMap(({ nodes }) => nodes)).toHaveLength(graph.length);
    const before = new Set<string>();
    for (const { id, needs } of jobs) {
      expect(needs.every((need) => before.has(need))).toBe(true);
      before.add(id);
    }
  });
});

describe('stack export', () => {
  let folder: StackFolder;
  beforeEach(() => {
    folder = openStackFolder();
    folder.write('helmfile.yaml', `releases:\n${releaseText('web', '    needs: [db]\n')}${releaseText('db')}`);
  });
  afterEach(() => folder.remove());
  const exported = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await folder.stack('export', ...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return readPlainYaml(stdout) as Record<string, unknown>;
  };

  test('GitLab CI: each job applies its release, once those that it needs are done', async () => {
    const file = `${folder.path}/helmfile.yaml`;
    expect(await exported('--to', 'gitlab-ci', '-e', 'default', '--state-values-set', "a=it's")).toMatchObject({
      stages: ['start', 'deploy'],
      'shop-db': { stage: 'deploy', needs: [] },
      'shop-web': {
        needs: ['shop-db'],
        script: [
          `tshelm stack apply --file ${file} --environment default --state-values-set 'a=it'\\''s' --skip-needs -l namespace=shop,name=web`,
        ],
      },
    });
  });

  test('GitLab CI: the default branch alone, one run at a time, in an environment', async () => {
    const isDefault = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
    const { 'tshelm-start': start, ...pipeline } = await exported('--to', 'gitlab-ci', '--with-plan', '-e', 'default');
    // GitLab holds the resource group of a job that starts a child pipeline until that is done.
    expect(start).toEqual({
      stage: 'start',
      rules: [{ if: `$CI_PIPELINE_SOURCE != "parent_pipeline" && ${isDefault}` }],
      resource_group: 'stack',
      trigger: { include: [{ local: '.gitlab-ci.yml' }], strategy: 'depend' },
    });
    for (const name of ['tshelm-plan', 'shop-db', 'shop-web']) {
      const rules = [{ if: `$CI_PIPELINE_SOURCE == "parent_pipeline" && ${isDefault}` }];
      expect(pipeline[name]).toMatchObject({ rules, environment: 'default' });
    }
  });

  test('GitHub Actions: the default branch alone, one run at a time, one commit, a kubeconfig', async () => {
    const workflow = await exported('--to', 'github-actions');
    expect(workflow['concurrency']).toEqual({ group: 'stack', 'cancel-in-progress': false });
    for (const job of Object.values(workflow['jobs'] as object)) {
      expect(job).toMatchObject({
        if: 'github.ref_name == github.event.repository.default_branch',
        environment: 'production',
        steps: [
          { uses: 'actions/checkout@v4', with: { ref: expect.stringContaining('github.sha') } },
          { run: `npm install --global tshelm@${tshelmVersion}` },
          { env: { CONTENT: expect.stringContaining('secrets.KUBECONFIG') } },
          {},
        ],
      });
    }
  });

  test('Argo Workflows: one run at a time, the commit that was exported, an account', async () => {
    const argo = await exported('--to', 'argo-workflows');
    expect(argo['spec']).toMatchObject({
      serviceAccountName: 'stack',
      synchronization: { mutexes: [{ name: 'stack' }] },
      arguments: {
        parameters: [{ name: 'repository' }, { name: 'revision', value: expect.stringMatching(/^[0-9a-f]{40}$/) }, {}],
      },
    });
  });

  describe('what has to be supplied', () => {
    const text = `repositories: [{name: own, url: "https://charts.example.org"}]
releases:
  - name: web
    namespace: shop
    kubeContext: east
    chart: ./chart
    labels: {region: {{ env "REGION" | quote }}}
    values: [values.yaml.gotmpl]
`;
    const hook = '    hooks: [{name: first, events: [presync], command: ./first.sh}]\n';
    const words = (to: string) => ['stack', 'export', '-f', `${folder.path}/helmfile.yaml.gotmpl`, '--to', to];
    beforeEach(() => {
      folder.write('values.yaml.gotmpl', 'v: {{ requiredEnv "DB_PASSWORD" }}\n');
    });

    test.each([
      ['gitlab-ci', '# - CI/CD variables: DB_PASSWORD, REGION\n'],
      ['github-actions', '# - secrets or variables of the environment: DB_PASSWORD, REGION\n'],
      ['argo-workflows', '# - keys of the Secret stack-variables: DB_PASSWORD, REGION\n'],
    ])('%s: variables and contexts are named at the top, and passed', async (to, line) => {
      folder.write('helmfile.yaml.gotmpl', text);
      const { code, stdout, stderr } = await folder.tshelm(...words(to));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const head = stdout.slice(0, stdout.indexOf('\n\n'));
      expect(head).toContain(line);
      expect(head).toContain('# - its contexts: east\n');
      expect(stdout).toContain('TSHELM_UNTRUSTED: "true"'.slice(0, to === 'argo-workflows' ? 16 : undefined));
      if (to === 'github-actions')
        expect(stdout).toMatch(/^  DB_PASSWORD: \$\{\{ secrets.DB_PASSWORD \|\| vars.DB_PASSWORD \}\}$/m);
      if (to === 'argo-workflows') expect(stdout).toContain('name: stack-variables');
    });

    test.each(['gitlab-ci', 'github-actions', 'argo-workflows'])('%s: programs', async (to) => {
      const more = `${hook}    postRenderer: ./render.sh\n    secrets: [a.yaml]\n    set: [{name: a, value: "ref+vault://a/b"}]\n`;
      folder.write('helmfile.yaml.gotmpl', text + more);
      const { code, stderr } = await folder.tshelm(...words(to));
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /helmfile.yaml.gotmpl:9: the hook "first" runs the program .\/first.sh, which is refused for untrusted files/,
        ),
      ]);
      const { stdout } = await folder.tshelm(...words(to), '--untrusted=false');
      expect(stdout).toMatch(/^# - programs in the image of the jobs: .\/first.sh, .*render.sh, sops, vals$/m);
      expect(stdout).not.toContain('name: TSHELM_UNTRUSTED');
      expect(stdout).not.toContain('TSHELM_UNTRUSTED:');
    });
  });

  test('with a plan: a first job makes it, and the others apply their parts', async () => {
    const workflow = await exported('--to', 'github-actions', '--with-plan');
    expect(workflow['jobs']).toMatchObject({
      'tshelm-plan': { steps: expect.arrayContaining([{ run: expect.stringContaining('--out stack.plan') }]) },
      'shop-web': {
        needs: ['tshelm-plan', 'shop-db'],
        steps: expect.arrayContaining([{ run: 'tshelm apply stack.plan --release shop/web' }]),
      },
    });
    const plan = `${folder.path}/stack.plan`;
    await folder.stack('plan', '--out', plan);
    expect((await folder.tshelm('apply', plan, '--release', 'shop/db')).stderr).toContain('[1/1] shop/db: installed');
    expect((await folder.tshelm('apply', plan, '--release', 'shop/web')).stderr).toContain('[1/1] shop/web: installed');
    await folder.stack('plan', '--out', plan);
    expect(await folder.tshelm('apply', plan, '--release', 'shop/db')).toMatchObject({
      code: 0,
      stderr: 'shop/db: the plan does not change it\n',
    });
    expect((await folder.tshelm('apply', plan, '--release', 'shop/none')).stderr).toContain(
      'the stack has no such release',
    );
  });

  test('Argo Workflows: tasks with dependencies', async () => {
    const { spec } = await exported('--to', 'argo-workflows');
    const { templates } = spec as { templates: { name: string; dag?: { tasks: object[] } }[] };
    expect(templates.map(({ name }) => name)).toEqual(['stack', 'apply']);
    expect(templates[0]?.dag?.tasks).toMatchObject([
      { name: 'shop-db', template: 'apply' },
      { name: 'shop-web', template: 'apply', dependencies: ['shop-db'] },
    ]);
  });

  test.each([[[]], [['--with-plan']], [['--jobs', '1']]])(
    "GitHub's own parser takes the workflow: %j",
    async (words) => {
      const { stdout } = await folder.stack('export', '--to', 'github-actions', ...words);
      expect(await mistakesInWorkflow(stdout)).toEqual([]);
      expect(await mistakesInWorkflow(stdout.replace('runs-on:', 'run-on:'))).not.toEqual([]);
    },
  );

  test('what the engine cannot take is refused', async () => {
    expect((await folder.stack('export')).stderr).toContain('--to is missing');
    const many = Array.from({ length: 60 }, (_, index) => releaseText(`r${index}`)).join('');
    const needs = `    needs: [${Array.from({ length: 60 }, (_, index) => `r${index}`).join(', ')}]\n`;
    folder.write('helmfile.yaml', `releases:\n${many}${releaseText('last', needs)}`);
    expect((await folder.stack('export', '--to', 'gitlab-ci')).stderr).toContain(
      'shop-last needs 60 others, but GitLab allows only 50',
    );
    expect((await folder.stack('export', '--to', 'gitlab-ci', '--jobs', '10')).code).toBe(0);
  });
});

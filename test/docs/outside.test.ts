import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readPlainYaml } from '../../src/yaml/index.ts';
import { mistakesInAction, mistakesInWorkflow } from '../support/github-workflow.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}
const yaml = <T>(file: string): T => readPlainYaml(readFileSync(file, 'utf8')) as T;
const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

describe.each(['ci', 'release'])('the workflow %s', (name) => {
  test('is one that GitHub takes', async () => {
    expect(await mistakesInWorkflow(readFileSync(`.github/workflows/${name}.yaml`, 'utf8'))).toEqual([]);
  });

  const { jobs } = yaml<{ jobs: Record<string, { steps: Step[] }> }>(`.github/workflows/${name}.yaml`);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('runs scripts that there are', () => {
    const named = steps.flatMap(({ run = '' }) =>
      [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => `${script}`),
    );
    expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
    const files = steps.flatMap(({ run = '' }) => [...run.matchAll(/^(\.ci\/\S+)/gm)].map(([file]) => file));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  test('no expression is read by a shell', () => {
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });
});

test('the oldest Node that is tried is the oldest that is supported', () => {
  const { jobs } = yaml<{ jobs: { test: { strategy: { matrix: { node: string[] } } } } }>('.github/workflows/ci.yaml');
  expect(`>=${jobs.test.strategy.matrix.node[0]}`).toBe(engines.node);
});

interface IssueForm {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id: string;
    readonly attributes: { readonly label: string };
  }[];
}

test.each(['bug', 'feature'])('the form of an issue %s has what GitHub needs', (name) => {
  const form = yaml<IssueForm>(`.github/ISSUE_TEMPLATE/${name}.yaml`);
  const text = expect.stringMatching(/./);
  expect(form).toMatchObject({ name: text, description: text });
  expect(form.body).toEqual(
    form.body.map(() =>
      expect.objectContaining({ type: 'textarea', attributes: expect.objectContaining({ label: text }) }),
    ),
  );
  expect(new Set(form.body.map(({ id }) => id)).size).toBe(form.body.length);
});

test('the container of developers has the Node of .nvmrc', () => {
  const { image } = JSON.parse(readFileSync('.devcontainer/devcontainer.json', 'utf8')) as { image: string };
  expect(image.split(':').at(-1)).toBe(readFileSync('.nvmrc', 'utf8').trim().split('.')[0]);
});

describe('the action', () => {
  test('is one that GitHub takes', async () => {
    expect(await mistakesInAction(readFileSync('action.yml', 'utf8'))).toEqual([]);
    expect(await mistakesInAction('name: x\nruns: {using: composite, step: []}\n')).not.toEqual([]);
  });

  const { runs } = yaml<{ runs: { steps: Step[] } }>('action.yml');
  const step = (name: string): string => runs.steps.find((one) => one.name === name)?.run ?? '';

  /** What a step calls, a line for each word. */
  function called(program: string, script: string, env: Readonly<Record<string, string>>): string[] {
    const folder = mkdtempSync(join(tmpdir(), 'tshelm-action-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, program), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
    chmodSync(join(folder, program), 0o755);
    const path = `${folder}:${process.env['PATH'] ?? ''}`;
    return execFileSync('bash', ['--norc', '-e', '-c', script], { encoding: 'utf8', env: { PATH: path, ...env } })
      .split('\n')
      .slice(0, -1);
  }

  test.each([
    ['latest', 'tshelm@latest'],
    ['0.1.0', 'tshelm@0.1.0'],
    ['./tshelm-0.1.0.tgz', './tshelm-0.1.0.tgz'],
    ['1; touch x', 'tshelm@1; touch x'],
  ])('installs %s', (version, wanted) => {
    expect(called('npm', step('Install tshelm'), { VERSION: version })).toEqual(['install', '--global', wanted]);
  });

  test.each([
    ['upgrade shop ./shop --install', ['upgrade', 'shop', './shop', '--install']],
    [`template x ./shop --set 'a=b c' --set d="e f"`, ['template', 'x', './shop', '--set', 'a=b c', '--set', 'd=e f']],
    ['list; echo $(id) `id` && true | cat > x', ['list;', 'echo', '$(id)', '`id`', '&&', 'true', '|', 'cat', '>', 'x']],
  ])('runs %j', (args, words) => {
    expect(called('tshelm', step('Run tshelm'), { ARGS: args })).toEqual(words);
  });
});

import type { StackJob } from './jobs.ts';

/** What all engines are told. */
export interface ExportRequest {
  readonly jobs: readonly StackJob[];
  /** The command that a job runs, for a shell. */
  readonly commandOf: (job: StackJob) => string;
  /** The command that makes the plan that all jobs apply a part of; undefined where each decides for itself. */
  readonly planCommand?: string | undefined;
}

const install = 'npm install --global tshelm';
export const planFile = 'stack.plan';
const planJob = 'tshelm-plan';
const image = 'node:22';

const titleOf = ({ nodes }: StackJob): string => nodes.map(({ id }) => id).join(', ');
const neededBy = ({ needs }: StackJob, { planCommand }: ExportRequest): readonly string[] =>
  planCommand === undefined ? needs : [planJob, ...needs];

/** `.gitlab-ci.yml`: jobs start by their needs, whatever stage they are in. */
export function gitlabCi(request: ExportRequest): object {
  const { jobs, commandOf, planCommand } = request;
  const plan =
    planCommand === undefined
      ? {}
      : {
          [planJob]: {
            stage: 'plan',
            needs: [],
            script: [planCommand],
            artifacts: { paths: [planFile], expire_in: '1 week' },
          },
        };
  return {
    stages: planCommand === undefined ? ['deploy'] : ['plan', 'deploy'],
    default: { image, before_script: [install] },
    ...plan,
    ...Object.fromEntries(
      jobs.map((job) => [
        job.id,
        {
          stage: 'deploy',
          needs: neededBy(job, request),
          variables: { RELEASES: titleOf(job) },
          script: [commandOf(job)],
        },
      ]),
    ),
  };
}

/** A workflow of GitHub Actions, started by hand. */
export function githubActions(request: ExportRequest): object {
  const { jobs, commandOf, planCommand } = request;
  const checkout = { uses: 'actions/checkout@v4' };
  const installed = [checkout, { run: install }];
  const keep = { uses: 'actions/upload-artifact@v4', with: { name: 'plan', path: planFile } };
  const fetch = planCommand === undefined ? [] : [{ uses: 'actions/download-artifact@v4', with: { name: 'plan' } }];
  const plan =
    planCommand === undefined
      ? {}
      : { [planJob]: { 'runs-on': 'ubuntu-latest', steps: [...installed, { run: planCommand }, keep] } };
  const jobData = (job: StackJob): object => {
    const needs = neededBy(job, request);
    return {
      name: titleOf(job),
      ...(needs.length === 0 ? {} : { needs }),
      'runs-on': 'ubuntu-latest',
      steps: [...installed, ...fetch, { run: commandOf(job) }],
    };
  };
  return {
    name: 'stack',
    on: { workflow_dispatch: null },
    permissions: { contents: 'read' },
    concurrency: 'stack',
    jobs: { ...plan, ...Object.fromEntries(jobs.map((job) => [job.id, jobData(job)])) },
  };
}

const source = '/work';

/** A Workflow of Argo: a task for each job, in a clone of the repository that it is given. */
export function argoWorkflow(request: ExportRequest): object {
  const { jobs, commandOf, planCommand } = request;
  const hasPlan = planCommand !== undefined;
  const clone = {
    name: 'source',
    path: source,
    git: { repo: '{{workflow.parameters.repository}}', revision: '{{workflow.parameters.revision}}' },
  };
  const planned = { name: 'plan', path: `${source}/${planFile}` };
  const script = (command: string): object => ({
    image: '{{workflow.parameters.image}}',
    command: ['sh', '-e'],
    workingDir: source,
    source: `${install}\n${command}\n`,
  });
  const tasks = jobs.map((job) => {
    const dependencies = neededBy(job, request);
    const artifacts = [{ name: 'plan', from: `{{tasks.${planJob}.outputs.artifacts.plan}}` }];
    return {
      name: job.id,
      template: 'apply',
      ...(dependencies.length === 0 ? {} : { dependencies }),
      arguments: { parameters: [{ name: 'command', value: commandOf(job) }], ...(hasPlan ? { artifacts } : {}) },
    };
  });
  const apply = {
    name: 'apply',
    inputs: { parameters: [{ name: 'command' }], artifacts: hasPlan ? [clone, planned] : [clone] },
    script: script('{{inputs.parameters.command}}'),
  };
  const plan = {
    name: 'plan',
    inputs: { artifacts: [clone] },
    script: script(planCommand ?? ''),
    outputs: { artifacts: [planned] },
  };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Workflow',
    metadata: { generateName: 'stack-' },
    spec: {
      entrypoint: 'stack',
      arguments: {
        parameters: [{ name: 'repository' }, { name: 'revision', value: 'HEAD' }, { name: 'image', value: image }],
      },
      templates: [
        { name: 'stack', dag: { tasks: hasPlan ? [{ name: planJob, template: 'plan' }, ...tasks] : tasks } },
        apply,
        ...(hasPlan ? [plan] : []),
      ],
    },
  };
}

import { tshelmVersion } from '../../support/version.ts';
import type { StackJob } from './jobs.ts';

/** What all engines are told. */
export interface ExportRequest {
  readonly jobs: readonly StackJob[];
  /** The command that a job runs, for a shell. */
  readonly commandOf: (job: StackJob) => string;
  /** The command that makes the plan that all jobs apply a part of; undefined where each decides for itself. */
  readonly planCommand?: string | undefined;
  /** The environment of the engine that the jobs deploy to. */
  readonly environment: string;
  /** Whether jobs refuse state files that run programs. */
  readonly isUntrusted: boolean;
  /** Variables that the state files read. */
  readonly variables: readonly string[];
  /** The commit that was exported, where there is one. */
  readonly commit?: string | undefined;
}

// A plan of another version is refused, so all jobs install this one.
const install = `npm install --global tshelm@${tshelmVersion}`;
export const planFile = 'stack.plan';
const planJob = 'tshelm-plan';
const image = 'node:22';

const titleOf = ({ nodes }: StackJob): string => nodes.map(({ id }) => id).join(', ');
const neededBy = ({ needs }: StackJob, { planCommand }: ExportRequest): readonly string[] =>
  planCommand === undefined ? needs : [planJob, ...needs];
const settings = ({ isUntrusted }: ExportRequest): Readonly<Record<string, string>> =>
  isUntrusted ? { TSHELM_UNTRUSTED: 'true' } : {};

/**
 * `.gitlab-ci.yml`: jobs start by their needs, whatever stage they are in. They are a child pipeline of the same file, so
 * that the job that starts it holds the resource group until all are done: GitLab has no lock for a whole pipeline.
 */
export function gitlabCi(request: ExportRequest): object {
  const { jobs, commandOf, planCommand, environment } = request;
  const isDefault = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
  const isChild = '$CI_PIPELINE_SOURCE == "parent_pipeline"';
  const rules = [{ if: `${isChild} && ${isDefault}` }];
  const start = {
    stage: 'start',
    rules: [{ if: `${isChild.replace('==', '!=')} && ${isDefault}` }],
    resource_group: 'stack',
    trigger: { include: [{ local: '.gitlab-ci.yml' }], strategy: 'depend' },
  };
  const artifacts = { paths: [planFile], expire_in: '1 week' };
  const plan =
    planCommand === undefined
      ? {}
      : { [planJob]: { stage: 'plan', rules, needs: [], environment, script: [planCommand], artifacts } };
  const jobData = (job: StackJob): object => ({
    stage: 'deploy',
    rules,
    needs: neededBy(job, request),
    environment,
    variables: { RELEASES: titleOf(job) },
    script: [commandOf(job)],
  });
  const variables = settings(request);
  return {
    stages: planCommand === undefined ? ['start', 'deploy'] : ['start', 'plan', 'deploy'],
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    default: { image, before_script: [install] },
    'tshelm-start': start,
    ...plan,
    ...Object.fromEntries(jobs.map((job) => [job.id, jobData(job)])),
  };
}

/** A workflow of GitHub Actions, started by hand. */
export function githubActions(request: ExportRequest): object {
  const { jobs, commandOf, planCommand, environment, variables } = request;
  const common = {
    if: 'github.ref_name == github.event.repository.default_branch',
    'runs-on': 'ubuntu-latest',
    environment,
  };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: these are expressions of GitHub
  const checkout = { uses: 'actions/checkout@v4', with: { ref: '${{ github.sha }}', 'persist-credentials': false } };
  const kubeconfig = {
    run: 'umask 077 && printf \'%s\' "$CONTENT" > "$RUNNER_TEMP/kubeconfig" && echo "KUBECONFIG=$RUNNER_TEMP/kubeconfig" >> "$GITHUB_ENV"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is an expression of GitHub
    env: { CONTENT: '${{ secrets.KUBECONFIG }}' },
  };
  const given = variables.map((name): [string, string] => [name, `\${{ secrets.${name} || vars.${name} }}`]);
  const env = { ...settings(request), ...Object.fromEntries(given) };
  const begin = [checkout, { run: install }, kubeconfig];
  const keep = { uses: 'actions/upload-artifact@v4', with: { name: 'plan', path: planFile } };
  const fetch = planCommand === undefined ? [] : [{ uses: 'actions/download-artifact@v4', with: { name: 'plan' } }];
  const plan =
    planCommand === undefined ? {} : { [planJob]: { ...common, steps: [...begin, { run: planCommand }, keep] } };
  const jobData = (job: StackJob): object => {
    const needs = neededBy(job, request);
    return {
      name: titleOf(job),
      ...(needs.length === 0 ? {} : { needs }),
      ...common,
      steps: [...begin, ...fetch, { run: commandOf(job) }],
    };
  };
  return {
    name: 'stack',
    on: { workflow_dispatch: null },
    permissions: { contents: 'read' },
    concurrency: { group: 'stack', 'cancel-in-progress': false },
    ...(Object.keys(env).length === 0 ? {} : { env }),
    jobs: { ...plan, ...Object.fromEntries(jobs.map((job) => [job.id, jobData(job)])) },
  };
}

const source = '/work';
/** A Secret with the variables that the state files read. */
export const variablesSecret = 'stack-variables';
/** The account in whose name Argo's pods work. */
export const serviceAccount = 'stack';

/** A Workflow of Argo: a task for each job, in a clone of the repository that it is given. */
export function argoWorkflow(request: ExportRequest): object {
  const { jobs, commandOf, planCommand, variables } = request;
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
    env: Object.entries(settings(request)).map(([name, value]) => ({ name, value })),
    ...(variables.length === 0 ? {} : { envFrom: [{ secretRef: { name: variablesSecret } }] }),
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
      serviceAccountName: serviceAccount,
      synchronization: { mutexes: [{ name: 'stack' }] },
      arguments: { parameters: parametersOf(request) },
      templates: [
        { name: 'stack', dag: { tasks: hasPlan ? [{ name: planJob, template: 'plan' }, ...tasks] : tasks } },
        apply,
        ...(hasPlan ? [plan] : []),
      ],
    },
  };
}

/** Every pod clones anew: a branch could have another commit by then. */
const parametersOf = ({ commit }: ExportRequest): readonly object[] => [
  { name: 'repository' },
  commit === undefined ? { name: 'revision' } : { name: 'revision', value: commit },
  { name: 'image', value: image },
];

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { readPlainYaml } from '../../../src/yaml/index.ts';
import { tshelmPath } from '../support/programs.ts';

/** Exported jobs as their engine runs them: in the order of their needs, each in a clone of its own, on the control plane. */
interface Job {
  readonly id: string;
  readonly needs: readonly string[];
  readonly shell: readonly string[];
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly bringsPlan: boolean;
  readonly takesPlan: boolean;
}

interface Script {
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const folder = mkdtempSync(join(tmpdir(), 'tshelm-exported-'));
const [repository, tools] = [join(folder, 'repository'), join(folder, 'tools')];
const planFile = 'stack.plan';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const namespaces: string[] = [];
const kubeconfig = readFileSync(process.env['KUBECONFIG'] as string, 'utf8');
/** What an engine keeps of a runner's own environment. */
const clean = { PATH: `${tools}:${process.env['PATH']}`, HOME: folder };

const git = (...words: string[]): string => execFileSync('git', words, { cwd: repository, encoding: 'utf8' });

mkdirSync(join(repository, 'chart/templates'), { recursive: true });
mkdirSync(tools);
symlinkSync(tshelmPath, join(tools, 'tshelm'));
// In place of the registry, where this version may not be yet.
writeFileSync(join(tools, 'npm'), `#!/bin/sh\ntest "$*" = "install --global tshelm@${version}"\n`);
chmodSync(join(tools, 'npm'), 0o755);
const files = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 0.1.0\n',
  'chart/templates/map.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {v: {{ .Values.v }}}\n',
  'helmfile.yaml.gotmpl': `releases:
  - {name: web, namespace: {{ requiredEnv "SPACE" }}, chart: ./chart, values: [{v: web}], needs: [{{ env "SPACE" }}/api, {{ env "SPACE" }}/cache]}
  - {name: api, namespace: {{ env "SPACE" }}, chart: ./chart, values: [{v: api}], needs: [{{ env "SPACE" }}/db]}
  - {name: cache, namespace: {{ env "SPACE" }}, chart: ./chart, values: [{v: cache}]}
  - {name: db, namespace: {{ env "SPACE" }}, chart: ./chart, values: [{v: db}]}
`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
git('init', '-q');
git('add', '-A');
git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'stack');
git('remote', 'add', 'origin', 'git@example.com:a/b.git');

afterAll(async () => {
  const cluster = await connect();
  for (const name of namespaces) await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name });
  cluster.close();
  rmSync(folder, { recursive: true });
});

type Data = Readonly<Record<string, any>>;

/** `.gitlab-ci.yml`: what is not a job's own comes from `default`; the artifacts of the needs are there. */
function gitlabJobs(file: Data, env: Job['env']): readonly Job[] {
  const shared = ['stages', 'variables', 'default', 'tshelm-start'];
  return Object.entries(file)
    .filter(([name]) => !shared.includes(name))
    .map(([id, job]) => ({
      id,
      needs: job.needs,
      shell: ['bash', '-eo', 'pipefail', '-c'],
      script: [...file['default'].before_script, ...job.script].join('\n'),
      env: { ...env, ...file['variables'], ...job.variables },
      bringsPlan: job.artifacts?.paths.includes(planFile) === true,
      takesPlan: job.needs.includes('tshelm-plan'),
    }));
}

/** Each step is a process of its own; what it writes into $GITHUB_ENV holds for those after it. */
function githubJobs(file: Data, given: Job['env']): readonly Job[] {
  const filled = (env: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        value.replace(/^\$\{\{ secrets\.(\w+)(?: \|\| vars\.\1)? \}\}$/, (_all, key) =>
          key === 'KUBECONFIG' ? kubeconfig : (given[key] ?? ''),
        ),
      ]),
    );
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const step = ({ run, env }: Script): string => {
    const set = Object.entries(filled(env)).map(([name, value]) => `${name}=${quoted(value)}`);
    return `env ${set.join(' ')} bash -e -c ${quoted(run as string)}\nset -a; . "$GITHUB_ENV"; set +a`;
  };
  return Object.entries(file['jobs'] as Data).map(([id, { needs = [], steps }]) => {
    const uses = (steps as Script[]).map((one) => one.uses ?? '');
    return {
      id,
      needs,
      shell: ['bash', '-e', '-c'],
      script: `touch "$GITHUB_ENV"\n${(steps as Script[])
        .filter(({ run }) => run !== undefined)
        .map(step)
        .join('\n')}`,
      env: { ...filled(file['env']), RUNNER_TEMP: join(folder, 'temp'), GITHUB_ENV: join(folder, 'temp', `${id}.env`) },
      bringsPlan: uses.some((name) => name.startsWith('actions/upload-artifact@')),
      takesPlan: uses.some((name) => name.startsWith('actions/download-artifact@')),
    };
  });
}

/** A task fills in its template's parameters; its artifacts are what its template takes. */
function argoJobs({ spec }: Data, env: Job['env']): readonly Job[] {
  const template = (name: string): Data => spec.templates.find((one: Data) => one['name'] === name);
  return template(spec.entrypoint)['dag'].tasks.map((task: Data) => {
    const { script, inputs, outputs } = template(task['template']);
    const parameters: Data[] = task['arguments']?.parameters ?? [];
    const source = parameters.reduce(
      (text, { name, value }) => text.replaceAll(`{{inputs.parameters.${name}}}`, value),
      script.source as string,
    );
    const isPlan = ({ name }: Data): boolean => name === 'plan';
    return {
      id: task['name'],
      needs: task['dependencies'] ?? [],
      shell: [...script.command, '-c'],
      script: source,
      env: { ...env, ...Object.fromEntries(script.env.map(({ name, value }: Data) => [name, value])) },
      bringsPlan: outputs?.artifacts.some(isPlan) === true,
      takesPlan: inputs.artifacts.some(isPlan) && task['arguments'].artifacts.some(isPlan),
    };
  });
}

/** Runs the jobs whose needs have succeeded, until none is left. */
function runAll(jobs: readonly Job[]): Readonly<Record<string, string>> {
  mkdirSync(join(folder, 'temp'), { recursive: true });
  const kept = join(mkdtempSync(join(folder, 'kept-')), planFile);
  const outcomes: Record<string, string> = {};
  for (;;) {
    const isDue = ({ id, needs }: Job): boolean =>
      outcomes[id] === undefined && needs.every((need) => outcomes[need] === 'succeeded');
    const job = jobs.find(isDue);
    if (job === undefined) return outcomes;
    const clone = mkdtempSync(join(folder, 'clone-'));
    execFileSync('git', ['clone', '-q', repository, clone]);
    if (job.takesPlan) copyFileSync(kept, join(clone, planFile));
    const [program, ...words] = [...job.shell, job.script];
    const env = { ...clean, ...job.env };
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: clone, env, encoding: 'utf8' });
    outcomes[job.id] = status === 0 ? 'succeeded' : `${stdout}${stderr}`;
    if (job.bringsPlan && status === 0) copyFileSync(join(clone, planFile), kept);
  }
}

const engines = [
  ['gitlab-ci', gitlabJobs],
  ['github-actions', githubJobs],
  ['argo-workflows', argoJobs],
] as const;
const forms = [[], ['--with-plan'], ['--jobs', '2']];

describe.each(engines)('%s', (engine, jobsIn) => {
  function exported(form: readonly string[]) {
    const SPACE = `exported-${process.pid}-${namespaces.length}`;
    namespaces.push(SPACE);
    const env = { ...clean, SPACE, KUBECONFIG: process.env['KUBECONFIG'] as string };
    const words = ['stack', 'export', '--to', engine, ...form];
    const text = execFileSync(tshelmPath, words, { cwd: repository, encoding: 'utf8', env });
    return { SPACE, jobs: jobsIn(readPlainYaml(text) as Data, env) };
  }
  const deployedIn = async (namespace: string): Promise<readonly (readonly [string, unknown])[]> => {
    const cluster = await connect();
    const secrets = await cluster.list('v1', 'Secret', { namespace, labelSelector: 'owner=helm,status=deployed' });
    cluster.close();
    return secrets.map(({ metadata }) => [metadata.labels?.['name'] ?? '', metadata.labels?.['version']] as const);
  };

  test.each(forms.map((form) => [form.join(' ') || 'a job for each release', form] as const))(
    '%s: every job succeeds, and every release is deployed once',
    async (_title, form) => {
      const { SPACE, jobs } = exported(form);
      const outcomes = runAll(jobs);
      expect(outcomes).toEqual(Object.fromEntries(jobs.map(({ id }) => [id, 'succeeded'])));
      expect(await deployedIn(SPACE)).toEqual(['api', 'cache', 'db', 'web'].map((name) => [name, '1']));
    },
  );
});

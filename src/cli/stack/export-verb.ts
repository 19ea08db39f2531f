import { spawnSync } from 'node:child_process';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { argoWorkflow, type ExportRequest, githubActions, gitlabCi, planFile } from '../../stack/export/engines.ts';
import { headText } from '../../stack/export/head.ts';
import { jobsOf, type StackJob } from '../../stack/export/jobs.ts';
import { NotingWorld, suppliesOf } from '../../stack/export/supplies.ts';
import { planFlags } from '../../stack/option-flags.ts';
import { deployOrder, planStack, type StackNode } from '../../stack/plan-stack.ts';
import { noneFound } from '../../stack/work/open-stack.ts';
import { TshelmError } from '../../support/errors.ts';
import { shellWord } from '../../support/text.ts';
import { writePlainYamlInOrder } from '../../yaml/index.ts';
import type { CliContext } from '../context.ts';
import type { stackExportFlags } from './change-flags.ts';
import type { StackFlags } from './flags.ts';
import { openStack } from './open-stack.ts';

type ExportFlags = StackFlags & FlagsOf<typeof stackExportFlags>;

const engines = { 'gitlab-ci': gitlabCi, 'github-actions': githubActions, 'argo-workflows': argoWorkflow };

/** Prints the graph as jobs of another engine. Errors: `bad-flag`, those of reading the stack. */
export async function runExport(flags: ExportFlags, context: CliContext): Promise<void> {
  const { to, jobs: most } = flags;
  if (to === undefined)
    throw new TshelmError('bad-flag', {
      message: '--to is missing: use --to gitlab-ci, github-actions or argo-workflows',
    });
  if (most !== undefined && most < 1)
    throw new TshelmError('bad-flag', { message: `--jobs must be 1 or more, not ${most}` });
  // The jobs read what is merged, and other people merge too.
  const isUntrusted = flags.untrusted ?? true;
  const noting = new NotingWorld();
  const { files, reading } = await openStack({ ...flags, untrusted: isUntrusted }, context, (world) =>
    noting.recording(world),
  );
  const nodes = deployOrder(planStack(files, optionsOf(planFlags, flags)));
  if (nodes.length === 0) throw noneFound(reading);
  const jobs = jobsOf(nodes, most);
  refuseTooMany(jobs, to);
  if (!flags.withPlan) refuseSameNameInTwoClusters(nodes);
  const words = stackWords(flags);
  const supplies = suppliesOf(
    nodes.filter(({ isWanted }) => isWanted),
    reading,
    noting,
  );
  const request: ExportRequest = {
    jobs,
    environment: flags.environment ?? 'production',
    isUntrusted,
    variables: supplies.variables,
    commit: commitOf(context.io.cwd),
    planCommand: flags.withPlan ? shell(['tshelm', 'stack', 'plan', ...words, '--out', planFile]) : undefined,
    commandOf: flags.withPlan
      ? (job) => shell(['tshelm', 'apply', planFile, ...job.nodes.flatMap(({ id }) => ['--release', id])])
      : (job) => shell(['tshelm', 'stack', 'apply', ...words, '--skip-needs', ...job.nodes.flatMap(selectorOf)]),
  };
  const head = headText(to, request, supplies);
  context.io.stdout.write(`${head}${writePlainYamlInOrder(engines[to](request))}`, 'data');
}

/** The commit of the files, where git knows it. */
function commitOf(cwd: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** GitLab's own limit. */
const mostNeeds = 50;

function refuseTooMany(jobs: readonly StackJob[], to: string): void {
  const found = to === 'gitlab-ci' ? jobs.find(({ needs }) => needs.length > mostNeeds) : undefined;
  if (found === undefined) return;
  throw new TshelmError('bad-flag', {
    message: `the job ${found.id} needs ${found.needs.length} others, but GitLab allows only ${mostNeeds}; combine jobs with --jobs N`,
  });
}

/** A selector cannot tell clusters apart. */
function refuseSameNameInTwoClusters(nodes: readonly StackNode[]): void {
  const seen = new Map<string, string>();
  for (const { id, release } of nodes) {
    const key = `${release.namespace ?? ''}/${release.name ?? ''}`;
    const other = seen.get(key);
    if (other !== undefined) {
      throw new TshelmError('bad-flag', {
        message: `${other} and ${id} differ only by their cluster, which selectors cannot express; use --with-plan`,
      });
    }
    seen.set(key, id);
  }
}

const selectorOf = ({ release: { name = '', namespace } }: StackNode): string[] => [
  '-l',
  namespace === undefined ? `name=${name}` : `namespace=${namespace},name=${name}`,
];

/** The flags that say what is read, as the jobs give them again. */
function stackWords(flags: ExportFlags): string[] {
  const one = (name: string, value: string | undefined): string[] => (value ? [`--${name}`, value] : []);
  const several = (name: string, values: readonly string[]): string[] =>
    values.flatMap((value) => [`--${name}`, value]);
  return [
    ...one('file', flags.file),
    ...one('environment', flags.environment),
    ...one('namespace', flags.namespace),
    ...one('kube-context', flags.kubeContext),
    ...one('chart', flags.chart),
    ...several('state-values-file', flags.stateValuesFile),
    ...several('state-values-set', flags.stateValuesSet),
    ...several('state-values-set-string', flags.stateValuesSetString),
    ...(flags.withPlan ? several('selector', flags.selector) : []),
    ...(flags.withPlan && flags.includeNeeds ? ['--include-needs'] : []),
    ...(flags.withPlan && flags.includeTransitiveNeeds ? ['--include-transitive-needs'] : []),
    ...(flags.withPlan && flags.skipNeeds ? ['--skip-needs'] : []),
    ...(flags.withPlan && flags.fileOrder ? ['--file-order'] : []),
  ];
}

/** Words as a POSIX shell reads them. */
const shell = (words: readonly string[]): string => words.map(shellWord).join(' ');

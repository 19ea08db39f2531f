import { learnFromObjects } from '../change/learn-secrets.ts';
import { maskSecrets } from '../manifest/mask-secrets.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { reviewOf } from '../show/changes/review.ts';
import { planData } from '../show/plan-data.ts';
import * as schema from './schemas.ts';
import type { Doors, Given, Tool } from './tool.ts';

const objects = { description: 'names of objects, such as Deployment/web: only these are returned whole' };

const render: Tool = {
  title: 'Render a chart',
  description: 'Renders a chart with values, as helm template does, into Kubernetes objects. Secrets are masked.',
  input: schema.input({
    ...schema.chartMembers,
    'release?': schema.release,
    'namespace?': schema.namespace,
    'objects?': { ...schema.listOf(schema.string), ...objects },
    'isUpgrade?': { ...schema.boolean, description: 'render as for an upgrade; default: as for an install' },
  }),
  output: schema.object({
    objects: schema.listOf(schema.anyObject),
    others: { ...schema.listOf(schema.string), description: 'objects that are not returned whole' },
    hooks: schema.listOf(
      schema.object({ name: schema.string, kind: schema.string, events: schema.listOf(schema.string) }),
    ),
    notes: schema.string,
    warnings: schema.listOf(schema.string),
  }),
  async run(given, doors, { signal }) {
    const { release, namespace, isUpgrade } = given;
    const options = { ...chartOptions(given, doors), name: release, namespace, isUpgrade, signal };
    const rendered = await doors.reading.render(doors.files.chart(given.chart), options);
    learnFromObjects([...rendered.objects, ...rendered.hooks.map((hook) => hook.object)], doors.secrets);
    return {
      ...selected(rendered.objects, given.objects, doors),
      hooks: rendered.hooks.map(({ name, kind, events }) => ({ name, kind, events })),
      notes: rendered.notes,
      warnings: rendered.warnings,
    };
  },
};

/** More than that no model reads; the rest is named. */
const mostCharacters = 400_000;

/** The objects that were asked for, masked, as far as they are not too long. */
function selected(all: readonly KubernetesObject[], wanted: readonly string[] | undefined, { secrets }: Doors) {
  const whole: KubernetesObject[] = [];
  const others: string[] = [];
  let length = 0;
  for (const one of all) {
    const name = `${one.kind}/${one.metadata.name}`;
    const [masked] = wanted === undefined || wanted.includes(name) ? maskSecrets(one, undefined, secrets) : [];
    length += masked === undefined ? 0 : JSON.stringify(masked, plainNumber).length;
    if (masked !== undefined && length <= mostCharacters) whole.push(masked);
    else others.push(name);
  }
  return { objects: whole, others };
}

/** JSON has no large integers of JavaScript's. */
export const plainNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;

const check: Tool = {
  title: 'Check a chart',
  description:
    'Finds what a cluster would refuse in a chart with these values, and what does not fit together in it, with the lines to change. Nothing is deployed.',
  input: schema.input({
    ...schema.chartMembers,
    ...schema.waitMember,
    'release?': schema.release,
    'namespace?': schema.namespace,
    'kubeVersion?': { type: 'string', maxLength: 50, description: 'Kubernetes version to check against: 1.34' },
    'useCluster?': { ...schema.boolean, description: 'ask the cluster too, by dry runs; default: false' },
  }),
  output: schema.withProblems(
    schema.object({
      isRendered: schema.boolean,
      objects: schema.listOf(schema.objectId),
      findings: schema.listOf({
        allOf: [schema.problem, schema.object({ level: { enum: ['error', 'warning', 'note'] } })],
      }),
    }),
  ),
  async run(given, doors, { signal }) {
    const { release, namespace, wait, kubeVersion, useCluster } = given;
    const options = { ...chartOptions(given, doors), name: release, namespace, wait, kubeVersion, useCluster, signal };
    const { isRendered, objects: all, findings } = await doors.reading.check(doors.files.chart(given.chart), options);
    return { isRendered, objects: all, findings };
  },
};

const plan: Tool = {
  title: 'Plan a deploy',
  description:
    'Decides an upgrade, or an install where there is no such release, object by object and in order, and saves the plan in a file. A person or a policy releases it with "tshelm plan release FILE"; then the tool apply carries it out.',
  input: schema.input({
    release: schema.release,
    ...schema.chartMembers,
    plan: schema.planFile,
    ...schema.waitMember,
    'namespace?': schema.namespace,
    'rollbackOnFailure?': { ...schema.boolean, description: 'undo the change if it fails; default: false' },
    'timeoutSeconds?': {
      type: 'integer',
      minimum: 1,
      maximum: 86400,
      description: 'time limit of each wait; default: 300',
    },
  }),
  output: schema.object({
    plan: schema.string,
    action: schema.string,
    release: schema.string,
    namespace: schema.string,
    steps: schema.listOf(schema.anyObject),
    'changes?': schema.anyObject,
    warnings: schema.listOf(schema.string),
  }),
  async run(given, doors, { signal }) {
    const { release, namespace, wait, rollbackOnFailure, timeoutSeconds } = given;
    const options = {
      ...chartOptions(given, doors),
      namespace,
      wait,
      rollbackOnFailure,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
      signal,
      action: 'upgrade' as const,
      save: { file: doors.files.path(given.plan) },
    };
    const made = await doors.reading.plan(release, doors.files.chart(given.chart), options);
    return { plan: given.plan, ...planData(made) };
  },
};

const diff: Tool = {
  title: 'Diff a deploy',
  description:
    'Shows what an upgrade, or an install where there is no such release, would change in the cluster, as a diff of each object. Nothing is changed. Secrets are masked.',
  input: schema.input({ release: schema.release, ...schema.chartMembers, 'namespace?': schema.namespace }),
  output: schema.object({
    action: schema.string,
    release: schema.string,
    namespace: schema.string,
    objects: schema.listOf(
      schema.object({ id: schema.objectId, change: schema.string, diff: schema.string, 'problem?': schema.string }),
    ),
    hooks: schema.listOf(schema.anyObject),
    counts: schema.anyObject,
    warnings: schema.listOf(schema.string),
  }),
  async run(given, doors, { signal }) {
    const options = { ...chartOptions(given, doors), namespace: given.namespace, install: true, signal };
    return reviewOf(await doors.reading.diff(given.release, doors.files.chart(given.chart), options));
  },
};

const rehearse: Tool = {
  title: 'Rehearse a deploy',
  description:
    'Runs a deploy in a sandbox with simulated time: how long it takes, what waits for what, and what a failure would leave behind. No cluster is asked.',
  input: schema.input({
    release: schema.release,
    ...schema.chartMembers,
    ...schema.waitMember,
    'namespace?': schema.namespace,
    'assume?': {
      type: 'object',
      additionalProperties: { type: 'number', minimum: 0 },
      description: 'how long workloads take, in milliseconds: {"Deployment": 30000, "job/migrate": 120000}',
    },
    'fail?': { type: 'string', maxLength: 300, description: 'what fails: web, job/migrate, web=image-pull' },
  }),
  output: schema.object({
    release: schema.string,
    status: { enum: ['succeeded', 'failed'] },
    seconds: { type: 'number' },
    steps: schema.listOf(schema.anyObject),
    criticalPath: schema.listOf(schema.anyObject),
    'failure?': schema.anyObject,
  }),
  async run(given, doors, { signal }) {
    const { namespace, wait, assume, fail } = given;
    const options = { ...chartOptions(given, doors), namespace, wait, assume, fail, signal };
    return doors.reading.rehearse(given.release, doors.files.chart(given.chart), options);
  },
};

/** Errors: `path-outside`. */
export function chartOptions({ version, repo, values, valueFiles }: Given, { files }: Doors) {
  return { version, repoUrl: repo, values, valueFiles: valueFiles?.map((name) => files.path(name)) };
}

export const chartTools: Readonly<Record<string, Tool>> = { render, check, plan, diff, rehearse };

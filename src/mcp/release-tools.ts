import type { ApplyResult } from '../sdk/options.ts';
import { TshelmError } from '../support/errors.ts';
import { chartOptions } from './chart-tools.ts';
import type { RpcCall } from './json-rpc.ts';
import * as schema from './schemas.ts';
import type { Doors, Given, Tool } from './tool.ts';

const ofRelease = { release: schema.release, 'namespace?': schema.namespace };

const list: Tool = {
  title: 'List releases',
  description: 'The newest revision of each release of a namespace.',
  input: schema.input({ 'namespace?': schema.namespace }),
  output: schema.object({ releases: schema.listOf(schema.releaseSummary) }),
  run: async ({ namespace }, { reading }, { signal }) => ({ releases: await reading.list({ namespace, signal }) }),
};

const status: Tool = {
  title: 'Status of a release',
  description:
    'A release with the values that it was given, and its objects as they are in the cluster, with what controllers say of them. Secrets are masked.',
  input: schema.input({ ...ofRelease, 'revision?': schema.revision }),
  output: schema.object({
    release: schema.releaseSummary,
    values: schema.anyObject,
    notes: schema.string,
    objects: schema.listOf(schema.object({ id: schema.objectId, 'status?': schema.anyObject })),
  }),
  async run({ release: name, namespace, revision }, { reading }, { signal }) {
    const { release, resources } = await reading.status(name, { namespace, revision, signal });
    const { values, notes, hooks: _hooks, manifest: _manifest, ...summary } = release;
    const objects = Object.values(resources)
      .flat()
      .map(({ apiVersion, kind, metadata, status: state }) => ({
        id: { apiVersion, kind, namespace: metadata.namespace, name: metadata.name },
        status: state,
      }));
    return { release: summary, values, notes, objects };
  },
};

const history: Tool = {
  title: 'History of a release',
  description: 'The revisions of a release, oldest first.',
  input: schema.input({
    ...ofRelease,
    'max?': { type: 'integer', minimum: 1, maximum: 1000, description: 'how many at most' },
  }),
  output: schema.object({ revisions: schema.listOf(schema.releaseSummary) }),
  run: async ({ release, namespace, max }, { reading }, { signal }) => ({
    revisions: await reading.history(release, { namespace, max, signal }),
  }),
};

const diagnose: Tool = {
  title: 'Diagnose a release',
  description:
    'Finds out why objects of a release are not ready, down to the container: causes as codes and facts, the template lines and values to change, and remedies.',
  input: schema.input({ ...ofRelease, 'revision?': schema.revision }),
  output: schema.withProblems(
    schema.object({
      release: schema.string,
      namespace: schema.string,
      revision: schema.integer,
      status: schema.string,
      description: schema.string,
      isHealthy: schema.boolean,
      unready: schema.listOf(
        schema.object({
          id: schema.objectId,
          state: { enum: ['missing', 'waiting', 'failed'] },
          reason: schema.string,
        }),
      ),
      problems: schema.listOf(schema.problem),
      gaps: schema.listOf(schema.string),
    }),
  ),
  run: async ({ release, namespace, revision }, { reading }, { signal }) =>
    reading.diagnose(release, { namespace, revision, signal }),
};

const drift: Tool = {
  title: 'Drift of a release',
  description: 'Where the cluster no longer matches a release, field by field, and who changed it. Secrets are masked.',
  input: schema.input(ofRelease),
  output: schema.object({
    release: schema.string,
    namespace: schema.string,
    revision: schema.integer,
    isDrifted: schema.boolean,
    compared: schema.integer,
    objects: schema.listOf(
      schema.object({ id: schema.objectId, state: schema.string, fields: schema.listOf(schema.anyObject) }),
    ),
  }),
  run: async ({ release, namespace }, { reading }, { signal }) => reading.drift(release, { namespace, signal }),
};

const explain: Tool = {
  title: 'Explain a code',
  description: 'What a code of a problem or of a failure means, and what to do.',
  input: schema.input({
    code: { type: 'string', pattern: '^[a-z0-9-]{1,100}$', description: 'such as image-not-found' },
  }),
  output: schema.object({ code: schema.string, text: schema.string }),
  async run({ code }, doors) {
    const text = await doors.explain(code);
    if (text !== undefined) return { code, text };
    throw new TshelmError('code-unknown', { message: `there is no code ${code}`, details: { code } });
  },
};

const apply: Tool = {
  title: 'Apply a released plan',
  description:
    'Carries out a saved plan that a person or a policy has released ("tshelm plan release FILE"): exactly that, or nothing. Any other plan is refused, and one that is expired or out of date. Values with secrets, which a plan does not keep, are given again.',
  isWriting: true,
  input: schema.input({
    plan: schema.planFile,
    'values?': schema.chartMembers['values?'],
    'valueFiles?': schema.chartMembers['valueFiles?'],
  }),
  output: schema.object({
    action: schema.string,
    'release?': schema.releaseSummary,
    warnings: schema.listOf(schema.string),
  }),
  run: applyPlan,
};

async function applyPlan(given: Given, doors: Doors, { signal, progress }: RpcCall): Promise<unknown> {
  const { applying, files } = doors;
  if (applying === undefined) throw new Error('internal: a server without keys applies nothing');
  const { releaseKeys, identities, passphrase } = applying;
  const { values, valueFiles } = chartOptions(given, doors);
  const operation = applying.tshelm.apply(files.path(given.plan), {
    releaseKeys,
    identities,
    passphrase,
    values,
    valueFiles,
    signal,
  });
  for await (const event of operation) {
    if (event.kind === 'step-started') progress(event.title);
    if (event.kind === 'resource') progress(`${event.id.kind}/${event.id.name} ${event.state}`);
  }
  return appliedData(await operation);
}

function appliedData({ action, release, warnings }: ApplyResult): unknown {
  if (release === undefined) return { action, warnings };
  const { values: _values, hooks: _hooks, manifest: _manifest, notes: _notes, ...summary } = release;
  return { action, release: summary, warnings };
}

export const releaseTools: Readonly<Record<string, Tool>> = { list, status, history, diagnose, drift, explain };
export const applyTool = apply;

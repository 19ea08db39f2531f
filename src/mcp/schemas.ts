import problemSchema from '../../docs/problem.schema.json' with { type: 'json' };

/** A JSON schema, as tools are described with (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength: 4096,
  description,
  ...more,
});
export const string: JsonSchema = { type: 'string' };
export const integer: JsonSchema = { type: 'integer' };
export const boolean: JsonSchema = { type: 'boolean' };
/** Data of tshelm's or of Kubernetes' own, described elsewhere. */
export const anyObject: JsonSchema = { type: 'object' };
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** An object with these members; those that end with `?` may be missing. More members may come. */
export function object(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = Object.keys(members);
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), members[name]])),
  };
}

/** What a tool takes: an object with these members and no others. */
export const input = (members: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  ...object(members),
  additionalProperties: false,
});

export const release = text('name of the release', { maxLength: 53 });
export const namespace = text('namespace of the release; default: that of the server', { maxLength: 63 });
export const revision: JsonSchema = { type: 'integer', minimum: 1, description: 'revision; default: the newest' };
export const planFile = text('file of the plan, below the folder of the server', { pattern: '\\.plan$' });

/** A chart and the values for it. */
export const chartMembers = {
  chart: text('chart: a folder or archive below the folder of the server, oci://…, https://…, or REPOSITORY/CHART'),
  'version?': text('version of the chart, where it is fetched'),
  'repo?': text('URL of the repository that has the chart'),
  'values?': { ...anyObject, description: 'values, over those of the files' },
  'valueFiles?': {
    type: 'array',
    maxItems: 100,
    items: text('values file'),
    description: 'values files below the folder of the server; later ones win',
  },
};

export const waitMember = {
  'wait?': {
    enum: ['hookOnly', 'legacy', 'watcher', 'ordered'],
    description: 'how the deploy waits; default: ordered',
  },
};

export const objectId = object({ apiVersion: string, kind: string, 'namespace?': string, name: string });

/** An output with problems as docs/problem.schema.json describes them: `#/$defs/problem`. */
export function withProblems(schema: JsonSchema): JsonSchema {
  const { $schema: _draft, $defs, title: _title, ...problem } = problemSchema;
  return { ...schema, $defs: { ...$defs, problem } };
}

export const problem: JsonSchema = { $ref: '#/$defs/problem' };

export const releaseSummary = object({
  name: string,
  namespace: string,
  revision: integer,
  status: string,
  description: string,
  chart: object({ name: string, version: string, 'appVersion?': string }),
  'deployedAt?': string,
});

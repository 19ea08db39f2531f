import { isJsonObject, type Json, type JsonObject, numberOf, objectAt, textOf } from '../../support/json.ts';
import type { Attributes } from '../access.ts';
import { createObject } from '../api/create.ts';
import { type Deleted, type DeleteOptions, deleteObject } from '../api/delete.ts';
import type { WriteOptions } from '../api/environment.ts';
import { type PatchType, patchObject } from '../api/patch.ts';
import { getObject } from '../api/read.ts';
import { changeObject, updateObject } from '../api/update.ts';
import { apiVersionOf, hasStatus } from '../kinds/kind.ts';
import type { Resource } from '../resource.ts';
import { badRequest, invalid, methodNotAllowed, required, StatusError, unsupportedValue } from '../status.ts';
import { tableOf } from '../tables/table.ts';
import { type Answer, json } from './answer.ts';
import { type Presentation, partial, presentObject } from './form.ts';
import { checkListVersion, listObject, listPage } from './list.ts';
import { logAnswer } from './log.ts';
import { negotiate } from './negotiate.ts';
import { type ApiRequest, flag, parseBody } from './request.ts';
import { bind, evict, issueToken, scaled, scaleOf } from './subresources.ts';
import type { Serving, Target } from './target.ts';
import { watchAnswer } from './watch.ts';

/** A request for objects of a kind. */
interface Call {
  readonly serving: Serving;
  readonly request: ApiRequest;
  readonly target: Target;
  readonly warn: (text: string) => void;
}

const verbs: Readonly<Record<string, (call: Call) => Answer | Promise<Answer>>> = {
  get: (call) => shown(call, getObject(call.serving, call.target)),
  list,
  watch: (call) => watchAnswer(call.serving, call.target, watchQuery(call.request, call.target), presentation(call)),
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeAll,
};

/** Answers a request for objects of a kind. */
export async function answerResource(call: Call): Promise<Answer> {
  const { serving, request, target } = call;
  const verb = verbOf(request, target);
  authorize(serving, request, target, verb);
  if (!isServed(target, verb)) throw methodNotAllowed();
  const isOwn = target.subresource === '' || target.subresource === 'status';
  const answer = (isOwn ? undefined : await answerSubresource(call)) ?? (await verbs[verb]?.(call));
  if (answer === undefined) throw methodNotAllowed();
  return answer;
}

function verbOf({ method, query, segments }: ApiRequest, { name }: Target): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (flag(query, 'watch') || segments.includes('watch')) return 'watch';
      return name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete';
    default:
      return method.toLowerCase();
  }
}

/** Whether the path has the verb at all. */
function isServed({ kind, namespace, name, subresource }: Target, verb: string): boolean {
  if (subresource !== '') return name !== '';
  if (!kind.verbs.includes(verb)) return false;
  if (verb === 'create') return name === '' && (!kind.namespaced || namespace !== undefined);
  const needsNamespace = kind.namespaced && !['list', 'watch', 'deletecollection'].includes(verb);
  return !needsNamespace || namespace !== undefined;
}

function authorize(
  { access }: Serving,
  request: ApiRequest,
  { kind, namespace, name, subresource }: Target,
  verb: string,
): void {
  const attributes: Attributes = {
    user: request.user ?? access.user,
    verb,
    group: kind.group,
    resource: subresource === '' ? kind.plural : `${kind.plural}/${subresource.split('/')[0]}`,
    namespace: kind.group === '' && kind.plural === 'namespaces' && name !== '' ? name : namespace,
    name,
  };
  access.check(kind, attributes);
}

const presentation = ({ serving, request }: Call): Presentation => ({
  form: negotiate(request.accept),
  includeObject: request.query.get('includeObject') ?? 'Metadata',
  now: serving.clock.now(),
});

/** An object in the form that the client wants. */
const shown = (call: Call, object: Resource, status = 200): Answer =>
  json(presentObject(call.target.kind, object, presentation(call)), status);

function writeOptions(call: Call): WriteOptions {
  const { request, target, warn } = call;
  const { query } = request;
  const dryRun = query.get('dryRun');
  const manager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (dryRun !== null && dryRun !== '' && dryRun !== 'All') {
    const problem = unsupportedValue('dryRun', [dryRun], ['All']);
    throw invalid({ group: 'meta.k8s.io', plural: '', kind: 'PatchOptions' }, '', [problem]);
  }
  return {
    fieldManager: manager === '' ? managerFromAgent(request.userAgent) : manager,
    user: userOf(call),
    dryRun: dryRun === 'All',
    fieldValidation: fieldValidation === 'Strict' || fieldValidation === 'Ignore' ? fieldValidation : 'Warn',
    force: flag(query, 'force'),
    subresource: target.subresource,
    warn,
  };
}

const userOf = ({ serving, request }: Call): string => request.user ?? serving.access.user;

/** The body of a write; where it brings expressions, they can be evaluated from now on. */
async function readBody({ serving, request, target: { kind } }: Call): Promise<Json> {
  const body = await parseBody(request, kind.kind);
  await serving.expressions.loadFor(kind, body);
  return body;
}

/** The manager's name where the client gives none: its user agent up to the slash. */
const managerFromAgent = (agent: string): string => {
  const name = (agent.split('/')[0] as string).slice(0, 128);
  return name === '' ? 'unknown' : name;
};

function list(call: Call): Answer {
  const { serving, request } = call;
  const { kind, namespace } = call.target;
  checkListVersion(serving, request.query);
  const page = listPage(serving, kind, namespace, request.query);
  const how = presentation(call);
  switch (how.form) {
    case 'table': {
      const { metadata } = listObject(kind, page, []);
      return json(tableOf(kind, page.items, { ...how, metadata: metadata as JsonObject }));
    }
    case 'metadata': {
      const items = page.items.map(partial);
      return json({
        ...listObject(kind, page, items),
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
      });
    }
    default:
      return json(listObject(kind, page, page.items));
  }
}

/** A watch of one object's path is a watch of the collection for that name. */
function watchQuery({ query }: ApiRequest, { name }: Target): URLSearchParams {
  if (name === '') return query;
  const narrowed = new URLSearchParams(query);
  narrowed.set('fieldSelector', `metadata.name=${name}`);
  return narrowed;
}

const reviewKinds = new Set(['authorization.k8s.io', 'authentication.k8s.io']);

async function create(call: Call): Promise<Answer> {
  const { serving, request, target } = call;
  const body = await readBody(call);
  if (reviewKinds.has(target.kind.group)) return json(review(serving, request, target, body), 201);
  return shown(call, createObject(serving, target, body, writeOptions(call)), 201);
}

/** Reviews are answered, not stored. */
function review({ access }: Serving, request: ApiRequest, { kind }: Target, body: Json): JsonObject {
  const asked = isJsonObject(body) ? body : {};
  const user = request.user ?? access.user;
  const named = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...asked };
  switch (kind.kind) {
    case 'SelfSubjectReview':
      return { ...named, status: { userInfo: { username: user, groups: ['system:masters', 'system:authenticated'] } } };
    case 'TokenReview':
      return { ...named, status: { authenticated: true, user: { username: user } } };
    case 'SelfSubjectRulesReview': {
      const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
      return { ...named, status: { resourceRules: [all], nonResourceRules: [], incomplete: true } };
    }
    default:
      return access.review(named, user);
  }
}

async function update(call: Call): Promise<Answer> {
  const { serving, target } = call;
  if (target.subresource === 'status' && !hasStatus(target.kind)) throw methodNotAllowed();
  const body = await readBody(call);
  return shown(call, updateObject(serving, target, body, writeOptions(call)));
}

const patchTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
  'application/apply-patch+json': 'apply',
};

function patchTypeOf(request: ApiRequest): PatchType {
  const type = patchTypes[request.contentType];
  if (type === undefined) throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  return type;
}

async function patch(call: Call): Promise<Answer> {
  const { serving, request, target } = call;
  const type = patchTypeOf(request);
  checkPatchOptions(request, type);
  const body = await readBody(call);
  const { object, created } = patchObject(serving, target, { type, body }, writeOptions(call));
  return shown(call, object, created ? 201 : 200);
}

function checkPatchOptions({ query }: ApiRequest, type: PatchType): void {
  const options = { group: 'meta.k8s.io', plural: '', kind: 'PatchOptions' };
  if (type === 'apply' && (query.get('fieldManager') ?? '') === '') {
    throw invalid(options, '', [required('fieldManager', 'is required for apply patch')]);
  }
  if (type !== 'apply' && query.has('force')) {
    const problem = {
      reason: 'FieldValueForbidden',
      field: 'force',
      message: 'Forbidden: may not be specified for non-apply patch',
    };
    throw invalid(options, '', [problem]);
  }
}

async function deleteOptions(call: Call): Promise<DeleteOptions> {
  const { request, warn } = call;
  const parsed = request.body.length === 0 ? {} : await parseBody(request, 'DeleteOptions');
  const body = isJsonObject(parsed) ? parsed : {};
  const { query } = request;
  const grace = query.get('gracePeriodSeconds');
  const dryRun = body.dryRun;
  return {
    gracePeriodSeconds: numberOf(body.gracePeriodSeconds) ?? (grace === null ? undefined : Number(grace)),
    propagationPolicy: textOf(body.propagationPolicy) ?? query.get('propagationPolicy') ?? undefined,
    orphanDependents: typeof body.orphanDependents === 'boolean' ? body.orphanDependents : undefined,
    preconditions: objectAt(body, 'preconditions'),
    user: userOf(call),
    dryRun: query.get('dryRun') === 'All' || (Array.isArray(dryRun) && dryRun.includes('All')),
    warn,
  };
}

async function remove(call: Call): Promise<Answer> {
  const options = await deleteOptions(call);
  return json(deletionAnswer(call.target, deleteObject(call.serving, call.target, options)));
}

/** Of what is gone a Success with its uid; of what is only marked the object. Pods are always shown. */
function deletionAnswer({ kind }: Target, { object, gone }: Deleted): JsonObject {
  if (!gone || (kind.group === '' && kind.kind === 'Pod')) return object;
  const { name, uid } = object.metadata;
  const details = { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.plural, uid };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

async function removeAll(call: Call): Promise<Answer> {
  const { serving, request } = call;
  const { kind, namespace } = call.target;
  const options = await deleteOptions(call);
  const page = listPage(serving, kind, namespace, request.query);
  const deleted: Resource[] = page.items.map(
    ({ metadata }) =>
      deleteObject(serving, { kind, namespace: metadata.namespace, name: metadata.name }, options).object,
  );
  return json(listObject(kind, page, deleted));
}

async function answerSubresource(call: Call): Promise<Answer | undefined> {
  const { serving, request, target } = call;
  const { kind, namespace = '', name, subresource } = target;
  switch (subresource.split('/')[0]) {
    case 'log':
      return logAnswer(serving, namespace, name, request.query);
    case 'eviction':
      return json(evict(serving, target, await parseBody(request, 'Eviction')), 201);
    case 'binding':
      return json(bind(serving, target, await parseBody(request, 'Binding')), 201);
    case 'token':
      getObject(serving, target);
      return json(issueToken(await parseBody(request, 'TokenRequest'), serving.clock.now()), 201);
    case 'scale':
      return await scale(call);
    case 'finalize':
      return await finalize(call);
    case 'exec':
    case 'attach':
    case 'portforward':
    case 'proxy':
      throw badRequest(`the sandbox runs no containers: ${kind.plural}/${subresource} is not available`);
    default:
      return undefined;
  }
}

async function scale(call: Call): Promise<Answer> {
  const { serving, request, target } = call;
  const { kind } = target;
  const verb = verbOf(request, target);
  const before = getObject(serving, target);
  if (verb === 'get') return json(scaleOf(kind, before));
  const type = verb === 'update' ? 'update' : patchTypeOf(request);
  const body = await parseBody(request, 'Scale');
  const options: WriteOptions = { ...writeOptions(call), subresource: 'scale' };
  const after = scaled(kind, before, type, body);
  return json(scaleOf(kind, changeObject(serving, kind, { before, after }, options)));
}

/** PUT of a namespace's `finalize`: sets spec.finalizers. */
async function finalize({ serving, request, target: { kind, name } }: Call): Promise<Answer> {
  const body = await parseBody(request, kind.kind);
  const before = getObject(serving, { kind, namespace: undefined, name });
  const spec = isJsonObject(body) ? (objectAt(body, 'spec') ?? {}) : {};
  const after: Resource = { ...before, spec };
  const emptied = !Array.isArray(spec.finalizers) || spec.finalizers.length === 0;
  if (emptied && before.metadata.deletionTimestamp !== undefined) serving.store.remove('/namespaces', after);
  else serving.store.put('/namespaces', after);
  return json(after);
}

import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/cluster/api-error.ts';
import { isNotServedYet } from '../../../src/execute/apply/not-served-yet.ts';
import type { ExecutionEvent } from '../../../src/execute/events.ts';
import { executePlan } from '../../../src/execute/execute.ts';
import { parseManifests } from '../../../src/manifest/parse.ts';
import { planInstall } from '../../../src/plan/plan.ts';
import type { Timers } from '../../../src/support/timers.ts';
import { FakeCluster } from '../../cluster/fake-cluster.ts';
import { arranged } from '../../plan/charts.ts';

const bringing = (yaml: string) =>
  planInstall({
    release: 'web',
    namespace: 'default',
    strategy: 'hookOnly',
    hooks: [],
    manifests: parseManifests(yaml),
  });

const refused = (status: number, message: string, facts: { reason?: string; about?: string } = {}): ApiError =>
  new ApiError({ status, reason: 'InternalError', message, causes: [], method: 'PATCH', path: '/x', ...facts });

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec: {group: example.com, scope: Namespaced, names: {kind: Widget, plural: widgets}, versions: []}
`;
const webhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks: [{name: guard.example.com}]
`;
const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: guard}\n';
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n';

const down = (name: string, host: string): string =>
  `Internal error occurred: failed calling webhook "${name}": failed to call webhook: Post "https://${host}:443/check?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused`;
const noEndpoints =
  'Internal error occurred: failed calling webhook "other.example.com": failed to call webhook: Post "https://guard.default.svc:443/": no endpoints available for service "guard"';
const noMatch = 'no matches for kind "Widget" in version "example.com/v1"; ensure CRDs are installed first';

const undeclared =
  'failed to create typed patch object (/a; example.com/v1, Kind=Widget): .spec.x: field not declared in schema';

describe('what is waited for', () => {
  test.each([
    ['a webhook of the release', webhook, refused(500, down('guard.example.com', 'x.y.svc')), true],
    ['a webhook of nobody here', settings, refused(500, down('guard.example.com', 'x.y.svc')), false],
    ['a webhook behind a Service of the release', service, refused(500, noEndpoints), true],
    ['a webhook behind another Service', service, refused(500, noEndpoints.replaceAll('guard', 'other')), false],
    [
      'a conversion by the release',
      service,
      refused(500, 'conversion webhook for example.com/v1, Kind=Widget failed: Post "https://guard.default.svc:443/"'),
      true,
    ],
    [
      'a webhook that refuses',
      webhook,
      refused(403, 'admission webhook "guard.example.com" denied the request'),
      false,
    ],
    ['a kind of a CRD of the release', crd, refused(404, noMatch), true],
    ['a kind of nobody here', settings, refused(404, noMatch), false],
    ['a field that a CRD of the release may have brought', crd, refused(500, undeclared, { reason: 'Unknown' }), true],
    ['the same, where the object is created', crd, refused(400, 'strict decoding error: unknown field "spec.x"'), true],
    ['a field of nobody here', settings, refused(500, undeclared, { reason: 'Unknown' }), false],
    ['an object that is not there', crd, refused(404, 'widgets "a" not found', { about: 'widgets' }), false],
    [
      'a namespace that is not there',
      crd,
      refused(404, 'namespaces "no matches for kind" not found', { about: 'namespaces' }),
      false,
    ],
    [
      'a webhook that refuses in these words',
      webhook,
      refused(500, `admission webhook "x" denied: ${noEndpoints}`),
      false,
    ],
    ['anything else', crd, new Error('no matches for kind'), false],
  ])('%s: %s', (_what, brought, error, expected) => {
    expect(isNotServedYet(error, { apiVersion: 'example.com/v1', kind: 'Widget', name: 'a' }, bringing(brought))).toBe(
      expected,
    );
  });
});

test.each([
  ['a Service that asks for no address and gets none', '{ports: [{port: 80}]}', 'spec.clusterIPs', true],
  ['one whose own address is refused', '{clusterIP: 1.2.3.4}', 'spec.clusterIPs', false],
  ['one that is refused for something else', '{ports: [{port: 80}]}', 'spec.ports', false],
])('%s', (_what, spec, field, expected) => {
  const facts = { reason: 'Invalid', causes: [{ field, reason: 'FieldValueInvalid' }] };
  const error = new ApiError({ ...refused(422, 'allocator not ready').failure, ...facts });
  const plan = bringing(`apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: ${spec}\n`);
  expect(isNotServedYet(error, { apiVersion: 'v1', kind: 'Service', name: 'a' }, plan)).toBe(expected);
});

const webhookDown = refused(500, down('guard.example.com', 'guard.default.svc'));

test('an object that the release’s own webhook has to see is sent until it answers', async () => {
  const cluster = new FakeCluster();
  cluster.failOn('apply', 'settings', webhookDown, 3);
  const events: ExecutionEvent[] = [];
  const plan = bringing([service, settings].join('---\n'));
  await executePlan(plan, { cluster, onEvent: (event) => events.push(event) });
  expect(cluster.names()).toEqual(['ConfigMap/settings', 'Service/guard']);
  const waits = events.filter((event) => event.kind === 'resource' && event.state === 'waiting');
  expect(waits).toMatchObject([{ id: { name: 'settings' }, reason: webhookDown.message }]);
});

test('a field that no CRD of the release declares is refused after a moment', async () => {
  let nowMs = 0;
  const timers: Timers = {
    now: () => nowMs,
    // Pauses pass at once, timeouts never.
    setTimeout: (run, delayMs) => delayMs < 1_000 && setImmediate(() => ((nowMs += delayMs), run())),
    clearTimeout: () => {},
  };
  const cluster = Object.assign(new FakeCluster({ readyAtOnce: true }), { timers });
  cluster.failOn('apply', 'early', refused(500, undeclared, { reason: 'Unknown' }));
  const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: early}\n';
  const served = crd.replace('versions: []', 'versions: [{name: v1, served: true}]');
  const plan = bringing([served, widget].join('---\n'));
  await expect(executePlan(plan, { cluster, timeoutMs: 600_000 })).rejects.toThrow('field not declared in schema');
  expect(nowMs).toBe(2_000);
});

test('no longer than the timeout', async () => {
  const cluster = new FakeCluster();
  cluster.failOn('apply', 'settings', webhookDown);
  const plan = bringing([service, settings].join('---\n'));
  await expect(executePlan(plan, { cluster, timeoutMs: 1 })).rejects.toThrow('failed calling webhook');
});

test('a kind whose CRD comes in a later batch is not waited for, but with --eager it may come in time', async () => {
  const early =
    'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: early, annotations: {helm.sh/weight: "-1"}}\n';
  const { unit, rendered } = await arranged({
    'Chart.yaml': 'name: shop',
    'templates/early.yaml': early,
    'templates/crd.yaml': crd,
  });
  const { manifests } = rendered;
  const plan = planInstall({ release: 'web', namespace: 'default', strategy: 'ordered', manifests, hooks: [], unit });
  const waits = async (eager: boolean): Promise<number> => {
    const cluster = new FakeCluster();
    cluster.failOn('apply', 'early', refused(404, noMatch));
    const events: ExecutionEvent[] = [];
    const run = executePlan(plan, { cluster, eager, timeoutMs: 20, onEvent: (event) => events.push(event) });
    await expect(run).rejects.toThrow(noMatch);
    return events.filter((event) => event.kind === 'resource' && event.state === 'waiting').length;
  };
  expect(await waits(false)).toBe(0);
  expect(await waits(true)).toBe(1);
});

test('a webhook that the release does not bring is not waited for', async () => {
  const cluster = new FakeCluster();
  cluster.failOn('apply', 'settings', webhookDown, 1);
  await expect(executePlan(bringing(settings), { cluster })).rejects.toThrow('failed calling webhook');
});

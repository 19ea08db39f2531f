import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actionContext } from '../../../src/actions/action-context.ts';
import { diffUpgrade } from '../../../src/actions/diff.ts';
import { install } from '../../../src/actions/install.ts';
import { upgrade } from '../../../src/actions/upgrade.ts';
import type { Context } from '../../../src/change/context.ts';
import { connect } from '../../../src/cluster/connect.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import { objectSubject } from '../../../src/execute/faults.ts';
import { idOf } from '../../../src/manifest/resource-id.ts';
import { isOfObject, type Problem, problemOf } from '../../../src/problem/problem.ts';
import { openSandbox } from '../../../src/sandbox/index.ts';
import { addedDetail } from '../../../src/support/errors.ts';
import { chartOf, configMap } from '../../actions/harness.ts';

let cluster: Cluster;
let context: Context;
let close: () => Promise<void>;

beforeEach(async () => {
  const sandbox = await openSandbox();
  cluster = await connect({ apiServer: sandbox.url, token: sandbox.token, env: { KUBECONFIG: '/dev/null' } });
  context = actionContext(cluster, { driver: 'memory' });
  close = async () => {
    cluster.close();
    await sandbox.close();
  };
});
afterEach(() => close());

const group = (name: string, after = ''): string =>
  `helm.sh/resource-group: ${name}${after && `, depends-on.helm.sh/resource-groups: ${after}`}`;
const jobOf = (image: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, annotations: {${group('first')}}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: ${image}}]}}}\n`;
const ordered = { name: 'web', wait: 'ordered', timeoutMs: 20_000 } as const;
const revisions = async () => (await (await context.storage()).revisions('web')).map(({ version }) => version);

test('a Job that has completed and whose template changed is refused before the record, with one way out', async () => {
  const chart = (image: string) =>
    chartOf({
      'templates/job.yaml': jobOf(image),
      'templates/two.yaml': configMap('two', 'k: v', group('b', 'first')),
    });
  await install(await chart('one'), new Map(), ordered, context);
  const change = async () => upgrade(await chart('two'), new Map(), ordered, context);
  await expect(change()).rejects.toMatchObject({
    code: 'preflight-refused',
    details: {
      problems: [
        {
          remedies: [{ kind: 'set-option', option: 'replaceObjects', value: 'Job/migrate' }],
        },
      ],
    },
  });
  expect(await revisions()).toEqual([1]);
  const job = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'default', name: 'migrate' };
  await cluster.delete(job, { propagation: 'Background' });
  await change();
  expect(await revisions()).toEqual([1, 2]);
});

test('a volume that is missing in a later batch: "Not found" in the words of a refusal is a refusal', async () => {
  const mount = '{name: c, image: i, volumeMounts: [{name: data, mountPath: /d}]}';
  const deployment = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app, annotations: {${group('b', 'a')}}}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [${mount}]}}}\n`;
  const chart = await chartOf({
    'templates/app.yaml': deployment,
    'templates/one.yaml': configMap('one', 'k: v', group('a')),
  });
  await expect(install(chart, new Map(), ordered, context)).rejects.toMatchObject({
    code: 'preflight-refused',
    message: expect.stringContaining('spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"'),
  });
  expect(await revisions()).toEqual([]);
  const one = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'one' };
  expect(await cluster.get(one)).toBeUndefined();
});

describe('all that is wrong with a refused object is told, at its lines', () => {
  const chart = () =>
    chartOf({
      'values.yaml': 'replicas: two\n',
      'templates/app.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  replica: 1
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
        - name: c
          image: i
          imagePullPolicyy: Always
`,
      'templates/one.yaml': configMap('one', 'k: v'),
    });
  const all = ['field-type 6', 'field-unknown 14', 'field-unknown 5'];
  const told = (problems: readonly Problem[]): readonly string[] =>
    problems.map((one) => {
      const [place] = one.places;
      const line = place?.kind === 'field' ? place.lines?.[0]?.line : undefined;
      return `${isOfObject(one) && one.subject.id.name === 'app' ? '' : 'of another object: '}${one.code} ${line}`;
    });
  const toldBy = async (run: Promise<unknown>): Promise<readonly string[]> =>
    told(addedDetail(await run.catch((error: unknown) => error), 'problems') ?? []);

  test.each(['always', 'never'] as const)('by an install, preflight %s', async (preflight) => {
    const options = { name: 'web', preflight, timeoutMs: 20_000 };
    expect([...(await toldBy(install(await chart(), new Map(), options, context)))].sort()).toEqual(all);
  });

  test('by a diff', async () => {
    const { objects } = await diffUpgrade(await chart(), new Map(), { name: 'web', install: true }, context);
    expect(objects.map(({ id, problems = [] }) => [id.name, [...told(problems)].sort()])).toEqual([
      ['one', []],
      ['app', all],
    ]);
  });

  test.each(['always', 'never'] as const)('but not of what the cluster accepts, preflight %s', async (preflight) => {
    const field = { code: 'field-unknown', field: 'data' } as const;
    const faultsOf: Context['faultsOf'] = async (manifests) =>
      manifests.map(({ object }) => problemOf({ subject: objectSubject(idOf(object)), cause: field }));
    const options = { name: 'web', preflight, timeoutMs: 20_000 };
    const problems = await toldBy(install(await chart(), new Map(), options, { ...context, faultsOf }));
    expect(problems).toContain('field-unknown undefined');
    expect(problems.filter((one) => one.startsWith('of another'))).toEqual([]);
  });
});

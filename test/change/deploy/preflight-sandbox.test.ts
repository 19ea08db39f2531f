import { afterEach, beforeEach, expect, test } from 'vitest';
import { actionContext } from '../../../src/actions/action-context.ts';
import { install } from '../../../src/actions/install.ts';
import { upgrade } from '../../../src/actions/upgrade.ts';
import type { Context } from '../../../src/change/context.ts';
import { connect } from '../../../src/cluster/connect.ts';
import type { Cluster } from '../../../src/cluster/types.ts';
import { openSandbox } from '../../../src/sandbox/index.ts';
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
          remedies: [
            {
              text: 'spec.template of Job/migrate cannot be changed in place; kubectl delete job migrate -n default lets the next run create it',
            },
          ],
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

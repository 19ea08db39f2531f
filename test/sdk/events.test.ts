import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isTshelmError, type Operation, type TshelmEvent } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await sandbox({ time: 'simulated' });
});
afterAll(() => box.close());

const deployment = (name: string, more: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, annotations: {sandbox.tshelm.dev/ready-after: ${more}}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: web, image: nginx}]}
`;
const configMap = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {label: "{{ .Values.${name} }}"}\n`;
const files = (templates: string) => ({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/all.yaml': templates,
});

/** `NAME STATE` of each event of an object; how the operation ends is for the test to say. */
async function statesOf(operation: Operation<unknown>): Promise<string[]> {
  const events: TshelmEvent[] = [];
  const over = (async () => {
    for await (const event of operation) events.push(event);
  })();
  await over.catch(() => undefined);
  return events.flatMap((event) => (event.kind === 'resource' ? [`${event.id.name} ${event.state}`] : []));
}

test('when the time is up, what is not ready has failed', async () => {
  const { tshelm } = box;
  const chart = tshelm.chart(files(`${deployment('slow', '400s')}---\n${deployment('quick', '1s')}`));
  const operation = tshelm.install('late', chart, { wait: 'watcher', timeoutMs: 60_000 });
  const ends = Object.fromEntries((await statesOf(operation)).map((text) => text.split(' ') as [string, string]));
  expect(ends).toEqual({ quick: 'ready', slow: 'failed' });
  const events: TshelmEvent[] = [];
  const failure: unknown = await (async () => {
    for await (const event of operation) events.push(event);
  })().catch((error: unknown) => error);
  if (!isTshelmError(failure, 'wait-timeout')) throw failure;
  const told = events.flatMap((event) => (event.kind === 'resource' && event.state === 'failed' ? [event] : []));
  expect(told).toMatchObject([{ isTimeout: true, reason: failure.details.unready[0]?.reason }]);
});

describe.each([{ serverSide: true }, { serverSide: false }])('with %j', ({ serverSide }) => {
  test('what an upgrade leaves as it is is unchanged', async () => {
    const { tshelm } = box;
    const name = `same-${serverSide}`;
    const chart = tshelm.chart(files(`${configMap('one')}---\n${configMap('two')}`));
    const options = { namespace: name, createNamespace: true, serverSide, values: { one: 'a', two: 'b' } };
    expect(await statesOf(tshelm.install('web', chart, options))).toContain(`${name} created`);
    const again = await statesOf(tshelm.upgrade('web', chart, { ...options, install: true }));
    expect(again.filter((text) => !text.endsWith('applying')).sort()).toEqual(['one unchanged', 'two unchanged']);
    const changed = await statesOf(tshelm.upgrade('web', chart, { ...options, values: { one: 'a', two: 'c' } }));
    expect(changed.filter((text) => !text.endsWith('applying')).sort()).toEqual(['one unchanged', 'two configured']);
  });

  test('a namespace that is there is unchanged', async () => {
    const { tshelm } = box;
    const options = { namespace: `twice-${serverSide}`, createNamespace: true, serverSide };
    const chart = tshelm.chart(files(configMap('{{ .Release.Name }}').replace('.Values.{{ .Release.Name }}', '1')));
    await tshelm.install('first', chart, options);
    expect(await statesOf(tshelm.install('second', chart, options))).toContain(`twice-${serverSide} unchanged`);
  });
});

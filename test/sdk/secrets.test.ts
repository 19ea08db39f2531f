import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Tshelm } from '../../src/index.ts';
import { type Sandbox, sandbox } from '../../src/testing.ts';

const password = 'hunter2-of-the-user';
const rendered = 'made-by-the-chart';
const files = (templates: string, more: Readonly<Record<string, string>> = {}) => ({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'templates/all.yaml': templates,
  ...more,
});
const secret = `apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {token: ${rendered}}\n`;
const job = (log: string) => `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: pre-install, helm.sh/hook-output-log-policy: hook-failed, sandbox.tshelm.dev/fate: fail, sandbox.tshelm.dev/log: "${log}"}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: migrate, image: busybox}]}}}
`;

let box: Sandbox;
beforeAll(async () => {
  box = await sandbox({ time: 'simulated' });
});
afterAll(() => box.close());

/** All that a program would log of a failure, its causes and their stacks included. */
const logged = (failure: unknown): string => inspect(failure, { depth: Number.POSITIVE_INFINITY, showHidden: true });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('it should have failed');
    },
    (failure: unknown) => failure,
  );
}

describe('a secret value that was given', () => {
  const values = { auth: { password } };
  const chart = () => box.tshelm.chart(files('a: {{ fail (printf "no such login: %s" .Values.auth.password) }}\n'));

  test('is in no failure of a render', async () => {
    for (const failure of [
      await failureOf(box.tshelm.render(chart(), { values })),
      await failureOf(box.tshelm.template(chart(), { set: [`auth.password=${password}`] })),
      await failureOf(Promise.resolve().then(() => new Tshelm().renderSync(chart(), { values }))),
      await failureOf(box.tshelm.install('shop', chart(), { values })),
      await failureOf(box.tshelm.plan('shop', chart(), { setLiteral: [`auth.password=${password}`] })),
    ]) {
      expect(logged(failure)).toContain('no such login: ***');
      expect(logged(failure)).not.toContain(password);
    }
  });

  test('is in no failure of a schema', async () => {
    const schema = '{"properties": {"auth": {"properties": {"password": {"enum": ["a"], "pattern": "^x"}}}}}';
    const strict = box.tshelm.chart(files('', { 'values.schema.json': schema }));
    const failure = await failureOf(box.tshelm.render(strict, { values }));
    expect(failure).toMatchObject({ code: 'values-schema' });
    expect(logged(failure)).not.toContain(password);
  });

  test('is in no failure of a stack', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tshelm-secrets-'));
    writeFileSync(join(folder, 'helmfile.yaml'), 'releases: [{name: shop, chart: ./chart}]\n');
    mkdirSync(join(folder, 'chart', 'templates'), { recursive: true });
    writeFileSync(join(folder, 'chart', 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
    writeFileSync(join(folder, 'chart', 'templates', 'a.yaml'), 'a: {{ fail .Values.auth.password }}\n');
    const operation = box.tshelm.stack({ folder }).apply({ values });
    const events: unknown[] = [];
    const failure = await failureOf(
      (async () => {
        for await (const event of operation) events.push(event);
      })(),
    );
    expect(failure).toMatchObject({ code: 'stack-failed' });
    expect(logged([failure, events])).toContain('***');
    expect(logged([failure, events])).not.toContain(password);
    rmSync(folder, { recursive: true });
  });
});

test('what a Secret of the chart holds is in no event, failure or detail of a hook that tells it', async () => {
  const operation = box.tshelm.install(
    'hooked',
    box.tshelm.chart(files(`${secret}---\n${job(`denied: ${rendered}`)}`)),
  );
  const told: unknown[] = [];
  const failure = await failureOf(
    (async () => {
      for await (const event of operation)
        if (event.kind !== 'plan-started' && event.kind !== 'step-started') told.push(event);
    })(),
  );
  expect(failure).toMatchObject({ code: 'wait-failed' });
  expect(logged([failure, told])).toContain('denied: ***');
  expect(logged([failure, told])).not.toContain(rendered);
});

test('what an earlier revision was given is known to a later one', async () => {
  const { tshelm } = box;
  const open = tshelm.chart(files('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n'));
  await tshelm.install('kept', open, { values: { auth: { password } } });
  const broken = tshelm.chart(files('a: {{ fail .Values.auth.password }}\n'));
  const failure = await failureOf(tshelm.upgrade('kept', broken, { reuseValues: true }));
  expect(logged(failure)).not.toContain(password);
});

test('a failure without secrets is what it was', async () => {
  const reason = new Error('mine');
  const broken = box.tshelm.chart(files('a: {{ fail "open" }}\n'));
  expect(logged(await failureOf(box.tshelm.render(broken)))).toContain('open');
  expect(await failureOf(box.tshelm.list({ signal: AbortSignal.abort(reason) }))).toBe(reason);
});

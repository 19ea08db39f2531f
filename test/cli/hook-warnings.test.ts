import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tshelm-hook-'));
  writeFileSync(join(directory, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 0.1.0\n');
  mkdirSync(join(directory, 'templates'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const job = (limit: string): string => `apiVersion: batch/v1
kind: Job
metadata: {name: a, annotations: {helm.sh/hook: pre-install, helm.sh/hook-timeout: "${limit}"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}
`;

test.each([
  ['2m', 'not a whole number of seconds'],
  ['0', 'less than 1 second'],
  ['99999999999999999999', 'too large'],
  ['90', undefined],
])('a plan and an install warn of a limit of %s that has no effect: %s', async (limit, why) => {
  writeFileSync(join(directory, 'templates/a.yaml'), job(limit));
  const sandbox = `--sandbox-dir=${join(directory, 'sandbox')}`;
  for (const words of [['plan'], ['install', '--dry-run=client']]) {
    const { stdout, stderr } = await tshelm([...words, 'web', directory, sandbox]);
    const warning = `helm.sh/hook-timeout is "${limit}", which is ${why} and has no effect`;
    expect(`${stdout}${stderr}`.includes(warning)).toBe(why !== undefined);
  }
});

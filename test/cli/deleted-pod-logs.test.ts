import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tshelm-deleted-pod-logs-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Its controller deletes the pods of the Job as soon as it has failed, and with a time to live of 0 the Job as well. */
const job = (hook: string, ttl: string): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: create
  annotations: {${hook}}
spec:
  backoffLimit: 4
${ttl}  template:
    metadata:
      annotations:
        sandbox.tshelm.dev/fate: fail
        sandbox.tshelm.dev/log: "starting\\nerror: secrets is forbidden"
    spec:
      restartPolicy: OnFailure
      containers: [{name: main, image: "main:1"}]
`;

async function told(text: string, words: readonly string[]): Promise<string> {
  const files = { 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 0.1.0\n', 'templates/job.yaml': text };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  const ran = await tshelm(['install', 'r', directory, '--sandbox-dir', join(directory, 'sandbox'), ...words]);
  expect(ran.code).toBe(1);
  return ran.stderr;
}

const hook = 'helm.sh/hook: pre-install';
test.each([
  ['of a hook', job(hook, ''), [], /^ +\| error: secrets is forbidden$/m],
  [
    'of a hook that is gone itself',
    job(hook, '  ttlSecondsAfterFinished: 0\n'),
    [],
    /^ +\| error: secrets is forbidden$/m,
  ],
  ['of the release', job('', ''), ['--wait=ordered'], / {2}log {4}starting\n {9}error: secrets is forbidden\n/],
])('what a Job wrote is told after its pods are deleted: %s', async (_what, text, words, log) => {
  const stderr = await told(text, words);
  expect(stderr).toMatch(/Job\/create: container main: CrashLoopBackOff, exit code 1/);
  expect(stderr).toMatch(log);
  expect(stderr).not.toContain('kubectl logs');
});

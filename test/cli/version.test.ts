import { expect, test } from 'vitest';
import { tshelm } from './harness.ts';

// The forms of Helm v4.3.1; what a build from its module leaves empty is empty here too.
const whole =
  'version.BuildInfo{Version:"v4.3.1", GitCommit:"", GitTreeState:"", GoVersion:"go1.26.8", KubeClientVersion:"v1.37"}\n';

test.each([
  ['version', [], whole],
  ['version --short', ['--short'], 'v4.3.1\n'],
  ['a template', ['--template', 'Version: {{.Version}}'], 'Version: v4.3.1'],
  ['--client, which Helm 3 takes', ['--client', '--short'], 'v4.3.1\n'],
  ['-c', ['-c', '--template={{ .Version }}'], 'v4.3.1'],
])('%s', async (_title, words, stdout) => {
  expect(await tshelm(['version', ...words])).toEqual({ code: 0, stdout, stderr: '' });
});

test.each([
  ['Ansible', /^version\.BuildInfo{Version:"v([0-9.]+)", /],
  ['helmfile', /version\.BuildInfo{Version:"(v?(\d+)(\.\d+)?(\.\d+)?)/],
  ['kustomize, Argo CD', /(\d+\.\d+\.\d+)/],
])('the expression of %s finds the version', async (_caller, expression) => {
  expect(expression.exec((await tshelm(['version'])).stdout)?.[1]).toMatch(/^v?4\.3\.1$/);
});

test("tshelm's own version stands where no caller looks", async () => {
  const own = /^tshelm 0\.0\.0-development \(compatible with Helm v4\.3\.1; Node v\d+/;
  expect((await tshelm(['--version'])).stdout).toMatch(own);
  const told = await tshelm(['version', '--debug']);
  expect(told.stdout).toBe(whole);
  expect(told.stderr).toMatch(own);
  expect((await tshelm(['version'], { terminal: 80 })).stderr).toMatch(own);
  expect((await tshelm(['version', '--template', '{{.TshelmVersion}}'])).stdout).toBe('v0.0.0-development');
});

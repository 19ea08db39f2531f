import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tshelm-way-on-'));
  writeFileSync(join(directory, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 0.1.0\n');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** What a command prints on standard error, with one sandbox for all of a test's commands. */
async function told(words: readonly string[], labels = '{tier: web}'): Promise<string> {
  const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: ${labels}}\n`;
  mkdirSync(join(directory, 'templates'), { recursive: true });
  writeFileSync(join(directory, 'templates/a.yaml'), map);
  const sandbox = ['--sandbox-dir', join(directory, 'sandbox'), '-n', 'default'];
  return (await tshelm([...words, directory, ...sandbox, '--preflight=never'])).stderr;
}

const wrong = '{tier: "not a label"}';

describe('after a failure', () => {
  test('an install can be repeated or removed', async () => {
    expect(await told(['install', 'r'], wrong)).toContain(
      '\nRevision 1 of r is marked failed; the objects already applied are still there.\n' +
        '  next   fix the chart and run tshelm upgrade --install r CHART -n default; or undo the change with tshelm uninstall r -n default\n',
    );
  });

  test('an install that was refused before its hooks has applied nothing', async () => {
    mkdirSync(join(directory, 'templates'), { recursive: true });
    const hook = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: h, annotations: {helm.sh/hook: pre-install}}\n';
    writeFileSync(join(directory, 'templates/h.yaml'), hook);
    writeFileSync(
      join(directory, 'templates/a.yaml'),
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: ${wrong}}\n`,
    );
    const sandbox = ['--sandbox-dir', join(directory, 'sandbox'), '-n', 'default'];
    const { stderr } = await tshelm(['install', 'r', directory, ...sandbox]);
    expect(stderr).toContain('\nno object was changed; --preflight=never skips this check\n');
    expect(stderr).toContain('\nRevision 1 of r is marked failed.\n  next ');
  });

  test('an upgrade can be repeated or rolled back to what was deployed', async () => {
    await told(['install', 'r']);
    expect(await told(['upgrade', 'r'], wrong)).toContain(
      '\nRevision 2 of r is marked failed; the objects already applied are still there.\n' +
        '  next   fix the chart and run tshelm upgrade --install r CHART -n default; or undo the change with tshelm rollback r 1 -n default\n',
    );
  });

  test('what was rolled back leaves nothing to do', async () => {
    expect(await told(['install', 'r', '--rollback-on-failure'], wrong)).not.toContain('is marked failed');
  });

  test('a name in use is told with what has it', async () => {
    await told(['install', 'r']);
    expect(await told(['install', 'r'])).toContain(
      '  fix    release r already exists (deployed): change it with tshelm upgrade r CHART\n',
    );
  });
});

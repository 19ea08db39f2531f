import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tshelm } from '../harness.ts';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'tshelm-choices-'));
  const files: Record<string, string> = {
    '.config/helm/repositories.yaml':
      'apiVersion: ""\nrepositories:\n- {name: one, url: "https://one"}\n- {name: other, url: "https://other"}\n',
    '.cache/helm/repository/one-charts.txt': 'web\ndb\n',
    '.cache/helm/repository/one-index.yaml': `apiVersion: v1
entries:
  web:
  - {apiVersion: v2, name: web, version: 0.1.0, appVersion: 1.2.3, created: "2018-06-27T10:00:00Z", deprecated: true, urls: [a]}
  - {apiVersion: v2, name: web, version: 0.2.0, created: "2020-11-12T10:00:00Z", urls: [b]}
`,
    '.local/share/helm/plugins/hi/plugin.yaml': 'name: hi\nusage: says hi\ncommand: "true"\n',
    '.local/share/helm/plugins/hi/plugin.complete':
      '#!/bin/sh\necho "$HELM_NAMESPACE $HELM_PLUGIN_NAME [$*]"\necho\necho :2\n',
    '.local/share/helm/plugins/static/plugin.yaml': 'name: static\ncommand: "true"\n',
    '.local/share/helm/plugins/static/completion.yaml':
      'name: static\nflags: [long, l]\ncommands:\n- {name: first, validArgs: [w, x]}\n- {name: second}\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text, { mode: 0o755 });
  }
});
afterAll(() => rmSync(home, { recursive: true }));

// What Helm v4.3.1 answers.
test.each([
  [
    ['repo', 'remove', ''],
    ['one\thttps://one', 'other\thttps://other', ':4'],
  ],
  [
    ['repo', 'update', 'one', ''],
    ['other\thttps://other', ':4'],
  ],
  [
    ['install', 'a', 'on'],
    ['one/\thttps://one', ':2'],
  ],
  [
    ['install', 'a', 'one/'],
    ['one/web', 'one/db', ':0'],
  ],
  [
    ['pull', 'one/'],
    ['one/web', 'one/db', ':4'],
  ],
  [
    ['install', 'a', 'one/web', '--version', ''],
    ['0.2.0\tCreated: November 12, 2020', '0.1.0\tApp: 1.2.3, Created: June 27, 2018 (deprecated)', ':4'],
  ],
  [['install', 'a', '--version', ''], [':4']],
  [['show', 'chart', 'one/none', '--version', ''], [':4']],
  [['plugin', 'uninstall', ''], ['hi\tsays hi', 'static\t', ':4'].map((line) => line.trim())],
  [
    ['plugin', 'update', 'hi', ''],
    ['static', ':4'],
  ],
  [
    ['hi', '--flag', '-n', 'dev', 'x', 'y'],
    ['dev hi [--flag x y]', ':2'],
  ],
  [
    ['static', ''],
    ['first', 'second', ':4'],
  ],
  [
    ['static', 'first', ''],
    ['w', 'x', ':4'],
  ],
  [
    ['static', '--'],
    ['--long', ':4'],
  ],
  [
    ['env', 'HELM_BIN', ''],
    ['_activeHelp_ This command does not take any more arguments (but may accept flags).', ':4'],
  ],
  [
    ['docs', '--type', ''],
    ['bash', 'man', 'markdown', ':4'],
  ],
])('%j', async (words, lines) => {
  const { stdout } = await tshelm(['__complete', ...words], {
    env: { HOME: home, PATH: process.env['PATH'] ?? '', KUBECONFIG: '/dev/null' },
  });
  expect(stdout.trimEnd().split('\n')).toEqual(lines);
});

test('flags before __complete are flags of the line', async () => {
  const config = join(home, 'none.yaml');
  const { stdout } = await tshelm(['--repository-config', config, '__complete', 'repo', 'remove', ''], {
    env: { HOME: home },
  });
  expect(stdout).toBe(':4\n');
});

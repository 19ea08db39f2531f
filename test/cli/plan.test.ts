import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { resource } from '../plan/charts.ts';
import { openTestSandbox, tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a chart and returns its folder. */
function chart(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.endsWith('Chart.yaml') ? `apiVersion: v2\nversion: 1.0.0\n${text}` : text);
  }
  return join(folder, name);
}

const nested = chart('foo', {
  'Chart.yaml':
    'name: foo\nannotations: {helm.sh/depends-on/subcharts: "bar"}\ndependencies:\n- {name: nginx, version: 1.0.0}\n- {name: bar, version: 1.0.0, depends-on: [nginx]}\n- {name: orphaned, version: 1.0.0}\n',
  'templates/foo.yaml': resource('foo'),
  'charts/nginx/Chart.yaml': 'name: nginx\n',
  'charts/nginx/templates/a.yaml': resource('nginx'),
  'charts/orphaned/Chart.yaml': 'name: orphaned\n',
  'charts/bar/Chart.yaml':
    'name: bar\ndependencies:\n- {name: one, version: 1.0.0, depends-on: [two]}\n- {name: two, version: 1.0.0}\n',
  'charts/bar/charts/one/Chart.yaml': 'name: one\n',
  'charts/bar/charts/two/Chart.yaml': 'name: two\n',
});

const risky = chart('risky', {
  'Chart.yaml': 'name: risky\n',
  'templates/hook.yaml':
    'apiVersion: batch/v1\nkind: Job\nmetadata: {name: migrate, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b, envFrom: [{secretRef: {name: creds}}]}]}}}\n',
  'templates/creds.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: creds}\n',
  'templates/group.yaml': resource('a', {
    'helm.sh/resource-group': 'one',
    'helm.sh/depends-on/resource-groups': 'nobody',
  }),
});
/** Its first revision has a Secret that the hook of a rollback to it needs, the second has not. */
const goingBack = chart('back', {
  'Chart.yaml': 'name: back\n',
  'templates/hook.yaml':
    'apiVersion: batch/v1\nkind: Job\nmetadata: {name: undo, annotations: {helm.sh/hook: pre-rollback}}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b, envFrom: [{secretRef: {name: old}}]}]}}}\n',
  'templates/old.yaml': '{{ if not .Values.new }}{apiVersion: v1, kind: Secret, metadata: {name: old}}{{ end }}\n',
});

const hazard = 'the pre-install hook Job/migrate uses Secret/creds, which is applied after the pre-install hooks';
/** As nothing is left that it waits for, it joins the rest. */
const aloneGroup = 'does not depend on another group and no group depends on it';
const unknownGroup = 'one waits for resource group "nobody"';

describe('dag', () => {
  test('of one chart says where the order of its groups is shown; of several nothing more', async () => {
    const one = await tshelm(['dag', risky]);
    expect(one.stderr).toBe(
      `nothing declares an order of charts; to see the order of resource groups: tshelm plan ${risky}\n`,
    );
    const order = chart('groups', { 'order.yaml': 'derive: true\n' });
    const withFile = await tshelm(['dag', risky, '--order', `${order}/order.yaml`, '--set', 'a=1']);
    expect(withFile.stderr).toBe(one.stderr.replace('\n', ` --order=${order}/order.yaml\n`));
    expect((await tshelm(['dag', nested])).stderr).toBe('');
    expect((await tshelm(['dag', risky, '-o', 'json'])).stderr).toBe('');
  });

  test('as text: what each chart waits for, and where that is declared', async () => {
    const order = chart('later', { 'order.yaml': 'charts:\n- {chart: orphaned, dependsOn: [nginx]}\n' });
    const { stdout } = await tshelm(['dag', nested, '--order', `${order}/order.yaml`]);
    expect(stdout).toContain(`orphaned ← nginx (${order}/order.yaml:2)`);
  });

  test('as JSON: batches of names, what they wait for, and those of the charts inside', async () => {
    const { stdout } = await tshelm(['dag', nested, '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual({
      batches: [['nginx'], ['bar'], ['foo', 'orphaned']],
      because: {
        bar: ['nginx (Chart.yaml depends-on)'],
        foo: ['bar (Chart.yaml helm.sh/depends-on/subcharts)'],
        orphaned: ['bar (Chart.yaml helm.sh/depends-on/subcharts)'],
      },
      units: {
        bar: {
          batches: [['two'], ['one'], ['bar']],
          because: { bar: ['one (a sequenced subchart)'], one: ['two (Chart.yaml depends-on)'] },
          units: {},
        },
      },
    });
  });
});

test('dag refuses a chart whose dependencies are not there, as install does', async () => {
  const lacking = chart('lacking', { 'Chart.yaml': 'name: lacking\ndependencies: [{name: gone, version: 1.0.0}]\n' });
  expect(await tshelm(['dag', lacking])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('charts/ directory: gone'),
  });
});

describe('plan without a cluster', () => {
  test('draws the batches with their reasons', async () => {
    const { stdout, code } = await tshelm(['plan', nested]);
    expect(code).toBe(0);
    expect(stdout).toContain('install foo in namespace default (wait: ordered)\n');
    expect(stdout).toContain('chart bar  ← nginx (Chart.yaml depends-on)\n');
  });

  test('NAME CHART names the release, as in install', async () => {
    const { stdout } = await tshelm(['plan', 'rel', nested, '--offline']);
    expect(stdout).toContain('install rel in namespace default (wait: ordered)\n');
    expect((await tshelm(['plan', '--release', 'rel', nested, nested])).stderr).toContain('accepts at most 1 argument');
  });

  test('the value of a flag is no form of plan', async () => {
    const { stderr } = await tshelm(['plan', '--action', 'upgrade', '--release', 'rel', nested]);
    expect(stderr).not.toContain('unknown flag');
  });

  test('--kube-version and --api-versions are what templates see', async () => {
    const picky = chart('picky', {
      'Chart.yaml': 'name: picky\nkubeVersion: "<1.20"\n',
      'templates/a.yaml': resource('{{ if .Capabilities.APIVersions.Has "example.com/v1" }}new{{ else }}old{{ end }}'),
    });
    expect((await tshelm(['plan', picky])).stderr).toContain('incompatible with Kubernetes');
    const { stdout } = await tshelm(['plan', picky, '--kube-version', '1.19', '-a', 'example.com/v1']);
    expect(stdout).toContain('ConfigMap/new');
    const refused = await tshelm(['plan', '--release', 'rel', picky, '--kube-version', '1.19']);
    expect(refused.stderr).toContain('remove --kube-version');
  });

  test('what a chart says gives a terminal no commands, and a diagram no markup', async () => {
    const grouped = (name: string): string =>
      chart('loud', {
        'Chart.yaml': 'name: loud\n',
        'templates/a.yaml': resource('a', { 'helm.sh/resource-group': name }),
        'templates/b.yaml': resource('b', { 'helm.sh/depends-on/resource-groups': [name] }),
      });
    const refused = await tshelm(['plan', grouped('\u001b[31m<b>')]);
    expect(refused.stderr).toMatch(/ConfigMap\/a .* helm\.sh\/resource-group: /);
    expect(refused.stderr).not.toContain('\u001b');
    const loud = grouped('\u0007<b> #1');
    expect((await tshelm(['plan', loud])).stdout).toContain('  └─ group <b> #1\n');
    expect((await tshelm(['plan', loud, '-o', 'dot'])).stdout).toContain('[label="<b> #1\\nConfigMap/a"]');
    expect((await tshelm(['plan', loud, '-o', 'mermaid'])).stdout).toContain('["#lt;b#gt; #35;1<br>ConfigMap/a"]');
  });

  test('tells hazards as warnings, in the tree and as data; beside a drawing on standard error', async () => {
    const tree = await tshelm(['plan', risky]);
    expect(tree).toMatchObject({ code: 0, stderr: '' });
    expect(tree.stdout).toContain(`warning: risky/templates/hook.yaml: ${hazard}`);
    expect(tree.stdout).toContain(unknownGroup);
    const { hazards } = JSON.parse((await tshelm(['plan', risky, '-o', 'json'])).stdout) as { hazards: string[] };
    expect(hazards).toEqual([
      expect.stringContaining(unknownGroup),
      expect.stringContaining(aloneGroup),
      expect.stringContaining(hazard),
    ]);
    expect((await tshelm(['plan', risky, '-o', 'dot'])).stderr).toContain(hazard);
  });

  test('--strict-plan makes them errors, the plan is shown all the same', async () => {
    const { code, stdout, stderr } = await tshelm(['plan', risky, '--strict-plan']);
    expect(code).toBe(1);
    expect(stdout).toContain('└─ apply risky');
    expect(stderr).toContain('the plan has 3 hazards, and a strict plan must have none:\n');
    expect(stderr).toContain(hazard);
    expect(stderr).toContain(unknownGroup);
    expect((await tshelm(['plan', nested, '--strict-plan'])).code).toBe(0);
  });

  test('template tells and refuses them too', async () => {
    const ordered = await tshelm(['template', risky, '--wait=ordered']);
    expect(ordered.stderr).toContain(hazard);
    expect(ordered.stdout).toContain('kind: Secret');
    expect((await tshelm(['template', risky])).stderr).toBe('');
    const strict = await tshelm(['template', risky, '--strict-plan']);
    expect(strict).toMatchObject({ code: 1, stdout: '' });
    expect(strict.stderr).toContain(hazard);
  });
});

describe('plan of a release', () => {
  const sandbox = openTestSandbox();
  afterAll(() => sandbox.remove());

  test('an install is refused before anything is sent, and else warned of', async () => {
    const refused = await sandbox.run('install', 'rel', risky, '--strict-plan', '--no-hooks=false', '--timeout', '5s');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('INSTALLATION FAILED: the plan has a hazard');
    expect((await sandbox.run('list', '-q', '-a')).stdout).toBe('');
    expect(await sandbox.run('plan', '--release', 'rel', risky)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('install rel in namespace default'),
    });
    const warned = await sandbox.run('install', 'rel', nested, '--wait=ordered', '--timeout', '20s');
    expect(warned.code).toBe(0);
  });

  test('what the run would say beside its plan is said, and what the plan shows is not said twice', async () => {
    const ignored = await sandbox.run('plan', 'other', nested, '--wait');
    expect(ignored.stderr.split('\n').filter((line) => line.includes('declares an order'))).toEqual([
      'chart foo declares an order (Chart.yaml depends-on), which only takes effect with --wait=ordered',
    ]);
    const { stdout, stderr } = await sandbox.run('plan', 'other', risky);
    expect(stdout).toContain('warning: ');
    expect(stderr).not.toContain('warning: ');
  });

  test('upgrade, rollback and uninstall, each by its form', async () => {
    const upgrade = await sandbox.run('plan', '--release', 'rel', nested);
    expect(upgrade.stdout).toContain(
      'upgrade rel in namespace default: revision 1 (foo-1.0.0) → 2 (foo-1.0.0) (wait: ordered)\n',
    );
    expect((await sandbox.run('upgrade', 'rel', nested, '--wait=ordered', '--timeout', '20s')).code).toBe(0);
    const rollback = await sandbox.run('plan', '--release', 'rel', '--revision', '1');
    expect(rollback.stdout).toContain(
      'rollback rel in namespace default: revision 2 (foo-1.0.0) → 3 (foo-1.0.0), back to revision 1 (wait: ordered)\n',
    );
    expect((await sandbox.run('plan', '--release', 'rel', '--action', 'rollback')).stdout).toBe(rollback.stdout);
    const uninstall = await sandbox.run('plan', '--release', 'rel');
    expect(uninstall.stdout).toContain('uninstall rel in namespace default (wait: ordered)\n');
    expect(uninstall.stdout.indexOf('ConfigMap/foo')).toBeLessThan(uninstall.stdout.indexOf('ConfigMap/nginx'));
    expect((await sandbox.run('plan', '--release', 'nobody', nested, '--action', 'upgrade')).code).toBe(1);
    expect((await sandbox.run('list', '-q')).stdout).toBe('rel\n');
  });

  test('without its namespace nothing can be installed, so the plan refuses it', async () => {
    const words = ['plan', 'nowhere', nested, '-n', 'not-there'];
    const { code, stdout, stderr } = await sandbox.run(...words);
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, '2 refused']);
    expect(stderr).toMatch(/ not-there .*\[namespace-missing\]\n[^]* --create-namespace /);
    expect((await sandbox.run(...words, '--create-namespace')).code).toBe(0);
  });

  test('NAME CHART asks the cluster what becomes of each object', async () => {
    const small = chart('small', {
      'Chart.yaml': 'name: small\n',
      'templates/a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: {{ .Values.b | default "1" | quote }}}\n`,
      'templates/c.yaml': `{{ if not .Values.b }}${resource('c')}{{ end }}`,
    });
    const actions = async (...words: string[]) => {
      const { stdout } = await sandbox.run('plan', 'small', small, ...words, '-o', 'json');
      const { changes } = JSON.parse(stdout) as { changes: { objects: { name: string; action: string }[] } };
      return Object.fromEntries(changes.objects.map(({ name, action }) => [name, action]));
    };
    expect(await actions()).toEqual({ a: 'create', c: 'create' });
    expect((await sandbox.run('install', 'small', small)).code).toBe(0);
    expect(await actions()).toEqual({ a: 'unchanged', c: 'unchanged' });
    expect(await actions('--set', 'b=2')).toEqual({ a: 'change', c: 'delete' });
    const { stdout } = await sandbox.run('plan', 'small', small, '--set', 'b=2', '--diff');
    expect(stdout).toContain('upgrade small in namespace default: revision 1 (small-1.0.0) → 2 (small-1.0.0)');
    expect(stdout).toContain('ConfigMap/a  (change 1 field: data.b)');
    expect(stdout).toContain('\n1 to change, 1 to delete\n');
    expect(stdout).toContain('+  b: "2"');
    expect((await sandbox.run('plan', 'small', small, '--exit-code')).code).toBe(0);
    expect((await sandbox.run('plan', 'small', small, '--set', 'b=2', '--exit-code')).code).toBe(2);
    const foreign = await sandbox.run('plan', 'other', small);
    expect(foreign).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ release small in default \[owned-elsewhere\]/),
    });
    expect(foreign.stdout).toContain('ConfigMap/a  (refused)');
    const data = await sandbox.run('plan', 'other', small, '-o', 'json');
    expect(JSON.parse(data.stdout)).toMatchObject({
      changes: {
        objects: [
          { name: 'a', action: 'refused' },
          { name: 'c', action: 'refused' },
        ],
        summary: { change: 0, refused: 2 },
      },
    });
    const adopted = await sandbox.run('plan', 'other', small, '--take-ownership');
    expect(adopted.stdout).toContain('ConfigMap/a  (adopt from release small in default');
    expect(adopted.stdout).toContain('\n2 to adopt\n');
    expect((await sandbox.run('uninstall', 'small')).code).toBe(0);
  });

  test('--offline and a chart alone take nothing that needs the release', async () => {
    for (const flag of ['--reuse-values', '--out=x.plan', '--exit-code', '--diff']) {
      const ran = await sandbox.run('plan', 'rel', nested, '--offline', flag);
      expect(ran, flag).toMatchObject({ code: 1, stdout: '' });
      expect(ran.stderr).toContain(`${flag.split('=')[0]} needs the cluster: tshelm plan NAME CHART`);
    }
  });

  test('what is in the cluster already is no hazard', async () => {
    const later = await sandbox.run('install', 'risky', risky, '--no-hooks', '--timeout', '20s');
    expect(later.code).toBe(0);
    expect(later.stderr).not.toContain('uses Secret/creds');
    const { stdout, code } = await sandbox.run('plan', '--release', 'risky', risky);
    expect(code).toBe(0);
    expect(stdout).toContain('run pre-upgrade hooks');
    expect(stdout).not.toContain('uses Secret/creds');
  });

  test('a rollback tells its hazards too', async () => {
    expect((await sandbox.run('install', 'back', goingBack, '--timeout', '20s')).code).toBe(0);
    expect((await sandbox.run('upgrade', 'back', goingBack, '--set', 'new=true', '--timeout', '20s')).code).toBe(0);
    const found = 'the pre-rollback hook Job/undo uses Secret/old, which is applied after the pre-rollback hooks';
    expect((await sandbox.run('plan', '--release', 'back', '--revision', '1')).stdout).toContain(found);
    const refused = await sandbox.run('rollback', 'back', '1', '--strict-plan', '--timeout', '20s');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(found) });
    expect((await sandbox.run('history', 'back', '-o', 'json')).stdout).not.toContain('"revision":3');
    const warned = await sandbox.run('rollback', 'back', '1', '--timeout', '1s');
    expect(warned).toMatchObject({ code: 1, stderr: expect.stringContaining(found) });
    expect(warned.stderr).toContain('secret "old" not found');
  });

  test('a rule for fields that rules nothing is told, once, wherever the change is looked at or made', async () => {
    const told = 'the rule Secrt:data=leave for fields has no effect: the release has no Secrt; did you mean Secret?';
    const timesTold = async (...words: readonly string[]) => {
      const { stdout, stderr } = await sandbox.run(...words);
      return (stdout + stderr).split(told).length - 1;
    };
    const flags = [goingBack, '--take-fields', 'Secrt:data=leave'];
    expect(await timesTold('upgrade', '--install', 'ruled', ...flags)).toBe(1);
    expect(await timesTold('plan', 'ruled', ...flags)).toBe(1);
    expect(await timesTold('diff', 'ruled', ...flags)).toBe(1);
    expect(await timesTold('upgrade', 'ruled', goingBack)).toBe(0);
    expect(await timesTold('rollback', 'ruled', '1', ...flags.slice(1))).toBe(1);
  });
});

describe('a comment that is too long names the whole command that shows what it leaves out', () => {
  const long = chart('long', {
    'Chart.yaml': 'name: long\n',
    'templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  lines: |\n{{- range until 4000 }}\n    a line with the number {{ . }}\n{{- end }}\n',
  });

  test.each(['plan', 'diff', 'stack plan', 'stack diff'])('%s', async (verb) => {
    const sandbox = openTestSandbox();
    try {
      const state = join(folder, 'helmfile.yaml');
      writeFileSync(state, `releases: [{name: shop, namespace: web, chart: ${long}}]\n`);
      const words = verb.startsWith('stack') ? ['-f', state] : ['shop', long, '-n', 'web', '-f', '/dev/null'];
      const more =
        { plan: ['--out', join(folder, 'a.plan'), '--create-namespace'], diff: ['--install', '--create-namespace'] }[
          verb
        ] ?? [];
      const { stdout } = await sandbox.run(...verb.split(' '), ...words, ...more, '-o', 'markdown');
      const shown = /left out: .*\*\* <code>tshelm ([^<]*)<\/code> shows all\./.exec(stdout)?.[1] ?? '';
      expect(shown).not.toBe('');
      const whole = await sandbox.run(...shown.split(' '));
      expect(whole).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('a line with the number 3999') as unknown,
      });
    } finally {
      sandbox.remove();
    }
  });
});

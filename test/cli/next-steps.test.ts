import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type RunOptions, tshelm } from './harness.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tshelm-way-on-'));
  writeFileSync(join(directory, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 0.1.0\n');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const sandbox = (): string => `--sandbox-dir=${join(directory, 'sandbox')}`;

/** What a command prints on standard error, with one sandbox for all of a test's commands. */
async function told(words: readonly string[], labels = '{tier: web}', options: RunOptions = {}): Promise<string> {
  const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: ${labels}}\n`;
  mkdirSync(join(directory, 'templates'), { recursive: true });
  writeFileSync(join(directory, 'templates/a.yaml'), map);
  return (await tshelm([...words, directory, sandbox(), '--preflight=never'], options)).stderr;
}

/** The words that a shell makes of what stands behind `text`. */
function wordsBehind(text: string, stderr: string): readonly string[] {
  const plain = stderr.replaceAll(/\x1b\[\d+m/g, '').replaceAll('\n         tshelm', ' tshelm');
  const [, rest = ''] = plain.split(text);
  const line = rest.split('\n')[0] ?? '';
  return execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

const hangingPod = `apiVersion: v1
kind: Pod
metadata: {name: b, annotations: {sandbox.tshelm.dev/fate: hang}}
spec: {containers: [{name: a, image: x}]}
`;
const wrong = '{tier: "not a label"}';

describe('after a failure', () => {
  test('an install can be repeated or removed', async () => {
    expect(await told(['install', 'r'], wrong)).toContain(
      '\nRevision 1 of r is marked failed; the objects already applied are still there.\n' +
        `  next   fix the cause and run tshelm upgrade --install r ${directory} ${sandbox()} --preflight=never\n` +
        `  or     undo the change with tshelm uninstall r ${sandbox()}\n`,
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
        `  next   fix the cause and run tshelm upgrade r ${directory} ${sandbox()} --preflight=never\n` +
        `  or     undo the change with tshelm rollback r 1 ${sandbox()}\n`,
    );
  });

  test('where no revision is deployed any more, an upgrade can still be rolled back to the last that was', async () => {
    const fixed = (value: number) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\nimmutable: true\ndata: {x: "${value}"}\n`;
    mkdirSync(join(directory, 'templates'));
    writeFileSync(join(directory, 'templates/b.yaml'), fixed(1));
    await told(['install', 'r']);
    rmSync(join(directory, 'templates/b.yaml'));
    await told(['upgrade', 'r']);
    writeFileSync(join(directory, 'templates/b.yaml'), fixed(2));
    await told(['upgrade', 'r']);
    expect(await tshelm(['rollback', 'r', '1', sandbox(), '--preflight=never'])).toMatchObject({ code: 1 });
    const list = await tshelm(['history', 'r', '-o', 'json', sandbox()]);
    expect(list.stdout).not.toContain('"status":"deployed"');
    expect(await told(['upgrade', 'r'], wrong)).toContain(`undo the change with tshelm rollback r 3 ${sandbox()}\n`);
  });

  test('a rollback that fails is repeated, which is what undoes it too', async () => {
    mkdirSync(join(directory, 'templates'));
    writeFileSync(join(directory, 'templates/b.yaml'), hangingPod);
    await told(['install', 'r']);
    await told(['upgrade', 'r'], wrong);
    const { stderr } = await tshelm(['rollback', 'r', '1', sandbox(), '--wait', '--timeout=1s']);
    expect(stderr).toContain(`  next   fix the cause and run tshelm rollback r 1 ${sandbox()} --wait --timeout=1s\n`);
    expect(stderr).not.toContain('undo the change with');
  });

  test('a rollback without a number is repeated with the one that it had', async () => {
    mkdirSync(join(directory, 'templates'));
    writeFileSync(join(directory, 'templates/b.yaml'), hangingPod);
    await told(['install', 'r']);
    await told(['upgrade', 'r'], wrong);
    const plan = await tshelm(['plan', 'rollback', 'r', sandbox()]);
    expect(plan.stdout).toContain('revision 2 (shop-0.1.0) → 3 (shop-0.1.0), back to revision 1');
    const { stderr } = await tshelm(['rollback', 'r', sandbox(), '--wait', '--timeout=1s']);
    expect(stderr).toContain(`  next   fix the cause and run tshelm rollback r 1 ${sandbox()} --wait --timeout=1s
`);
  });

  test('a rollback without a number says which revision it goes back to', async () => {
    await told(['install', 'r']);
    await told(['upgrade', 'r']);
    expect((await tshelm(['rollback', 'r', sandbox(), '--preflight=never'])).stderr).toContain(
      'r goes back to revision 1\n',
    );
    expect((await tshelm(['rollback', 'r', '2', sandbox(), '--preflight=never'])).stderr).not.toContain('goes back');
  });

  test('a command that has no room behind its line stands below, whole', async () => {
    await told(['install', 'r']);
    const plain = (await told(['install', 'r'], undefined, { terminal: 70 })).replaceAll(/\x1b\[\d+m/g, '');
    const line = `tshelm upgrade r ${directory} ${sandbox()} --preflight=never`;
    expect(plain).toContain(`  fix    release r already exists (deployed): change it with\n         ${line}\n`);
  });

  test('a value that a flag gave and that is wrong is to be changed in the next command', async () => {
    mkdirSync(join(directory, 'templates'));
    writeFileSync(
      join(directory, 'templates/b.yaml'),
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b}\nspec:\n  replicas: {{ .Values.count }}\n' +
        '  selector: {matchLabels: {a: b}}\n  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: x}]}}\n',
    );
    writeFileSync(join(directory, 'values.yaml'), 'count: 1\n');
    const stderr = await told(['install', 'r', '--set', 'count=two']);
    expect(stderr).toContain('  value  count is set to "two" by --set\n');
    expect(stderr).toContain('  next   change count, or fix the cause and run tshelm upgrade --install r ');
    expect(await told(['upgrade', 'r', '--install'], wrong)).toContain('  next   fix the cause and run tshelm ');
  });

  test('a namespace that is missing can be created', async () => {
    const { code, stderr } = await tshelm(['install', 'r', directory, sandbox(), '-n', 'gone']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('namespaces "gone" not found\n  fix    add --create-namespace '),
    ]);
    expect(await tshelm(['install', 'r', directory, sandbox(), '-n', 'gone', '--create-namespace'])).toMatchObject({
      code: 0,
    });
  });

  test('what was rolled back leaves nothing to do', async () => {
    expect(await told(['install', 'r', '--rollback-on-failure'], wrong)).not.toContain('is marked failed');
  });

  test('a name in use is told with what has it', async () => {
    await told(['install', 'r']);
    expect(await told(['install', 'r'])).toContain(
      `  fix    release r already exists (deployed): change it with tshelm upgrade r ${directory} ${sandbox()} --preflight=never\n`,
    );
  });

  test('the command is that of the user, as a shell takes it, with the name, the namespace and the chart', async () => {
    const flags = ['--set', "a=it's", '-n', 'my-shop', '--create-namespace', '--wait'];
    const stderr = await told(['install', '--name-template=r', ...flags], wrong, { terminal: 60 });
    const again = wordsBehind('fix the cause and run tshelm ', stderr);
    const before = ['upgrade', '--install', 'r', directory, "--set=a=it's", '--create-namespace', '--wait'];
    expect(again).toEqual([...before, sandbox(), '--preflight=never', '-n', 'my-shop']);
    const back = wordsBehind('undo the change with tshelm ', stderr);
    expect(back).toEqual(['uninstall', 'r', sandbox(), '-n', 'my-shop']);
    writeFileSync(join(directory, 'templates/a.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
    expect(await tshelm(again)).toMatchObject({ code: 0 });
    expect(await tshelm(back)).toMatchObject({ code: 0 });
  });

  test('what was interrupted can be resumed', async () => {
    writeFileSync(join(directory, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 0.1.0\n');
    mkdirSync(join(directory, 'templates'));
    writeFileSync(join(directory, 'templates/b.yaml'), hangingPod);
    let isInterrupted = false;
    // By then the release is recorded. Another command would not do to find that out: it may be the one that the sandbox
    // runs in, and then ends with the install.
    const interruptOnce = (piece: string): void => {
      if (isInterrupted || !piece.includes('Pod/b created')) return;
      isInterrupted = true;
      process.emit('SIGINT', 'SIGINT');
    };
    const words = ['install', 'r', directory, sandbox(), '--wait', '--timeout=60s'];
    const { stderr } = await tshelm(words, { onStderr: interruptOnce });
    expect(isInterrupted).toBe(true);
    const again = wordsBehind('continue with tshelm ', stderr);
    expect(again.slice(0, 5)).toEqual(['upgrade', '--install', '--resume', 'r', directory]);
  });

  test('what cannot be resumed is told with the values that differ and the command without --resume', async () => {
    // Beside the chart, which would have changed by the sandbox in it.
    const own = mkdtempSync(join(tmpdir(), 'tshelm-way-on-sandbox-'));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    mkdirSync(join(directory, 'templates'));
    writeFileSync(
      join(directory, 'templates/a.yaml'),
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: ${wrong}}\n`,
    );
    const upgrade = async (...words: readonly string[]): Promise<string> =>
      (await tshelm(['upgrade', 'r', directory, `--sandbox-dir=${own}`, '--preflight=never', ...words])).stderr;
    const secret = (text: string) => `a=1,same=2,db.password=${text},db.host=x`;
    await upgrade('--install', '--set', secret('CANARY-one'));
    const stderr = await upgrade('--resume', '--set', secret('CANARY-two'), '--set', 'a=3', '--set-string', 'b[0]=4');
    expect(stderr).toContain('the values are not the same as in that revision (a, b, db.password); use');
    expect(stderr).toContain(
      `  fix    to resume, give the values that revision 1 has: tshelm get values r --revision=1 --sandbox-dir=${own}\n` +
        `  fix    to deploy the values given now: tshelm upgrade r ${directory} --sandbox-dir=${own} --preflight=never (and --set `,
    );
    expect(stderr).not.toContain('CANARY');
    writeFileSync(join(directory, 'templates/b.yaml'), '{{/* another chart */}}');
    const other = await upgrade('--resume', '--set', secret('CANARY-one'));
    expect(other).toContain('the chart is not the same as in that revision; use');
    expect(other).toContain('  fix    to deploy the chart given now: tshelm upgrade r ');
    expect(other).not.toContain('get values');
  });

  test('a log names values and keeps none, and no screen a password', async () => {
    const sets = [
      '--set',
      'image=nginx:1.30,tags={a,b}',
      '--set-json',
      'v={"n":[1,null]}',
      '--set',
      'n=1,db.password=word',
    ];
    const words = [
      'upgrade',
      '--install',
      'r',
      ...sets,
      '--set-string',
      'key=AKIA0123456789ABCDEF',
      '--password',
      'word',
    ];
    const [, log = ''] = (await told(words, wrong)).split('fix the cause and run ');
    const shown = '--set=image=nginx:1.30,tags={a,b}';
    const hidden = ['--set image=…,tags[0]=…,tags[1]=…', '--set-json v.n[0]=…', '--set n=…,db.password=…'];
    expect(log).toContain(` (and ${hidden.join(', ')}, --set-string key=…, --password as before)\n`);
    expect(log).not.toMatch(/nginx|=word|AKIA/);
    const stderr = await told(words, wrong, { terminal: 60 });
    expect(stderr).toContain(`'${shown}'`);
    expect(stderr).toMatch(/ \(and --set n=…,db.password=…, --set-string key=…, --password as before\)\n/);
  });

  test('a shell runs no command whose values were left out', async () => {
    const stderr = await told(['install', 'r', '--set', 'db.password=word'], wrong);
    const [, line = ''] = /run (tshelm upgrade .*)/.exec(stderr) ?? [];
    expect(line).toMatch(/\(and --set db.password=… as before\)$/);
    for (const shell of ['sh', 'bash'])
      expect(() => execFileSync(shell, ['-c', `tshelm() { exit 0; }; ${line}`], { stdio: 'pipe' })).toThrow(shell);
  });

  test('a flag that would be masked in part is left out as a whole', async () => {
    const words = ['upgrade', '--install', 'r', '--set', 'b=1', '--set-json', 'v=[{"secret":{"secretName":"a"}}]'];
    const stderr = await told(words, wrong, { terminal: 60 });
    expect(stderr).toMatch(/ --set=b=1 .*\(and --set-json v\[0\].secret.secretName=… as before\)\n/);
  });
});

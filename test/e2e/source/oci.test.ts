import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Registry, startRegistry } from './registry.ts';
import { type Left, openSide, type Side } from './sides.ts';

/** Command lines are run by Helm and by tshelm against the same registries: everything that they leave must be the same. */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-oci-'));
const given = join(folder, 'given');
const user = { name: 'user', password: 'pa:ss wörd' };
const unused = '127.0.0.1:1';
let open: Registry;
let closed: Registry;
let mutual: Registry;
let helm: Side;
let tshelm: Side;

beforeAll(async () => {
  const helmProgram = join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm');
  const home = { ...process.env, GNUPGHOME: join(folder, 'gnupg') };
  const shell = (script: string): void => void execFileSync('bash', ['-ec', script], { cwd: folder, env: home });
  shell(`
    mkdir -m 700 gnupg given
    printf '%%no-protection\\nKey-Type: RSA\\nKey-Length: 2048\\nName-Real: tester\\nName-Email: t@example.com\\nExpire-Date: 0\\n%%commit\\n' > key
    gpg --batch --gen-key key 2>/dev/null
    gpg --export > given/public.gpg
    gpg --batch --export-secret-keys > secret.gpg
    '${helmProgram}' create demo && '${helmProgram}' create signed
    '${helmProgram}' package demo -d given
    sed -i 's/^version:.*/version: 1.2.3+build.5/' demo/Chart.yaml && '${helmProgram}' package demo -d given
    sed -i 's/^version:.*/version: 2.0.0-rc.1/' demo/Chart.yaml && '${helmProgram}' package demo -d given
    '${helmProgram}' package signed -d given --sign --key tester --keyring secret.gpg`);
  open = await startRegistry(join(folder, 'open'));
  closed = await startRegistry(join(folder, 'closed'), { user });
  mutual = await startRegistry(join(folder, 'mutual'), { user, asksForCertificate: true });
  helm = openSide('helm', folder, given);
  tshelm = openSide('tshelm', folder, given);
  for (const archive of ['demo-0.1.0.tgz', 'demo-1.2.3+build.5.tgz', 'demo-2.0.0-rc.1.tgz', 'signed-0.1.0.tgz'])
    await helm.run(['push', archive, `oci://${open.host}/charts`, '--plain-http']);
}, 120_000);

afterAll(() => {
  open.stop();
  closed.stop();
  mutual.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** `OPEN` and `CLOSED` are the registries, `NOBODY` an address where nothing listens, `CA` the authority's file; `MUTUAL` asks for a certificate `OF_ITS` own. */
const wordsOf = (line: string): string[] =>
  line.split(' ').map((word) =>
    word
      .replace('OPEN', open.host)
      .replace('CLOSED', closed.host)
      .replace('MUTUAL', mutual.host)
      .replace('OF_ITS', join(folder, 'mutual'))
      .replace('NOBODY', unused)
      .replace('CA', join(folder, 'closed', 'ca.pem')),
  );

/** Where tshelm tells a next step beside Helm's words, those count. */
async function expectTheSame(line: string, stdin?: string): Promise<void> {
  const words = wordsOf(line);
  const [ours, helms] = [await tshelm.run(words, stdin), await helm.run(words, stdin)];
  const stderr = ours.stderr.replace(/; a chart in a registry is oci.*\n+ {2}fix {4}helm repo add .*/, '');
  expect({ ...ours, stderr, files: withoutKept(ours.files, helms.files) }).toEqual(helms);
}

/** `pull` of tshelm keeps what it has fetched, under its digest, for --offline; Helm's install alone does. */
function withoutKept(files: Left['files'], helms: Left['files']): Left['files'] {
  const isKept = (path: string, digest: string): boolean => path.startsWith('cache/content/') && path.includes(digest);
  return Object.fromEntries(Object.entries(files).filter(([path, digest]) => path in helms || !isKept(path, digest)));
}

describe('pull', () => {
  test.each([
    'pull oci://OPEN/charts/demo --plain-http',
    'fetch oci://OPEN/charts/demo:0.1.0 --plain-http',
    'pull oci://OPEN/charts/demo --version 0.1.0 --plain-http',
    'pull oci://OPEN/charts/demo --version ^1.2 --plain-http',
    'pull oci://OPEN/charts/demo --version 1.2.3+build.5 --plain-http',
    'pull oci://OPEN/charts/demo --devel --plain-http',
    'pull oci://OPEN/charts/demo --version ^9 --plain-http',
    'pull oci://OPEN/charts/demo --version 9.0.0 --plain-http',
    'pull oci://OPEN/charts/demo --version !!! --plain-http',
    'pull oci://OPEN/charts/demo:0.1.0 --version 0.2.0 --plain-http',
    'pull oci://OPEN/charts/demo@sha256:00 --plain-http',
    `pull oci://OPEN/charts/demo:0.1.0@sha256:${'0'.repeat(64)} --plain-http`,
    `pull oci://OPEN/charts/demo@sha256:${'0'.repeat(64)} --plain-http`,
    'pull oci://OPEN/charts/none --plain-http',
    'pull oci://OPEN/charts/none --version 1.0.0 --plain-http',
    'pull oci://OPEN/Charts/demo --plain-http',
    'pull oci://host',
    'pull oci://OPEN/charts/demo',
    'pull oci://NOBODY/charts/demo --plain-http',
    'pull oci://NOBODY/charts/demo --version 1.0.0',
    'pull oci://OPEN/charts/demo --prov --plain-http',
    'pull oci://OPEN/charts/signed --prov --plain-http',
    'pull oci://OPEN/charts/signed --verify --keyring public.gpg --plain-http',
    'pull oci://OPEN/charts/signed --verify --keyring none.gpg --plain-http --untar',
    'pull oci://OPEN/charts/demo --untar --plain-http',
    'pull oci://OPEN/charts/demo --untar --untardir sub -d . --plain-http',
    'pull oci://OPEN/charts/demo:0.1.0 --untar --plain-http',
    'pull oci://OPEN/charts/demo --plain-http -d nowhere',
    'pull oci://OPEN/charts/demo oci://OPEN/charts/signed --plain-http --version >=0.1.0',
    'pull oci://OPEN/charts/demo --plain-http --ca-file none.pem',
    'pull oci://OPEN/charts/demo --plain-http --cert-file none.pem',
    'pull oci://OPEN/charts/demo --cert-file none.pem --key-file none.key',
    'pull http://OPEN/x.tgz',
    'pull ftp://OPEN/x.tgz',
    'pull none/demo',
    'pull demo',
    'pull demo --repo http://OPEN',
    'pull demo --repo ftp://OPEN',
    'pull',
  ])('%s', (line) => expectTheSame(line));
});

test.each(['1.2.3+build.5', '1.2.3_build.5'])(
  'a tag with a plus, written %s, which Helm does not take',
  async (tag) => {
    const left = await tshelm.run(wordsOf(`pull oci://OPEN/charts/demo:${tag} -d .. --plain-http`));
    expect([left.code, Object.keys(left.files)]).toEqual([0, expect.arrayContaining(['demo-1.2.3+build.5.tgz'])]);
    rmSync(join(tshelm.folder, 'demo-1.2.3+build.5.tgz'));
  },
);

describe('push', () => {
  test.each([
    'push demo-0.1.0.tgz oci://OPEN/pushed --plain-http',
    'push demo-1.2.3+build.5.tgz oci://OPEN/pushed/ --plain-http',
    'push signed-0.1.0.tgz oci://OPEN/pushed --plain-http',
    'push signed-0.1.0.tgz oci://OPEN --plain-http',
    'push demo-0.1.0.tgz oci://OPEN/Pushed --plain-http',
    'push demo-0.1.0.tgz oci://OPEN/pushed',
    'push demo-0.1.0.tgz oci://NOBODY/pushed --plain-http',
    'push demo-0.1.0.tgz http://OPEN/pushed',
    'push demo-0.1.0.tgz OPEN',
    'push none.tgz oci://OPEN/pushed --plain-http',
    'push . oci://OPEN/pushed --plain-http',
    'push demo-0.1.0.tgz',
  ])('%s', (line) => expectTheSame(line));

  test('what tshelm pushes first, Helm finds the same', async () => {
    const pushed = await tshelm.run(wordsOf('push signed-0.1.0.tgz oci://OPEN/by-tshelm --plain-http'));
    const again = await helm.run(wordsOf('push signed-0.1.0.tgz oci://OPEN/by-helm --plain-http'));
    expect(pushed.stdout.replace('by-tshelm', 'by-helm').replace('by-helm', 'x')).toBe(
      again.stdout.replace('by-helm', 'x'),
    );
    await expectTheSame('pull oci://OPEN/by-tshelm/signed --prov --plain-http');
  });
});

describe('charts of a registry in other commands', () => {
  test.each([
    'template oci://OPEN/charts/demo --plain-http',
    'template web oci://OPEN/charts/demo --version ~1.2.0 --plain-http --set replicaCount=3',
    'template oci://OPEN/charts/demo:9.9.9 --plain-http',
    'template oci://OPEN/charts/signed --verify --keyring public.gpg --plain-http',
    'template signed-0.1.0.tgz --verify --keyring public.gpg',
    'show values oci://OPEN/charts/demo --plain-http',
    'show chart oci://OPEN/charts/demo --devel --plain-http',
    'install web oci://OPEN/charts/none --plain-http --dry-run=client',
    'template demo-0.1.0.tgz -f http://OPEN/v2/',
    'template demo-0.1.0.tgz -f http://OPEN/none',
    'template demo-0.1.0.tgz -f http://127.0.0.1:6000/none',
    'template demo-0.1.0.tgz --set-file a=http://OPEN/none',
    'template demo-0.1.0.tgz -f oci://OPEN/charts/demo:0.1.0',
    'template none',
    'template ./none',
    'template none/demo',
  ])('%s', (line) => expectTheSame(line));
});

describe('a registry that asks who one is', () => {
  test.each<[line: string, stdin?: string]>([
    ['pull oci://CLOSED/charts/demo'],
    ['pull oci://CLOSED/charts/demo --ca-file CA'],
    ['push demo-0.1.0.tgz oci://CLOSED/charts --ca-file CA'],
    ['push demo-0.1.0.tgz oci://CLOSED/charts --ca-file CA --username user --password wrong'],
    ['registry login CLOSED -u user -p wrong --ca-file CA'],
    ['registry login CLOSED -u user -p wrong'],
    ['registry login CLOSED/charts -u user -p wrong'],
    ['registry login NOBODY -u user -p wrong --plain-http'],
    ['registry login'],
    ['registry login CLOSED -u user --password-stdin --ca-file CA', `${user.password}\n`],
    ['push demo-0.1.0.tgz oci://CLOSED/charts --ca-file CA'],
    ['push signed-0.1.0.tgz oci://CLOSED/charts --insecure-skip-tls-verify --plain-http'],
    ['pull oci://CLOSED/charts/demo --ca-file CA'],
    ['pull oci://CLOSED/charts/demo --version 0.1.0 --ca-file CA'],
    ['pull oci://CLOSED/charts/signed --prov --insecure-skip-tls-verify'],
    ['template oci://CLOSED/charts/demo --ca-file CA'],
    ['pull oci://CLOSED/charts/demo --ca-file CA --username user --password wrong'],
    ['registry logout CLOSED'],
    ['registry logout CLOSED'],
    ['pull oci://CLOSED/charts/demo --version 0.1.0 --ca-file CA'],
  ])('%s', (line, stdin) => expectTheSame(line, stdin));
});

const certificate = '--ca-file OF_ITS/ca.pem --cert-file OF_ITS/client.pem --key-file OF_ITS/client.key';

describe('a registry that asks for a certificate', () => {
  test.each<[line: string, stdin?: string]>([
    [`registry login MUTUAL -u user --password-stdin ${certificate}`, `${user.password}\n`],
    [`registry login CLOSED -u user --password-stdin --insecure`, `${user.password}\n`],
    [`push demo-0.1.0.tgz oci://MUTUAL/charts ${certificate}`],
    ['push demo-0.1.0.tgz oci://MUTUAL/charts --cert-file none.pem --key-file none.key'],
    [`pull oci://MUTUAL/charts/demo ${certificate}`],
    [`show chart oci://MUTUAL/charts/demo --version 0.1.0 ${certificate}`],
    [`pull oci://MUTUAL/charts/demo ${certificate} --pass-credentials`],
  ])('%s', (line, stdin) => expectTheSame(line, stdin));
});

test('what has been fetched is there offline, and what has not is told of', async () => {
  const [line, other] = [
    'template oci://OPEN/charts/demo --version ^1 --plain-http',
    'template oci://OPEN/charts/signed',
  ];
  const online = await tshelm.run(wordsOf(line));
  expect(online.code).toBe(0);
  const offline = await tshelm.run(wordsOf(`${line} --offline`));
  expect([offline.code, offline.stdout, offline.stderr]).toEqual([0, online.stdout, '']);
  const missing = await tshelm.run(wordsOf(`${other} --version 7 -f http://OPEN/values.yaml --offline`));
  const what = (reference: string) => `${reference} is not cached, and cannot be downloaded while offline\n`;
  const lines = [what(`oci://${open.host}/charts/signed 7`), what(`http://${open.host}/values.yaml`)];
  expect([missing.code, missing.stderr]).toEqual([1, `Error: ${lines.join('')}`]);
});

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Registry, startRegistry } from './registry.ts';
import { type Left, openSide, type Side } from './sides.ts';
import { startTokenServer, type TokenServer } from './token-server.ts';

/**
 * A registry that asks for tokens, and credentials that a helper keeps: command lines are run by Helm and by tshelm, and
 * leave the same. REGISTRY is the registry, HOST its address.
 */
const folder = mkdtempSync(join(tmpdir(), 'tshelm-signing-in-'));
const given = join(folder, 'given');
const user = { name: 'user', password: 'pa:ss wörd', refreshToken: 'an identity token' };
let tokens: TokenServer;
let registry: Registry;

beforeAll(async () => {
  const helm = join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm');
  const script = `
    mkdir given programs && '${helm}' create demo
    for version in 0.1.0 0.2.0 1.2.3+build.5; do '${helm}' package demo --version $version -d given; done
    mkdir given/parent`;
  execFileSync('bash', ['-ec', script], { cwd: folder, stdio: 'pipe' });
  tokens = await startTokenServer(join(folder, 'tokens'), user);
  registry = await startRegistry(join(folder, 'registry'), { tokens });
  const dependency = `{name: demo, version: 0.x, repository: "oci://${registry.host}/charts"}`;
  const chart = `apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n- ${dependency}\n`;
  writeFileSync(join(given, 'parent/Chart.yaml'), chart);
  writeHelper();
}, 120_000);

afterAll(() => {
  registry.stop();
  tokens.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Keeps credentials in files of the home; `junk` and `broken` are registries that it goes wrong with. */
function writeHelper(): void {
  const path = join(folder, 'programs/docker-credential-test');
  const script = `#!/bin/sh
read -r asked
kept=$HOME/kept; mkdir -p "$kept"; echo "$1" >> "$kept/calls"
address=$(printf %s "$asked" | sed 's/.*"ServerURL":"\\([^"]*\\)".*/\\1/')
case $1 in
  store) printf %s "$asked" > "$kept/$address" ;;
  erase) rm "$kept/$asked" 2>/dev/null || { echo 'no such credential'; exit 1; } ;;
  get) case $(cat "$kept/state" 2>/dev/null) in
      locked) echo 'the keychain is locked'; exit 1 ;;
      junk) echo '<html>'; exit 0 ;;
    esac
    cat "$kept/$asked" 2>/dev/null || { echo 'credentials not found in native keychain'; exit 1; } ;;
esac
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
}

/** Gives both a home with these files, `HOST` in them being the registry. */
function openSides(name: string, files: Readonly<Record<string, string>> = {}): readonly Side[] {
  const parent = mkdtempSync(join(folder, `${name}-`));
  return (['helm', 'tshelm'] as const).map((program) => {
    const side = openSide(program, parent, given, { programs: join(folder, 'programs') });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(side.folder, path)), { recursive: true });
      writeFileSync(join(side.folder, path.replace('HOST', registry.host)), text.replaceAll('HOST', registry.host));
    }
    return side;
  });
}

interface Told extends Left {
  readonly tokens: readonly string[];
}

/** What a line leaves, and which tokens it asked for. */
async function runBy(side: Side, line: string, stdin?: string): Promise<Told> {
  const words = line
    .split(' ')
    .map((word) => word.replace('REGISTRY', `oci://${registry.host}`).replace('HOST', registry.host));
  tokens.requests();
  const left = await side.run(words, stdin);
  return { ...left, tokens: tokens.requests() };
}

async function expectTheSame([helm, tshelm]: readonly Side[], line: string, stdin?: string): Promise<Told> {
  const theirs = await runBy(helm as Side, line, stdin);
  const ours = await runBy(tshelm as Side, line, stdin);
  expect(comparable(ours)).toEqual(comparable(theirs));
  return ours;
}

/**
 * The content cache is each program's own; what is made here has the time in it. A push that is refused ends while other
 * requests of it are under way, and those may be seen with the next line: only tokens for pushing that were given count.
 */
function comparable({ files, tokens: all, ...left }: Told): Told {
  const isOwn = (path: string): boolean => /^cache\/content\/|Chart\.lock$|parent-1\.0\.0\.tgz$/.test(path);
  return {
    ...left,
    tokens: all.filter((request) => !request.includes('push') || request.endsWith(` as ${user.name}`)),
    files: Object.fromEntries(Object.entries(files).filter(([path]) => !isOwn(path))),
  };
}

describe('a registry that asks for tokens', () => {
  let sides: readonly Side[];
  beforeAll(() => {
    sides = openSides('tokens');
  });
  test.each<[line: string, stdin?: string]>([
    ['pull REGISTRY/charts/demo --version 0.1.0 --plain-http'],
    ['pull REGISTRY/charts/demo --plain-http'],
    ['push demo-0.1.0.tgz REGISTRY/charts --plain-http'],
    ['registry login HOST -u user -p wrong --plain-http'],
    ['registry login HOST -u user --password-stdin --plain-http', `${user.password}\n`],
    ['push demo-0.1.0.tgz REGISTRY/charts --plain-http'],
    ['push demo-0.2.0.tgz REGISTRY/charts --plain-http'],
    ['push demo-1.2.3+build.5.tgz REGISTRY/public --plain-http'],
    ['pull REGISTRY/charts/demo --version 0.1.0 --plain-http'],
    ['pull REGISTRY/charts/demo --version ^0.1 --plain-http'],
    ['show chart REGISTRY/charts/demo --plain-http'],
    ['template r REGISTRY/charts/demo:0.1.0 --plain-http'],
    ['dependency update parent --plain-http'],
    ['package parent -u --plain-http'],
    ['pull REGISTRY/charts/none --version 1.0.0 --plain-http'],
    ['registry logout HOST'],
    ['pull REGISTRY/charts/demo --version 0.1.0 --plain-http'],
    ['pull REGISTRY/public/demo --version 1.2.3+build.5 --plain-http'],
    ['pull REGISTRY/public/demo --plain-http'],
    ['push demo-0.1.0.tgz REGISTRY/public --plain-http'],
    ['pull REGISTRY/charts/demo --version 0.1.0 --plain-http --username user --password wrong'],
    ['pull REGISTRY/charts/demo --version 0.1.0 --plain-http --username user --password pa:ss'],
  ])('%s', async (line, stdin) => {
    await expectTheSame(sides, line, stdin);
  });
});

const basic = Buffer.from(`${user.name}:${user.password}`).toString('base64');
const kept = (username: string, secret: string): string =>
  JSON.stringify({ ServerURL: 'HOST', Username: username, Secret: secret });
const here = 'pull REGISTRY/charts/demo --version 0.1.0 --plain-http';
const helmsFile = 'config/registry/config.json';
const dockersFile = 'home/.docker/config.json';

/** Each kind of place in which a credential can be, and the lines that are run one after another with it. */
const places: Readonly<Record<string, { files: Record<string, string>; lines: readonly [string, string?][] }>> = {
  'a helper that keeps all credentials': {
    files: { [helmsFile]: '{"credsStore":"test"}' },
    lines: [
      [here],
      ['registry login HOST -u user --password-stdin --plain-http', `${user.password}\n`],
      [here],
      ['registry logout HOST'],
      ['registry logout HOST'],
      [here],
    ],
  },
  'a helper of one registry': {
    files: {
      [helmsFile]: '{"credHelpers":{"HOST":"test"},"auths":{"HOST":{"auth":"bm86bm8="}},"other":{"b":1,"a":[2]}}',
      'home/kept/HOST': kept(user.name, user.password),
    },
    lines: [[here], ['registry logout HOST'], [here], ['registry login HOST -u user -p no --plain-http']],
  },
  'an identity token of a helper': {
    files: { [helmsFile]: '{"credsStore":"test"}', 'home/kept/HOST': kept('<token>', user.refreshToken) },
    lines: [[here], ['push demo-0.1.0.tgz REGISTRY/charts --plain-http']],
  },
  "an identity token in Docker's file": {
    files: { [dockersFile]: JSON.stringify({ auths: { HOST: { identitytoken: user.refreshToken } } }) },
    lines: [[here], ['registry logout HOST'], [here]],
  },
  "a password in Docker's file": {
    files: { [dockersFile]: JSON.stringify({ auths: { 'https://HOST/v1/': { auth: basic } } }) },
    lines: [[here], ['registry logout HOST'], [here]],
  },
  "a helper in Docker's file": {
    files: { [dockersFile]: '{"credsStore":"test"}', 'home/kept/HOST': kept(user.name, user.password) },
    lines: [[here], ['registry login HOST -u user --password-stdin --plain-http', `${user.password}\n`], [here]],
  },
  "Helm's file before Docker's": {
    files: {
      [helmsFile]: JSON.stringify({ auths: { HOST: { auth: Buffer.from('user:no').toString('base64') } } }),
      [dockersFile]: JSON.stringify({ auths: { HOST: { auth: basic } } }),
    },
    lines: [[here]],
  },
  'a helper that fails': {
    files: { [helmsFile]: '{"credsStore":"test"}', 'home/kept/state': 'locked' },
    lines: [[here]],
  },
  'a helper that is not there': {
    files: { [helmsFile]: '{"credsStore":"none"}' },
    lines: [[here], ['registry logout HOST']],
  },
  'a file with other fields': {
    files: {
      [helmsFile]: '{"proxies":{"z":1,"a":"<&>"},"auths":{"z.example.com":{"auth":"eDp5"}},"HttpHeaders":{"B":"c"}}',
    },
    lines: [
      ['registry login HOST -u user --password-stdin --plain-http', user.password],
      [here],
      ['registry logout HOST'],
    ],
  },
};

describe.each(Object.entries(places))('%s', (name, { files, lines }) => {
  let sides: readonly Side[];
  beforeAll(() => {
    sides = openSides(name.replaceAll(/\W/g, '-'), files);
  });
  test.each(lines)('%s', async (line, stdin) => {
    await expectTheSame(sides, line, stdin);
  });
});

/** Where tshelm says more than Helm: the file, the program, and no password is sent before they are known to be well. */
test.each([
  ['a helper whose answer is none', { [helmsFile]: '{"credsStore":"test"}', 'home/kept/state': 'junk' }, here],
  ['a file that breaks off', { [helmsFile]: '{"auths":' }, here],
  ['a file that breaks off', { [helmsFile]: '{"auths":' }, 'registry logout HOST'],
  ['a file that breaks off', { [helmsFile]: '{"auths":' }, 'registry login HOST -u user -p pw --plain-http'],
  ['a file that is a list', { [helmsFile]: '[]' }, 'registry login HOST -u user -p pw --plain-http'],
])('%s: %s %s', async (_what, files, line) => {
  const [helm, tshelm] = openSides('unusual', files);
  const [theirs, ours] = [await runBy(helm as Side, line), await runBy(tshelm as Side, line)];
  expect([ours.code, ours.stdout, ours.tokens]).toEqual([theirs.code, theirs.stdout, theirs.tokens]);
  const [, reason = ''] = /: (?:invalid config format: )?([^:]*)"?\n$/.exec(theirs.stderr) ?? [];
  const isHelper = theirs.stderr.includes("invalid character '<'");
  expect(ours.stderr).toContain(
    isHelper ? 'docker-credential-test get: its answer is not JSON' : reason.replace(/"$/, ''),
  );
});

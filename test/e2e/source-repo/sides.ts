import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { readArchive } from '../../../src/chart/archive.ts';
import { tshelmIn, tshelmPath } from '../support/programs.ts';

/** One of the two programs with a home and a working folder of its own. */
export interface Side {
  readonly folder: string;
  run(words: readonly string[], options?: SideRun): Promise<Outcome>;
  /** Every file below the working folder and the home, with what makes no difference taken out. */
  files(): Promise<Readonly<Record<string, string>>>;
}

interface SideRun {
  readonly stdin?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** It asks at the terminal, and must find none. */
  readonly asks?: boolean | undefined;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const programs = {
  helm: join(process.env['TSHELM_E2E_BIN'] ?? '', 'helm'),
  tshelm: tshelmPath,
};

/** Takes from root what lets it past the modes of files. */
const ordinary = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'];

export interface SideOptions {
  /** Root too may write only where a folder's mode allows it. */
  readonly withoutOverride?: boolean;
}

/** `given` is copied into the working folder. */
export function openSide(
  name: keyof typeof programs,
  parent: string,
  given: string,
  { withoutOverride = false }: SideOptions = {},
): Side {
  const root = join(parent, name);
  const folder = join(root, 'work');
  mkdirSync(root);
  cpSync(given, folder, { recursive: true, preserveTimestamps: true });
  const home = {
    HELM_CACHE_HOME: join(root, 'cache'),
    HELM_CONFIG_HOME: join(root, 'config'),
    HELM_DATA_HOME: join(root, 'data'),
    GNUPGHOME: join(root, 'gnupg'),
  };
  const plain = (text: string): string => text.replaceAll(root, 'ROOT').replaceAll(/\btshelm\b/g, 'helm');
  return {
    folder,
    async run(words, { stdin = '', env = {}, asks = false } = {}) {
      const options = { cwd: folder, env: { ...process.env, ...home, ...env } };
      if (name === 'tshelm' && !asks && !withoutOverride && process.env['TSHELM'] === undefined) {
        const ran = await tshelmIn(folder, words, { env: options.env, stdin });
        return { code: ran.code, stdout: plain(ran.stdout), stderr: withoutTime(plain(ran.stderr)) };
      }
      const isRoot = withoutOverride && process.getuid?.() === 0;
      const [program, ...line] = [...(isRoot ? ordinary : []), programs[name], ...words] as [string, ...string[]];
      const { code, stdout, stderr } = await start(program, line, { ...options, stdin });
      return { code, stdout: plain(stdout), stderr: withoutTime(plain(stderr)) };
    },
    async files() {
      const found: Record<string, string> = {};
      for (const path of filesBelow(root)) found[path] = plain(await contentOf(join(root, path)));
      return found;
    },
  };
}

function start(
  program: string,
  words: readonly string[],
  { cwd, env, stdin }: { cwd: string; env: NodeJS.ProcessEnv; stdin: string },
): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(program, words, { cwd, env });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => err.push(data));
    child.once('error', fail);
    child.once('close', (code) =>
      done({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

/** The time before a line of Helm's log. */
const withoutTime = (text: string): string => text.replaceAll(/^time=\S+ /gm, '');

/** Not what is tshelm's own beside Helm's files. */
const filesBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile() && !path.startsWith('gnupg'))
    .sort();

/** Archives by what is in them: two compressors need not give the same bytes. Times of the clock are one and the same. */
async function contentOf(path: string): Promise<string> {
  const data = readFileSync(path);
  if (path.endsWith('.tgz') || path.endsWith('.chart')) {
    const files = await Promise.resolve()
      .then(() => readArchive(data))
      .catch(() => undefined);
    if (files === undefined) return 'no archive';
    return withoutTimes(
      files
        .toSorted((a, b) => dependencyOf(a.name).localeCompare(dependencyOf(b.name)))
        .map(({ name, data: content }) => `${name}\n${Buffer.from(content).toString()}`)
        .join('\n'),
    );
  }
  const text = data.toString();
  if (path.endsWith('charts.txt')) return text.split('\n').sort().join('\n');
  return withoutTimes(text);
}

/** Helm packs dependencies in the order of a Go map, another one each time: they are compared in the order of names. */
const dependencyOf = (name: string): string => /(?:^|\/)charts\/([^/]+)/.exec(name)?.[1] ?? '';

const withoutTimes = (text: string): string => text.replaceAll(/"?(created|generated)"?: "[^"]*"/g, '$1: TIME');

/** A server of files on loopback; below `/closed` a name and a password are asked for. */
export async function serveFiles(folder: string): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    const isClosed = path.startsWith('/closed/');
    const expected = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    if (isClosed && request.headers.authorization !== expected) return void response.writeHead(401).end();
    try {
      response.end(readFileSync(join(folder, path.replace(/^\/closed/, ''))));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** What the content cache holds is each program's own: tshelm keeps what it has pulled, too. */
export const withoutKept = (files: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('cache/content/')));

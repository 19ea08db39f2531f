import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { goExecError } from '../../go/path-error.ts';
import { TshelmError } from '../../support/errors.ts';
import type { TlsOptions } from '../http/request.ts';

/** Who asks a server for its repository, and how the server is trusted. */
export interface GitAccess {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly tls?: TlsOptions | undefined;
}

export interface GitRun extends GitAccess {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  /** What it reads from its standard input. Default: nothing. */
  readonly input?: string | undefined;
}

/** Nothing of the repository at hand, such as the one whose hook runs tshelm, is meant by what is run here. */
const ofAnotherRepository = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY'];

/** No chart and no values file is nearly as large. */
const mostBytes = 512 << 20;

/** A server that sends nothing for a minute is given up. */
const patience = ['-c', 'http.lowSpeedLimit=1', '-c', 'http.lowSpeedTime=60'];

/** Runs git and gives what it printed. Fails with `git-failed`, in git's own words. */
export function git(args: readonly string[], run: GitRun): Promise<Buffer> {
  const hasPassword = Boolean(run.password);
  const settings = hasPassword ? ['-c', 'credential.helper=', '-c', `credential.helper=${readsPipe}`] : [];
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...patience, ...settings, ...args], {
      env: environment(run),
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      signal: run.signal,
    });
    const printed: Buffer[] = [];
    let length = 0;
    let said = '';
    child.stdout?.on('data', (data: Buffer) => {
      length += data.length;
      if (length <= mostBytes) printed.push(data);
      else child.kill();
    });
    child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
    send(child.stdin, run.input ?? '');
    send(child.stdio[3], hasPassword ? credentialText(run) : '');
    child.on('error', (cause) =>
      reject(
        cause.name === 'AbortError' ? cause : failed(`cannot run git: ${goExecError('git', cause).message}`, cause),
      ),
    );
    child.on('close', (code) => {
      if (length > mostBytes) reject(failed(`it gave more than ${mostBytes >> 20} MiB`));
      else if (code === 0) resolve(Buffer.concat(printed));
      else reject(failed(lastWords(said)));
    });
  });
}

function environment({ env, tls = {} }: GitRun): NodeJS.ProcessEnv {
  const { caFile, certFile, keyFile, insecureSkipTlsVerify } = tls;
  const own: NodeJS.ProcessEnv = {
    GIT_TERMINAL_PROMPT: '0',
    ...env,
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:file',
    LC_ALL: 'C',
  };
  for (const name of ofAnotherRepository) delete own[name];
  if (caFile) own['GIT_SSL_CAINFO'] = caFile;
  if (certFile) own['GIT_SSL_CERT'] = certFile;
  if (keyFile) own['GIT_SSL_KEY'] = keyFile;
  if (insecureSkipTlsVerify) own['GIT_SSL_NO_VERIFY'] = '1';
  return own;
}

/** A shell reads lines one by one, so that git may ask again. A password is in no argument, no variable and no file. */
const readsPipe = '!f() { read -r user <&3 && read -r word <&3 && printf "%s\\n" "$user" "$word"; }; f';
const mostQuestions = 16;

const credentialText = ({ username = '', password = '' }: GitRun): string =>
  `username=${username}\npassword=${password}\n`.repeat(mostQuestions);

/** git may end before it has read all. */
function send(pipe: Readable | Writable | null | undefined, text: string): void {
  if (pipe === null || pipe === undefined || !('end' in pipe)) return;
  pipe.on('error', () => undefined);
  pipe.end(text);
}

/** What git says at last, and what ssh has said before it; hints above are about git's own command line. */
function lastWords(said: string): string {
  const lines = said
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const isGits = (line: string): boolean => /^(?:fatal|error|remote): /.test(line);
  const first = lines.findIndex(isGits);
  const before = lines
    .slice(Math.max(0, first - 1), Math.max(0, first))
    .filter((line) => !/^(?:hint|warning): /i.test(line));
  const own = lines.filter(isGits).map((line) => line.replace(/^(?:fatal|error): /, ''));
  return [...before.map((line) => line.trim().replace(/\.$/, '')), ...own.slice(-3)].join('; ') || said.trim();
}

const failed = (message: string, cause?: unknown): TshelmError => new TshelmError('git-failed', { message, cause });

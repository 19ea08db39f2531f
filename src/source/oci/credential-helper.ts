import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { type Credential, noCredential } from './credential.ts';

/** Programs by which Docker keeps credentials: `docker-credential-NAME get|store|erase`. */
export interface CredentialHelper {
  get(address: string): Promise<Credential>;
  store(address: string, credential: Credential): Promise<void>;
  erase(address: string): Promise<void>;
}

const tokenUser = '<token>';
const notFoundMessage = 'credentials not found in native keychain';

/** Go: oras credentials.nativeStore. */
export function credentialHelper(name: string, env: NodeJS.ProcessEnv): CredentialHelper {
  const program = `docker-credential-${name}`;
  return {
    async get(address) {
      const { output, failure } = await run(program, 'get', address, env);
      if (failure === notFoundMessage) return noCredential;
      if (failure !== undefined) throw helperFailed(program, failure);
      const { Username: username = '', Secret: secret = '' } = parseAnswer(program, output);
      return username === tokenUser
        ? { ...noCredential, refreshToken: secret }
        : { ...noCredential, username, password: secret };
    },
    async store(address, { username, password, refreshToken }) {
      const [user, secret] = refreshToken === '' ? [username, password] : [tokenUser, refreshToken];
      const text = JSON.stringify({ ServerURL: address, Username: user, Secret: secret });
      const { failure } = await run(program, 'store', text, env);
      if (failure !== undefined) throw helperFailed(program, failure);
    },
    async erase(address) {
      const { failure } = await run(program, 'erase', address, env);
      if (failure !== undefined) throw helperFailed(program, failure);
    },
  };
}

interface HelperAnswer {
  readonly Username?: string;
  readonly Secret?: string;
}

function parseAnswer(program: string, output: string): HelperAnswer {
  try {
    return JSON.parse(output) as HelperAnswer;
  } catch (cause) {
    throw helperFailed(program, `${program} get: its answer is not JSON`, cause);
  }
}

function run(program: string, action: string, input: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ output: string; failure: string | undefined }>((resolve, reject) => {
    const child = spawn(program, [action], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'ENOENT' ? 'executable file not found in $PATH' : messageOf(cause);
      reject(helperFailed(program, `exec: ${JSON.stringify(program)}: ${reason}`, cause));
    });
    child.once('close', (code, signal) => {
      const output = Buffer.concat(pieces).toString('utf8');
      const ended = signal === null ? `exit status ${code}` : `signal: ${signal}`;
      resolve({ output, failure: code === 0 ? undefined : output.trim() || ended });
    });
    // A helper that does not read its input has its say by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

const helperFailed = (program: string, message: string, cause?: unknown): TshelmError =>
  new TshelmError('credential-helper-failed', { message, details: { program }, cause });

/** The helper that this system has for itself, where it is installed; '' otherwise. Go: getDefaultHelperSuffix. */
export async function systemHelper(env: NodeJS.ProcessEnv, platform = process.platform): Promise<string> {
  const name = await customaryHelper(env, platform);
  return name !== '' && (await isOnPath(`docker-credential-${name}`, env, platform)) ? name : '';
}

async function customaryHelper(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<string> {
  switch (platform) {
    case 'darwin':
      return 'osxkeychain';
    case 'win32':
      return 'wincred';
    case 'linux':
      return (await isOnPath('pass', env, platform)) ? 'pass' : 'secretservice';
    default:
      return '';
  }
}

/** Whether a program of this name can be started. */
export async function isOnPath(program: string, env: NodeJS.ProcessEnv, platform = process.platform): Promise<boolean> {
  const name = platform === 'win32' ? `${program}.exe` : program;
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const isThere = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf, goPathError } from '../go/path-error.ts';

/**
 * The age identities of the user, from where sops has them: SOPS_AGE_KEY, the file of SOPS_AGE_KEY_FILE, what
 * SOPS_AGE_KEY_CMD prints, and `sops/age/keys.txt` in the folder of the user's settings. Those of age's plugins
 * and of SSH are read by the program sops. Throws where a file that is named cannot be read, with the name of the variable.
 */
export async function ageIdentities(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { SOPS_AGE_KEY: key, SOPS_AGE_KEY_FILE: file, SOPS_AGE_KEY_CMD: command } = env;
  const texts = [key, file && (await fileOf(file)), command && (await outputOf(command, env)), await ownFile(env)];
  return texts.flatMap((text) => (text ? linesOf(text) : []));
}

async function fileOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(`SOPS_AGE_KEY_FILE: ${goPathError('open', path, cause).message}`, { cause });
  }
}

/** Its standard output holds keys: a failure does not repeat it. */
async function outputOf(command: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await promisify(execFile)('sh', ['-c', command], { env })).stdout;
  } catch (cause) {
    throw new Error('SOPS_AGE_KEY_CMD: the command failed', { cause });
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'));

async function ownFile(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of settingsFolders(env)) {
    const text = await readFile(join(folder, 'sops', 'age', 'keys.txt'), 'utf8').catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
      throw error;
    });
    if (text !== undefined) return text;
  }
  return undefined;
}

function settingsFolders(env: NodeJS.ProcessEnv): string[] {
  const { HOME: home, XDG_CONFIG_HOME: settings } = env;
  const own = settings ? [settings] : [];
  if (!home) return own;
  return process.platform === 'darwin'
    ? [...own, join(home, 'Library', 'Application Support')]
    : [own[0] ?? join(home, '.config')];
}

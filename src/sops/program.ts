import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readBytes } from '../go/files.ts';
import { errnoOf } from '../go/path-error.ts';
import { decodeText } from '../go/text.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { formatOf } from './decrypt.ts';
import { mayBeEncrypted } from './may-be-encrypted.ts';

export type SopsVerb = 'encrypt' | 'decrypt' | 'edit';

export interface SopsCall {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  /** Changes the file; otherwise the outcome is printed. `edit` always changes it. */
  readonly inPlace: boolean;
}

/** What the program printed. */
export interface SopsOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Lets the program sops work on a file, from the folder of the file: its `.sops.yaml` is looked for from there on. Fails with
 * `sops-failed`, and with `sops-invalid` where the file is not in the state for it.
 */
export async function runSopsOn(verb: SopsVerb, { path, env, inPlace }: SopsCall): Promise<SopsOutput> {
  const isNew = verb === 'edit' && isMissing(path);
  const data = isNew ? undefined : readFileToChange(path);
  const isEncrypted = data !== undefined && mayBeEncrypted(data);
  if (verb === 'encrypt' && isEncrypted)
    throw invalid(path, `${path} is already encrypted; decrypt it first, or change it with edit`);
  if (verb !== 'encrypt' && data !== undefined && !isEncrypted) throw invalid(path, `${path} is not encrypted by sops`);
  const name = basename(path);
  const args = [
    ...flags[verb],
    ...(inPlace && verb !== 'edit' ? ['--in-place'] : []),
    ...(data === undefined || !isEncrypted ? [] : typesFor(name, data)),
    name.startsWith('-') ? `./${name}` : name,
  ];
  return run(args, { verb, path, env });
}

const flags: Readonly<Record<SopsVerb, readonly string[]>> = {
  encrypt: ['--encrypt'],
  decrypt: ['--decrypt'],
  edit: [],
};

/** sops takes a file whose name says nothing for binary. */
function typesFor(name: string, data: Uint8Array): string[] {
  if (/\.(?:ya?ml|json|env|ini)$/.test(name)) return [];
  const format = formatOf(name, decodeText(data));
  return ['--input-type', format, '--output-type', format];
}

function isMissing(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}

function readFileToChange(path: string): Uint8Array {
  try {
    return readBytes(path);
  } catch (cause) {
    throw failed(path, messageOf(cause), cause);
  }
}

interface Running {
  readonly verb: SopsVerb;
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Of sops's exit codes: the editor was left without a change. */
const unchanged = 200;

async function run(args: readonly string[], { verb, path, env }: Running): Promise<SopsOutput> {
  const output = verb === 'edit' ? ('inherit' as const) : ('pipe' as const);
  const child = spawn('sops', [...args], { cwd: dirname(path), env, stdio: ['inherit', output, output] });
  const pieces: Buffer[] = [];
  let stderr = '';
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  }).catch((cause: unknown) => {
    const isAbsent = errnoOf(cause) === 'ENOENT';
    throw failed(path, `cannot ${verb} ${path}: ${isAbsent ? absent : 'the program sops cannot be run'}`, cause);
  });
  if (code === 0 || (verb === 'edit' && code === unchanged))
    return { stdout: decodeText(Buffer.concat(pieces)), stderr };
  const words = stderr.trim();
  throw failed(
    path,
    `cannot ${verb} ${path}: sops ended with ${code ?? 'a signal'}${words === '' ? '' : `: ${words}`}`,
  );
}

const absent = 'the program sops is not on the PATH; install it (https://getsops.io)';

const failed = (path: string, message: string, cause?: unknown): TshelmError =>
  new TshelmError('sops-failed', { message, details: { path }, cause });

const invalid = (path: string, message: string): TshelmError =>
  new TshelmError('sops-invalid', { message, details: { path } });

import { spawn } from 'node:child_process';
import { decodeText, encodeText } from '../go/text.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { shortestSecretNumber } from '../support/secret-words.ts';
import { readSopsDotenv } from './dotenv-file.ts';
import type { PlainValue } from './encrypted-value.ts';
import { mayBeEncrypted } from './may-be-encrypted.ts';
import { readMetadata, type SopsMetadata } from './metadata.ts';
import { commentsOf, decryptLeaves, type PlainForm, type SopsFile } from './tree.ts';
import { readSopsText, textsIn } from './yaml-file.ts';

export interface DecryptOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Told of every text that was encrypted. */
  readonly learn: (secret: string) => void;
  /** How the text is written: as the program sops does, or for whoever reads its values (default). */
  readonly spelling?: PlainForm['spelling'] | undefined;
  /** Throws where no program may run. Default: they may. */
  readonly checkProgram?: ((program: string) => void) | undefined;
}

/** `binary` is JSON around bytes of any kind. */
type Format = 'yaml' | 'json' | 'dotenv' | 'ini' | 'binary';

/**
 * A file in plain, where sops encrypted values in it; else undefined. Values are where they were. A data key for age is opened
 * here, every other one and INI files by the program sops. Fails with `sops-key`, `sops-invalid`.
 */
export async function decryptFile(
  path: string,
  data: Uint8Array,
  options: DecryptOptions,
): Promise<Uint8Array | undefined> {
  if (!mayBeEncrypted(data)) return undefined;
  return failing(path, async () => {
    const text = decodeText(data);
    const format = formatOf(path, text);
    if (format === 'ini') return throughProgram(path, { text, format, why: 'it is an INI file' }, options);
    // What is not JSON may still be YAML; sops takes neither for the other.
    if (format === 'json' || format === 'binary') JSON.parse(text);
    const file: SopsFile | undefined = format === 'dotenv' ? readSopsDotenv(text) : readSopsText(text);
    if (file === undefined)
      throw new Error(
        'it has values that sops encrypted, and no metadata of sops that says how; take the whole file from where it was encrypted',
      );
    const metadata = readMetadata(file.metadata);
    const key = await dataKey(path, metadata, options);
    if (typeof key === 'string') return throughProgram(path, { text, format, why: key }, options);
    const values = decryptLeaves(file.leaves, metadata, key);
    for (const { plain } of values) if (isTelling(plain)) options.learn(plain.data.toString());
    if (format === 'binary') return values[0]?.plain.data ?? Buffer.alloc(0);
    const form =
      options.spelling === 'sops' && format !== 'json'
        ? ({ spelling: 'sops', openComment: commentsOf(key) } as const)
        : asValues;
    return encodeText(file.plain(values, form));
  });
}

const asValues: PlainForm = { spelling: 'values' };

const isTelling = ({ type, data }: PlainValue): boolean =>
  type === 'str' || type === 'bytes' || (type === 'int' && data.length >= shortestSecretNumber);

/** By the name, as sops has it; what has another name is what it looks like. */
export function formatOf(path: string, text: string): Format {
  const name = path.replace(/[?#].*$/s, '');
  if (/\.ya?ml$/i.test(name)) return 'yaml';
  if (/\.json$/i.test(name)) return 'json';
  if (/\.env$/i.test(name)) return 'dotenv';
  if (/\.ini$/i.test(name) || /^\[sops\]$/m.test(text)) return 'ini';
  if (/^\s*\{\s*"data":\s*"ENC\[/.test(text)) return 'binary';
  return readSopsDotenv(text) === undefined ? 'yaml' : 'dotenv';
}

/** The data key, or why the program sops has to open it. */
async function dataKey(
  path: string,
  { age, otherKeys, needsProgram }: SopsMetadata,
  { env }: DecryptOptions,
): Promise<Uint8Array | string> {
  if (needsProgram) return 'its data key is in parts, or its comments say what is encrypted';
  if (age.length + otherKeys.length === 0) return 'its metadata names no key that its data key is for';
  if (age.length === 0) return `its data key is for ${otherKeys.join(', ')}`;
  const { ageIdentities } = await import('./age-keys.ts');
  const identities = await ageIdentities(env).catch((cause: unknown) => {
    throw new TshelmError('sops-key', {
      message: `cannot decrypt ${path}: ${messageOf(cause)}`,
      details: { path },
      cause,
    });
  });
  const recipients = age.map(({ recipient }) => recipient).join(', ');
  if (identities.length === 0)
    return `there is no age identity in SOPS_AGE_KEY, SOPS_AGE_KEY_FILE or sops/age/keys.txt; it is encrypted for ${recipients}`;
  const { ageOpen } = await import('../support/age.ts');
  for (const { armored } of age) {
    const key = await ageOpen(identities, armored);
    if (key !== undefined) return key;
  }
  return `none of the age identities at hand opens it; it is encrypted for ${recipients}`;
}

interface ForProgram {
  readonly text: string;
  readonly format: Format;
  /** Why it is not opened here. */
  readonly why: string;
}

/** The text goes in and out through pipes. */
async function throughProgram(
  path: string,
  { text, format, why }: ForProgram,
  options: DecryptOptions,
): Promise<Uint8Array> {
  options.checkProgram?.('sops');
  const { plain, said } = await runSops(text, format, options.env);
  if (plain === undefined)
    throw new TshelmError('sops-key', { message: `cannot decrypt ${path}: ${why}${said}`, details: { path } });
  for (const value of plainTexts(decodeText(plain), format)) options.learn(value);
  return plain;
}

/** All of them: the program does not say which were encrypted. */
function plainTexts(text: string, format: Format): readonly string[] {
  if (format === 'binary') return [text];
  if (format === 'dotenv' || format === 'ini') return text.split('\n').map((line) => line.slice(line.indexOf('=') + 1));
  return textsIn(text);
}

/** The shell gives it a pipe, which it can open as a file; Node would give it a socket. */
const command = ['cat | sops', '--decrypt', '--input-type', '"$0"', '--output-type', '"$0"', '/dev/stdin'].join(' ');

/** What the shell says of a program that it does not find. */
const isNotFound = 127;

interface Answer {
  readonly plain?: Buffer | undefined;
  /** Why there is nothing, to go behind a sentence. */
  readonly said: string;
}

function runSops(input: string, format: Format, env: NodeJS.ProcessEnv): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command, format], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const pieces: Buffer[] = [];
    let words = '';
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stderr.on('data', (piece: Buffer) => (words += piece.toString()));
    // It may end before it has read all.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ plain: Buffer.concat(pieces), said: '' });
      else if (code === isNotFound) resolve({ said: ', and the program sops is not on the PATH' });
      else resolve({ said: `; sops said: ${words.trim()}` });
    });
  });
}

async function failing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof TshelmError) throw cause;
    throw new TshelmError('sops-invalid', {
      message: `cannot decrypt ${path}: ${messageOf(cause)}`,
      details: { path },
      cause,
    });
  }
}

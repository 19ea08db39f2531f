import { platform } from '../support/host.ts';
import { GoError } from './value.ts';

const errnoTexts: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
  EMFILE: 'too many open files',
  EIO: 'input/output error',
  EEXIST: 'file exists',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
  EROFS: 'read-only file system',
  E2BIG: 'argument list too long',
  ENOEXEC: 'exec format error',
};

/** What Go's os package says where Node's file system failed: `open values.yaml: no such file or directory`. */
export function goPathError(operation: string, path: string, cause: unknown): GoError {
  const code = errnoOf(cause) ?? '';
  // Go opens a folder without complaint and fails when it reads.
  const verb = operation === 'open' && code === 'EISDIR' ? 'read' : operation;
  return new GoError(`${verb} ${path}: ${errnoTexts[code] ?? (code === '' ? String(cause) : code)}`, { cause });
}

/** What the work on a path gives. Throws GoError as Go's os package words it. */
export function withPathErrors<T>(operation: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof GoError ? cause : goPathError(operation, path, cause);
  }
}

/** What Go's os/exec says where a program could not be started; how to start it, where Windows takes a script for none. */
export function goExecError(program: string, cause: unknown, on: NodeJS.Platform = platform): GoError {
  const isName = !/[/\\]/.test(program);
  if (on === 'win32' && noProgramCodes.has(errnoOf(cause) ?? '')) {
    const reason = `fork/exec ${program}: %1 is not a valid Win32 application`;
    return new GoError(`${reason}: Windows cannot run scripts directly; run it with its interpreter, such as sh`, {
      cause,
    });
  }
  if (!isName || errnoOf(cause) !== 'ENOENT') return goPathError('fork/exec', program, cause);
  return new GoError(`exec: ${JSON.stringify(program)}: executable file not found in $PATH`, { cause });
}

/** ERROR_BAD_EXE_FORMAT, as the versions of libuv name it. */
const noProgramCodes: ReadonlySet<string> = new Set(['EFTYPE', 'UNKNOWN', 'EBADF']);

/** The code of a system error: ENOENT and its kin. */
export const errnoOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;

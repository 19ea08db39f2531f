import { expect, test } from 'vitest';
import { goExecError } from '../../src/go/path-error.ts';

// What libuv makes of ERROR_BAD_EXE_FORMAT differs by version; the beginning is Go's sentence.
const noProgram =
  'fork/exec ./x.sh: %1 is not a valid Win32 application: Windows cannot run scripts directly; run it with its interpreter, such as sh';

test.each([
  ['win32', 'EFTYPE', noProgram],
  ['win32', 'EBADF', noProgram],
  ['win32', 'UNKNOWN', noProgram],
  ['win32', 'EACCES', 'fork/exec ./x.sh: permission denied'],
  ['linux', 'EBADF', 'fork/exec ./x.sh: EBADF'],
  ['linux', 'ENOEXEC', 'fork/exec ./x.sh: exec format error'],
] as const)('a script that cannot be started on %s: %s', (platform, code, message) => {
  const cause = Object.assign(new Error(`spawn ${code}`), { code });
  expect(goExecError('./x.sh', cause, platform).message).toBe(message);
});

import { GoError } from '../../go/value.ts';
import { type FunctionTable, goFunction } from '../../template/function.ts';
import type { FunctionEnvironment } from './environment.ts';

/** getHostByName: an address of a host; an empty text where DNS is not enabled, as in Helm. */
export const networkFunctions = (environment: FunctionEnvironment): FunctionTable => ({
  getHostByName: goFunction('func(string) string', (name: string) => (environment.enableDns ? lookUp(name) : '')),
});

const lookupTimeoutMs = 30_000;

// Templates are synchronous and Node's resolver is not: a second process asks.
const lookupScript = `require('node:dns').lookup(process.argv[1], { all: true }, (error, addresses) =>
  process.stdout.write(JSON.stringify(error ? [] : addresses.map(({ address }) => address))))`;

function lookUp(name: string): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync(process.execPath, ['-e', lookupScript, '--', name], {
    encoding: 'utf8',
    timeout: lookupTimeoutMs,
    // The executable is the runtime too, when this asks for it (https://bun.sh/docs/bundler/executables).
    env: { ...process.env, BUN_BE_BUN: '1' },
  });
  const addresses = stdout ? (JSON.parse(stdout) as string[]) : [];
  const [first] = addresses;
  // Helm picks one at random and panics with this when there is none.
  if (first === undefined) throw new GoError('invalid argument to Intn');
  return first;
}

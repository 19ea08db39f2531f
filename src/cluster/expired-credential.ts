import { expiredIn } from './credentials/asked-user.ts';
import { Credentials } from './credentials/credentials.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import type { ExpiredCredential } from './types.ts';

/**
 * What of a user's credentials has expired, without asking any server; of what a plugin gives nothing is known. Errors:
 * `cluster-unreachable` for a file that cannot be read.
 */
export async function expiredCredential(
  access: ClusterAccess,
  { env, nowMs }: { readonly env: NodeJS.ProcessEnv; readonly nowMs: number },
): Promise<ExpiredCredential | undefined> {
  const { isGuess, user } = access;
  if (isGuess || user.exec || user['auth-provider']) return undefined;
  const ask = (): never => {
    throw new Error('internal: credentials without a provider ask nobody');
  };
  return expiredIn(await new Credentials(access, { env, ask }).current(), nowMs);
}

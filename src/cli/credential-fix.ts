import { podAccount } from '../cluster/kubeconfig.ts';
import type { AskedUser, ExpiredCredential } from '../cluster/types.ts';
import { secondsTime } from './output/time.ts';

/** What helps whoever's credentials are at fault. */
export const anotherUser = 'choose another user with --kube-context or --kubeconfig';

/** What to do where a server does not take the credentials of a user. `isGiven`: they are the token of --kube-token. */
export function credentialFix(user: AskedUser, { isGiven }: { readonly isGiven: boolean }): string {
  const { credential, expired, plugin } = user;
  if (expired !== undefined)
    return `${expiredText(expired, user, { isGiven })}: ${isGiven ? 'give a new one' : loginText(user)}`;
  if (isGiven) return 'give another token with --kube-token or HELM_KUBETOKEN: the server does not accept this one';
  if (credential === 'none')
    return `the kubeconfig has no credentials${ofUser(user)}: log in to the cluster, or ${anotherUser}`;
  if (credential === 'plugin')
    return `${loginText(user)}: the server does not accept the credentials${ofUser(user)}, which come from ${plugin ?? 'a plugin'}`;
  return `${loginText(user)}, or ${anotherUser}: the server does not accept the ${names[credential]}${ofUser(user)}`;
}

/** `the token of user ada expired on 2026-11-21 09:47:04 UTC` */
export const expiredText = (
  { kind, at }: ExpiredCredential,
  user: Pick<AskedUser, 'name'>,
  { isGiven = false } = {},
): string =>
  `the ${names[kind]}${isGiven ? ' of --kube-token or HELM_KUBETOKEN' : ofUser(user)} expired on ${secondsTime(at)}`;

const names = { token: 'token', certificate: 'client certificate', password: 'name and password' } as const;

const loginText = ({ name }: Pick<AskedUser, 'name'>): string =>
  name === podAccount ? 'mount a new token into the pod' : 'log in again';

export const ofUser = ({ name }: Pick<AskedUser, 'name'>): string =>
  name === '' ? '' : name === podAccount ? ` of ${name}` : ` of user ${name}`;

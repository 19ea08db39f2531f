import { X509Certificate } from 'node:crypto';
import type { ClusterAccess } from '../kubeconfig.ts';
import type { AskedUser, ExpiredCredential } from '../types.ts';
import type { Identity } from './credentials.ts';

type User = Pick<ClusterAccess, 'user' | 'userName'>;

/** Who a server was asked as, for messages; nothing that is secret. `identity`: what was sent. */
export function askedUser({ user, userName }: User, identity: Identity, nowMs: number): AskedUser {
  const common = { name: userName, expired: expiredIn(identity, nowMs) };
  if (user.exec) return { ...common, credential: 'plugin', plugin: user.exec.command ?? undefined };
  if (user['auth-provider'])
    return { ...common, credential: 'plugin', plugin: user['auth-provider'].name ?? undefined };
  const { authorization = '' } = identity.headers;
  if (authorization.includes('Bearer ')) return { ...common, credential: 'token' };
  if (authorization !== '') return { ...common, credential: 'password' };
  return { ...common, credential: identity.certificate === undefined ? 'none' : 'certificate' };
}

/** What of the credentials is no longer valid, by their own words: a JWT, or a certificate. */
export function expiredIn({ headers, certificate }: Identity, nowMs: number): ExpiredCredential | undefined {
  const { authorization } = headers;
  const token = typeof authorization === 'string' ? tokenExpiryMs(authorization) : undefined;
  if (token !== undefined && token <= nowMs) return { kind: 'token', at: new Date(token).toISOString() };
  const end = certificate === undefined ? undefined : certificateExpiryMs(certificate);
  return end === undefined || end > nowMs ? undefined : { kind: 'certificate', at: new Date(end).toISOString() };
}

/** `exp` of a JWT; undefined for any other token. */
function tokenExpiryMs(authorization: string): number | undefined {
  const [, payload] = /^Bearer [\w-]+\.([\w-]+)\.[\w-]*$/.exec(authorization) ?? [];
  if (payload === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { readonly exp?: unknown };
    return typeof exp === 'number' && Math.abs(exp) < latestSeconds ? exp * 1000 : undefined;
  } catch {
    // It only looks like one.
    return undefined;
  }
}

/** The last second that a Date holds. */
const latestSeconds = 8_640_000_000_000;

function certificateExpiryMs(pem: string): number | undefined {
  try {
    const end = Date.parse(new X509Certificate(pem).validTo);
    return Number.isNaN(end) ? undefined : end;
  } catch {
    // Who opens the connection says what is wrong with it.
    return undefined;
  }
}

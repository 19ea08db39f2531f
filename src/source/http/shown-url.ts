import { isSecretName } from '../../support/secret-names.ts';
import { splitOnce } from '../../support/text.ts';

/** A URL as messages may show it: without its password, and without what grants access in its query. Go: url.URL.Redacted. */
export function shownUrl(text: string): string {
  const plain = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i, (_whole, scheme: string, user: string) => {
    const [name = ''] = user.split(':');
    return user.includes(':') ? `${scheme}${name}:xxxxx@` : `${scheme}xxxxx@`;
  });
  const at = plain.indexOf('?');
  return at < 0 ? plain : plain.slice(0, at + 1) + shownQuery(plain.slice(at + 1));
}

const shownQuery = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name, value] = splitOnce(pair, '=');
      return value !== undefined && grantsAccess(name) ? `${name}=xxxxx` : pair;
    })
    .join('&');

/** Query parameters of cloud storage's signed URLs, and the usual names of secrets. */
const grantsAccess = (name: string): boolean =>
  isSecretName(name) ||
  /^(sig|signature|x-(amz|goog)-(signature|credential|security-token)|jwt|auth|key|sshkey)$/i.test(name);

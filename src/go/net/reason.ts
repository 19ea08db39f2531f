import { messageOf } from '../../support/errors.ts';

interface SystemError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly reason?: string;
  /** One for each address that was tried. */
  readonly errors?: readonly SystemError[];
}

/** The code of a system error. */
export const networkErrorCode = (cause: unknown): string => (cause as SystemError | undefined)?.code ?? '';

/** Why a connection to `url` could not be made, or broke, in the words of Go's net and crypto/tls. */
export function reasonOf(cause: unknown, url: URL): string {
  const error = ((cause as SystemError).errors?.at(-1) ?? cause) as SystemError;
  const address = error.address?.includes(':') ? `[${error.address}]` : error.address;
  const dial = address === undefined ? 'dial tcp' : `dial tcp ${address}:${error.port}`;
  switch (error.code) {
    case 'ECONNREFUSED':
      return `${dial}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `${dial}: connect: no route to host`;
    case 'ENETUNREACH':
      return `${dial}: connect: network is unreachable`;
    case 'ETIMEDOUT':
      return `${dial}: i/o timeout`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${error.hostname ?? url.hostname}: ${error.code === 'ENOTFOUND' ? 'no such host' : 'temporary failure in name resolution'}`;
    case 'ECONNRESET':
      return `${error.message}: connection reset by peer`;
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return /wrong version number|packet length too long/.test(openSslWords(error.message))
        ? 'http: server gave HTTP response to HTTPS client'
        : (alertIn(error) ?? `tls: ${error.reason ?? error.message}`);
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${nameProblem(error.reason ?? error.message)}`;
    default:
      return alertIn(error) ?? messageOf(error);
  }
}

/** What the other side objects to, as Go says it: OpenSSL puts its own places and numbers around it. */
function alertIn({ reason, message }: SystemError): string | undefined {
  const [, alert] =
    /\b(?:sslv3|tlsv1\d?|ssl\/tls) alert ([a-z ]+)/.exec(openSslWords(`${reason ?? ''}\n${message}`)) ?? [];
  return alert && `remote error: tls: ${alert.trim()}`;
}

/** Why a certificate and its key cannot be used together, in the words of Go's crypto/tls. */
export const keyPairReason = (cause: unknown): string =>
  openSslWords(messageOf(cause)).includes('key values mismatch')
    ? 'private key does not match public key'
    : messageOf(cause);

/** BoringSSL, which Bun has, says OpenSSL's words as `WRONG_VERSION_NUMBER`. */
const openSslWords = (message: string): string => message.toLowerCase().replaceAll('_', ' ');

function nameProblem(reason: string): string {
  const [, address] = /^IP: (\S+) is not in the cert's list: *$/.exec(reason) ?? [];
  return address === undefined
    ? reason
    : `cannot validate certificate for ${address} because it doesn't contain any IP SANs`;
}

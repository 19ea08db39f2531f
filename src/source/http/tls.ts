import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { systemAuthorities } from '../../go/net/authorities.ts';
import { keyPairReason } from '../../go/net/reason.ts';
import { goPathError } from '../../go/path-error.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { TlsOptions } from './request.ts';

/** What connections are secured with. */
export interface Trust {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
}

/** Reads the files of TLS. Fails as Helm does (internal/tlsutil.NewTLSConfig). */
export async function readTrust(files: TlsOptions): Promise<Trust> {
  const { caFile, certFile, keyFile, insecureSkipTlsVerify = false } = files;
  const [cert, key, ca] = await allOrErrors([
    certFile || keyFile ? read(certFile ?? '', 'unable to read cert file') : undefined,
    certFile || keyFile ? read(keyFile ?? '', 'unable to read key file') : undefined,
    caFile ? read(caFile, "can't read CA file") : undefined,
  ]);
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw badTls('failed to append certificates from pem block');
  }
  const authorities = ca ?? (insecureSkipTlsVerify ? undefined : await systemAuthorities());
  return { secureContext: contextOf(authorities, cert, key), rejectUnauthorized: !insecureSkipTlsVerify };
}

function contextOf(ca: string | string[] | undefined, cert: string | undefined, key: string | undefined) {
  if (cert !== undefined && !cert.includes('-----BEGIN '))
    throw badPair('failed to find any PEM data in certificate input');
  if (key !== undefined && !key.includes('-----BEGIN ')) throw badPair('failed to find any PEM data in key input');
  try {
    return createSecureContext({ ca, cert, key });
  } catch (cause) {
    throw badPair(keyPairReason(cause), cause);
  }
}

async function read(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Error(`${what}: ${JSON.stringify(file)}: ${goPathError('open', file, cause).message}`, { cause });
  }
}

/** All files that cannot be read are told of, each on a line: errors.Join. The key is not looked for without its certificate. */
async function allOrErrors(reads: readonly (Promise<string> | undefined)[]): Promise<(string | undefined)[]> {
  const results = await Promise.allSettled(reads.map(async (one) => one));
  const problems = results.flatMap((result) => (result.status === 'rejected' ? [messageOf(result.reason)] : []));
  const [first, second = ''] = problems;
  const isBothOfPair = first?.startsWith('unable to read cert file') && second.startsWith('unable to read key file');
  const reported = isBothOfPair ? problems.filter((problem) => problem !== second) : problems;
  if (reported.length > 0) throw badTls(reported.join('\n'));
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
}

const badPair = (reason: string, cause?: unknown): TshelmError =>
  badTls(`unable to load cert from key pair: tls: ${reason}`, cause);

const badTls = (reason: string, cause?: unknown): TshelmError =>
  new TshelmError('bad-tls', { message: `can't create TLS config for client: ${reason}`, cause });

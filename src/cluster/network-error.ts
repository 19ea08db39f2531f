import { networkErrorCode as codeOf, reasonOf } from '../go/net/reason.ts';
import type { TshelmError } from '../support/errors.ts';
import { clusterUnreachable } from './api-error.ts';
import type { AnswerHead } from './http/connection.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import type { AskedCluster } from './types.ts';

const verbOf = (method: string): string => `${method[0]}${method.slice(1).toLowerCase()}`;

/** A connection that could not be made, or broke: Go's words for it, so that what users search for is found. */
export function networkError(method: string, url: URL, cause: unknown, access: Origin): TshelmError {
  const hint = access.isGuess ? `; ${noClusterNamed(access.files)}` : '';
  return clusterUnreachable(`${verbOf(method)} "${url.href}": ${reasonOf(cause, url)}${hint}`, cause, {
    asked: askedOf(access),
  });
}

type Origin = Pick<ClusterAccess, 'isGuess' | 'files' | 'context' | 'cluster'>;

export const askedOf = ({ cluster, context, files = [], isGuess }: Origin): AskedCluster => ({
  server: cluster.server,
  context,
  files,
  isGuess,
});

const noClusterNamed = (files: readonly string[] = []): string =>
  files.length === 0
    ? 'no kubeconfig was found: set KUBECONFIG, or name a kubeconfig or an API server'
    : `${files.join(', ')} names no cluster: set a current context, or name another kubeconfig or an API server`;

/** API servers redirect nobody; what comes before them does, to a page where people sign in. */
export const redirected = (
  method: string,
  url: URL,
  { status, headers }: Pick<AnswerHead, 'status' | 'headers'>,
): TshelmError =>
  clusterUnreachable(
    `${verbOf(method)} "${url.href}": the answer is a redirect (status ${status}) to ${JSON.stringify(headers['location'] ?? '')}; ` +
      'the kubeconfig must name the address of the API server itself',
  );

/** Whether the request cannot have reached the server. */
export const neverReachedServer = (cause: unknown): boolean => neverReachedServerCodes.includes(codeOf(cause));

const noConnectionCode = 'TSHELM_NO_CONNECTION';
const notProcessedCode = 'TSHELM_NOT_PROCESSED';
const neverReachedServerCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  noConnectionCode,
  notProcessedCode,
];

/** Whether the connection broke in a way that passes: a restart of the API server, a balancer that lost its way. */
export const isTransient = (cause: unknown): boolean =>
  neverReachedServer(cause) ||
  ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', stalledCode, lapsedCode].includes(codeOf(cause));

const stalledCode = 'TSHELM_STALLED';
const lapsedCode = 'TSHELM_LAPSED';

export const isStalled = (cause: unknown): boolean => codeOf(cause) === stalledCode;

/** No byte came for that long. */
export const noAnswerError = (milliseconds: number): Error =>
  Object.assign(new Error(`no answer for ${milliseconds / 1000} s`), { code: stalledCode });

/** No connection came up in time, in the words of Go's net and net/http. */
export const noConnection = (stage: 'tcp' | 'tls'): Error =>
  Object.assign(new Error(stage === 'tls' ? 'net/http: TLS handshake timeout' : 'dial tcp: i/o timeout'), {
    code: noConnectionCode,
  });

/** The server ended the connection, and says that it did not begin with this request. */
export const notProcessed = (): Error =>
  Object.assign(new Error('http2: the server rejected the request before processing it'), { code: notProcessedCode });

/** The answer is no HTTP. */
export const malformed = (message: string): Error =>
  Object.assign(new Error(message), { code: 'TSHELM_MALFORMED_ANSWER' });

/** The run that sent it may have been taken over meanwhile. */
export const lockLapsedError = (): Error =>
  Object.assign(new Error('the lock on the release could not be renewed in the meantime'), { code: lapsedCode });

/** The server has been away for as long as anybody was to wait for it. */
export const noAnswerInTimeError = (method: string, url: URL, milliseconds: number, access: Origin): TshelmError =>
  clusterUnreachable(
    `${verbOf(method)} "${url.href}": the API server has not answered for ${Math.round(milliseconds / 1000)} s`,
    undefined,
    { asked: askedOf(access) },
  );

/** The server ended the connection before its answer, or in the middle of it. */
export const connectionClosedError = (hasBegun: boolean): Error =>
  Object.assign(new Error(hasBegun ? 'aborted' : 'socket hang up'), { code: 'ECONNRESET' });

import type { Duplex } from 'node:stream';
import type { KubernetesObject } from '../manifest/types.ts';
import type { Timers } from '../support/timers.ts';
import { ApiServer } from './api-server.ts';
import type { OutageEvent } from './http/outage-reporter.ts';
import type { RequestRate } from './http/throttle.ts';
import { type RequestReport, Transport } from './http/transport.ts';
import { findCluster, type KubeconfigOptions } from './kubeconfig.ts';
import type { Redact } from './redact.ts';
import type { Cluster } from './types.ts';

export type { RequestRate, RequestReport };

export interface ConnectOptions extends KubeconfigOptions {
  /** What the API server warns of (deprecated versions, unknown fields), each text once. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** That the API server does not answer any more, and that it does again. */
  readonly onAbsence?: ((news: OutageEvent) => void) | undefined;
  /** Decisions that a user may want to know of when something is slow or odd. */
  readonly onDebug?: ((text: string) => void) | undefined;
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** The time that waits and retries go by; default the system's. */
  readonly timers?: Timers | undefined;
  /** Whether a controller may report on an object that has no status; by default one may. */
  readonly mayReport?: ((object: KubernetesObject) => boolean) | undefined;
  /** What must not be shown leaves the server's refusals and the pods' logs by this, before anybody sees or stores them. */
  readonly redact?: Redact | undefined;
  /** Default: no limit, the server's own (429) is honoured. */
  readonly rate?: RequestRate | undefined;
  /** Asks for the server's version and what it serves at once, unless a plugin of the user would have to run for that. */
  readonly asksAhead?: boolean | undefined;
  /** Opens a connection to the API server, in place of the network's: for a server in this process. */
  readonly dial?: (() => Duplex) | undefined;
}

/**
 * Opens the API server that the options and the kubeconfig name. No request is waited for: `version()` tells whether it
 * can be reached. Fails with `cluster-unreachable` when the kubeconfig is unusable.
 */
export async function connect(options: ConnectOptions = {}): Promise<Cluster> {
  // Time may be simulated where the server is in this process: it would run on while a module is loaded from disk.
  if (options.dial !== undefined) await import('./http/http1.ts');
  const access = await findCluster(options);
  const { namespace, place, user } = access;
  const server = new ApiServer(new Transport(access, options), { ...options, namespace, place });
  if (options.asksAhead && !user.exec && !user['auth-provider']) server.askAhead();
  return server;
}

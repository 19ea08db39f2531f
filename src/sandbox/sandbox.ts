import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { defaultMinor, knownMinors } from '../kinds/field-types.ts';
import { TshelmError } from '../support/errors.ts';
import { Access, type DenyRule } from './access.ts';
import type { AnnotationRule, Environment } from './api/environment.ts';
import { Expressions } from './api/expressions.ts';
import { type Clock, systemClock } from './clock.ts';
import { allControllers } from './controllers/all.ts';
import { ControllerContext } from './controllers/context.ts';
import { serveDefinitions } from './controllers/definition.ts';
import { ensureFirstObjects } from './controllers/first-objects.ts';
import { ControllerManager } from './controllers/manager.ts';
import { podLog } from './controllers/pod-log.ts';
import { pipe, Turns } from './http/pipe.ts';
import { type HttpServer, listen, sandboxUser } from './http/server.ts';
import { KindRegistry } from './kinds/registry.ts';
import { Journal, readState, removeState, type SavedState } from './persistence/journal.ts';
import { answers, claimDirectory, type Served } from './persistence/owner.ts';
import { Store } from './store/store.ts';

export interface SandboxOptions {
  /** Where the state is kept between commands; without it the sandbox is gone when it closes. */
  readonly directory?: string | undefined;
  /** The version of Kubernetes that it serves, `1.34`; by default 1.36. */
  readonly kubeVersion?: string | undefined;
  /** The port on loopback; by default a free one. */
  readonly port?: number | undefined;
  /** Time for the controllers; by default the system's. */
  readonly clock?: Clock | undefined;
  /**
   * What a rehearsal makes of the annotations that decide on pods; by default they count as they are. Only for a sandbox
   * that no other process serves.
   */
  readonly annotation?: AnnotationRule | undefined;
  /** False reads the state of `directory`, and writes nothing back. */
  readonly persist?: boolean | undefined;
  /** What is forbidden, for tests of RBAC. */
  readonly deny?: readonly DenyRule[] | undefined;
  /** Who asks, where a request does not impersonate anyone. */
  readonly user?: string | undefined;
  /** Told about a controller that fails; by default nobody is. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** The bearer token that every request needs: a new one for each server. */
  readonly token: string;
  /** A connection inside the process; `onBytes` is told whenever something passes on it. */
  dial(onBytes?: () => void): Duplex;
  /** A kubeconfig for it, as YAML. */
  kubeconfig(): string;
  /** Resolves when the controllers have nothing left to do, now or later. */
  settle(): Promise<void>;
  /** Resolves when no other process uses this one's server; at once where another process serves. */
  alone(): Promise<void>;
  /** Ends the server, if it is this one's, and saves the state. */
  close(): Promise<void>;
}

/**
 * A Kubernetes API server in this process. When another process serves the same directory, that one is used.
 * Fails with `sandbox-state-broken`, `sandbox-state-unwritable`, `sandbox-locked`, `sandbox-port-taken` or
 * `sandbox-version-unknown`.
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { directory, persist = true } = options;
  if (directory === undefined || !persist) {
    return await serve(options, directory === undefined ? undefined : readState(join(directory, 'state.jsonl')));
  }
  const claim = await claimDirectory(directory);
  if (claim.kind === 'served') {
    if (options.annotation !== undefined) throw servedElsewhere(directory, claim, failuresNeedIt);
    const other = otherSandbox(claim.by);
    // Its process may have ended between its answer and our connection, which keeps it from then on.
    if (await answers(claim.by)) return other;
    await other.close();
    return openSandbox(options);
  }
  try {
    const file = join(directory, 'state.jsonl');
    const sandbox = await serve(options, readState(file), (store) => new Journal(file, store));
    claim.announce(sandbox);
    return {
      ...sandbox,
      async close() {
        await sandbox.close();
        claim.release();
      },
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}

/**
 * Deletes what a folder keeps. Fails with `sandbox-locked` where a process uses it, `sandbox-state-unwritable` where it
 * cannot be deleted.
 */
export async function resetSandbox(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  const claim = await claimDirectory(directory);
  if (claim.kind === 'served') throw servedElsewhere(directory, claim, 'end it first');
  try {
    removeState(join(directory, 'state.jsonl'));
  } finally {
    claim.release();
  }
}

const failuresNeedIt =
  '--fail needs the sandbox for itself: end that process, or choose a new folder with --sandbox-dir, which has none of these releases';

type ServedClaim = Extract<Awaited<ReturnType<typeof claimDirectory>>, { kind: 'served' }>;

const servedElsewhere = (directory: string, { by, pid }: ServedClaim, way: string): TshelmError =>
  new TshelmError('sandbox-locked', {
    message: `the sandbox in ${directory} is in use by another process (${pid === '' ? '' : `pid ${pid}, `}${by.url}): ${way}`,
    details: { directory },
  });

async function serve(
  options: SandboxOptions,
  saved: SavedState | undefined,
  follow?: (store: Store) => Journal,
): Promise<Sandbox> {
  const kinds = new KindRegistry(minorOf(options.kubeVersion));
  const store = new Store(Math.max(1, saved?.revision ?? 1));
  for (const [storageKey, object] of saved?.objects ?? []) store.restore(storageKey, object);
  const { clock = systemClock, annotation } = options;
  const expressions = new Expressions();
  await expressions.loadForAll(store);
  const environment: Environment = { store, kinds, clock, expressions, annotation };
  const manager = new ControllerManager(environment, options.onProblem ?? (() => {}));
  const context = new ControllerContext(environment, manager.later);
  serveDefinitions(context);
  ensureFirstObjects(environment);
  const token = randomBytes(32).toString('base64url');
  const server = await startServer(environment, context, options, token);
  const journal = follow?.(store);
  const turns = new Turns();
  manager.start(allControllers(context));
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    port: server.port,
    token,
    dial(onBytes) {
      const [near, far] = pipe(turns, onBytes);
      server.accept(far);
      return near;
    },
    kubeconfig: () => kubeconfigFor({ url, token }),
    settle: () => manager.settle(),
    async alone() {
      while (server.connections() > 0) await delay(pollMs);
    },
    async close() {
      manager.stop();
      await server.close();
      journal?.close();
    },
  };
}

function minorOf(kubeVersion: string | undefined): number {
  if (kubeVersion === undefined) return defaultMinor;
  const minor = Number(/^v?1\.(\d+)/.exec(kubeVersion)?.[1]);
  if (knownMinors.includes(minor)) return minor;
  const message = `the sandbox does not know Kubernetes ${kubeVersion}: choose a version from 1.${knownMinors[0]} to 1.${knownMinors.at(-1)}`;
  throw new TshelmError('sandbox-version-unknown', { message, details: { kubeVersion } });
}

async function startServer(
  environment: Environment,
  context: ControllerContext,
  options: SandboxOptions,
  token: string,
): Promise<HttpServer> {
  const access = new Access(options.user ?? 'kubernetes-admin', options.deny ?? []);
  const port = options.port ?? 0;
  try {
    return await listen(
      { ...environment, access, podLog: (namespace, name, query) => podLog(context, namespace, name, query) },
      port,
      token,
    );
  } catch (cause) {
    const message = `the sandbox cannot listen on 127.0.0.1:${port}: choose another port`;
    throw new TshelmError('sandbox-port-taken', { message, details: { port }, cause });
  }
}

const pollMs = 50;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A sandbox that another process serves: settled as soon as it answers, and not ours to close. */
function otherSandbox({ url, token }: Served): Sandbox {
  const port = Number(new URL(url).port);
  // Open as long as we use it: the process that serves stays until then.
  const presence = connect(port, '127.0.0.1').on('error', () => {});
  return {
    url,
    port,
    token,
    dial: () => connect(port, '127.0.0.1'),
    kubeconfig: () => kubeconfigFor({ url, token }),
    settle: () => delay(pollMs),
    alone: () => Promise.resolve(),
    async close() {
      presence.destroy();
    },
  };
}

/** With the token twice: where Go's clients take it from, and where others do. */
const kubeconfigFor = ({ url, token }: Served): string => `apiVersion: v1
kind: Config
current-context: sandbox
clusters:
- name: sandbox
  cluster: {server: "${url.replace('//', `//${sandboxUser}:${token}@`)}"}
contexts:
- name: sandbox
  context: {cluster: sandbox, user: sandbox}
users:
- name: sandbox
  user: {token: ${token}}
`;

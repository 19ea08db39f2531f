import type { Cluster } from '../cluster/types.ts';
import { sharedDriverOf } from '../release/drivers.ts';
import { type Environment, GivenCluster } from '../sdk/connection.ts';
import type { TshelmOptions } from '../sdk/options.ts';
import { Tshelm } from '../sdk/tshelm.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { Files } from './files.ts';
import { readOnly } from './read-only.ts';
import { mcpServer } from './server.ts';
import type { Applying, Doors } from './tool.ts';

/** What a server is started with; no tool changes any of it. */
export interface ServeRequest {
  readonly input: AsyncIterable<Uint8Array>;
  /** Takes a line of output, with its end. */
  readonly write: (line: string) => void;
  /** Ends the server: what runs is cancelled, and a change that has begun is recorded as failed. */
  readonly signal: AbortSignal;
  /** The only files that tools read and write are below it. */
  readonly folder: string;
  /** The cluster, opened when a tool first asks. */
  readonly cluster: () => Promise<Cluster>;
  readonly namespace: string;
  /** As $HELM_DRIVER. */
  readonly driver: string;
  readonly environment: Environment;
  readonly explain: Doors['explain'];
  /** Whether charts come from caches alone. */
  readonly isOffline: boolean;
  /** What is known to be secret from the start. */
  readonly secrets: SecretWords;
  /** Without it there is no tool that writes. */
  readonly applying?: Omit<Applying, 'tshelm'> | undefined;
}

/** Serves a client of the Model Context Protocol until its stream or the signal ends. */
export async function serve(request: ServeRequest): Promise<void> {
  const { cluster, secrets, signal, folder, explain, applying, write } = request;
  const reading = opened(request, async () => readOnly(await cluster()));
  const writing = applying === undefined ? undefined : { tshelm: opened(request, cluster), ...applying };
  const server = mcpServer({ reading, applying: writing, files: new Files(folder), explain, secrets }, write);
  const end = (): void => server.end(signal.reason);
  signal.addEventListener('abort', end);
  try {
    await server.serve(until(request.input, signal));
  } finally {
    signal.removeEventListener('abort', end);
    await reading.close();
    await writing?.tshelm.close();
  }
}

function opened(
  { namespace, driver, environment, isOffline, secrets }: ServeRequest,
  connect: () => Promise<Cluster>,
): Tshelm {
  const options: TshelmOptions = {
    cluster: new GivenCluster({ connect, during: (work) => work() }),
    namespace,
    environment,
    driver: sharedDriverOf(driver),
    network: { offline: isOffline },
  };
  return new Tshelm(options, secrets);
}

/** A stream that also ends with a signal. */
async function* until(input: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = input[Symbol.asyncIterator]();
  const ended = new Promise<IteratorResult<Uint8Array>>((resolve) => {
    const end = (): void => resolve({ done: true, value: undefined });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  for (;;) {
    const next = await Promise.race([iterator.next(), ended]);
    if (next.done === true) break;
    yield next.value;
  }
  // A pipe that stays open would keep the process.
  if (signal.aborted) void iterator.return?.();
}

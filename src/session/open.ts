import { type ActionContextOptions, actionContext } from '../actions/action-context.ts';
import type { Context } from '../change/context.ts';
import { learningStorage } from '../change/learn-secrets.ts';
import type { RenderSettings } from '../change/rendering/render.ts';
import { shownEvents } from '../change/shown-events.ts';
import type { Cluster } from '../cluster/types.ts';
import type { OnEvent } from '../execute/events.ts';
import type { ReleaseStorage } from '../release/types.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { type Clock, systemClock } from '../support/time.ts';

/** What a door says of a session: the command line by flags and variables, a program by options. */
export interface SessionRequest extends ActionContextOptions {
  readonly cluster: () => Promise<Cluster>;
  readonly rendering: RenderSettings;
  readonly clock?: Clock | undefined;
  /** What is known to be secret. The session adds to it what releases and plans hold, and keeps it out of events. */
  readonly secrets: SecretWords;
  readonly onEvent?: OnEvent | undefined;
  readonly followLogs?: boolean | undefined;
}

/** What actions work with in one namespace of one cluster. */
export interface Session extends Context {
  readonly secrets: SecretWords;
  /** The same for releases of another namespace. */
  inNamespace(namespace: string): Session;
}

/** Opens the cluster, the storage and the locks. Errors: those of connecting, `unknown-driver`. */
export async function openSession(request: SessionRequest): Promise<Session> {
  const cluster = await request.cluster();
  return sessionIn(request.namespace ?? cluster.namespace, cluster, request);
}

/** The same for what may need no cluster: it is looked for when it is first asked. Nothing is locked. */
export function offlineSession(request: SessionRequest & { readonly namespace: string }): Session {
  const { namespace, cluster, rendering, userRules, clock = systemClock, secrets, signal } = request;
  const online = { ...request, locks: 'none' } as const;
  return {
    namespace,
    cluster,
    storage: async () => (await openSession(online)).storage(),
    rendering,
    userRules,
    clock,
    secrets,
    signal,
    ...eventsOf(request),
    inNamespace: (other) => offlineSession({ ...request, namespace: other }),
  };
}

function sessionIn(namespace: string, cluster: Cluster, request: SessionRequest): Session {
  const context = actionContext(cluster, { ...request, namespace });
  let storage: Promise<ReleaseStorage> | undefined;
  return {
    ...context,
    storage: () => {
      storage ??= context.storage().then((opened) => learningStorage(opened, request.secrets));
      return storage;
    },
    secrets: request.secrets,
    ...eventsOf(request),
    inNamespace: (other) => sessionIn(other, cluster, request),
  };
}

const eventsOf = ({ onEvent, followLogs, secrets }: SessionRequest): Pick<Context, 'onEvent' | 'followLogs'> => ({
  // Plans are learnt from where nobody listens, too.
  onEvent: shownEvents((event) => onEvent?.(event), secrets),
  followLogs,
});

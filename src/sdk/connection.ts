import type { Duplex } from 'node:stream';
import type { ConnectOptions } from '../cluster/connect.ts';
import type { Cluster } from '../cluster/types.ts';
import type { Plan } from '../plan/types.ts';
import { TshelmError } from '../support/errors.ts';
import type { Clock } from '../support/time.ts';

/** Variables by their names. `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the API server is, and who asks. One of `kubeconfig`, `kubeconfigText` and `server` is needed. */
export interface ClusterOptions {
  /** The path of a kubeconfig. */
  readonly kubeconfig?: string | undefined;
  /** The text of a kubeconfig, for example from a CI secret. */
  readonly kubeconfigText?: string | undefined;
  /** Default: the kubeconfig's current context. */
  readonly context?: string | undefined;
  /** `https://10.0.0.1:6443` */
  readonly server?: string | undefined;
  /** A bearer token. */
  readonly token?: string | undefined;
  /** The path of the certificates that the server is trusted by. */
  readonly caFile?: string | undefined;
  /** Does not check the server's certificate. Default false. */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** The name that the server's certificate must have, where it is not the address. */
  readonly tlsServerName?: string | undefined;
  /** A user to impersonate. */
  readonly asUser?: string | undefined;
  /** Groups to impersonate. */
  readonly asGroups?: readonly string[] | undefined;
  /** Opens a connection to the API server in place of the network's. */
  readonly dial?: (() => Duplex) | undefined;
  /** The warnings of the API server, each text once. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** A cluster that was made for this process, such as a sandbox: it brings its own connection, and its own time. */
export class GivenCluster {
  /** @internal */
  readonly given: {
    readonly connect: (namespace: string | undefined) => Promise<Cluster>;
    readonly clock?: Clock | undefined;
    /** Runs work while time passes. */
    readonly during: <T>(work: () => Promise<T>) => Promise<T>;
    /** Told of each plan before it is carried out. */
    readonly onPlan?: ((plan: Plan) => void) | undefined;
  };

  /** @internal */
  constructor(given: GivenCluster['given']) {
    this.given = given;
  }
}

/** `environment`: the one that kubectl would find by $KUBECONFIG, ~/.kube/config or the pod's service account. */
export type ClusterChoice = ClusterOptions | GivenCluster | 'environment';

/** The connection of one `Tshelm`: opened when it is first needed. */
export class Connection {
  readonly #choice: ClusterChoice | undefined;
  readonly #environment: Environment | undefined;
  readonly #namespace: string | undefined;
  readonly #context: string | undefined;
  #cluster: Promise<Cluster> | undefined;

  /** `context`: another of the kubeconfig than that of the choice. */
  constructor(
    choice: ClusterChoice | undefined,
    environment: Environment | undefined,
    namespace: string | undefined,
    context?: string,
  ) {
    this.#choice = choice;
    this.#environment = environment;
    this.#namespace = namespace;
    this.#context = context;
  }

  get clock(): Clock | undefined {
    return this.#choice instanceof GivenCluster ? this.#choice.given.clock : undefined;
  }

  /** Told of each plan that is carried out in a cluster of this process. */
  get onPlan(): ((plan: Plan) => void) | undefined {
    return this.#choice instanceof GivenCluster ? this.#choice.given.onPlan : undefined;
  }

  /** Errors: `no-cluster`, `cluster-unreachable` for a kubeconfig that cannot be used. */
  cluster(): Promise<Cluster> {
    this.#cluster ??= this.#open();
    return this.#cluster;
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return this.#choice instanceof GivenCluster ? this.#choice.given.during(work) : work();
  }

  async close(): Promise<void> {
    // What could not be opened has failed where it was asked for, and there is nothing to close.
    const cluster = await this.#cluster?.catch(() => undefined);
    this.#cluster = undefined;
    cluster?.close();
  }

  async #open(): Promise<Cluster> {
    const choice = this.#choice;
    const context = this.#context;
    if (context !== undefined && !hasContexts(choice)) throw unknownContext(context);
    if (choice instanceof GivenCluster) return choice.given.connect(this.#namespace);
    const { connect } = await import('../cluster/connect.ts');
    const options = connectOptions(choice, this.#environment, this.#namespace);
    return connect(context === undefined ? options : { ...options, context });
  }
}

const hasContexts = (choice: ClusterChoice | undefined): boolean =>
  choice === undefined ||
  choice === 'environment' ||
  (!(choice instanceof GivenCluster) && (choice.kubeconfig ?? choice.kubeconfigText) !== undefined);

const unknownContext = (context: string): TshelmError =>
  new TshelmError('no-cluster', {
    message: `a release uses the context ${context}, but no kubeconfig was given: add its cluster to the option clusters`,
  });

function connectOptions(
  choice: ClusterOptions | 'environment' | undefined,
  environment: Environment | undefined,
  namespace: string | undefined,
): ConnectOptions {
  if (choice === undefined) {
    throw new TshelmError('no-cluster', {
      message: 'no cluster was given: pass `cluster` to new Tshelm(), for example { kubeconfig: path } or a sandbox',
    });
  }
  const env = { ...environment };
  if (choice === 'environment') {
    if (environment === undefined) {
      const message = "cluster: 'environment' needs the option environment: pass environment: process.env";
      throw new TshelmError('no-cluster', { message });
    }
    return { namespace, env };
  }
  const { server, kubeconfig, kubeconfigText, ...rest } = choice;
  const isNamed = kubeconfig !== undefined || kubeconfigText !== undefined;
  if (!isNamed && server === undefined) {
    const message = 'cluster: pass one of kubeconfig (a path), kubeconfigText or server';
    throw new TshelmError('no-cluster', { message });
  }
  // An empty kubeconfig: that of the user is not looked at.
  const text = kubeconfig === undefined ? (kubeconfigText ?? '') : undefined;
  return { ...rest, apiServer: server, kubeconfig, kubeconfigText: text, namespace, env };
}

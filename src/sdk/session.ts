import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HealthOptions } from '../actions/options/health.ts';
import type { RenderSettings } from '../change/rendering/render.ts';
import type { Chart } from '../chart/types.ts';
import type { Cluster } from '../cluster/types.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import type { GoMap } from '../go/value.ts';
import { hasHandlebars } from '../render/engine.ts';
import type { handlebarsRenderer } from '../render/handlebars.ts';
import { decryption } from '../session/decryption.ts';
import { failureWithoutSecrets } from '../session/failure-without-secrets.ts';
import { type Session as Opened, openSession } from '../session/open.ts';
import { references } from '../session/references.ts';
import { Sources } from '../session/sources.ts';
import { withSource } from '../source/trust/chart-signature.ts';
import { TshelmError } from '../support/errors.ts';
import { SecretWords } from '../support/secret-words.ts';
import { systemClock } from '../support/time.ts';
import { Calls, endedBy } from './calls.ts';
import { chartOf, LoadedChart, library } from './charts.ts';
import { checkOptions, checkTshelmOptions } from './checked-options.ts';
import { type ClusterChoice, Connection, type Environment, GivenCluster } from './connection.ts';
import { withFailuresForPrograms } from './failures.ts';
import { healthRulesOf } from './health-rules.ts';
import { eventForPrograms, type Operation, operation } from './operation.ts';
import { checkText } from './option-checks.ts';
import type { CallOptions, ChartCallOptions, ChartReference, TshelmOptions } from './options.ts';
import { OwnFiles } from './own-files.ts';
import { postRendererOf } from './post-renderer.ts';
import type { RenderDefaults } from './render.ts';
import { learnFromOptions } from './secrets.ts';
import { underSignal } from './under-signal.ts';
import { hasScheme, userValues, type ValuesOptions } from './user-values.ts';

/** A signal that a call was given, and `close()` too. */
interface Ending {
  readonly signal: AbortSignal;
}

/** What a call is given beside its options. */
interface Given extends Ending {
  /** What it gets to know of secrets: kept out of its failures, events and warnings. */
  readonly secrets: SecretWords;
}

/** What is checked of a call before it begins. */
interface Checking<Options> {
  /** Names of releases, which must be texts. */
  readonly names?: readonly string[] | undefined;
  readonly check?: ((options: Options) => void) | undefined;
}

/** What the calls of one `Tshelm` share. */
export class Session {
  readonly connection: Connection;
  readonly sources: Sources;
  readonly #calls = new Calls();
  readonly #options: TshelmOptions;
  readonly #files: OwnFiles;
  readonly #secrets: SecretWords | undefined;
  readonly #isOffline: boolean;
  /** Of stacks over several clusters: by what was chosen, or by the context's name. */
  readonly #others = new Map<ClusterChoice | `context ${string}`, Connection>();
  #handlebars: typeof handlebarsRenderer | undefined;

  /** `secrets`: learns what all calls get to know; by default each call knows its own. */
  constructor(options: TshelmOptions, secrets?: SecretWords) {
    checkTshelmOptions(options);
    this.#secrets = secrets;
    const { cluster, environment, namespace, network } = options;
    this.#options = options;
    this.#isOffline = network?.offline === true;
    this.connection = new Connection(cluster, environment, namespace);
    const calls = this.#calls;
    this.#files = new OwnFiles(options);
    this.sources = new Sources({
      env: environment ?? {},
      paths: () => {
        calls.refuseClosed();
        return this.#files.paths();
      },
      isOffline: this.#isOffline,
      now: () => this.clock.now(),
      run: (signal, work) => calls.run(signal, work),
    });
  }

  get clock(): { now(): Date } {
    return this.#options.clock ?? this.connection.clock ?? systemClock;
  }

  /** What all renders have in common. */
  get defaults(): RenderDefaults {
    const { randomBytes, timeZone, enableDns, namespace = 'default' } = this.#options;
    return { now: () => this.clock.now(), randomBytes, timeZone, enableDns, namespace, handlebars: this.#handlebars };
  }

  /** The sources of time, randomness and addresses for templates. */
  get templateInputs(): Pick<RenderDefaults, 'now' | 'randomBytes' | 'timeZone' | 'enableDns'> {
    const { now, randomBytes, timeZone, enableDns } = this.defaults;
    return { now, randomBytes, timeZone, enableDns };
  }

  /** Variables that were given. */
  get environment(): Environment {
    return this.#options.environment ?? {};
  }

  /** The chart that is meant, fetched if need be. */
  async chart(reference: ChartReference, options: ChartCallOptions): Promise<Chart> {
    checkReference(reference);
    const chart = reference instanceof LoadedChart ? chartOf(reference) : await this.#fetched(reference, options);
    await this.#loadHandlebars(chart);
    return chart;
  }

  async #fetched(reference: string, options: ChartCallOptions): Promise<Chart> {
    const found = await this.sources.locate(reference, options);
    return withSource(library.load(found.path), found);
  }

  chartSync(reference: ChartReference): Chart {
    checkReference(reference);
    if (reference instanceof LoadedChart) return chartOf(reference);
    if (isRemoteReference(reference)) {
      throw new TshelmError('chart-not-found', {
        message: `renderSync only renders local charts, but ${reference} has to be downloaded: use render, or pass renderSync a chart from load or pull`,
        details: { reference },
      });
    }
    return library.load(reference);
  }

  async values(options: ChartCallOptions): Promise<GoMap> {
    const secrets = secretsOf(options);
    const env = this.environment;
    const isOffline = this.#isOffline;
    const decrypt = decryption({ env, secrets });
    const values = await userValues(options, {
      download: (url) => this.sources.values(url, options),
      decrypt,
      resolve: options.secretRefs ? references({ env, cwd: resolve('.'), secrets, decrypt, isOffline }) : undefined,
    });
    secrets.addValues(values);
    return values;
  }

  async chartAndValues(
    reference: ChartReference,
    options: ChartCallOptions,
  ): Promise<{ readonly chart: Chart; readonly values: GoMap }> {
    return { chart: await this.chart(reference, options), values: await this.values(options) };
  }

  /**
   * Runs a call that changes nothing, with its options as they are then: their signal also ends with `close()`. Errors:
   * `bad-options`, `closed`, the reason of the signal.
   */
  reading<Options extends CallOptions, T>(
    options: Options,
    work: (options: Options & Given) => Promise<T>,
    { names = [], check = checkOptions }: Checking<Options> = {},
  ): Promise<T> {
    const named = async (own: Options & Given): Promise<T> => {
      for (const name of names) checkText('name', name);
      return endedBy(own.signal, work(own));
    };
    return withFailuresForPrograms(() => this.changing(options, named, check));
  }

  /** The same for a call that may change something: it has ended when what it began is recorded. */
  async changing<Options extends CallOptions & ValuesOptions, T>(
    options: Options,
    work: (options: Options & Given) => Promise<T>,
    check: (options: Options) => void = checkOptions,
  ): Promise<T> {
    check(options);
    const secrets = this.#knownSecrets(options);
    try {
      return await this.#calls.run(options.signal, (signal) => work({ ...options, signal, secrets }));
    } catch (error) {
      throw failureWithoutSecrets(error, secrets);
    }
  }

  /** Reads releases, while the cluster's time passes: `work` is given the actions that do it. */
  inCluster<Options extends CallOptions, T>(
    names: readonly string[],
    options: Options,
    work: (actions: typeof import('./actions.ts'), context: Opened, options: Options & Given) => Promise<T>,
  ): Promise<T> {
    const run = async (own: Options & Given): Promise<T> => {
      const actions = await import('./actions.ts');
      return this.connection.during(async () => work(actions, await this.readContext(own), own));
    };
    return this.reading(options, run, { names });
  }

  /** Changes a release, and tells of it while the cluster's time passes. */
  operation<Options extends CallOptions, T>(
    name: string,
    options: Options,
    work: (options: Options & Given, context: Opened) => Promise<T>,
  ): Operation<T> {
    return operation((tell: (event: ExecutionEvent) => void) =>
      this.changing(options, (own) => {
        checkText('name', name);
        return this.connection.during(async () =>
          work(own, await this.context(own, (event) => tell(eventForPrograms(event)))),
        );
      }),
    );
  }

  #knownSecrets(options: CallOptions & ValuesOptions): SecretWords {
    const secrets = this.#secrets ?? new SecretWords();
    const { cluster } = this.#options;
    if (typeof cluster === 'object' && 'token' in cluster && cluster.token !== undefined) secrets.add(cluster.token);
    learnFromOptions(options, secrets);
    return secrets;
  }

  /** The same for a call that does not wait. Errors: `bad-options`, `closed`. */
  now<T>(options: ValuesOptions, work: (secrets: SecretWords) => T): T {
    checkOptions(options);
    this.#calls.refuseClosed();
    const secrets = this.#knownSecrets(options);
    try {
      return work(secrets);
    } catch (error) {
      throw failureWithoutSecrets(error, secrets);
    }
  }

  /** The cluster for a call that changes nothing: all requests end with its signal. */
  async readCluster({ signal }: CallOptions): Promise<Cluster> {
    const cluster = await this.connection.cluster();
    return signal === undefined ? cluster : underSignal(cluster, signal);
  }

  /** What actions work with that change nothing. */
  readContext(options: CallOptions & ChartCallOptions & HealthOptions): Promise<Opened> {
    return this.#open(() => this.readCluster(options), options);
  }

  /** What actions work with, in the cluster that was given. */
  context(
    options: CallOptions & ChartCallOptions & HealthOptions & Partial<Pick<Given, 'secrets'>>,
    onEvent?: (event: ExecutionEvent) => void,
    connection = this.connection,
  ): Promise<Opened> {
    const { onPlan } = connection;
    const tellingPlans = (event: ExecutionEvent): void => {
      if (event.kind === 'plan-started') onPlan?.(event.plan);
      onEvent?.(event);
    };
    return this.#open(() => connection.cluster(), options, onPlan === undefined ? onEvent : tellingPlans);
  }

  #open(
    cluster: () => Promise<Cluster>,
    options: CallOptions & ChartCallOptions & HealthOptions,
    onEvent?: (event: ExecutionEvent) => void,
  ): Promise<Opened> {
    const { driver, locks, environment = {}, namespace } = this.#options;
    return openSession({
      cluster,
      namespace: options.namespace ?? namespace,
      driver,
      locks: locks === 'none' ? 'none' : undefined,
      keepsIntegers: true,
      env: environment,
      rendering: this.rendering(options),
      userRules: healthRulesOf(options),
      clock: this.clock,
      secrets: secretsOf(options),
      onEvent,
      signal: options.signal,
    });
  }

  /**
   * The connection to a cluster: the one that was chosen, or the context of that name of `new Tshelm()`'s kubeconfig; '' is
   * that of `new Tshelm()`. Its cluster fails with `no-cluster` where there is no kubeconfig.
   */
  connectionOf(context: string, choice: ClusterChoice | undefined): Connection {
    if (context === '' && choice === undefined) return this.connection;
    const key = choice ?? (`context ${context}` as const);
    const { cluster, environment, namespace } = this.#options;
    const inContext = choice === undefined ? context : undefined;
    const connection = this.#others.get(key) ?? new Connection(choice ?? cluster, environment, namespace, inContext);
    this.#others.set(key, connection);
    return connection;
  }

  /** Runs work while time passes in all clusters that have their own. */
  during<T>(clusters: readonly ClusterChoice[], work: () => Promise<T>): Promise<T> {
    const given = clusters.filter((one) => one instanceof GivenCluster);
    const inAll = given.reduce((inner, one) => () => one.given.during(inner), work);
    return this.connection.during(inAll);
  }

  /** Ends all calls, and then closes all connections. */
  async close(): Promise<void> {
    await this.#calls.close();
    for (const one of [this.connection, ...this.#others.values()]) await one.close();
    this.#files.remove();
  }

  rendering({ postRenderer, postRenderStrategy, ...access }: ChartCallOptions): RenderSettings {
    return {
      ...this.templateInputs,
      postRenderStrategy,
      postRenderer: postRendererOf({ postRenderer }),
      downloadSchema: (url) => this.sources.schema(url, access),
    };
  }

  namespace(options: CallOptions): string {
    return options.namespace ?? this.#options.namespace ?? 'default';
  }

  async #loadHandlebars(chart: Chart): Promise<void> {
    if (this.#handlebars !== undefined || !hasHandlebars(chart)) return;
    this.#handlebars = (await import('../render/handlebars.ts')).handlebarsRenderer;
  }
}

/** Of a call: Session gave them to its options. */
export const secretsOf = (options: object): SecretWords => (options as Partial<Given>).secrets ?? new SecretWords();

/** What names no path of this machine: a URL, or `REPOSITORY/CHART` where there is no such folder. */
const isRemoteReference = (reference: string): boolean =>
  hasScheme(reference) || (/^[\w-]+\/[\w.-]+$/.test(reference) && !existsSync(reference));

/** Errors: `bad-options` for what is neither a text nor loaded by this library. */
function checkReference(reference: unknown): void {
  if (!(reference instanceof LoadedChart) && typeof reference !== 'string')
    throw new TshelmError('bad-options', {
      message: 'chart must be a string (a folder, an archive, a URL), or a chart that load() or chart() returned',
      details: { option: 'chart' },
    });
}

import { existsSync } from 'node:fs';
import { actionContext } from '../actions/action-context.ts';
import { helmRenderer } from '../actions/rendering/renderer.ts';
import type { Context, Renderer } from '../change/context.ts';
import type { Chart } from '../chart/types.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import type { GoMap } from '../go/value.ts';
import { hasHandlebars } from '../render/engine.ts';
import type { handlebarsRenderer } from '../render/handlebars.ts';
import { TshelmError } from '../support/errors.ts';
import { systemClock } from '../support/time.ts';
import { chartOf, LoadedChart, library } from './charts.ts';
import { checkOptions } from './checked-options.ts';
import { type ClusterChoice, Connection, type Environment, GivenCluster } from './connection.ts';
import type { CallOptions, ChartCallOptions, ChartReference, TshelmOptions } from './options.ts';
import type { RenderDefaults } from './render.ts';
import { Sources } from './sources.ts';
import { userValues } from './user-values.ts';

/** What the calls of one `Tshelm` share. */
export class Session {
  readonly connection: Connection;
  readonly sources: Sources;
  readonly #options: TshelmOptions;
  /** Of stacks over several clusters: by what was chosen, or by the context's name. */
  readonly #others = new Map<ClusterChoice | `context ${string}`, Connection>();
  #handlebars: typeof handlebarsRenderer | undefined;

  constructor(options: TshelmOptions) {
    const { cluster, environment, namespace, files, network } = options;
    this.#options = options;
    this.connection = new Connection(cluster, environment, namespace);
    const isOffline = network?.offline === true;
    this.sources = new Sources({ environment, files, isOffline, now: () => this.clock.now() });
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
  get rendering(): Pick<RenderDefaults, 'now' | 'randomBytes' | 'timeZone' | 'enableDns'> {
    const { now, randomBytes, timeZone, enableDns } = this.defaults;
    return { now, randomBytes, timeZone, enableDns };
  }

  /** Variables that were given. */
  get environment(): Environment {
    return this.#options.environment ?? {};
  }

  /** The chart that is meant, fetched if need be. */
  async chart(reference: ChartReference, options: ChartCallOptions): Promise<Chart> {
    const chart =
      reference instanceof LoadedChart
        ? chartOf(reference)
        : library.load(await this.sources.locate(reference, options));
    await this.#loadHandlebars(chart);
    return chart;
  }

  chartSync(reference: ChartReference): Chart {
    if (reference instanceof LoadedChart) return chartOf(reference);
    if (isElsewhere(reference)) {
      throw new TshelmError('chart-not-found', {
        message: `renderSync takes charts on this machine, and ${reference} has to be fetched: use render, or give renderSync what load or pull fetched before`,
        details: { reference },
      });
    }
    return library.load(reference);
  }

  values(options: ChartCallOptions): Promise<GoMap> {
    checkOptions(options);
    return userValues(options, (url) => this.sources.download(url, options));
  }

  async chartAndValues(
    reference: ChartReference,
    options: ChartCallOptions,
  ): Promise<{ readonly chart: Chart; readonly values: GoMap }> {
    return { chart: await this.chart(reference, options), values: await this.values(options) };
  }

  /** What actions work with, in the cluster that was given. */
  async context(
    options: CallOptions & ChartCallOptions,
    onEvent?: (event: ExecutionEvent) => void,
    connection = this.connection,
  ): Promise<Context> {
    checkOptions(options);
    const cluster = await connection.cluster();
    const { driver, locks, environment = {}, namespace } = this.#options;
    return actionContext(cluster, {
      namespace: options.namespace ?? namespace,
      driver,
      locks: locks === 'none' ? 'none' : undefined,
      env: environment,
      renderer: this.renderer(options),
      clock: this.clock,
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

  /** Closes all connections. */
  async close(): Promise<void> {
    for (const one of [this.connection, ...this.#others.values()]) await one.close();
    this.sources.close();
  }

  renderer(
    { postRenderer, postRenderStrategy, ...access }: ChartCallOptions,
    told?: Parameters<typeof helmRenderer>[0],
  ): Renderer {
    const { now, randomBytes, timeZone, enableDns } = this.defaults;
    const renderer = helmRenderer({
      now,
      randomBytes,
      timeZone,
      postRenderStrategy,
      ...told,
      postRenderer: postRenderer && (async (text) => postRenderer(text)),
      downloadSchema: (url) => this.sources.download(url, access),
    });
    return {
      prepare: renderer.prepare,
      render: (prepared, values, request) => renderer.render(prepared, values, { ...request, enableDns }),
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

/** What names no path of this machine: a URL, or `REPOSITORY/CHART` where there is no such folder. */
const isElsewhere = (reference: string): boolean =>
  /^[a-z]+:\/\//i.test(reference) || (/^[\w-]+\/[\w.-]+$/.test(reference) && !existsSync(reference));

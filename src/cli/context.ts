import type { Command } from 'commander';
import type { ValueOptions } from '../chart/value-options.ts';
import { driverNamed, type StorageDriver } from '../release/drivers.ts';
import type { PostRenderer } from '../render/post-renderer.ts';
import type { AnnotationRule } from '../sandbox/index.ts';
import { failureWithoutSecrets } from '../session/failure-without-secrets.ts';
import type { Session } from '../session/open.ts';
import { TshelmError } from '../support/errors.ts';
import { SecretWords } from '../support/secret-words.ts';
import type { StartThread } from '../unittest/threads.ts';
import type { OnDisk } from '../words/problem.ts';
import type { AppliedDefault } from './defaults/given.ts';
import { onDisk } from './errors/chart-file.ts';
import { inFlags } from './progress/in-flags.ts';
import { type Outcome, quietReporter, type Reporter, type RunIntroduction } from './progress/reporter.ts';
import type { ProgressRequest } from './progress/request.ts';
import { type GlobalFlags, type Settings, settingsOf } from './settings.ts';
import { healthRulesOf } from './sources/health-rules.ts';
import { Interruption } from './terminal/interruption.ts';
import type { Io, Output } from './terminal/io.ts';
import type { Paint } from './terminal/paint.ts';
import { sanitizedOutput } from './terminal/sanitized-output.ts';

/** What commands are made with: the terminal, and a way to open what an action needs. */
export interface CliContext {
  readonly io: Io;
  /** Undefined where the program has no threads. */
  readonly startThread: StartThread | undefined;
  /** What is known to be secret: it is kept out of everything but the results themselves. */
  readonly secrets: SecretWords;
  settings(flags: GlobalFlags): Settings;
  /** The colours of an error, by the flags that the command has read. */
  errorPaint(): Promise<Paint>;
  /** The namespace that the flags, the environment or the kubeconfig name, without asking the cluster. */
  namespace(flags: GlobalFlags): Promise<string>;
  /** Opens what an action works with. */
  open(flags: GlobalFlags, options?: OpenOptions): Promise<CommandSession>;
  /** Prints the help of a command. */
  help(command: Command): Promise<void>;
  /** What was opened last; undefined while nothing is. */
  readonly opened: CommandSession | undefined;
  /** Shows that a run begins, where it fails before anything that it works with is open. */
  begin(flags: GlobalFlags, progress: ProgressRequest, run: RunIntroduction): Promise<void>;
  /** Has a reporter told how the command ends. */
  show(reporter: Reporter): void;
  /** From now on standard output takes nothing, and no download is shown. */
  silence(): void;
  readonly isSilent: boolean;
  /** Tells that something was done that must not be done twice: a change was sent, a program of the user ran. */
  act(): void;
  readonly hasActed: boolean;
  /** For a command that must not be cut short: aborts at the first SIGINT, SIGTERM or SIGHUP; the second ends the process. */
  interruption(): AbortSignal;
  /** The same signal for any command: until `interruption` is called or a run begins, the system ends the process. */
  readonly signal: AbortSignal;
  exitCode(): number;
  /** Tells which chart the run is about, as the user named it. */
  useChart(reference: string): void;
  /** Tells which flags tshelm.yaml gave. */
  useDefaults(defaults: readonly AppliedDefault[]): void;
  readonly defaults: readonly AppliedDefault[];
  /** Tells which command line runs. */
  useLine(line: GivenLine): void;
  readonly given: GivenLine | undefined;
  /** Tells what the user said of the values. */
  useValues(options: ValueOptions): void;
  readonly valueOptions: ValueOptions;
  /** Where the user has the files of that chart. */
  readonly onDisk: OnDisk;
  /** Ends what shows a run with a failure, `text` being all that is to be said of it; tells whether that has been said. */
  fail(failure: unknown, text: string): boolean;
  /** What a command that has done its work ends with, where that is not 0. */
  endWith(exitCode: number): void;
  close(): Promise<void>;
}

/** A command line without what tshelm.yaml adds to it. */
export interface GivenLine {
  readonly command: Command;
  /** Each as `--name=value`. */
  readonly flags: readonly string[];
  readonly words: readonly string[];
}

export interface OpenOptions {
  /** How the run is shown as it goes; without it, only warnings and notes are. */
  readonly progress?: ProgressRequest | undefined;
  /** What shows the run, where that is there already (see `show`). */
  readonly reporter?: Reporter | undefined;
  readonly postRenderer?: PostRenderer | undefined;
  /** The file of health checks that --health names. */
  readonly health?: string | undefined;
  /** What the sandbox makes of the annotations that decide on pods. */
  readonly sandboxAnnotation?: AnnotationRule | undefined;
  /** The cluster is looked for when it is first asked: a command that needs none works without a kubeconfig. */
  readonly isOffline?: boolean | undefined;
  /** What the cluster will be asked first is asked at once, while the command does other things. */
  readonly asksAhead?: boolean | undefined;
  /** Whether an interruption undoes what was done (--rollback-on-failure): that is not cut short. */
  readonly mayUndo?: boolean | undefined;
}

/** What a command works with, and what shows its progress. */
export interface CommandSession extends Session {
  readonly settings: Settings;
  readonly reporter: Reporter;
}

export const openContext = (io: Io, startThread?: StartThread): CliContext => new OpenContext(io, startThread);

class OpenContext implements CliContext {
  io: Io;
  isSilent = false;
  readonly secrets = new SecretWords();
  readonly #closing: (() => void | Promise<void>)[] = [];
  readonly #reporters: Reporter[] = [];
  #chart: string | undefined;
  #values: ValueOptions = {};
  readonly #interruption = new Interruption((text) => this.#tell(text));
  #exitCode = 0;
  defaults: readonly AppliedDefault[] = [];
  given: GivenLine | undefined;
  hasActed = false;
  opened: CommandSession | undefined;

  readonly startThread: StartThread | undefined;

  constructor(io: Io, startThread: StartThread | undefined) {
    this.startThread = startThread;
    this.io = { ...io, stdout: sanitizedOutput(io.stdout, io), stderr: sanitizedOutput(io.stderr, io) };
    this.#closing.push(() => this.#interruption.close());
  }

  readonly settings = (flags: GlobalFlags): Settings => settingsOf(flags, this.io.env);

  async errorPaint(): Promise<Paint> {
    const { errorPaintFor } = await import('./terminal/paint.ts');
    return errorPaintFor(this.settings(this.given?.command.optsWithGlobals() ?? {}), this.io);
  }

  async help(command: Command): Promise<void> {
    const { writeHelp } = await import('./help/help.ts');
    writeHelp(command, this);
  }

  async namespace(flags: GlobalFlags): Promise<string> {
    const { offlineNamespace } = await import('./open-cluster.ts');
    return offlineNamespace(this.settings(flags), this.io);
  }

  async #downloadSchema(url: string, flags: GlobalFlags): Promise<Uint8Array> {
    const { sourcesOf } = await import('./sources/sources.ts');
    return sourcesOf(flags, this).schema(url);
  }

  async open(flags: GlobalFlags, options: OpenOptions = {}): Promise<CommandSession> {
    const { progress, postRenderer, mayUndo = false, isOffline = false } = options;
    this.#interruption.allow({ undoes: mayUndo, changes: progress !== undefined });
    const { io, secrets } = this;
    const userRules = await healthRulesOf(options.health, io);
    const settings = await this.#withTestCluster(this.settings(flags));
    const { asksAhead, sandboxAnnotation } = options;
    // A driver that is going to be refused asks no server.
    if (!isOffline) refuseMemoryDriver(driverNamed(settings.driver), settings);
    if (settings.kube.token !== undefined) secrets.add(settings.kube.token);
    const { signal } = this;
    const reporter = options.reporter ?? (await this.#addReporter(progress, settings));
    const onClose = (close: () => void | Promise<void>): void => void this.#closing.push(close);
    const { openCluster } = await import('./open-cluster.ts');
    const onChange = (): void => this.act();
    const opening = { settings, io, reporter, secrets, onClose, onChange, signal, asksAhead, sandboxAnnotation };
    const cluster = once(() => openCluster(opening));
    // The rest of the code is loaded while the server answers; a failure is told below.
    if (asksAhead) cluster().catch(() => {});
    const { offlineSession, openSession } = await import('../session/open.ts');
    const request = {
      cluster,
      namespace: settings.namespace,
      driver: settings.driver,
      env: io.env,
      rendering: {
        now: io.now,
        postRenderer,
        downloadSchema: (url: string) => this.#downloadSchema(url, flags),
      },
      userRules,
      clock: { now: io.now },
      secrets,
      onEvent: inFlags(reporter.onEvent),
      followLogs: reporter.followsLogs,
      signal,
    };
    const opened = isOffline
      ? offlineSession({ ...request, namespace: await this.namespace(flags) })
      : await openSession(request);
    this.opened = { ...opened, settings, reporter };
    return this.opened;
  }

  /** Releases of $HELM_MEMORY_DRIVER_DATA are for tests: nothing is sent to any cluster but one of this process. */
  async #withTestCluster(settings: Settings): Promise<Settings> {
    if (settings.sandboxDirectory !== undefined || !this.io.env['HELM_MEMORY_DRIVER_DATA']) return settings;
    if (driverNamed(settings.driver).isShared) return settings;
    const { temporaryFolder } = await import('../support/directories.ts');
    const { path, remove } = temporaryFolder('tshelm-memory-');
    this.#closing.push(remove);
    return { ...settings, sandboxDirectory: path };
  }

  silence(): void {
    this.isSilent = true;
    this.io = { ...this.io, stdout: nowhere };
  }

  act(): void {
    this.hasActed = true;
  }

  useChart(reference: string): void {
    this.#chart = reference;
  }

  get onDisk(): OnDisk {
    return onDisk(this.#chart, this.io.cwd);
  }

  useDefaults(defaults: readonly AppliedDefault[]): void {
    this.defaults = defaults;
  }

  useLine(line: GivenLine): void {
    this.given = line;
  }

  useValues(options: ValueOptions): void {
    this.#values = options;
  }

  get valueOptions(): ValueOptions {
    return this.#values;
  }

  async begin(flags: GlobalFlags, progress: ProgressRequest, run: RunIntroduction): Promise<void> {
    const reporter = this.#reporters[0] ?? (await this.#addReporter(progress, this.settings(flags)));
    reporter.begin(run);
  }

  show(reporter: Reporter): void {
    this.#reporters.push(reporter);
    this.#closing.push(
      () => reporter.close(),
      () => reporter.deliver?.(),
    );
  }

  interruption(): AbortSignal {
    this.#interruption.listen();
    return this.signal;
  }

  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  exitCode(): number {
    return this.#interruption.exitCode ?? this.#exitCode;
  }

  fail(failure: unknown, text: string): boolean {
    const kind = this.#interruption.exitCode === undefined ? 'failed' : 'interrupted';
    const outcome: Outcome = { kind, failure: failureWithoutSecrets(failure, this.secrets), text };
    return this.#reporters.map((reporter) => reporter.finish(outcome)).includes(true);
  }

  endWith(code: number): void {
    this.#exitCode ||= code;
  }

  async close(): Promise<void> {
    for (const end of this.#closing.reverse()) await end();
  }

  async #addReporter(progress: ProgressRequest | undefined, settings: Settings): Promise<Reporter> {
    const reporter = await openReporter(progress, settings, this.io, () => this.#interruption.listen());
    this.show(reporter);
    return reporter;
  }

  #tell(text: string): void {
    const [reporter] = this.#reporters;
    if (reporter === undefined) this.io.stderr.write(text);
    else reporter.tell(text);
  }
}

const nowhere: Output = { write: () => undefined, isTerminal: false, columns: undefined, rows: undefined };

async function openReporter(
  request: ProgressRequest | undefined,
  settings: Settings,
  io: Io,
  onBegin: () => void,
): Promise<Reporter> {
  if (request === undefined) return quietReporter(io.stderr);
  const { openReporter: open } = await import('./progress/open.ts');
  return open(request, settings, io, onBegin);
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A release on a real cluster must not be forgotten with the process that made it. Errors: `unknown-driver`. */
function refuseMemoryDriver({ isShared }: StorageDriver, { driver, sandboxDirectory }: Settings): void {
  if (isShared || sandboxDirectory !== undefined) return;
  throw new TshelmError('unknown-driver', {
    message: `HELM_DRIVER=${driver} keeps releases only in this process, so a release in a cluster could never be upgraded or uninstalled; use secret or configmap (${driver} works with --dry-run=client, --sandbox and $HELM_MEMORY_DRIVER_DATA)`,
    details: { driver },
  });
}

import { devNull } from 'node:os';
import type { Context } from '../actions/context.ts';
import type { ConnectOptions } from '../cluster/connect.ts';
import type { Cluster } from '../cluster/types.ts';
import type { ExecutionEvent } from '../execute/events.ts';
import type { PostRenderer } from '../render/post-renderer.ts';
import { TshelmError } from '../support/errors.ts';
import { SecretWords } from '../support/secret-words.ts';
import type { Io } from './io.ts';
import { type Outcome, quietReporter, type Reporter, type RunIntroduction } from './progress/reporter.ts';
import type { ProgressRequest } from './progress/request.ts';
import { type GlobalFlags, type Settings, settingsOf } from './settings.ts';
import { onSignals } from './signals.ts';

/** What commands are made with: the terminal, and a way to open what an action needs. */
export interface CliContext {
  readonly io: Io;
  /** What is known to be secret: it is kept out of everything but the results themselves. */
  readonly secrets: SecretWords;
  settings(flags: GlobalFlags): Settings;
  /** The namespace that the flags, the environment or the kubeconfig name, without asking the cluster. */
  namespace(flags: GlobalFlags): Promise<string>;
  /** Opens what an action works with. */
  open(flags: GlobalFlags, options?: OpenOptions): Promise<Session>;
  /** Shows that a run begins, where it fails before anything that it works with is open. */
  begin(flags: GlobalFlags, progress: ProgressRequest, run: RunIntroduction): Promise<void>;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP; the second ends the process at once. */
  interruption(): AbortSignal;
  exitCode(): number;
  /** Ends what shows a run with a failure, `text` being all that is to be said of it; tells whether that has been said. */
  fail(failure: unknown, text: string): boolean;
  /** What a command that has done its work ends with, where that is not 0. */
  endWith(exitCode: number): void;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** How the run is shown as it goes; without it, only warnings and notes are. */
  readonly progress?: ProgressRequest | undefined;
  readonly postRenderer?: PostRenderer | undefined;
  /** The cluster is looked for when it is first asked: a command that needs none works without a kubeconfig. */
  readonly isOffline?: boolean | undefined;
  /** Whether an interruption undoes what was done (--rollback-on-failure): that is not cut short. */
  readonly mayUndo?: boolean | undefined;
}

/** An action's context, and what shows its progress. */
export interface Session extends Context {
  readonly settings: Settings;
  readonly reporter: Reporter;
}

export function openContext(io: Io): CliContext {
  const closing: (() => void | Promise<void>)[] = [];
  const reporters: Reporter[] = [];
  const secrets = new SecretWords();
  let exitCode = 0;
  let isInterrupted = false;
  let mayUndo = false;
  let mayChange = false;
  const tell = (text: string): void => {
    const [reporter] = reporters;
    if (reporter === undefined) io.stderr.write(text);
    else reporter.tell(text);
  };
  const interruption = once((): AbortSignal => {
    const controller = new AbortController();
    closing.push(
      onSignals({
        interrupt: (signal, code) => {
          exitCode = code;
          isInterrupted = true;
          controller.abort(new DOMException(`interrupted by ${signal}`, 'AbortError'));
          if (mayUndo) tell(`interrupted by ${signal}: ${undoneText}\n`);
        },
        isUndoing: () => mayUndo,
        tooLate: () => tell(`Error: interrupted, and the cluster does not answer${mayChange ? leftText : ''}\n`),
      }),
    );
    return controller.signal;
  });

  const addReporter = async (progress: ProgressRequest | undefined, settings: Settings): Promise<Reporter> => {
    const reporter = await openReporter(progress, settings, io);
    reporters.push(reporter);
    closing.push(() => reporter.close());
    return reporter;
  };

  return {
    io,
    secrets,
    settings: (flags) => settingsOf(flags, io.env),
    async namespace(flags) {
      const settings = settingsOf(flags, io.env);
      if (settings.sandboxDirectory !== undefined) return settings.namespace ?? 'default';
      const { findCluster } = await import('../cluster/http/kubeconfig.ts');
      // As Helm: a kubeconfig that cannot be read does not stop a command that needs no cluster.
      const access = await findCluster(connectOptions(settings, io)).catch(() => undefined);
      return access?.namespace ?? settings.namespace ?? 'default';
    },
    async open(flags, { progress, postRenderer, mayUndo: undoes = false, isOffline = false } = {}) {
      mayUndo ||= undoes;
      mayChange ||= progress !== undefined;
      const settings = settingsOf(flags, io.env);
      if (settings.kube.token !== undefined) secrets.add(settings.kube.token);
      const signal = interruption();
      const { systemClock } = await import('../support/time.ts');
      const { openStorage } = await import('../release/storage.ts');
      const { openLocks } = await import('../release/lock/open-locks.ts');
      const { downloadSchema } = await import('./download.ts');
      const { helmRenderer } = await import('../actions/rendering/renderer.ts');
      const reporter = await addReporter(progress, settings);
      const cluster = once(() => openCluster(settings, io, { reporter, secrets }, closing, signal));
      const namespace = isOffline ? await this.namespace(flags) : await clusterNamespace(cluster, settings);
      const { learnFromPlan, learningStorage } = await import('./learn-secrets.ts');
      const storage = once(async () => {
        const opened = openStorage(settings.driver, await cluster(), { namespace, clock: systemClock });
        return learningStorage(opened, secrets);
      });
      const locks = async () => openLocks((await storage()).driver, await cluster(), { namespace, env: io.env });
      return {
        settings,
        namespace,
        reporter,
        cluster,
        storage,
        locks: isOffline ? undefined : await locks(),
        renderer: helmRenderer({ now: io.now, postRenderer, downloadSchema }),
        clock: { now: io.now },
        onEvent: (event) => {
          if (event.kind === 'plan-started') learnFromPlan(event.plan, secrets);
          reporter.onEvent(shownEvent(event, secrets));
        },
        followLogs: reporter.followsLogs,
        signal,
      };
    },
    async begin(flags, progress, run) {
      const reporter = reporters[0] ?? (await addReporter(progress, settingsOf(flags, io.env)));
      reporter.begin(run);
    },
    interruption,
    exitCode: () => exitCode,
    fail(failure, text) {
      const shown = shownFailure(failure, secrets);
      const outcome: Outcome = { kind: isInterrupted ? 'interrupted' : 'failed', failure: shown, text };
      return reporters.map((reporter) => reporter.finish(outcome)).includes(true);
    },
    endWith(code) {
      exitCode ||= code;
    },
    async close() {
      for (const end of closing.reverse()) await end();
    },
  };
}

const undoneText = 'what this run has changed is undone first; a second signal ends the process at once';
const leftText = ': what was begun is left as it is, and the next tshelm command of this release takes over';

/** A failure as reports may tell it. */
function shownFailure(failure: unknown, secrets: SecretWords): unknown {
  if (!(failure instanceof Error)) return failure;
  const message = secrets.redact(failure.message);
  if (message === failure.message) return failure;
  return new TshelmError(failure instanceof TshelmError ? failure.code : 'failed', { message, cause: failure });
}

/** An event of a run as it may be shown: its free text without secrets. */
function shownEvent(event: ExecutionEvent, secrets: SecretWords): ExecutionEvent {
  const text = 'text' in event && typeof event.text === 'string' ? { text: secrets.redact(event.text) } : {};
  const reason = 'reason' in event && event.reason !== undefined ? { reason: secrets.redact(event.reason) } : {};
  const lines = event.kind === 'log-tail' ? { lines: event.lines.map((line) => secrets.redact(line)) } : {};
  return { ...event, ...text, ...reason, ...lines } as ExecutionEvent;
}

/** A kubeconfig that cannot be used is told of at once, whatever names the namespace. */
async function clusterNamespace(cluster: () => Promise<Cluster>, settings: Settings): Promise<string> {
  const { namespace } = await cluster();
  return settings.namespace ?? namespace;
}

type Closing = (() => void | Promise<void>)[];

async function openCluster(
  settings: Settings,
  io: Io,
  { reporter, secrets }: { readonly reporter: Reporter; readonly secrets: SecretWords },
  closing: Closing,
  signal: AbortSignal,
): Promise<Cluster> {
  const { connect } = await import('../cluster/connect.ts');
  const cluster = await connect({
    ...(await clusterOptions(settings, io, closing, signal)),
    ...diagnostics(settings, reporter, secrets),
    redact: (text) => secrets.redact(text),
  });
  closing.push(() => cluster.close());
  return cluster;
}

async function clusterOptions(
  settings: Settings,
  io: Io,
  closing: Closing,
  signal: AbortSignal,
): Promise<ConnectOptions> {
  if (settings.sandboxDirectory === undefined) return connectOptions(settings, io);
  const { openSandbox } = await import('../sandbox/index.ts');
  const sandbox = await openSandbox({ directory: settings.sandboxDirectory });
  // Others that came meanwhile use this process's server: it stays until they are done.
  closing.push(async () => {
    if (!signal.aborted) await sandbox.alone();
    await sandbox.close();
  });
  // The sandbox knows no users: nothing of the kubeconfig or the --kube flags is meant for it.
  return { apiServer: sandbox.url, namespace: settings.namespace, env: { KUBECONFIG: devNull } };
}

const connectOptions = ({ kube, namespace }: Settings, io: Io): ConnectOptions => ({
  kubeconfig: kube.kubeconfig,
  context: kube.context,
  namespace,
  apiServer: kube.server,
  token: kube.token,
  asUser: kube.asUser,
  asGroups: kube.asGroups,
  caFile: kube.caFile,
  insecureSkipTlsVerify: kube.insecureSkipTlsVerify,
  tlsServerName: kube.tlsServerName,
  rate: kube.rate,
  env: io.env as NodeJS.ProcessEnv,
});

function diagnostics(settings: Settings, reporter: Reporter, secrets: SecretWords): Partial<ConnectOptions> {
  const debugLine = (text: string): void => reporter.tell(`debug: ${secrets.redact(text)}\n`);
  const told: Partial<ConnectOptions> = {
    onWarning: (text) => reporter.onEvent({ kind: 'warning', text: secrets.redact(text) }),
    onAbsence: ({ isOver, text }) =>
      reporter.onEvent({ kind: isOver ? 'note' : 'warning', text: secrets.redact(text) }),
  };
  if (!settings.debug) return told;
  return {
    ...told,
    onDebug: debugLine,
    onRequest: ({ method, path, status, elapsedMs, attempt }) =>
      debugLine(
        `${method} ${path} ${status || 'failed'} in ${elapsedMs.toFixed(0)} ms${attempt > 1 ? ` (try ${attempt})` : ''}`,
      ),
  };
}

async function openReporter(request: ProgressRequest | undefined, settings: Settings, io: Io): Promise<Reporter> {
  if (request === undefined) return quietReporter(io.stderr);
  const { openReporter: open } = await import('./progress/open.ts');
  return open(request, settings, io);
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

import type { Plugin } from '../../plugin/types.ts';
import { Sources } from '../../session/sources.ts';
import type { OtherGetters } from '../../source/http/getters.ts';
import type { DownloadProgress } from '../../source/http/request.ts';
import { helmPaths } from '../../source/paths.ts';
import { printableLine } from '../../support/printable.ts';
import type { GlobalFlags } from '../settings.ts';
import type { Io } from '../terminal/io.ts';
import type { EnvironmentContext } from './helm-environment.ts';
import type { DownloadContext, SourceFlags } from './named-chart.ts';
import { noticesOn } from './notices.ts';
import { installedPlugins, pluginEnvironment } from './plugins.ts';

/** Where a command has charts from. */
export function sourcesOf(flags: SourceFlags, context: DownloadContext): Sources {
  const { io, secrets, signal } = context;
  const { env } = io;
  return new Sources({
    env,
    paths: () => helmPaths(env, flags),
    isOffline: flags.offline ?? isOn(env['TSHELM_OFFLINE']),
    now: io.now,
    getters: getterPlugins(flags, context),
    onProgress: downloadProgress(io),
    onNotice: noticesOn(context),
    learnSecret: (secret) => secrets.add(secret),
    signal,
  });
}

/** A variable that is a switch. */
const isOn = (text = ''): boolean => /^(?:1|t|true)$/i.test(text);

/** What plugins are fetched with: those that are installed, looked for when a scheme is met that Helm has not itself. */
function getterPlugins(flags: GlobalFlags, context: EnvironmentContext): OtherGetters {
  let found: readonly Plugin[] | undefined;
  const pluginFor = (scheme: string): Plugin | undefined => {
    found ??= installedPlugins({ type: 'getter/v1' }, flags, context);
    return found.find(({ config }) => config.protocols.includes(scheme));
  };
  return {
    knows: (scheme) => !own.has(scheme) && pluginFor(scheme) !== undefined,
    async fetch(url, scheme, { tls, username, password, passCredentialsAll }) {
      const plugin = pluginFor(scheme);
      if (plugin === undefined) throw new Error(`internal: no plugin fetches ${scheme}`);
      const { runGetterPlugin } = await import('../../plugin/run.ts');
      const { certFile, keyFile, caFile } = tls ?? {};
      const request = { url, protocol: scheme, certFile, keyFile, caFile, username, password, passCredentialsAll };
      return runGetterPlugin(plugin, request, await pluginEnvironment(flags, context));
    },
  };
}

/** Helm's own come first: a plugin cannot take their place. */
const own: ReadonlySet<string> = new Set(['', 'http', 'https', 'oci', 'file']);

const shownAfterMs = 1000;
const redrawMs = 100;
const barWidth = 24;

/** Shows a download that takes longer than a second in the last line of a terminal, and clears it away at its end. */
export function downloadProgress({ stderr, now }: Io): ((progress: DownloadProgress) => void) | undefined {
  if (!stderr.isTerminal) return undefined;
  const begun = new Map<string, number>();
  let drawnAt = 0;
  let isShown = false;
  return (progress) => {
    const nowMs = now().getTime();
    const startMs = begun.get(progress.url) ?? nowMs;
    begun.set(progress.url, startMs);
    if (progress.isDone) {
      begun.delete(progress.url);
      if (isShown) stderr.write('\r\x1b[K', 'control');
      isShown = false;
      return;
    }
    if (nowMs - startMs < shownAfterMs || nowMs - drawnAt < redrawMs) return;
    drawnAt = nowMs;
    isShown = true;
    const line = printableLine(progressLine(progress, nowMs - startMs)).slice(0, (stderr.columns ?? 80) - 1);
    stderr.write(`\r${line}\x1b[K`, 'control');
  };
}

/** `[########                ] 3.2 of 9.6 MB, 1.1 MB/s  https://…` */
function progressLine({ url, receivedBytes, totalBytes }: DownloadProgress, elapsedMs: number): string {
  const speed = `${megabytes((receivedBytes * 1000) / elapsedMs)} MB/s`;
  if (totalBytes === undefined) return `${megabytes(receivedBytes)} MB, ${speed}  ${url}`;
  const filled = Math.min(barWidth, Math.round((barWidth * receivedBytes) / totalBytes));
  const bar = '#'.repeat(filled).padEnd(barWidth);
  return `[${bar}] ${megabytes(receivedBytes)} of ${megabytes(totalBytes)} MB, ${speed}  ${url}`;
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

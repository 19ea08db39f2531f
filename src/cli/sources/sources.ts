import { Sources } from '../../session/sources.ts';
import { helmPaths } from '../../source/paths.ts';
import { downloadProgress } from './download-progress.ts';
import { getterPlugins } from './getter-plugins.ts';
import type { DownloadContext, SourceFlags } from './named-chart.ts';
import { noticesOn } from './notices.ts';

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

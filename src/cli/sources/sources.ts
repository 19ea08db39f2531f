import type { ChartAccess, ChartSources } from '../../source/chart-access.ts';
import type { HttpClient } from '../../source/http/client.ts';
import type { TlsFiles } from '../../source/http/request.ts';
import type { RegistryOptions } from '../../source/oci/registry-client.ts';
import { helmPaths } from '../../source/paths.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { downloadProgress } from './download-progress.ts';
import { getterPlugins } from './getter-plugins.ts';
import type { DownloadContext, SourceFlags } from './named-chart.ts';
import { noticesOn } from './notices.ts';

/** What charts are fetched with. `tell` prints what Helm prints of it. */
export async function openSources(
  flags: SourceFlags,
  access: ChartAccess,
  context: DownloadContext,
  tell: (text: string) => void,
): Promise<ChartSources> {
  const { RegistryClient } = await import('../../source/oci/registry-client.ts');
  const options = await registryOptions(flags, access, context);
  return {
    paths: helmPaths(context.io.env, flags),
    http: options.http,
    registry: new RegistryClient(options),
    isOffline: options.http.isOffline,
    tell,
    onNotice: noticesOn(context),
  };
}

/** How registries are spoken to. */
export async function registryOptions(
  flags: SourceFlags,
  access: ChartAccess,
  context: DownloadContext,
): Promise<RegistryOptions> {
  const { caFile, certFile, keyFile, insecureSkipTlsVerify, plainHttp, username, password } = access;
  const tls = { caFile, certFile, keyFile, insecureSkipTlsVerify };
  if (password) context.secrets.add(password);
  await checkTls(tls);
  const env = context.io.env as NodeJS.ProcessEnv;
  const { registryConfig } = helmPaths(env, flags);
  const learnSecret = (secret: string): void => context.secrets.add(secret);
  return {
    http: await openHttp(flags, context),
    env,
    registryConfig,
    tls,
    plainHttp,
    username,
    password,
    learnSecret,
  };
}

/** Files of TLS that cannot be used are told of before anything is asked, as in Helm, also where nothing is. */
export async function checkTls(tls: TlsFiles): Promise<void> {
  const { caFile, certFile, keyFile, insecureSkipTlsVerify } = tls;
  if (!(certFile && keyFile) && !caFile && !insecureSkipTlsVerify) return;
  const { readTrust } = await import('../../source/http/tls.ts');
  await readTrust(tls).catch((cause: unknown) => {
    throw new TshelmError('bad-tls', { message: `missing registry client: ${messageOf(cause)}`, cause });
  });
}

/** The door to servers. */
export async function openHttp(flags: SourceFlags, context: DownloadContext): Promise<HttpClient> {
  const { HttpClient } = await import('../../source/http/client.ts');
  return new HttpClient({
    env: context.io.env as NodeJS.ProcessEnv,
    signal: context.signal,
    isOffline: flags.offline ?? isOn(context.io.env['TSHELM_OFFLINE']),
    onProgress: downloadProgress(context.io),
    getters: getterPlugins(flags, context),
  });
}

/** A variable that is a switch. */
const isOn = (text = ''): boolean => /^(?:1|t|true)$/i.test(text);

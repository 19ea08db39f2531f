import { join } from 'node:path';
import { boolOf, type FlagsOf } from '../change/option-rows.ts';
import type { RequestRate } from '../cluster/connect.ts';
import { homeFolder } from '../support/home.ts';
import { isDigits } from '../support/text.ts';
import type { globalFlags, verbosityFlag } from './flags/flags.ts';
import type { Io } from './terminal/io.ts';

/** The global flags; undefined where a flag was not given. */
export type GlobalFlags = Partial<FlagsOf<typeof globalFlags & typeof verbosityFlag>>;

/** What flags and HELM_* variables say together; a flag wins. Follows Helm's cli.EnvSettings. */
export interface Settings {
  readonly debug: boolean;
  /** Tells each request to the cluster, as --debug does and klog from a verbosity of 6 on. */
  readonly tellsRequests: boolean;
  readonly color: 'never' | 'auto' | 'always';
  readonly namespace: string | undefined;
  readonly kube: KubeSettings;
  readonly driver: string;
  readonly maxHistory: number;
  /** The sandbox's folder; undefined when the real cluster is meant. */
  readonly sandboxDirectory: string | undefined;
}

export interface KubeSettings {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly server: string | undefined;
  readonly token: string | undefined;
  readonly asUser: string | undefined;
  readonly asGroups: readonly string[];
  readonly caFile: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName: string | undefined;
  /** Undefined: no limit. */
  readonly rate: RequestRate | undefined;
}

export function settingsOf(flags: GlobalFlags, env: Io['env']): Settings {
  const debug = flags.debug ?? isTrue(env['HELM_DEBUG']);
  return {
    debug,
    tellsRequests: debug || (flags.v ?? 0) >= 6,
    color: colorSetting(flags.colour ?? flags.color, env),
    namespace: given(flags.namespace) ?? given(env['HELM_NAMESPACE']),
    kube: {
      kubeconfig: given(flags.kubeconfig),
      context: given(flags.kubeContext) ?? given(env['HELM_KUBECONTEXT']),
      server: given(flags.kubeApiserver) ?? given(env['HELM_KUBEAPISERVER']),
      token: given(flags.kubeToken) ?? given(env['HELM_KUBETOKEN']),
      asUser: given(flags.kubeAsUser) ?? given(env['HELM_KUBEASUSER']),
      asGroups: flags.kubeAsGroup ?? commaList(env['HELM_KUBEASGROUPS']),
      caFile: given(flags.kubeCaFile) ?? given(env['HELM_KUBECAFILE']),
      insecureSkipTlsVerify: flags.kubeInsecureSkipTlsVerify ?? isTrue(env['HELM_KUBEINSECURE_SKIP_TLS_VERIFY']),
      tlsServerName: given(flags.kubeTlsServerName) ?? given(env['HELM_KUBETLS_SERVER_NAME']),
      rate: requestRate(flags, env),
    },
    driver: env['HELM_DRIVER'] ?? '',
    maxHistory: isDigits(env['HELM_MAX_HISTORY'] ?? '') ? Number(env['HELM_MAX_HISTORY']) : 10,
    sandboxDirectory: flags.sandbox || given(flags.sandboxDir) ? sandboxDirectory(flags.sandboxDir, env) : undefined,
  };
}

/** --sandbox-dir, $TSHELM_SANDBOX, or `tshelm/sandbox` below the XDG state folder. */
export const sandboxDirectory = (flag: string | undefined, env: Io['env']): string =>
  given(flag) ??
  given(env['TSHELM_SANDBOX']) ??
  join(given(env['XDG_STATE_HOME']) ?? join(homeFolder(env['HOME']), '.local', 'state'), 'tshelm', 'sandbox');

/** Helm limits itself to 5 requests a second after a burst where nothing is said; we only where --qps asks for it. */
function requestRate(flags: GlobalFlags, env: Io['env']): RequestRate | undefined {
  const qps = flags.qps ?? Number(env['HELM_QPS'] ?? 0);
  const burst = flags.burstLimit ?? Number.parseInt(env['HELM_BURST_LIMIT'] ?? '', 10);
  return qps > 0 ? { qps, burst: burst > 0 ? burst : defaultBurst } : undefined;
}

const defaultBurst = 100;

function colorSetting(flag: string | undefined, env: Io['env']): Settings['color'] {
  const isPlain = given(env['NO_COLOR']) !== undefined;
  const text = flag !== undefined && flag !== 'auto' ? flag : isPlain ? 'never' : env['HELM_COLOR'];
  return text === 'never' || text === 'always' ? text : 'auto';
}

const given = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);
const isTrue = (text: string | undefined): boolean => boolOf(text ?? '') === true;
const commaList = (text: string | undefined): string[] => (text ?? '').split(',').filter((part) => part.trim() !== '');

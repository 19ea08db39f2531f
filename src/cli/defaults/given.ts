import type { Command } from 'commander';
import { splitOnce } from '../../support/text.ts';
import { flagTable } from '../flags/argv.ts';
import type { FlagOption } from '../flags/flag-option.ts';
import type { Io } from '../terminal/io.ts';
import type { DefaultFlag } from './files.ts';

/** The variables that say what a flag says; what they say comes before a default. */
const variables: Readonly<Record<string, readonly string[]>> = {
  'burst-limit': ['HELM_BURST_LIMIT'],
  color: ['HELM_COLOR', 'NO_COLOR'],
  'content-cache': ['HELM_CONTENT_CACHE'],
  debug: ['HELM_DEBUG'],
  environment: ['HELMFILE_ENVIRONMENT'],
  file: ['HELMFILE_FILE_PATH'],
  'history-max': ['HELM_MAX_HISTORY'],
  'kube-apiserver': ['HELM_KUBEAPISERVER'],
  'kube-as-group': ['HELM_KUBEASGROUPS'],
  'kube-as-user': ['HELM_KUBEASUSER'],
  'kube-ca-file': ['HELM_KUBECAFILE'],
  'kube-context': ['HELM_KUBECONTEXT'],
  'kube-insecure-skip-tls-verify': ['HELM_KUBEINSECURE_SKIP_TLS_VERIFY'],
  'kube-tls-server-name': ['HELM_KUBETLS_SERVER_NAME'],
  'kube-token': ['HELM_KUBETOKEN'],
  kubeconfig: ['KUBECONFIG'],
  namespace: ['HELM_NAMESPACE'],
  qps: ['HELM_QPS'],
  'registry-config': ['HELM_REGISTRY_CONFIG'],
  'repository-cache': ['HELM_REPOSITORY_CACHE'],
  'repository-config': ['HELM_REPOSITORY_CONFIG'],
  'sandbox-dir': ['TSHELM_SANDBOX'],
  'secret-refs': ['TSHELM_SECRET_REFS'],
  'trust-policy': ['TSHELM_TRUST_POLICY'],
  untrusted: ['TSHELM_UNTRUSTED'],
};

/** A default that counts for a command line, in commander's grammar. */
export interface AppliedDefault extends DefaultFlag {
  readonly words: readonly string[];
}

/**
 * The defaults that count for a command, whose own flags are `given`. Of several for a flag the first one counts, those of
 * the command before those of all.
 */
export function defaultsFor(
  command: Command,
  path: string,
  given: readonly string[],
  { defaults, env }: { readonly defaults: readonly DefaultFlag[]; readonly env: Io['env'] },
): readonly AppliedDefault[] {
  const table = flagTable(command);
  const named = new Set(given.map((word) => splitOnce(word, '=')[0]));
  const ranked = [path, undefined].flatMap((of) => defaults.filter(({ command: named }) => named === of));
  const applied = new Map<string, AppliedDefault>();
  for (const one of ranked) {
    const option = table.get(`--${one.flag}`);
    if (option === undefined || applied.has(one.flag) || isSaid(option, named, one.flag, env)) continue;
    applied.set(one.flag, { ...one, words: one.values.map((value) => `--${one.flag}=${value}`) });
  }
  return [...applied.values()];
}

const isSaid = (option: FlagOption, named: ReadonlySet<string>, flag: string, env: Io['env']): boolean =>
  named.has(`${option.long}`) || (variables[flag] ?? []).some((name) => (env[name] ?? '') !== '');

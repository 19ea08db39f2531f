import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { GlobalFlags } from '../settings.ts';

/** Which state files are read, and for what: helmfile's global flags. */
export const stackFileFlags = {
  'allow-no-matching-release': {
    type: 'bool',
    description: 'exit with code 0 if no release matches the selectors and the environment (default: 3)',
  },
  chart: { type: 'string', short: 'c', default: '', description: 'chart of every release, instead of its own' },
  environment: {
    type: 'string',
    short: 'e',
    description: 'name of the environment (default $HELMFILE_ENVIRONMENT, or "default")',
  },
  file: {
    type: 'string',
    short: 'f',
    description:
      "state file, or folder of state files; '-' is standard input (default $HELMFILE_FILE_PATH, or helmfile.yaml, helmfile.yaml.gotmpl, helmfile.d)",
  },
  'kustomize-binary': {
    type: 'string',
    short: 'k',
    description: 'program that builds Kustomizations (default $HELMFILE_KUSTOMIZE_BINARY, or that of the state file)',
  },
  'no-color': { type: 'bool', description: 'the same as --color=never' },
  'oci-plain-http': { type: 'bool', description: 'use HTTP for the registries of charts' },
  quiet: { type: 'bool', short: 'q', description: 'print only results, warnings and errors' },
  selector: {
    type: 'stringArray',
    short: 'l',
    default: [],
    description: 'only releases with these labels: k=v,k2!=v2 (can specify multiple: any of them)',
  },
  'sequential-helmfiles': {
    type: 'bool',
    description:
      'the same as --file-order for commands that work on releases; all other commands process the files one by one anyway',
  },
  'skip-deps': { type: 'bool', description: 'do not fetch dependencies that are missing in charts/' },
  'state-values-file': { type: 'stringArray', default: [], description: 'state values from a YAML file' },
  'state-values-set': {
    type: 'stringArray',
    default: [],
    description: 'set state values (can separate values with commas: key1=val1,key2=val2)',
  },
  'state-values-set-string': { type: 'stringArray', default: [], description: 'set state values as strings' },
  untrusted: {
    type: 'bool',
    description:
      'refuse files that run programs (exec, hooks, postRenderer, sops, vals, kustomize) or read outside of the working directory (default $TSHELM_UNTRUSTED)',
  },
} satisfies Record<string, FlagSpec>;

export type StackFlags = GlobalFlags & FlagsOf<typeof stackFileFlags>;

/** What helmfile's flags and variables say, as the flags of ours that say the same. */
export function ownFlags<Flags extends Partial<StackFlags> & { readonly fileOrder?: boolean | undefined }>(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
): Flags {
  const variable = (name: string): string | undefined => env[`HELMFILE_${name}`] || undefined;
  return {
    ...flags,
    namespace: flags.namespace ?? variable('NAMESPACE'),
    kubeContext: flags.kubeContext ?? variable('KUBE_CONTEXT'),
    kustomizeBinary: flags.kustomizeBinary ?? variable('KUSTOMIZE_BINARY'),
    ...(flags.noColor ? { color: 'never' } : {}),
    ...(flags.sequentialHelmfiles ? { fileOrder: true } : {}),
  };
}

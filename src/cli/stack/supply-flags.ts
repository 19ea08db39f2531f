import type { FlagSpec } from '../../change/option-rows.ts';
import { stackTrustFlags } from '../../stack/option-flags.ts';
import { runFlags } from './change-flags.ts';

/** helmfile's flags of `deps`. */
export const stackDepsFlags = {
  ...stackTrustFlags,
  'skip-repos': { type: 'bool', description: "do not add the repositories of the state files to Helm's list" },
} satisfies Record<string, FlagSpec>;

/** helmfile's flags of `fetch`. */
export const stackFetchFlags = {
  ...stackTrustFlags,
  concurrency: runFlags.concurrency,
  'output-dir': {
    type: 'string',
    description: 'folder for the charts (default: a temporary folder, which is removed at the end)',
  },
  'output-dir-template': {
    type: 'string',
    default: '',
    description:
      'go text template of the folder of each chart, with .OutputDir, .ChartName, .Release and .Environment (default "{{ .OutputDir }}/{{ .Release.Namespace }}/{{ .Release.KubeContext }}/{{ .Release.Name }}/{{ .ChartName }}/{{ or .Release.Version "latest" }}")',
  },
  'write-output': {
    type: 'bool',
    description: 'print the state file with the folders of the charts; needs --output-dir and a single state file',
  },
} satisfies Record<string, FlagSpec>;

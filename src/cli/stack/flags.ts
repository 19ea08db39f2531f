import type { NeedsOptions } from '../../stack/choose.ts';
import type { FlagSpec } from '../flag-option.ts';
import type { FlagRows, FlagsOf } from '../flag-rows.ts';
import type { GlobalFlags } from '../settings.ts';

/** Which state files are read, and for what: helmfile's global flags. */
export const stackFileFlags = {
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
      'state file, or folder of state files (default $HELMFILE_FILE_PATH, or helmfile.yaml, helmfile.yaml.gotmpl, helmfile.d)',
  },
  selector: {
    type: 'stringArray',
    short: 'l',
    default: [],
    description: 'only releases with these labels: k=v,k2!=v2 (can specify multiple: any of them)',
  },
  'state-values-file': { type: 'stringArray', default: [], description: 'state values from a YAML file' },
  'state-values-set': {
    type: 'stringArray',
    default: [],
    description: 'set state values (can separate values with commas: key1=val1,key2=val2)',
  },
  'state-values-set-string': { type: 'stringArray', default: [], description: 'set state values as strings' },
} satisfies Record<string, FlagSpec>;

export const needsFlags = {
  'include-needs': {
    type: 'bool',
    option: 'includeNeeds',
    description: 'also choose the releases that the chosen ones need',
  },
  'include-transitive-needs': {
    type: 'bool',
    option: 'includeTransitiveNeeds',
    description: 'also choose the releases that the chosen ones need, directly or not',
  },
  'skip-needs': {
    type: 'bool',
    option: 'skipNeeds',
    description: 'leave out needed releases that the selectors do not choose',
  },
} satisfies FlagRows<NeedsOptions>;

export type StackFlags = GlobalFlags & FlagsOf<typeof stackFileFlags>;

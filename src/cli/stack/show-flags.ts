import { capabilityFlags } from '../../actions/options/chart.ts';
import { checkFlags } from '../../actions/options/check.ts';
import { lintFlags } from '../../actions/options/lint.ts';
import { templateFlags as ofTemplate } from '../../actions/options/template.ts';
import type { TemplateOptions } from '../../actions/template.ts';
import { chartFlags } from '../../change/deploy/deploy-options.ts';
import type { FlagRows, FlagSpec } from '../../change/option-rows.ts';
import { stackTrustFlags } from '../../stack/option-flags.ts';
import { formatFlag } from '../flags/flags.ts';
import { checkClusterFlag, checkObjectFlags, checkOutputFlags } from '../output/check/output.ts';

export const listFlags = {
  output: {
    type: 'choice',
    placeholder: 'format',
    default: 'table',
    choices: ['table', 'json'] as const,
    description: 'prints the output in the specified format. Allowed values: table, json',
  },
} satisfies Record<string, FlagSpec>;

/** helmfile's table, and a page. */
export const dagFlags = formatFlag('output', ['table', 'html'], { html: 'a page with a diagram' });

/** What `stack template` has of the flags of `template`. */
export const templateOptionFlags = {
  ...capabilityFlags,
  'include-crds': ofTemplate['include-crds'],
  'no-hooks': chartFlags['no-hooks'],
  // -s is none of helmfile's.
  'show-only': { ...ofTemplate['show-only'], short: undefined },
  'skip-schema-validation': chartFlags['skip-schema-validation'],
  'skip-tests': ofTemplate['skip-tests'],
} satisfies FlagRows<TemplateOptions>;

export const releaseValueFlags = {
  set: { type: 'stringArray', default: [], description: 'additional values for every release' },
  values: { type: 'stringArray', default: [], description: 'additional values files for every release' },
} satisfies Record<string, FlagSpec>;

export const stackLintFlags = { ...lintFlags, ...releaseValueFlags, ...stackTrustFlags };

export const stackCheckFlags = {
  ...checkFlags,
  ...checkObjectFlags,
  ...checkOutputFlags,
  ...checkClusterFlag,
  ...releaseValueFlags,
  ...stackTrustFlags,
};

export const writeValuesFlags = {
  'output-file-template': {
    type: 'string',
    default: '',
    description:
      'go text template of the file that is written (default "{{ .State.BaseName }}-{{ .State.AbsPathSHA1 }}/{{ .Release.Name }}.yaml")',
  },
  values: releaseValueFlags.values,
} satisfies Record<string, FlagSpec>;

export const templateFlags = { ...templateOptionFlags, ...releaseValueFlags, ...stackTrustFlags };

import { chartFlags } from '../../change/deploy/deploy-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';
import type { TemplateOptions } from '../template.ts';
import { capabilityFlags } from './chart.ts';

export const templateFlags = {
  ...capabilityFlags,
  'enable-dns': chartFlags['enable-dns'],
  'include-crds': { type: 'bool', option: 'includeCrds', description: 'include CRDs in the templated output' },
  labels: chartFlags.labels,
  'is-upgrade': {
    type: 'bool',
    option: 'isUpgrade',
    description: 'set .Release.IsUpgrade instead of .Release.IsInstall',
  },
  'no-hooks': chartFlags['no-hooks'],
  'no-lookup': chartFlags['no-lookup'],
  'show-only': {
    type: 'stringArray',
    option: 'showOnly',
    short: 's',
    description: 'only show manifests rendered from the given templates',
  },
  'skip-crds': chartFlags['skip-crds'],
  'skip-schema-validation': chartFlags['skip-schema-validation'],
  'skip-tests': { type: 'bool', option: 'skipTests', description: 'skip tests from templated output' },
  'allow-lost-order': chartFlags['allow-lost-order'],
  'strict-plan': chartFlags['strict-plan'],
  wait: chartFlags.wait,
} satisfies FlagRows<TemplateOptions>;

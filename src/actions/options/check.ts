import { chartFlags } from '../../change/deploy/deploy-options.ts';
import type { FlagRows } from '../../change/option-rows.ts';
import type { CheckOptions } from '../check.ts';
import { capabilityFlags } from './chart.ts';

export const checkFlags = {
  ...capabilityFlags,
  'kube-version': {
    ...capabilityFlags['kube-version'],
    description: 'Kubernetes versions to check against, such as 1.34,1.37; the chart is rendered for each of them',
  },
  'allow-lost-order': chartFlags['allow-lost-order'],
  'enable-dns': chartFlags['enable-dns'],
  'is-upgrade': {
    type: 'bool',
    option: 'isUpgrade',
    description: 'set .Release.IsUpgrade instead of .Release.IsInstall',
  },
  'no-hooks': { ...chartFlags['no-hooks'], description: 'leave out hooks' },
  'no-lookup': chartFlags['no-lookup'],
  'skip-crds': {
    type: 'bool',
    option: 'skipCrds',
    description:
      "leave out the chart's folder crds/; custom resources of these kinds are checked only if the cluster serves them",
  },
  'skip-schema-validation': chartFlags['skip-schema-validation'],
  wait: chartFlags.wait,
} satisfies FlagRows<CheckOptions>;

import type { VersionFact } from '../problem/version-fact.ts';
import { unreachable } from '../support/errors.ts';

/** What is wrong in some version of Kubernetes, in one line. */
export function versionText(fact: VersionFact): string {
  switch (fact.code) {
    case 'kind-removed':
      return `${kindText(fact)} was removed in Kubernetes ${fact.since}${replacementText(fact)}`;
    case 'kind-deprecated':
      return `${kindText(fact)} has been deprecated since Kubernetes ${fact.since}${removalText(fact.removed)}${replacementText(fact)}`;
    case 'kind-not-yet':
      return `${kindText(fact)} is available from Kubernetes ${fact.since} on, not in ${versionsText(fact)}`;
    case 'kind-not-enabled':
      return `${kindText(fact)} is not served by default in Kubernetes ${versionsText(fact)}${replacementText(fact)}`;
    case 'field-removed':
      return `${fact.field} was removed in Kubernetes ${fact.since}`;
    case 'field-not-yet':
      return `${fact.field} is available from Kubernetes ${fact.since} on, not in ${versionsText(fact)}`;
    case 'field-deprecated': {
      const since = fact.since === undefined ? 'is deprecated' : `has been deprecated since Kubernetes ${fact.since}`;
      return `${fact.field} ${since}${fact.driver === undefined ? '' : `; use the CSI driver ${fact.driver} instead`}`;
    }
    case 'field-inactive':
      return `${fact.field} has had no effect since Kubernetes ${fact.since}`;
    default:
      return unreachable(fact);
  }
}

type KindFact = Extract<VersionFact, { readonly kind: string }>;

const kindText = ({ apiVersion, kind }: KindFact): string => `${apiVersion} ${kind}`;

const removalText = (removed: string | undefined): string =>
  removed === undefined ? '' : ` and is removed in ${removed}`;

function replacementText({ kind, replacement }: Exclude<KindFact, { readonly code: 'kind-not-yet' }>): string {
  if (replacement === undefined) return '';
  const name = `${replacement.apiVersion}${replacement.kind === kind ? '' : ` ${replacement.kind}`}`;
  return `; ${name} is available from ${replacement.since} on`;
}

const versionsText = ({ versions }: VersionFact): string => versions.join(', ');

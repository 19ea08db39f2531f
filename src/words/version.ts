import type { Fact } from '../problem/fact.ts';
import type { Replacement, VersionFact } from '../problem/version-fact.ts';

type FactOf<Code extends VersionFact['code']> = Extract<VersionFact, { readonly code: Code }>;

/** What is wrong in some version of Kubernetes, in one line. */
export const versionText = <Code extends VersionFact['code']>(fact: FactOf<Code>): string =>
  (texts[fact.code as Code] as (fact: FactOf<Code>) => string)(fact);

export const isOfVersion = (fact: Fact): fact is VersionFact => Object.hasOwn(texts, fact.code);

const texts: { readonly [Code in VersionFact['code']]: (fact: FactOf<Code>) => string } = {
  'kind-removed': (fact) => `${named(fact)} was removed in Kubernetes ${fact.since}${replacementText(fact)}`,
  'kind-deprecated': (fact) => {
    const removal = fact.removed === undefined ? '' : ` and is removed in ${fact.removed}`;
    return `${named(fact)} has been deprecated since Kubernetes ${fact.since}${removal}${replacementText(fact)}`;
  },
  'kind-not-yet': (fact) => `${named(fact)} is available from Kubernetes ${fact.since} on, not in ${listed(fact)}`,
  'kind-not-enabled': (fact) =>
    `${named(fact)} is not served by default in Kubernetes ${listed(fact)}${replacementText(fact)}`,
  'field-removed': ({ field, since }) => `${field} was removed in Kubernetes ${since}`,
  'field-not-yet': (fact) => `${fact.field} is available from Kubernetes ${fact.since} on, not in ${listed(fact)}`,
  'field-deprecated': ({ field, since, driver }) => {
    const state = since === undefined ? 'is deprecated' : `has been deprecated since Kubernetes ${since}`;
    return `${field} ${state}${driver === undefined ? '' : `; use the CSI driver ${driver} instead`}`;
  },
  'field-inactive': ({ field, since }) => `${field} has had no effect since Kubernetes ${since}`,
};

interface KindFact {
  readonly apiVersion: string;
  readonly kind: string;
  readonly replacement?: Replacement | undefined;
}

const named = ({ apiVersion, kind }: KindFact): string => `${apiVersion} ${kind}`;

const listed = ({ versions }: VersionFact): string => versions.join(', ');

function replacementText({ kind, replacement }: KindFact): string {
  if (replacement === undefined) return '';
  const name = replacement.kind === kind ? replacement.apiVersion : named(replacement);
  return `; ${name} is available from ${replacement.since} on`;
}

import type { ReleaseFact } from '../problem/release-fact.ts';
import { quoted } from './quote.ts';

/** What does not fit together in a release, in one line. */
export function releaseText(fact: ReleaseFact): string {
  switch (fact.code) {
    case 'kind-not-checked':
      return `its fields were not checked: the CRD of ${fact.kind} (${fact.apiVersion}) is not part of the chart`;
    case 'object-duplicate':
      return `it is rendered ${fact.count} times, and the last one wins`;
    case 'reference-outside':
      return `${fact.kind}/${fact.name} is not part of the release: the cluster must have it`;
    case 'reference-misspelt':
      return `${fact.kind}/${fact.name} is not part of the release, but ${fact.kind}/${fact.meant} is`;
    case 'object-missing':
      return `${fact.kind}/${fact.name} is neither in the release nor in the cluster`;
    case 'key-missing':
      return `${fact.kind}/${fact.name} has no key ${fact.key}${listed(fact.keys)}`;
    case 'service-port-missing':
      return `Service/${fact.service} has no port ${fact.port}${listed(fact.ports)}`;
    case 'probe-port-missing':
      return `its probe asks the port ${fact.port}, and the container has no port with this name${listed(fact.names)}`;
    case 'order-hazard':
      return quoted(fact.words);
    case 'ignore-invalid':
      return `tshelm.dev/check-ignore has ${JSON.stringify(fact.line)}: write a code of docs/problems.md, a colon and a reason`;
  }
}

const mostListed = 8;

/** `; there are http, metrics` */
function listed(names: readonly string[]): string {
  if (names.length === 0) return '; there are none';
  const more = names.length > mostListed ? `, … (${names.length})` : '';
  return `; there are ${names.slice(0, mostListed).join(', ')}${more}`;
}

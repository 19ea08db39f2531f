import type { ReleaseFact } from '../problem/release-fact.ts';
import { quoted } from './quote.ts';

/** What does not fit together in a release, in one line. */
export function releaseText(fact: ReleaseFact): string {
  switch (fact.code) {
    case 'kind-not-checked':
      return `its fields were not checked: the CRD of ${fact.kind} (${fact.apiVersion}) is not part of the chart`;
    case 'cluster-silent': {
      const what = fact.request === 'read' ? 'reading from the cluster failed for' : 'the cluster could not check';
      return `${what} ${fact.kinds.join(', ')}: ${quoted(fact.words)}`;
    }
    case 'object-duplicate':
      return `rendered ${fact.count} times; the last one wins`;
    case 'key-twice':
      return `${fact.field} is set twice; only the last one counts`;
    case 'reference-outside':
      return `${fact.kind}/${fact.name} is not part of the release, so it must already be in the cluster`;
    case 'reference-misspelt':
      if (fact.namespaces !== undefined)
        return `the release has no ${fact.kind}/${fact.name} in namespace ${fact.namespaces.written}, but one in namespace ${fact.namespaces.meant}`;
      return `${fact.kind}/${fact.name} is not part of the release, but ${fact.kind}/${fact.meant} is`;
    case 'object-missing':
      return `${fact.kind}/${fact.name} is neither in the release nor in the cluster`;
    case 'key-missing':
      return `${fact.kind}/${fact.name} has no key ${fact.key}${listed('keys', fact.keys)}`;
    case 'service-port-missing':
      return `Service/${fact.service} has no port ${fact.port}${listed('ports', fact.ports)}`;
    case 'probe-port-missing':
      return `its probe uses the port ${fact.port}, but the container has no port with this name${listed('ports', fact.names)}`;
    case 'order-hazard':
      return quoted(fact.words);
    case 'ignore-invalid':
      return `tshelm.dev/check-ignore has the invalid line ${JSON.stringify(fact.line)}; write CODE: REASON`;
  }
}

const mostListed = 8;

/** `; its ports are http, metrics` */
function listed(what: 'keys' | 'ports', names: readonly string[]): string {
  if (names.length === 0) return `; it has no ${what}`;
  const more = names.length > mostListed ? `, … (${names.length})` : '';
  return `; its ${what} are ${names.slice(0, mostListed).join(', ')}${more}`;
}
